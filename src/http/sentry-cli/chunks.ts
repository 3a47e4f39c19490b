import { createHash, hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Deps } from '../../core/deps.ts';
import { createBadRequestError } from '../../core/errors.ts';
import { bundleBytesMax, uploadRequestBytesMax } from '../../core/source-maps/artifacts.ts';
import {
  chunkBytesMax,
  chunksPerRequestMax,
  type StoreBundle,
} from '../../core/source-maps/assemble-bundles.ts';
import { storeArtifacts } from '../../core/source-maps/store-artifacts.ts';
import type { Project } from '../../core/store/projects.ts';
import { getBodyState } from '../bodies/body-state.ts';
import { bodyStream } from '../bodies/body-stream.ts';
import { type UploadFolder, withUploadFolder } from '../bodies/upload-folder.ts';
import { type MultipartFile, readMultipart } from '../bodies/upload-multipart.ts';
import { uploadSemaphore, withBundle } from '../uploads/artifacts.ts';

/** Compression can make a chunk slightly larger. */
const packedChunkBytesMax = chunkBytesMax + 64 * 1024;
const chunkRequestBytesMax = 32 * 1024 * 1024;

export function chunkOptions(url: string): Record<string, unknown> {
  return {
    url,
    chunkSize: chunkBytesMax,
    chunksPerRequest: chunksPerRequestMax,
    maxFileSize: uploadRequestBytesMax,
    maxRequestSize: chunkRequestBytesMax,
    concurrency: 2,
    hashAlgorithm: 'sha1',
    compression: ['gzip'],
    accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2'],
  };
}

/** Throws 400 for a chunk whose SHA-1 is not its name. */
export async function storeChunks(deps: Deps, project: Project, incoming: IncomingMessage): Promise<void> {
  const bodyState = getBodyState(incoming);
  bodyState.isStreamed = true;
  await uploadSemaphore.run(
    () => withUploadFolder(deps, (folder) => storeEachChunk(deps, project, incoming, folder)),
    bodyState,
  );
}

async function storeEachChunk(
  deps: Deps,
  project: Project,
  incoming: IncomingMessage,
  folder: UploadFolder,
): Promise<void> {
  const body = bodyStream(incoming, chunkRequestBytesMax);
  try {
    const limits = { filesMax: chunksPerRequestMax, fileBytesMax: packedChunkBytesMax };
    const { files } = await readMultipart(body, incoming.headers, folder, limits);
    for (const file of files) {
      const bytes = await plainChunk(file);
      await deps.store.writeChunk(project.id, file.filename.toLowerCase(), bytes, deps.now());
    }
  } finally {
    // Discards the rest of a refused body.
    body.destroy();
  }
}

export function createBundleStorer(deps: Deps, project: Project): StoreBundle {
  return (chunks, checksum, target) =>
    withUploadFolder(deps, async (folder) => {
      const digest = createHash('sha1');
      const hashed = Readable.from(hashing(chunks, (bytes) => digest.update(bytes)));
      const { path } = await folder.write(hashed, bundleBytesMax);
      if (digest.digest('hex') !== checksum) {
        throw badChunk('the chunks do not match the checksum of the bundle');
      }
      const filed = await withBundle(path, folder, target, (upload) => storeArtifacts(deps, project, upload));
      for (const warning of filed.warnings) {
        deps.log.warn({ projectId: project.id, warning }, 'artifact bundle');
      }
      if (filed.artifacts.length === 0) {
        throw badChunk(filed.warnings[0] ?? 'the bundle contains no artifacts');
      }
    });
}

async function* hashing(
  chunks: AsyncIterable<Uint8Array>,
  see: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of chunks) {
    see(bytes);
    yield bytes;
  }
}

async function plainChunk(file: MultipartFile): Promise<Buffer> {
  const sent = await readFile(file.path);
  const bytes = file.field === 'file_gzip' ? await inflated(sent) : sent;
  if (bytes.length > chunkBytesMax) throw badChunk(`a chunk is larger than ${chunkBytesMax} bytes`);
  if (hash('sha1', bytes) !== file.filename.toLowerCase()) {
    throw badChunk('a chunk does not match its name');
  }
  return bytes;
}

async function inflated(sent: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(sent, { maxOutputLength: chunkBytesMax });
  } catch {
    throw badChunk(`a chunk is not valid gzip data of at most ${chunkBytesMax} bytes`);
  }
}

function badChunk(reason: string): Error {
  return createBadRequestError('notifier_chunk_invalid', `The upload cannot be accepted: ${reason}.`);
}

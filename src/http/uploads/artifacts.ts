// Artifact uploads as multipart, JSON or ZIP (docs/source-maps.md, "What an upload may hold").
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createConcurrencyLimit } from '../../core/concurrency-limit.ts';
import type { Deps } from '../../core/deps.ts';
import {
  addJitter,
  createBadRequestError,
  createInvalidParamError,
  createMissingParamsError,
  createRateLimitError,
} from '../../core/errors.ts';
import type { SymbolicationWorkers } from '../../core/ports/symbolication-workers.ts';
import { addSuffixBeforeQuery } from '../../core/source-maps/artifact-names.ts';
import {
  artifactBytesMax,
  artifactsPerRequestMax,
  bundleBytesMax,
  bundleEntriesMax,
  bundleRatioMax,
  parseArtifactTarget,
  uploadRequestBytesMax,
} from '../../core/source-maps/artifacts.ts';
import type { ArtifactUpload, UploadedArtifactFile } from '../../core/source-maps/store-artifacts.ts';
import { isJsonMediaType } from '../../wordpress/response/json-media-type.ts';
import { getBodyState } from '../bodies/body-state.ts';
import { bodyStream } from '../bodies/body-stream.ts';
import { openBundle } from '../bodies/upload-bundle.ts';
import { type UploadFolder, withUploadFolder } from '../bodies/upload-folder.ts';
import { type MultipartBody, type MultipartFile, readMultipart } from '../bodies/upload-multipart.ts';

/** Concurrent uploads; each may use 300 MB of disk. Build plugins send dozens at once, which wait unread. */
export const uploadSemaphore = createConcurrencyLimit({
  atOnceMax: 6,
  waitingMax: 200,
  waitMsMax: 60_000,
  refusal: () => createRateLimitError(addJitter(2)),
});

const archiveTypes = new Set(['application/zip', 'application/x-zip-compressed', 'application/octet-stream']);

export interface UploadRequest {
  readonly incoming: IncomingMessage;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Throws 400 for an invalid or too large body, 429 when too many uploads wait, 503 on disk errors. */
export async function withUpload<Result>(
  request: UploadRequest,
  deps: Deps,
  take: (upload: ArtifactUpload) => Promise<Result>,
): Promise<Result> {
  const bodyState = getBodyState(request.incoming);
  bodyState.isStreamed = true;
  const { workers } = deps.eventMapping;
  const job = (): Promise<Result> =>
    withUploadFolder(deps, (folder) => readUpload(request, workers, folder, take));
  return await uploadSemaphore.run(job, bodyState);
}

/** For archives on disk, assembled from chunks. */
export async function withBundle<Result>(
  path: string,
  folder: UploadFolder,
  stated: { release: unknown; dist: unknown },
  take: (upload: ArtifactUpload) => Promise<Result>,
): Promise<Result> {
  const bundle = await openBundle(path, {
    entriesMax: bundleEntriesMax,
    entryBytesMax: artifactBytesMax,
    bundleBytesMax,
    ratioMax: bundleRatioMax,
  });
  try {
    const target = parseArtifactTarget(
      textOrNull(stated.release) ?? bundle.release,
      textOrNull(stated.dist) ?? bundle.dist,
    );
    const files = bundle.entries.map(
      (entry): UploadedArtifactFile => ({
        ...entry,
        isLenient: true,
        open: () => entry.extract(folder),
        release: (path) => folder.remove(path),
      }),
    );
    return await take({ target, overwrite: true, files, warnings: bundle.warnings });
  } finally {
    bundle.close();
  }
}

async function readUpload<Result>(
  request: UploadRequest,
  workers: SymbolicationWorkers,
  folder: UploadFolder,
  take: (upload: ArtifactUpload) => Promise<Result>,
): Promise<Result> {
  const body = bodyStream(request.incoming, uploadRequestBytesMax);
  try {
    return await readUploadBody(request, body, workers, folder, take);
  } finally {
    // Discards the rest of a refused body.
    body.destroy();
  }
}

async function readUploadBody<Result>(
  { incoming, query }: UploadRequest,
  body: Readable,
  workers: SymbolicationWorkers,
  folder: UploadFolder,
  take: (upload: ArtifactUpload) => Promise<Result>,
): Promise<Result> {
  const contentType = incoming.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'multipart/form-data') {
    const limits = { filesMax: artifactsPerRequestMax, fileBytesMax: artifactBytesMax };
    return take(multipartUpload(await readMultipart(body, incoming.headers, folder, limits)));
  }
  const isJson = isJsonMediaType(mediaType);
  if (!isJson && !archiveTypes.has(mediaType)) {
    throw createBadRequestError(
      'rest_unsupported_media_type',
      'Send artifacts as multipart/form-data, application/json or application/zip.',
    );
  }
  const { path } = await folder.write(body, uploadRequestBytesMax);
  if (isJson) return take(await jsonUpload(path, folder, workers));
  return withBundle(path, folder, { release: query['release'], dist: query['dist'] }, take);
}

async function jsonUpload(
  path: string,
  folder: UploadFolder,
  workers: SymbolicationWorkers,
): Promise<ArtifactUpload> {
  const body = await workers
    .unpackJson(path, folder.path, { filesMax: artifactsPerRequestMax, fileBytesMax: artifactBytesMax })
    .catch((error: Error) => {
      throw error.name === 'MapRefused'
        ? createBadRequestError('rest_invalid_json', `Invalid JSON body passed: ${error.message}.`)
        : error;
    });
  if (body.files.length === 0) throw createMissingParamsError(['files']);
  const files = body.files.map((file, index): UploadedArtifactFile => {
    if (file.name === null) {
      throw createInvalidParamError({
        files: `files[${index}][name] is a required property of files[${index}].`,
      });
    }
    return toUploadedFile({ ...file, name: file.name }, file);
  });
  return {
    target: parseArtifactTarget(body.release, body.dist),
    overwrite: flagOf(body.overwrite),
    files,
    warnings: [],
  };
}

/** Accepts the field names of all services, so that their uploaders need only another URL. */
function multipartUpload(body: MultipartBody): ArtifactUpload {
  const field = (...names: string[]): string | null =>
    names.map((name) => textOrNull(body.fields.get(name))).find((value) => value !== null) ?? null;
  const script = field('minified_url', 'minifiedUrl', 'name');
  const debugId = field('debug_id', 'debugId');
  const mapName =
    script === null || script.split(/[?#]/, 1)[0]?.endsWith('.map')
      ? script
      : addSuffixBeforeQuery(script, '.map');
  const hasMap = body.files.some((file) => isMapField(file.field));
  if (body.files.length === 0) throw createMissingParamsError(['file']);
  const files = body.files.map((file): UploadedArtifactFile => {
    const isSource = /^(?:https?:|~|\/)/i.test(file.field);
    if (isSource)
      return toUploadedFile({ name: file.field, type: 'source', debugId: null, sourceMap: null }, file);
    if (isMapField(file.field)) {
      return toUploadedFile(
        { name: mapName ?? file.filename, type: 'source_map', debugId, sourceMap: null },
        file,
      );
    }
    const isScript = file.field === 'minified_file' || file.field === 'minifiedFile';
    if (!isScript && file.field !== 'file') {
      throw createInvalidParamError({ [file.field]: `${file.field} is not a valid field name for a file.` });
    }
    const isMapFile = !isScript && /\.map(?:\.gz)?$/i.test(file.filename);
    return toUploadedFile(
      {
        name: (isMapFile ? mapName : script) ?? file.filename,
        type: isScript ? 'minified_source' : field('type'),
        debugId,
        sourceMap: isScript && hasMap ? mapName : null,
      },
      file,
    );
  });
  return {
    target: parseArtifactTarget(field('release', 'version', 'revision', 'appVersion'), field('dist')),
    overwrite: flagOf(field('overwrite')),
    files,
    warnings: [],
  };
}

function toUploadedFile(
  fields: Pick<UploadedArtifactFile, 'name' | 'type' | 'debugId' | 'sourceMap'>,
  file: Pick<MultipartFile, 'path' | 'size'>,
): UploadedArtifactFile {
  const { name, type, debugId, sourceMap } = fields;
  return {
    name,
    type,
    debugId,
    sourceMap,
    isLenient: false,
    open: async () => ({ path: file.path, size: file.size }),
    release: async () => {},
  };
}

function isMapField(field: string): boolean {
  return field === 'source_map' || field === 'sourceMap';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Default true, as for all services but Bugsnag. */
function flagOf(value: unknown): boolean {
  return !(
    value === false ||
    value === 0 ||
    ['false', '0', 'no', 'off'].includes(String(value).toLowerCase())
  );
}

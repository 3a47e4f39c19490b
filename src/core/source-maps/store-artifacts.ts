// Stores uploaded artifacts: inspects each file in a worker, stores its content once, then assigns names.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import type { ArtifactInspection } from '../ports/symbolication-workers.ts';
import { upsertRelease } from '../releases/releases.ts';
import { scrubProjectText } from '../scrub/record.ts';
import type { NewArtifact, RecordedArtifact, SinglePieceContent } from '../store/artifacts.ts';
import type { Project } from '../store/projects.ts';
import { normalizeFileName } from './artifact-names.ts';
import {
  type ArtifactTarget,
  createUnusableArtifactError,
  type DeclaredArtifact,
  describeArtifact,
  isUnfinishedLimitError,
  parseDeclaredType,
  scrubArtifactTarget,
} from './artifacts.ts';

/** Size of a stored gzip part; small enough not to delay other queries. */
const partBytes = 256 * 1024;
const warningsMax = 100;
const filesAtOnce = 4;
const collectedMax = 50;

export interface UploadedArtifactFile extends DeclaredArtifact {
  /** In a bundle an invalid file is skipped with a warning; otherwise it is refused. */
  readonly isLenient: boolean;
  open(): Promise<{ path: string; size: number }>;
  release(path: string): Promise<void>;
}

export interface ArtifactUpload {
  readonly target: ArtifactTarget;
  readonly overwrite: boolean;
  readonly files: readonly UploadedArtifactFile[];
  readonly warnings: readonly string[];
}

export interface StoredUpload {
  readonly artifacts: readonly RecordedArtifact[];
  readonly warnings: readonly string[];
}

/** All or none. Throws 400 for an unusable file, an existing name without `overwrite`, or neither release nor debug
 * id. Events that waited for these maps are symbolicated in the background. */
export async function storeArtifacts(
  deps: Deps,
  project: Project,
  sent: ArtifactUpload,
): Promise<StoredUpload> {
  const upload = { ...sent, target: scrubArtifactTarget(project, sent.target) };
  const warnings = [...upload.warnings];
  const artifacts: NewArtifact[] = [];
  for (const processed of await processFiles(deps, project, upload)) {
    if (processed.artifact !== null) artifacts.push(processed.artifact);
    warnings.push(...processed.warnings);
  }
  warnings.push(...pairWarnings(artifacts));
  const { release } = upload.target;
  // An artifact creates its release, like an event does.
  if (release !== null && artifacts.length > 0) await upsertRelease(deps, project, { version: release });
  const recorded = await deps.store.recordArtifacts(artifacts, {
    overwrite: upload.overwrite,
    nowMs: deps.now(),
  });
  announce(deps, project, upload, recorded);
  return {
    artifacts: recorded,
    warnings: warnings.slice(0, warningsMax).map((warning) => scrubProjectText(warning, project)),
  };
}

interface ProcessedFile {
  readonly artifact: NewArtifact | null;
  readonly warnings: readonly string[];
}

async function processFiles(deps: Deps, project: Project, upload: ArtifactUpload): Promise<ProcessedFile[]> {
  const processed: ProcessedFile[] = [];
  const queue = upload.files.entries();
  const keeper = createContentKeeper(deps, project);
  const processNext = async (): Promise<void> => {
    for (const [index, file] of queue)
      processed[index] = await processOrSkip(deps, project, upload, file, keeper);
  };
  const settled = await Promise.allSettled(Array.from({ length: filesAtOnce }, processNext));
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await keeper.finish();
  return processed;
}

async function processOrSkip(
  deps: Deps,
  project: Project,
  upload: ArtifactUpload,
  file: UploadedArtifactFile,
  keeper: ContentKeeper,
): Promise<ProcessedFile> {
  try {
    return await processFile(deps, project, upload, file, keeper);
  } catch (error) {
    if (!file.isLenient || !(error instanceof RestError) || isUnfinishedLimitError(error)) throw error;
    return { artifact: null, warnings: [`skipped: ${error.message}`] };
  }
}

async function processFile(
  deps: Deps,
  project: Project,
  upload: ArtifactUpload,
  file: UploadedArtifactFile,
  keeper: ContentKeeper,
): Promise<ProcessedFile> {
  const type = parseDeclaredType(file.type);
  const written = await file.open();
  try {
    const found = await inspect(deps, file, type, written.path);
    if (found.refusal !== null) throw createUnusableArtifactError(file.name, found.refusal);
    const declared = found.wasGzip ? { ...file, name: file.name.replace(/\.gz$/i, '') } : file;
    const content = { size: found.size, sha256: found.sha256 };
    const described = describeArtifact(project, upload.target, declared, found, content);
    await keeper.add(found.path, content);
    return described;
  } finally {
    await file.release(written.path);
  }
}

async function inspect(
  deps: Deps,
  file: UploadedArtifactFile,
  type: ArtifactInspection['type'] | null,
  path: string,
): Promise<ArtifactInspection> {
  try {
    return await deps.eventMapping.workers.inspect({ path, name: file.name, declaredType: type });
  } catch (error) {
    // Both errors mean that the file is invalid; `WorkerLostError` is a crash while reading it.
    if (error instanceof Error && ['MapRefused', 'WorkerLost'].includes(error.name)) {
      throw createUnusableArtifactError(file.name, error.message);
    }
    throw error;
  }
}

type ContentKeeper = ReturnType<typeof createContentKeeper>;

/** Stores contents once per project; small ones are collected to share a transaction. */
function createContentKeeper(deps: Deps, project: Project) {
  let collected: SinglePieceContent[] = [];
  let collectedBytes = 0;
  async function finish(): Promise<void> {
    const contents = collected;
    [collected, collectedBytes] = [[], 0];
    if (contents.length > 0) await deps.store.keepSmallContents(project.id, contents, deps.now());
  }
  return {
    finish,
    async add(path: string, content: { size: number; sha256: string }): Promise<void> {
      if (content.size > partBytes) return storeLarge(deps, project, path, content);
      const bytes = await promisify(gzip)(await readFile(path));
      collected.push({ ...content, bytes });
      collectedBytes += bytes.length;
      if (collected.length >= collectedMax || collectedBytes >= partBytes) await finish();
    },
  };
}

async function storeLarge(
  deps: Deps,
  project: Project,
  path: string,
  { size, sha256 }: { size: number; sha256: string },
): Promise<void> {
  const { store } = deps;
  if (await store.claimContent(project.id, sha256, size, deps.now())) return;
  let part = 0;
  for await (const bytes of piecesOf(createReadStream(path).pipe(createGzip()))) {
    await store.writeContentPart(project.id, sha256, part, bytes);
    part += 1;
  }
  await store.completeContent(project.id, sha256, part);
}

async function* piecesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < partBytes) continue;
    yield Buffer.concat(chunks, length);
    [chunks, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(chunks, length);
}

function pairWarnings(artifacts: readonly NewArtifact[]): string[] {
  const warnings: string[] = [];
  const maps = artifacts.filter((artifact) => artifact.type === 'source_map');
  for (const script of artifacts) {
    if (script.type !== 'minified_source' || script.sourceMap === null || script.hasInlineMap) continue;
    const base = normalizeFileName(lastPart(script.sourceMap));
    const map = maps.find((each) => lastPart(each.name) === base);
    if (map === undefined) {
      if (script.debugId === null) {
        warnings.push(
          `${script.name}: its source map (${cutText(script.sourceMap, 200)}) is not in this upload`,
        );
      }
    } else if (map.debugId !== null && script.debugId !== null && map.debugId !== script.debugId) {
      warnings.push(`${script.name}: its debug ID differs from that of its source map`);
    }
  }
  return warnings;
}

function lastPart(name: string): string {
  return name.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
}

function announce(
  deps: Deps,
  project: Project,
  upload: ArtifactUpload,
  recorded: readonly RecordedArtifact[],
): void {
  const added = recorded.filter((each) => !each.duplicate);
  const { release } = upload.target;
  deps.log.info(
    { projectId: project.id, release, files: recorded.length, added: added.length },
    'artifacts stored',
  );
  if (added.length === 0) return;
  // A debug id may match any event, a name only events of its release.
  const debugIds = [...new Set(added.flatMap((each) => each.artifact.debugId ?? []))];
  deps.eventMapping.artifactsArrived(project.id, { release, debugIds });
}

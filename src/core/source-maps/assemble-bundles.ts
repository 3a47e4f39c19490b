// sentry-cli asks before it uploads: if all chunks are here the bundle must get stored. One job a checksum.
import type { AssembleRequest, AssembleResponse } from '../../../schemas/sentry-api.ts';
import type { Deps } from '../deps.ts';
import { RestError } from '../errors.ts';
import { minuteMs } from '../parsing/durations.ts';
import type { Project } from '../store/projects.ts';
import { bundleBytesMax } from './artifacts.ts';

/** Before compression; Sentry's protocol requires a power of two. */
export const chunkBytesMax = 1024 * 1024;
export const chunksPerRequestMax = 64;
/** After this time the client is told to ask again. */
const longPollMs = 10_000;
/** How long a result is kept for a client that asks again. */
const resultKeptMs = minuteMs;
const jobsMax = 1_000;

/** Writes the chunks to a file and stores its artifacts. Throws if it is refused. */
export type StoreBundle = (
  chunks: AsyncIterable<Uint8Array>,
  checksum: string,
  target: { release: string | null; dist: string | null },
) => Promise<void>;

interface Job {
  readonly done: Promise<AssembleResponse>;
  finishedAtMs: number | null;
}

export function createBundleAssembler(deps: Pick<Deps, 'store' | 'now' | 'log'>) {
  const jobs = new Map<string, Job>();
  return {
    async assemble(project: Project, request: AssembleRequest, file: StoreBundle): Promise<AssembleResponse> {
      const checksum = request.checksum.toLowerCase();
      const chunks = request.chunks.map((sha1) => sha1.toLowerCase());
      const key = JSON.stringify([project.id, checksum, request.version ?? null, request.dist ?? null]);
      removeFinishedJobs(jobs, deps.now());
      let job = jobs.get(key);
      if (job === undefined) {
        const missing = await deps.store.missingChunks(project.id, chunks);
        if (missing.length > 0 || chunks.length === 0) return { state: 'not_found', missingChunks: missing };
        job = jobs.get(key);
        if (job === undefined) {
          job = startJob(deps, project, { ...request, checksum, chunks }, file);
          jobs.set(key, job);
        }
      }
      const answer = await Promise.race([job.done, stillAssembling()]);
      // The result was delivered: the next request is a new upload.
      if (answer.state !== 'assembling') jobs.delete(key);
      return answer;
    },
  };
}

function startJob(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  project: Project,
  request: AssembleRequest,
  file: StoreBundle,
): Job {
  const target = { release: request.version ?? null, dist: request.dist ?? null };
  const work = async (): Promise<AssembleResponse> => {
    try {
      await file(chunksOf(deps, project, request.chunks), request.checksum, target);
      await deps.store.chunksFiled(project.id, request.chunks);
      return { state: 'ok', missingChunks: [], detail: null };
    } catch (error) {
      if (!(error instanceof RestError)) {
        deps.log.error(
          { projectId: project.id, error: String(error) },
          'an artifact bundle could not be stored',
        );
      }
      const detail = error instanceof RestError ? error.message : 'The bundle could not be stored.';
      return { state: 'error', missingChunks: [], detail };
    }
  };
  const job: Job = { done: work(), finishedAtMs: null };
  void job.done.then(() => {
    job.finishedAtMs = deps.now();
  });
  return job;
}

/** Reads one chunk at a time to save memory. Throws 400 above the size limit of a bundle. */
async function* chunksOf(
  deps: Pick<Deps, 'store'>,
  project: Project,
  sha1s: readonly string[],
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (const sha1 of sha1s) {
    const bytes = await deps.store.findChunk(project.id, sha1);
    if (bytes === null) {
      throw new RestError('notifier_chunk_missing', `The chunk ${sha1} no longer exists.`, 400);
    }
    size += bytes.byteLength;
    if (size > bundleBytesMax) {
      throw new RestError(
        'notifier_bundle_invalid',
        `The bundle is larger than ${bundleBytesMax} bytes.`,
        400,
      );
    }
    yield bytes;
  }
}

function removeFinishedJobs(jobs: Map<string, Job>, nowMs: number): void {
  for (const [key, job] of jobs) {
    const isOld = job.finishedAtMs !== null && nowMs - job.finishedAtMs > resultKeptMs;
    if (isOld || (job.finishedAtMs !== null && jobs.size > jobsMax)) jobs.delete(key);
  }
}

function stillAssembling(): Promise<AssembleResponse> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ state: 'assembling', missingChunks: [] }), longPollMs).unref();
  });
}

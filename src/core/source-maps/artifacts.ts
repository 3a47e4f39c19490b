// The rules of artifacts: what a file is called, what it belongs to, when it replaces another. No streams, no
// SQL.

import type { Deps } from '../deps.ts';
import { badRequest, invalidId, invalidParam, type RestError } from '../errors.ts';
import type { Inspection } from '../ports/map-workers.ts';
import { cutText, isLongerThan } from '../reading/cut-text.ts';
import { dayMs, hourMs } from '../reading/spans.ts';
import { scrubFileName } from '../scrub/record.ts';
import { type Artifact, type ArtifactType, artifactTypes, type NewArtifact } from '../store/artifacts.ts';
import type { Project } from '../store/projects.ts';
import { sanitizeDebugId } from './debug-ids.ts';
import { comparableName } from './script-addresses.ts';
import type { ArtifactTarget } from './target.ts';

/** docs/source-maps.md, "Limits". */
export const requestBytesMax = 100 * 1024 * 1024;
export const fileBytesMax = 50 * 1024 * 1024;
export const filesMax = 100;
export const bundleEntriesMax = 2_000;
export const bundleBytesMax = 200 * 1024 * 1024;
export const bundleRatioMax = 100;
const artifactNameCharactersMax = 1_024;

/** A row whose name another content took is kept for so long, and answers by its debug id meanwhile. */
export const replacedKeptMs = 30 * dayMs;
/** Contents that no row names, and chunks, are cleared away after a day. */
export const unusedKeptMs = dayMs;
/** Chunks whose bundle was filed are kept for a client that asks again. */
export const filedChunksKeptMs = hourMs;

const sourceMapReferenceCharactersMax = 2_048;

const tooMuchUnfinishedCode = 'notifier_too_much_unfinished';

/**
 * 400 for an upload that would make the unfinished uploads of its project hold more than `bytesMax`. Not 429:
 * a client that waits for what goes only within a day is better told at once (D-97).
 */
export function tooMuchUnfinished(bytesMax: number): RestError {
  const message = `Unfinished uploads of a project may have at most ${bytesMax} bytes. They are deleted within a day.`;
  return badRequest(tooMuchUnfinishedCode, message, { limit: bytesMax });
}

/** Whether a refusal is about the project's room, and not about the file that met it. */
export function isTooMuchUnfinished(refusal: RestError): boolean {
  return refusal.code === tooMuchUnfinishedCode;
}

/** One uploaded file before it is filed: what its sender says of it. Null means "not said". */
export interface DeclaredFile {
  readonly name: string;
  readonly type: string | null;
  readonly debugId: string | null;
  readonly sourceMap: string | null;
}

/**
 * The name an artifact is kept under: `~/…` and http(s) addresses as they are, anything else is a path and
 * gets `~/`; percent-decoded. Refuses with 400 what is too long or holds control characters, a backslash or
 * `..`.
 */
function artifactName(text: string): string {
  const name = comparableName(withoutFragment(text.trim()));
  const problem = nameProblem(name);
  if (problem !== null) throw invalidParam({ name: `name ${problem}` });
  if (/^https?:\/\//i.test(name) || /^http\*:\/\//i.test(name) || name.startsWith('*')) return name;
  if (name.startsWith('~/')) return name;
  return `~/${name.replace(/^app:\/\/\/?/, '').replace(/^(?:\.?\/)+/, '')}`;
}

/**
 * Joins what the sender says of a file with what was found in it. Refuses with 400 a file that cannot be
 * filed.
 */
export function describeArtifact(
  project: Project,
  target: ArtifactTarget,
  declared: DeclaredFile,
  found: Inspection,
  content: { size: number; sha256: string },
): { artifact: NewArtifact; warnings: string[] } {
  const name = scrubFileName(artifactName(declared.name), project);
  const warnings = found.warnings.map((warning) => `${name}: ${warning}`);
  const saidId = declared.debugId === null ? null : sanitizeDebugId(declared.debugId);
  if (declared.debugId !== null && saidId === null) {
    throw invalidParam({ debug_id: 'debug_id must be a UUID.' });
  }
  // Two ids do happen (a tool's snippet and its comment): what stands in the file itself is right.
  const debugId = found.debugId ?? saidId;
  if (saidId !== null && found.debugId !== null && saidId !== found.debugId) {
    warnings.push(`${name}: the given debug ID (${saidId}) is not the one in the file (${found.debugId})`);
  }
  if (target.release === null && debugId === null) throw needsReleaseOrDebugId(name);
  const sourceMap = declared.sourceMap ?? found.sourceMap;
  if (found.type === 'minified_source' && sourceMap === null && !found.hasInlineMap && debugId === null) {
    warnings.push(`${name}: the script has no sourceMappingURL`);
  }
  return {
    artifact: {
      projectId: project.id,
      ...target,
      name,
      type: found.type,
      debugId,
      sourceMap:
        sourceMap === null
          ? null
          : scrubFileName(cutText(sourceMap, sourceMapReferenceCharactersMax), project),
      hasInlineMap: found.hasInlineMap,
      ...content,
    },
    warnings,
  };
}

/** The type that a sender may say, or null for "find out"; refuses others with 400. */
export function declaredType(text: string | null): ArtifactType | null {
  if (text === null || text === '') return null;
  const type = artifactTypes.find((each) => each === text);
  if (type === undefined) {
    throw invalidParam({ type: `type is not one of ${artifactTypes.join(', ')}.` });
  }
  return type;
}

/** An artifact of this project; 404 for an id that names none here. */
export async function getArtifact(deps: Deps, project: Project, artifactId: number): Promise<Artifact> {
  const artifact = await deps.store.findArtifact(project.id, artifactId);
  if (artifact === null) throw invalidId('artifact');
  return artifact;
}

/** Removes an artifact and answers what it was; 404 where there is none. Frames mapped by it stay mapped. */
export async function deleteArtifact(deps: Deps, project: Project, artifactId: number): Promise<Artifact> {
  const artifact = await getArtifact(deps, project, artifactId);
  if (!(await deps.store.deleteArtifact(project.id, artifactId))) throw invalidId('artifact');
  deps.log.info({ projectId: project.id, artifactId }, 'artifact deleted');
  return artifact;
}

/** 400 for a name that holds another content, when the caller wanted nothing overwritten. */
export function nameTaken(name: string): Error {
  return badRequest(
    'notifier_artifact_exists',
    `An artifact named ${name} with different content already exists.`,
  );
}

/** 400 for a file that cannot be used, in words that name it. */
export function unusableArtifact(name: string, why: string): Error {
  return badRequest('notifier_artifact_invalid', `The file ${shortened(name)} cannot be used: ${why}.`);
}

function needsReleaseOrDebugId(name: string): Error {
  return badRequest(
    'notifier_artifact_unassigned',
    `The file ${shortened(name)} has no debug ID, so a release is required.`,
  );
}

function nameProblem(name: string): string | null {
  if (name === '' || name === '~/' || name === '~') return 'must be at least 1 character long.';
  if (isLongerThan(name, artifactNameCharactersMax)) {
    return `must be at most ${artifactNameCharactersMax} characters long.`;
  }
  if (/[\x00-\x1f\x7f\\]/.test(name)) return 'must not contain control characters or backslashes.';
  const path = name.split(/[?#]/, 1)[0] ?? '';
  return path.split('/').includes('..') ? 'must not contain "..".' : null;
}

function withoutFragment(name: string): string {
  return name.split('#', 1)[0] ?? name;
}

function shortened(name: string): string {
  return isLongerThan(name, 200) ? `${cutText(name, 200)}…` : name;
}

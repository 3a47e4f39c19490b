import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createInvalidParamError,
  createNotFoundError,
  type RestError,
} from '../errors.ts';
import { cutText, isLongerThan } from '../parsing/cut-text.ts';
import { dayMs, hourMs } from '../parsing/durations.ts';
import type { ArtifactInspection } from '../ports/symbolication-workers.ts';
import { validateReleaseVersion } from '../releases/version.ts';
import { scrubFileName, scrubRecord } from '../scrub/record.ts';
import { type Artifact, type ArtifactType, artifactTypes, type NewArtifact } from '../store/artifacts.ts';
import type { Project } from '../store/projects.ts';
import { normalizeFileName, parseDebugId } from './artifact-names.ts';

/** Documented in docs/source-maps.md, "Limits". */
export const uploadRequestBytesMax = 100 * 1024 * 1024;
export const artifactBytesMax = 50 * 1024 * 1024;
export const artifactsPerRequestMax = 100;
export const bundleEntriesMax = 2_000;
export const bundleBytesMax = 200 * 1024 * 1024;
export const bundleRatioMax = 100;
const artifactNameCharactersMax = 1_024;

/** A replaced artifact stays available by its debug id for this long. */
export const replacedArtifactKeptMs = 30 * dayMs;
/** For unreferenced contents and chunks. */
export const unusedContentKeptMs = dayMs;
/** Kept longer than assembly, for a client that asks again. */
export const assembledChunksKeptMs = hourMs;

const sourceMapReferenceCharactersMax = 2_048;

const tooMuchUnfinishedCode = 'notifier_too_much_unfinished';

/** Not 429, because space is freed within a day and a client should not wait that long. */
export function createUnfinishedLimitError(bytesMax: number): RestError {
  const message = `Unfinished uploads of a project may have at most ${bytesMax} bytes. They are deleted within a day.`;
  return createBadRequestError(tooMuchUnfinishedCode, message, { limit: bytesMax });
}

export function isUnfinishedLimitError(refusal: RestError): boolean {
  return refusal.code === tooMuchUnfinishedCode;
}

/** What the client declares about a file; null if not declared. */
export interface DeclaredArtifact {
  readonly name: string;
  readonly type: string | null;
  readonly debugId: string | null;
  readonly sourceMap: string | null;
}

// URLs and `~/…` as sent, other paths with `~/` in front; percent-decoded. Throws 400.
function artifactName(text: string): string {
  const name = normalizeFileName(withoutFragment(text.trim()));
  const problem = nameProblem(name);
  if (problem !== null) throw createInvalidParamError({ name: `name ${problem}` });
  if (/^https?:\/\//i.test(name) || /^http\*:\/\//i.test(name) || name.startsWith('*')) return name;
  if (name.startsWith('~/')) return name;
  return `~/${name.replace(/^app:\/\/\/?/, '').replace(/^(?:\.?\/)+/, '')}`;
}

/** Merges what the client declares with what is in the file. Throws 400 if they do not fit. */
export function describeArtifact(
  project: Project,
  target: ArtifactTarget,
  declared: DeclaredArtifact,
  found: ArtifactInspection,
  content: { size: number; sha256: string },
): { artifact: NewArtifact; warnings: string[] } {
  const name = scrubFileName(artifactName(declared.name), project);
  const warnings = found.warnings.map((warning) => `${name}: ${warning}`);
  const sentId = declared.debugId === null ? null : parseDebugId(declared.debugId);
  if (declared.debugId !== null && sentId === null) {
    throw createInvalidParamError({ debug_id: 'debug_id must be a UUID.' });
  }
  // They can differ (snippet injected by a tool, comment); the id in the file is right.
  const debugId = found.debugId ?? sentId;
  if (sentId !== null && found.debugId !== null && sentId !== found.debugId) {
    warnings.push(`${name}: the given debug ID (${sentId}) is not the one in the file (${found.debugId})`);
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

/** Null to detect the type; throws 400 for an unknown one. */
export function parseDeclaredType(text: string | null): ArtifactType | null {
  if (text === null || text === '') return null;
  const type = artifactTypes.find((each) => each === text);
  if (type === undefined) {
    throw createInvalidParamError({ type: `type is not one of ${artifactTypes.join(', ')}.` });
  }
  return type;
}

export async function getArtifact(deps: Deps, project: Project, artifactId: number): Promise<Artifact> {
  const artifact = await deps.store.findArtifact(project.id, artifactId);
  if (artifact === null) throw createNotFoundError('artifact');
  return artifact;
}

/** Returns the deleted artifact; throws 404. Frames already symbolicated stay so. */
export async function deleteArtifact(deps: Deps, project: Project, artifactId: number): Promise<Artifact> {
  const artifact = await getArtifact(deps, project, artifactId);
  if (!(await deps.store.deleteArtifact(project.id, artifactId))) throw createNotFoundError('artifact');
  deps.log.info({ projectId: project.id, artifactId }, 'artifact deleted');
  return artifact;
}

/** 400 for a name that has other content, if the client does not want to overwrite. */
export function createNameTakenError(name: string): Error {
  return createBadRequestError(
    'notifier_artifact_exists',
    `An artifact named ${name} with different content already exists.`,
  );
}

export function createUnusableArtifactError(name: string, reason: string): Error {
  return createBadRequestError(
    'notifier_artifact_invalid',
    `The file ${shortened(name)} cannot be used: ${reason}.`,
  );
}

function needsReleaseOrDebugId(name: string): Error {
  return createBadRequestError(
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

const distCharactersMax = 64;

export type ArtifactTarget = ReturnType<typeof parseArtifactTarget>;

/** Throws 400 for an invalid version or dist (docs/releases.md, "Names"). Blank and null count as absent. */
export function parseArtifactTarget(release: unknown, dist: unknown) {
  const problems: Record<string, string> = {};
  const version = textOf(release, 'release', problems);
  const checked = version === null ? null : validateReleaseVersion(version);
  if (checked !== null && 'problem' in checked) problems['release'] = `release ${checked.problem}`;
  const distText = textOf(dist, 'dist', problems);
  if (distText !== null && [...distText].length > distCharactersMax) {
    problems['dist'] = `dist must be at most ${distCharactersMax} characters long.`;
  }
  if (Object.keys(problems).length > 0) throw createInvalidParamError(problems);
  return { release: checked !== null && 'name' in checked ? checked.name : null, dist: distText };
}

/** Scrubbed like the release and dist of events, so that both match. */
export function scrubArtifactTarget(project: Project, target: ArtifactTarget): ArtifactTarget {
  return scrubRecord(target, { release: 'version', dist: 'version' }, project);
}

function textOf(value: unknown, name: string, problems: Record<string, string>): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') {
    problems[name] = `${name} is not of type string.`;
    return null;
  }
  const text = value.trim();
  return text === '' ? null : text.toWellFormed();
}

import { createInvalidParamError } from '../errors.ts';
import { validateReleaseVersion } from '../releases/version.ts';
import { scrubRecord } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';

const distCharactersMax = 64;

export interface ArtifactTarget {
  readonly release: string | null;
  readonly dist: string | null;
}

/** Throws 400 for an invalid version or dist (docs/releases.md, "Names"). Blank and null count as absent. */
export function parseArtifactTarget(release: unknown, dist: unknown): ArtifactTarget {
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

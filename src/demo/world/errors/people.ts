// Members, projects and keys of the demo as the store knows them. The keys open nothing.
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { ListedMember } from '../../../core/store/members.ts';
import type { Project, ProjectKey } from '../../../core/store/projects.ts';
import { floorTo } from '../calendar.ts';
import { hex } from '../chance.ts';
import { type DemoProject, demoMembers, demoProjects, home } from '../company.ts';

/** The projects, in the order in which they were made. */
export const worldProjects: readonly Project[] = demoProjects.map(({ id, slug, madeAtMs }) => ({
  id,
  name: slug,
  createdAtMs: madeAtMs,
  groupingVersion: 'ng2',
  scrubFields: slug === 'checkout-api' ? ['iban'] : [],
  storeIpAddresses: false,
  bugReports: true,
}));

/** All members, by their names. */
export function worldMembers(nowMs: number): ListedMember[] {
  const [first] = demoProjects;
  const beganMs = (first?.madeAtMs ?? 0) - 20 * minuteMs;
  return demoMembers
    .map(({ id, name, role }): ListedMember => {
      const seenAtMs = floorTo(nowMs, hourMs) - (id - 1) ** 2 * 2 * hourMs;
      return {
        id,
        name,
        email: `${name.split(' ')[0]?.toLowerCase()}@${home}`,
        role,
        createdAtMs: beganMs + (id - 1) * 2 * dayMs,
        createdBy: id === 1 ? 'command line' : 'member Mara Feld',
        seenAtMs,
        sessionsCount: id === 6 ? 1 : 1 + (id % 2),
        linkEndsAtMs: null,
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The keys of a project: one that pages use, a secret one, and in the oldest project one that ended. */
export function worldKeys(seed: string, project: DemoProject, lastUsedAtMs: number | null): ProjectKey[] {
  const made = project.madeAtMs + 2 * minuteMs;
  const keys = [
    keyOf(seed, project, { nth: 1, kind: 'public', label: '', madeAtMs: made, usedAtMs: lastUsedAtMs }),
    keyOf(seed, project, {
      nth: 2,
      kind: 'secret',
      label: 'ci',
      madeAtMs: made + minuteMs,
      usedAtMs: lastUsedAtMs,
    }),
  ];
  if (project.id !== 1) return keys;
  const oldMs = made + 90 * dayMs;
  const revoked = { nth: 3, kind: 'secret', label: 'old build server', madeAtMs: made + hourMs } as const;
  return [
    ...keys,
    { ...keyOf(seed, project, { ...revoked, usedAtMs: oldMs - 3 * dayMs }), revokedAtMs: oldMs },
  ];
}

/** What a build server's key may do; those from before there were scopes may do all. */
const scopesByLabel: Readonly<Record<string, ProjectKey['scopes']>> = { ci: ['ci', 'read'] };

interface KeyFacts {
  readonly nth: number;
  readonly kind: ProjectKey['kind'];
  readonly label: string;
  readonly madeAtMs: number;
  readonly usedAtMs: number | null;
}

function keyOf(
  seed: string,
  { id }: DemoProject,
  { nth, kind, label, madeAtMs, usedAtMs }: KeyFacts,
): ProjectKey {
  const letters = hex(30, seed, 'key', id, nth);
  const prefix = `ntf_${kind === 'public' ? 'pk' : 'sk'}_demo${letters.slice(0, 4)}`;
  return {
    id: id * 10 + nth,
    projectId: id,
    kind,
    prefix,
    lastFour: letters.slice(-4),
    imported: false,
    label,
    // Without its checksum: it has the form of no key that was ever made.
    publicKey: kind === 'public' ? `${prefix}${letters.slice(4)}` : null,
    scopes: kind === 'public' ? ['ingest'] : (scopesByLabel[label] ?? ['ci', 'read', 'admin']),
    allowedOrigins: [],
    createdAtMs: madeAtMs,
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: usedAtMs,
  };
}

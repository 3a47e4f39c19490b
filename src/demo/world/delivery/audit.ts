// The audit history: who made what there is, week after week, chained as the program chains it. Entry 1 is
// the first that was ever told, so that numbers and hashes stay when time passes.
import { chained, emptyHead } from '../../../core/audit/chain.ts';
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { AuditActor, AuditEntry, NewAuditEntry } from '../../../core/store/audit.ts';
import type { Deploy } from '../../../core/store/releases.ts';
import { momentOf, weekOf } from '../calendar.ts';
import { between, hex, pick } from '../chance.ts';
import { demoMembers, demoProjects } from '../company.ts';
import { type PlannedRelease, plannedReleases } from '../plan.ts';
import { askedAgainAtMs, hostPlans, proofIdOf } from './domains.ts';
import { deploysOf } from './releases.ts';

/** What was done is told from this week on; before it, what was made. */
const toldFromWeek = weekOf(Date.UTC(2026, 7, 31));
/** The workspace was tried out by so many before that. */
const triedOut = 4;
/** Releases of so many weeks are made at once; entries are made of some of them. */
const weeksAtOnce = 26;

const nets = ['198.51.100.0/24', '203.0.113.0/24'];
const buildNet = '192.0.2.0/24';

/** The whole chain up to a time, the oldest first. `elsewhere` tells of what is made outside of here. */
export function auditOf(seed: string, nowMs: number, elsewhere: readonly NewAuditEntry[]): AuditEntry[] {
  const told = [
    ...foundations(seed),
    ...domainEntries(seed, nowMs),
    ...signIns(seed, nowMs),
    ...deliveries(seed, nowMs),
    ...elsewhere,
  ]
    .filter(({ atMs }) => atMs <= nowMs)
    .map((entry, index) => ({ entry, index }))
    .sort((one, other) => one.entry.atMs - other.entry.atMs || one.index - other.index);
  const entries: AuditEntry[] = [];
  let head = emptyHead;
  for (const { entry } of told) {
    const made = chained(head, entry);
    entries.push(made);
    head = { entries: made.id, hash: made.hash };
  }
  return entries;
}

interface Act {
  readonly atMs: number;
  readonly action: string;
  readonly object: readonly [kind: string, id: string | number | null, name: string];
  readonly projectId?: number;
  readonly summary?: string;
}

function byMember(seed: string, memberId: number, act: Act): NewAuditEntry {
  const member = demoMembers.find(({ id }) => id === memberId);
  const actor = { kind: 'member', id: memberId, name: member?.name ?? '' } as const;
  const requestId = `req_${hex(6, seed, 'request', act.action, act.atMs, act.object[1] ?? '')}`;
  return { ...entryOf(act, actor), net: pick(nets, seed, 'net', memberId), requestId };
}

/** By the key of a project's build server. */
function byKey(seed: string, act: Act & { readonly projectId: number }): NewAuditEntry {
  const { id, name } = keyOf(seed, act.projectId, ciKey);
  const actor = { kind: 'key', id, name } as const;
  return { ...entryOf(act, actor), net: buildNet, requestId: null };
}

function entryOf({ atMs, action, object, projectId, summary }: Act, actor: AuditActor) {
  const [objectKind, objectId, objectName] = object;
  return {
    atMs,
    actor,
    action,
    objectKind,
    objectId: objectId === null ? null : String(objectId),
    objectName,
    projectId: projectId ?? null,
    summary: summary ?? '',
    net: '',
    requestId: null,
  };
}

/** Of the keys of a project: that of its pages, of its build server, and one that ended. */
const pagesKey = { nth: 1, kind: 'public', summary: 'public' } as const;
const ciKey = { nth: 2, kind: 'secret', summary: 'secret, “ci”' } as const;
const oldKey = { nth: 3, kind: 'secret', summary: 'secret, “old build server”' } as const;

/** A key by its number and as it may be shown, by the same words as where keys are listed. */
function keyOf(seed: string, projectId: number, { nth, kind }: { nth: number; kind: 'public' | 'secret' }) {
  const letters = hex(30, seed, 'key', projectId, nth);
  const prefix = `ntf_${kind === 'public' ? 'pk' : 'sk'}_demo${letters.slice(0, 4)}`;
  return { id: projectId * 10 + nth, name: `${prefix}…${letters.slice(-4)}` };
}

/** Projects, their keys, members. */
function foundations(seed: string): NewAuditEntry[] {
  const first = demoProjects[0]?.madeAtMs ?? 0;
  return [
    ...memberEntries(seed, first - 20 * minuteMs),
    ...demoProjects.flatMap(({ id, slug, madeAtMs }) => {
      const object = ['project', id, slug] as const;
      return [
        byMember(seed, 1, { atMs: madeAtMs, action: 'project.created', object, projectId: id }),
        ...keyEntries(seed, id, madeAtMs + 2 * minuteMs),
      ];
    }),
    ...Array.from({ length: triedOut }, (_, nth) =>
      signIn(
        seed,
        1 + (nth % 3),
        first + (nth + 1) * 9 * dayMs + between(0, 400, seed, 'tried', nth) * minuteMs,
      ),
    ),
  ];
}

/** The first came by the command line, and added the others, one every other day. */
function memberEntries(seed: string, beganMs: number): NewAuditEntry[] {
  return demoMembers.map(({ id, name, role }) => {
    const act: Act = {
      atMs: beganMs + (id - 1) * 2 * dayMs,
      action: 'member.added',
      object: ['member', id, name],
      summary: `as ${role}`,
    };
    const commandLine = { kind: 'command', id: null, name: 'command line' } as const;
    return id === 1 ? entryOf(act, commandLine) : byMember(seed, 1, act);
  });
}

function keyEntries(seed: string, projectId: number, madeAtMs: number): NewAuditEntry[] {
  const entry = (key: typeof pagesKey | typeof ciKey | typeof oldKey, action: string, atMs: number) => {
    const { id, name } = keyOf(seed, projectId, key);
    return byMember(seed, 1, { atMs, action, object: ['key', id, name], projectId, summary: key.summary });
  };
  const made = [entry(pagesKey, 'key.created', madeAtMs), entry(ciKey, 'key.created', madeAtMs + minuteMs)];
  if (projectId !== 1) return made;
  return [
    ...made,
    entry(oldKey, 'key.created', madeAtMs + hourMs),
    entry(oldKey, 'key.revoked', madeAtMs + 90 * dayMs),
  ];
}

function domainEntries(seed: string, nowMs: number): NewAuditEntry[] {
  const careers = hostPlans.find(({ state }) => state === 'pending');
  const weeks = weekOf(nowMs) - weekOf(careers?.addedAtMs ?? nowMs);
  return [
    ...hostPlans.flatMap(({ id, host, projectId, bugReports, sampling = 1, addedAtMs, state }) => {
      const about = { projectId, atMs: addedAtMs };
      const proof = ['proof', proofIdOf(seed, id), host] as const;
      return [
        byMember(seed, 1, {
          ...about,
          action: 'domain.added',
          object: ['domain', id, host],
          summary: `bug reports ${bugReports ? 'on' : 'off'}, errors on, sampling ${sampling}`,
        }),
        byMember(seed, 1, { ...about, action: 'proof.created', object: proof }),
        ...(state === 'verified' || state === 'failing'
          ? [
              byMember(seed, 1, {
                ...about,
                atMs: addedAtMs + 34 * minuteMs,
                action: 'proof.checked',
                object: proof,
              }),
            ]
          : []),
      ];
    }),
    ...(careers === undefined
      ? []
      : Array.from({ length: weeks }, (_, nth) =>
          byMember(seed, 1, {
            atMs: askedAgainAtMs(weekOf(careers.addedAtMs) + nth + 1),
            action: 'proof.created',
            object: ['proof', proofIdOf(seed, careers.id), careers.host],
            projectId: careers.projectId,
            summary: 'with a new token',
          }),
        )),
  ];
}

function signIn(seed: string, memberId: number, atMs: number): NewAuditEntry {
  const name = demoMembers.find(({ id }) => id === memberId)?.name ?? '';
  return byMember(seed, memberId, { atMs, action: 'session.signed_in', object: ['member', memberId, name] });
}

/** Two members a week, on weekdays. */
function signIns(seed: string, nowMs: number): NewAuditEntry[] {
  const weeks = Array.from({ length: weekOf(nowMs) - toldFromWeek + 1 }, (_, nth) => toldFromWeek + nth);
  return weeks.flatMap((week) =>
    [0, 1, 2, 3, 4, 5].map((nth) => {
      const day = between(0, 4, seed, 'signed in', week, nth);
      const minute = between(7 * 60, 17 * 60, seed, 'signed in at', week, nth);
      const memberId = between(1, demoMembers.length, seed, 'who', week, nth);
      return signIn(seed, memberId, momentOf(week, day, 0, 0) + minute * minuteMs);
    }),
  );
}

/** Releases and deploys since the first week; what is older than a build needs is made a part at a time. */
function deliveries(seed: string, nowMs: number): NewAuditEntry[] {
  const releases = new Map<number, PlannedRelease>();
  const firstMs = momentOf(toldFromWeek, 0, 0, 0);
  for (let atMs = nowMs; atMs >= firstMs; atMs -= weeksAtOnce * 7 * dayMs) {
    // An older time has a trouble of its own, which is over by now: only its planned releases count.
    for (const release of plannedReleases(seed, atMs)) {
      if (atMs === nowMs || !release.isTrouble) releases.set(release.id, releases.get(release.id) ?? release);
    }
  }
  const all = [...releases.values()];
  return [
    ...all
      .filter(({ madeAtMs }) => madeAtMs >= firstMs)
      .map(({ id, projectId, version, madeAtMs }) =>
        byKey(seed, {
          atMs: madeAtMs,
          action: 'release.created',
          object: ['release', id, version],
          projectId,
        }),
      ),
    ...deploysOf(seed, all, nowMs)
      .filter(({ createdAtMs }) => createdAtMs >= firstMs)
      .map((deploy) => deployEntry(seed, deploy)),
  ];
}

function deployEntry(
  seed: string,
  { projectId, releaseId, version, environment, createdAtMs, status, dateStartedMs }: Deploy,
) {
  const seconds = Math.round((createdAtMs - (dateStartedMs ?? createdAtMs)) / 1000);
  const end = status === 'success' ? `${seconds} s` : `failed after ${seconds} s`;
  return byKey(seed, {
    atMs: createdAtMs,
    action: 'deploy.created',
    object: ['release', releaseId, version],
    projectId,
    summary: `to ${environment}, ${end}`,
  });
}

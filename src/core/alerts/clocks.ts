// Rules on what no event brings about: looked at once a minute, by whoever runs. What is found is told when
// it begins, and again only after it was over.
import type { Deps } from '../deps.ts';
import { lapsesAtMs } from '../domains/states.ts';
import { momentText } from '../reading/moments.ts';
import { dayMs, hourMs, hourOf, minuteMs } from '../reading/spans.ts';
import type { AskingRule, SaidOfObject, SignalKind } from '../store/alerting.ts';
import type { RuleTerms } from '../store/alerts.ts';
import type { Store } from '../store/store.ts';
import { counted } from './message.ts';
import { holdsFor } from './terms.ts';

type Parts = Pick<Deps, 'store' | 'now'>;
type Limit = NonNullable<RuleTerms['limit']>;

const everyMs = minuteMs;
/** Monitors of the workspace belong to none. */
const noProject = { id: null, name: '' } as const;
const nothing: Found = { there: [], isOver: () => false };
/** Fewer say nothing of a share. */
const leastSent = 100;
const leastSessions = 100;
/** A release that had no session for so long is not looked at: what was told of it stays told. */
const sessionsSinceMs = 2 * hourMs;
/** What an SDK left out because it was told to: nothing is lost by it. */
const chosen: ReadonlySet<string> = new Set(['sample_rate', 'before_send', 'event_processor', 'ignored']);

/** What a look found of one project: what is so, and whether something else that was told of may be over. */
interface Found {
  readonly there: ReadonlyArray<{
    readonly object: string;
    readonly objectId: number;
    readonly release: string | null;
    readonly said: SaidOfObject;
  }>;
  isOver(object: string): boolean;
  /** Whether what is over was mended, where it may have come true instead. */
  isMended?(object: string): boolean;
}

/** Of what belongs to no one project where that is null. */
type Look = (store: Store, projectId: number | null, limit: Limit, nowMs: number) => Promise<Found>;

const looks: Partial<Record<SignalKind, Look>> = {
  'expiry.ends_within': findEnds,
  'losses.more_than': findLosses,
  'release.crash_free_under': findCrashing,
};

/** Looks where a minute is over; answers whether something is to be told. */
export function clockLooks({ store, now }: Parts): () => Promise<boolean> {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    if (nowMs < nextMs) return false;
    let told = false;
    for (const [kind, look] of Object.entries(looks) as Array<[SignalKind, Look]>) {
      for (const rule of await store.listAskingRules(kind)) {
        told = (await lookAt(store, kind, rule, look, nowMs)) || told;
      }
    }
    nextMs = nowMs + everyMs;
    return told;
  };
}

async function lookAt(
  store: Store,
  kind: SignalKind,
  { id: ruleId, projectId: only, terms: { limit, filters } }: AskingRule,
  look: Look,
  nowMs: number,
): Promise<boolean> {
  if (limit === null) return false;
  const ongoing = (await store.listOngoing(kind)).filter((each) => each.ruleId === ruleId);
  let told = false;
  for (const { id: projectId, name } of [...(await store.listProjects()), noProject]) {
    if (only !== null && only !== projectId) continue;
    const { there, isOver, isMended } = await look(store, projectId, limit, nowMs);
    const known = ongoing.filter((each) => each.projectId === projectId);
    for (const each of known.filter(({ object }) => isOver(object))) {
      await store.endOngoing(each, isMended?.(each.object) === false ? null : nowMs);
    }
    for (const { object, objectId, release, said } of there) {
      const asked = { environment: null, release, level: null };
      if (known.some((each) => each.object === object)) continue;
      if (!holdsFor(filters, asked, { project: name, tags: [] })) continue;
      const begun = { ruleId, projectId, object, objectId, kind, atMs: nowMs, said };
      told = (await store.beginOngoing(begun)) || told;
    }
  }
  return told;
}

/**
 * Keys that end, proofs that wait in vain, those that lapse because their checks fail, and certificates that
 * monitors of the project saw.
 */
async function findEnds(store: Store, projectId: number | null, limit: Limit, nowMs: number): Promise<Found> {
  const ofProject = projectId === null ? [] : await endsOfProject(store, projectId);
  const untilMs = nowMs + limit.count * dayMs;
  const there = [...ofProject, ...(await endsOfCertificates(store, projectId))]
    .filter(({ endsAtMs }) => endsAtMs > nowMs && endsAtMs <= untilMs)
    // By its end: one that was put off is told of again when that comes near.
    .map(({ word, id, endsAtMs, title, path }) => ({
      object: `${word} ${endsAtMs}`,
      objectId: id,
      release: null,
      said: { title, detail: momentText(endsAtMs), path },
    }));
  return {
    there,
    isOver: (object) => !there.some((each) => each.object === object),
    // What was not put off has ended.
    isMended: (object) => Number(object.split(' ').at(-1)) > nowMs,
  };
}

interface End {
  readonly word: string;
  /** Its number; 0 for what is told without. */
  readonly id: number;
  readonly endsAtMs: number;
  readonly title: string;
  readonly path: string;
}

async function endsOfProject(store: Store, projectId: number): Promise<End[]> {
  const keys = (await store.listKeys(projectId)).flatMap((key) => {
    const title = `The key ${key.prefix}…${key.lastFour}`;
    return key.expiresAtMs === null || key.revokedAtMs !== null
      ? []
      : [
          {
            word: `key ${key.id}`,
            id: key.id,
            endsAtMs: key.expiresAtMs,
            title,
            path: `/projects/${projectId}`,
          },
        ];
  });
  const proofs = (await store.listProofs(projectId)).flatMap((proof) => {
    const endsAtMs = proof.status === 'pending' ? proof.expiresAtMs : lapsesAtMs(proof);
    const title = `The proof of ${proof.domain}`;
    return endsAtMs === null
      ? []
      : [{ word: `proof ${proof.id}`, id: 0, endsAtMs, title, path: `/domains/${proof.id}` }];
  });
  return [...keys, ...proofs];
}

async function endsOfCertificates(store: Store, projectId: number | null): Promise<End[]> {
  const monitors = await store.listKeptMonitors(projectId);
  return monitors.flatMap((each) => {
    const { id, name, slug, certificateEndsAtMs: endsAtMs } = each;
    const title = `The certificate of ${name}`;
    return endsAtMs === null || each.projectId !== projectId
      ? []
      : [{ word: `certificate ${id}`, id: 0, endsAtMs, title, path: `/monitors/${slug}` }];
  });
}

/** The share of events that were lost, of all that were sent in the hours up to now. */
async function findLosses(
  store: Store,
  projectId: number | null,
  limit: Limit,
  nowMs: number,
): Promise<Found> {
  if (projectId === null) return nothing;
  const toMs = hourOf(nowMs) + hourMs;
  const rows = await store.listOutcomes(projectId, toMs - (limit.withinMs ?? hourMs), toMs);
  let [sent, lost] = [0, 0];
  for (const { outcome, reason, category, quantity } of rows) {
    const isChosen = outcome === 'filtered' || (outcome === 'client_discard' && chosen.has(reason));
    if (category !== 'error' || isChosen) continue;
    sent += quantity;
    if (outcome !== 'accepted' && outcome !== 'duplicate') lost += quantity;
  }
  const isThere = sent >= leastSent && (lost / sent) * 100 > limit.count;
  const title = (await store.findProject(projectId))?.name ?? `Project ${projectId}`;
  const detail = `${counted(lost, 'event')} of ${sent.toLocaleString('en-US')}`;
  const said = { title, detail, path: `/projects/${projectId}` };
  return {
    there: isThere ? [{ object: String(projectId), objectId: projectId, release: null, said }] : [],
    isOver: () => !isThere,
  };
}

/** Releases whose share of sessions without a crash is too small, of those with sessions lately. */
async function findCrashing(
  store: Store,
  projectId: number | null,
  limit: Limit,
  nowMs: number,
): Promise<Found> {
  if (projectId === null) return nothing;
  const releases = await store.listSessionsOfReleases(projectId, nowMs - sessionsSinceMs, leastSessions);
  const shareOf = ({ sessions, crashed }: (typeof releases)[number]): number =>
    ((sessions - crashed) / sessions) * 100;
  const well = new Set(
    releases.filter((each) => shareOf(each) >= limit.count).map(({ releaseId }) => String(releaseId)),
  );
  const there = releases
    .filter((each) => shareOf(each) < limit.count)
    .map((each) => ({
      object: String(each.releaseId),
      objectId: each.releaseId,
      release: each.version,
      said: {
        title: each.version,
        detail: `${(Math.floor(shareOf(each) * 100) / 100).toFixed(2)}% of ${counted(each.sessions, 'session')}`,
        path: `/releases/${each.releaseId}`,
      },
    }));
  return { there, isOver: (object) => well.has(object) };
}

// How the events of an issue spread over the values of their tags: what is kept is counted, and the rest is
// shared out as a sample of it falls, so that the values of a tag add up to the events.
import type { NormalizedEvent } from '../../../../schemas/event.ts';
import { countedTags } from '../../../core/events/told.ts';
import type { IssueTagValue } from '../../../core/store/issue-pages.ts';
import { chance } from '../chance.ts';
import type { LoneIssue } from './issues.ts';
import type { Production } from './production.ts';
import { type StoredPlace, stagingShare } from './stored.ts';
import { customers } from './told/customers.ts';
import { constantTags } from './told/prepared.ts';
import { customerOf, surroundingsOf } from './told/surroundings.ts';

/** Events whose tags are looked at, beside those that are kept. */
const sampled = 40;

/** The tags of the events of one issue, without what was merged into it. */
export function tagsOf(
  own: LoneIssue,
  kept: readonly StoredPlace[],
  production: Production,
): IssueTagValue[] {
  const { total } = own.series;
  const rest = total - kept.length;
  const sample = Array.from({ length: Math.min(sampled, rest) }, (_, at) => `${own.plan.key} ${at}`);
  const counts = new Map<string, Map<string, Counted>>();
  for (const { eventId, atMs } of kept) add(counts, pairsOf(own, eventId), { kept: 1, sampled: 0, atMs });
  for (const id of sample) add(counts, pairsOf(own, id), { kept: 0, sampled: 1, atMs: null });
  const shared = [...counts].flatMap(([tag, values]) => shareOut(own, tag, values, rest));
  return [...shared, ...placesOf(own, kept, production)];
}

interface Counted {
  kept: number;
  sampled: number;
  firstMs: number;
  lastMs: number;
}

function add(
  counts: Map<string, Map<string, Counted>>,
  pairs: ReadonlyArray<readonly [string, string]>,
  one: { readonly kept: number; readonly sampled: number; readonly atMs: number | null },
): void {
  for (const [tag, value] of pairs) {
    const values = counts.get(tag) ?? new Map<string, Counted>();
    counts.set(tag, values);
    const known = values.get(value) ?? { kept: 0, sampled: 0, firstMs: Infinity, lastMs: -Infinity };
    known.kept += one.kept;
    known.sampled += one.sampled;
    known.firstMs = Math.min(known.firstMs, one.atMs ?? Infinity);
    known.lastMs = Math.max(known.lastMs, one.atMs ?? -Infinity);
    values.set(value, known);
  }
}

/** The pairs of one event, without what only the whole event tells. */
function pairsOf({ template }: LoneIssue, eventId: string): ReadonlyArray<readonly [string, string]> {
  const customer = customerOf(customers, eventId);
  const { tags, ...rest } = surroundingsOf({ eventId, template, customer, atMs: 0 });
  const event = { ...rest, tags: Object.entries(tags as Readonly<Record<string, string>>) };
  const own = countedTags(event as unknown as NormalizedEvent);
  const names = new Set(own.map(([name]) => name));
  return [...own, ...constantTags(template).filter(([name]) => !names.has(name))];
}

/** A tag of a kind of events stands with each of them, so its values add up to all. */
function shareOut(
  { life, bare, plan }: LoneIssue,
  tag: string,
  values: ReadonlyMap<string, Counted>,
  rest: number,
): IssueTagValue[] {
  const all = [...values];
  const sum = all.reduce((own, [, each]) => own + each.sampled, 0);
  let open = sum === 0 ? 0 : rest;
  const rows = all.map(([value, { kept, sampled: found, firstMs, lastMs }]) => {
    const part = sum === 0 ? 0 : Math.floor((rest * found) / sum);
    open -= part;
    const spanMs = bare.lastSeenMs - life.starts[0];
    const share = chance(plan.key, tag, value);
    // What few events have was seen first a while after the first of all, and last a while before the last.
    const most = found * 3 > sum ? 0 : 0.2;
    return {
      tag,
      value,
      events: kept + part,
      firstSeenMs: Math.min(firstMs, Math.floor(life.starts[0] + spanMs * share * most)),
      lastSeenMs: Math.max(lastMs, Math.floor(bare.lastSeenMs - spanMs * share * share * most * 0.3)),
    };
  });
  const largest = rows.toSorted((one, other) => other.events - one.events)[0];
  return rows
    .map((row) => (row === largest ? { ...row, events: row.events + open } : row))
    .filter(({ events }) => events > 0);
}

/** Level, environment and release. */
function placesOf(own: LoneIssue, kept: readonly StoredPlace[], production: Production): IssueTagValue[] {
  const { series, bare, projectId, life, plan } = own;
  const { firstSeenMs, lastSeenMs } = bare;
  const ends = { firstSeenMs, lastSeenMs };
  const keptStaging = kept.filter(({ environment }) => environment === 'staging');
  const isTrouble = plan.lives === 'trouble';
  const others = isTrouble ? 0 : Math.floor(((series.total - kept.length) * stagingShare) / 100);
  const staging = keptStaging.length + others;
  const rows: IssueTagValue[] = [
    { tag: 'level', value: bare.level, events: series.total, ...ends },
    { tag: 'environment', value: 'production', events: series.total - staging, ...ends },
  ];
  if (staging > 0) {
    const times = keptStaging.map(({ atMs }) => atMs);
    const middle = series.momentOf(Math.floor(series.total / 2));
    rows.push({
      tag: 'environment',
      value: 'staging',
      events: staging,
      firstSeenMs: Math.min(middle, ...times),
      lastSeenMs: Math.max(middle, ...times),
    });
  }
  const changes = production.changes(projectId, life.starts[0], lastSeenMs + 1);
  const bounds = [life.starts[0], ...changes, lastSeenMs + 1];
  const releases = new Map<string, IssueTagValue>();
  for (let at = 0; at + 1 < bounds.length; at += 1) {
    const [fromMs = 0, toMs = 0] = bounds.slice(at, at + 2);
    const [first, next] = [series.before(fromMs), series.before(toMs)];
    if (next === first) continue;
    const value = production.versionAt(projectId, fromMs);
    const known = releases.get(value);
    releases.set(value, {
      tag: 'release',
      value,
      events: next - first + (known?.events ?? 0),
      firstSeenMs: known?.firstSeenMs ?? series.momentOf(first),
      lastSeenMs: series.momentOf(next - 1),
    });
  }
  return [...rows, ...releases.values()];
}

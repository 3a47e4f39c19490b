// Reads `client_report`, `session` and `sessions` items. Invalid parts are ignored, never refused.
import { hash } from 'node:crypto';
import { parseEventId } from '../ids.ts';
import { cutText } from '../parsing/cut-text.ts';
import { getOwn, isJsonObject, type JsonObject } from '../parsing/unknown-values.ts';
import type {
  HealthItemType,
  HealthReadContext,
  HealthResults,
  ScrubbedProjectWithId,
} from '../ports/prepared-data.ts';
import { scrubProjectText, scrubVersion } from '../scrub/record.ts';
import type { NewSessions, Outcome } from '../store/counts.ts';

export const clientReportBytesMax = 100 * 1024;
const linesMax = 100;
const aggregatesMax = 1_000;
/** Most that one item may add; several times what an SDK reports per minute. */
const itemCountMax = 100_000;
const wordCharactersMax = 64;

/** Lists of a client report; the last three come from older Relays. */
const lists = ['discarded_events', 'rate_limited_events', 'filtered_events', 'filtered_sampling_events'];

export function parseHealthItem<Type extends HealthItemType>(
  type: Type,
  item: unknown,
  facts: HealthReadContext,
): HealthResults[Type] | null {
  return isJsonObject(item) ? (parsers[type](item, facts) as HealthResults[Type] | null) : null;
}

const parsers = {
  client_report: parseClientReport,
  session: parseSession,
  sessions: parseAggregatedSessions,
};

function parseClientReport(report: JsonObject, { project, atMs }: HealthReadContext): Outcome[] {
  const lines = lists.flatMap((name) => {
    const list = getOwn(report, name);
    return Array.isArray(list) ? list.slice(0, linesMax) : [];
  });
  let remaining = itemCountMax;
  return lines.slice(0, linesMax).flatMap((line): Outcome[] => {
    if (!isJsonObject(line)) return [];
    const quantity = Math.min(remaining, toCount(getOwn(line, 'quantity')));
    const category = getOwn(line, 'category');
    const reason = getOwn(line, 'reason');
    if (quantity === 0 || typeof category !== 'string') return [];
    remaining -= quantity;
    return [
      {
        projectId: project.id,
        atMs,
        outcome: 'client_discard',
        reason:
          typeof reason === 'string' ? scrubProjectText(cutText(reason, wordCharactersMax), project) : '',
        category: scrubProjectText(cutText(category, wordCharactersMax), project),
        quantity,
      },
    ];
  });
}

/** One update of a session; the store knows from the id what was counted before. */
function parseSession(item: JsonObject, { project, atMs }: HealthReadContext): NewSessions {
  const id = parseSessionId(getOwn(item, 'sid'));
  const status = getOwn(item, 'status') ?? 'ok';
  const errors = toCount(getOwn(item, 'errors'));
  const isStart = getOwn(item, 'init') === true;
  const hasError = errors > 0 || status === 'errored' || status === 'unhandled';
  const ended = (name: string): number => (status === name ? 1 : 0);
  return {
    ...releaseAndEnvironmentOf(item, project),
    id,
    atMs,
    sessions: id !== null || isStart ? 1 : 0,
    exited: ended('exited'),
    crashed: ended('crashed'),
    abnormal: ended('abnormal'),
    // Without an id, only the first update with an error is counted.
    errored: hasError && (id !== null || isStart || errors <= 1) ? 1 : 0,
  };
}

function parseSessionId(sid: unknown): string | null {
  if (typeof sid !== 'string' || /^[-0\s]*$/.test(sid)) return null;
  return parseEventId(sid) ?? hash('sha256', sid).slice(0, 32);
}

/** Pre-aggregated sessions have no id. The same content with the same `sent_at` is a repeated envelope. */
function parseAggregatedSessions(
  item: JsonObject,
  { project, atMs, sentAt }: HealthReadContext,
): NewSessions | null {
  const aggregates = getOwn(item, 'aggregates');
  if (!Array.isArray(aggregates)) return null;
  const sum = { exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };
  let sessions = 0;
  for (const aggregate of aggregates.slice(0, aggregatesMax)) {
    if (!isJsonObject(aggregate)) continue;
    for (const name of ['exited', 'errored', 'crashed', 'abnormal', 'unhandled'] as const) {
      const counted = Math.min(itemCountMax - sessions, toCount(getOwn(aggregate, name)));
      sum[name] += counted;
      sessions += counted;
    }
  }
  const { unhandled, errored, ...ended } = sum;
  const isKnown = sentAt !== null && sessions > 0;
  const id = isKnown ? hash('sha256', `sum ${sentAt} ${JSON.stringify(item)}`).slice(0, 32) : null;
  return {
    ...releaseAndEnvironmentOf(item, project),
    id,
    atMs,
    sessions,
    ...ended,
    errored: errored + unhandled,
  };
}

function releaseAndEnvironmentOf(
  item: JsonObject,
  project: ScrubbedProjectWithId,
): Pick<NewSessions, 'projectId' | 'release' | 'environment'> {
  const attributes = getOwn(item, 'attrs');
  const text = (name: string, charactersMax: number): string => {
    const value = isJsonObject(attributes) ? getOwn(attributes, name) : '';
    return typeof value === 'string' ? cutText(value.trim(), charactersMax) : '';
  };
  return {
    projectId: project.id,
    release: scrubVersion(text('release', 200), project),
    environment: scrubProjectText(text('environment', 64), project),
  };
}

function toCount(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), itemCountMax) : 0;
}

// Reads `client_report`, `session` and `sessions` items. Invalid parts are ignored, never refused.
import { hash } from 'node:crypto';
import { parseEventId } from '../ids.ts';
import type { CountedProject, HealthFacts, HealthOf, HealthType } from '../ports/readings.ts';
import { cutText } from '../reading/cut-text.ts';
import { isRecord, own } from '../reading/lenient.ts';
import { scrubProjectText, scrubVersion } from '../scrub/record.ts';
import type { NewSessions } from '../store/counts/sessions.ts';
import type { Outcome } from '../store/outcomes.ts';

export const clientReportBytesMax = 100 * 1024;
const linesMax = 100;
const aggregatesMax = 1_000;
/** Most that one item may add; several times what an SDK reports per minute. */
const toldMax = 100_000;
const wordCharactersMax = 64;

/** Lists of a client report; the last three come from older Relays. */
const lists = ['discarded_events', 'rate_limited_events', 'filtered_events', 'filtered_sampling_events'];

export function readHealth<Type extends HealthType>(
  type: Type,
  item: unknown,
  facts: HealthFacts,
): HealthOf[Type] | null {
  if (!isRecord(item)) return null;
  const read = type === 'client_report' ? lossesOf : type === 'session' ? sessionOf : aggregatedSessionsOf;
  return read(item, facts) as HealthOf[Type] | null;
}

function lossesOf(report: unknown, { project, atMs }: HealthFacts): Outcome[] {
  if (!isRecord(report)) return [];
  const lines = lists.flatMap((name) => {
    const list = own(report, name);
    return Array.isArray(list) ? list.slice(0, linesMax) : [];
  });
  let left = toldMax;
  return lines.slice(0, linesMax).flatMap((line): Outcome[] => {
    if (!isRecord(line)) return [];
    const quantity = Math.min(left, wholeOf(own(line, 'quantity')));
    const category = own(line, 'category');
    const reason = own(line, 'reason');
    if (quantity === 0 || typeof category !== 'string') return [];
    left -= quantity;
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
function sessionOf(item: unknown, { project, atMs }: HealthFacts): NewSessions | null {
  if (!isRecord(item)) return null;
  const id = sessionIdOf(own(item, 'sid'));
  const status = own(item, 'status') ?? 'ok';
  const errors = wholeOf(own(item, 'errors'));
  const isStart = own(item, 'init') === true;
  const hasError = errors > 0 || status === 'errored' || status === 'unhandled';
  const ended = (name: string): number => (status === name ? 1 : 0);
  return {
    ...placeOf(item, project),
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

function sessionIdOf(sid: unknown): string | null {
  if (typeof sid !== 'string' || /^[-0\s]*$/.test(sid)) return null;
  return parseEventId(sid) ?? hash('sha256', sid).slice(0, 32);
}

/** Pre-aggregated sessions have no id. The same content with the same `sent_at` is a repeated envelope. */
function aggregatedSessionsOf(item: unknown, { project, atMs, sentAt }: HealthFacts): NewSessions | null {
  const aggregates = isRecord(item) ? own(item, 'aggregates') : null;
  if (!isRecord(item) || !Array.isArray(aggregates)) return null;
  const sum = { exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };
  let sessions = 0;
  for (const aggregate of aggregates.slice(0, aggregatesMax)) {
    if (!isRecord(aggregate)) continue;
    for (const name of ['exited', 'errored', 'crashed', 'abnormal', 'unhandled'] as const) {
      const told = Math.min(toldMax - sessions, wholeOf(own(aggregate, name)));
      sum[name] += told;
      sessions += told;
    }
  }
  const { unhandled, errored, ...ended } = sum;
  const isKnown = sentAt !== null && sessions > 0;
  const id = isKnown ? hash('sha256', `sum ${sentAt} ${JSON.stringify(item)}`).slice(0, 32) : null;
  return { ...placeOf(item, project), id, atMs, sessions, ...ended, errored: errored + unhandled };
}

function placeOf(
  item: Record<string, unknown>,
  project: CountedProject,
): Pick<NewSessions, 'projectId' | 'release' | 'environment'> {
  const attributes = own(item, 'attrs');
  const text = (name: string, charactersMax: number): string => {
    const value = isRecord(attributes) ? own(attributes, name) : '';
    return typeof value === 'string' ? cutText(value.trim(), charactersMax) : '';
  };
  return {
    projectId: project.id,
    release: scrubVersion(text('release', 200), project),
    environment: scrubProjectText(text('environment', 64), project),
  };
}

function wholeOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), toldMax) : 0;
}

// The types of an envelope's items: which of them we take, the rate-limit category that each has in the
// Sentry protocol, and how many things one item holds.
import { cutText } from '../reading/cut-text.ts';
import { scrubText } from '../scrub/text.ts';
import type { EnvelopeItem } from './grammar.ts';

/** What we act on; everything else is counted and passed over. */
export const takenTypes: ReadonlySet<string> = new Set([
  'event',
  'feedback',
  'user_report',
  'attachment',
  'client_report',
  'session',
  'sessions',
  'check_in',
]);

const categoryCharactersMax = 64;
/** So many categories are named on one answer; an SDK sends fewer kinds in one envelope. */
const namedMax = 20;

/**
 * Item types whose category has another name, as the SDKs have it (`envelopeItemTypeToDataCategory`) and
 * older ones had.
 */
const categories: Readonly<Record<string, readonly string[]>> = {
  event: ['error'],
  // The SDKs say `default`; both kinds of bug report are one here.
  user_report: ['feedback'],
  client_report: ['internal'],
  sessions: ['session'],
  check_in: ['monitor'],
  raw_security: ['security'],
  log: ['log_item'],
  metric: ['trace_metric'],
  statsd: ['metric_bucket'],
  metric_buckets: ['metric_bucket'],
  metric_meta: ['metric_bucket'],
  otel_span: ['span'],
  // JavaScript's SDKs say `profile`, Python's and those of phones `profile_chunk`.
  profile_chunk: ['profile', 'profile_chunk'],
  replay_event: ['replay'],
  replay_recording: ['replay'],
  replay_video: ['replay'],
};

/** SDKs put up to a thousand into one container; whoever has the public key could say any number. */
const itemCountMax = 10_000;

/** How many things an item holds: the `item_count` of a container of logs, metrics or spans, else 1. */
export function quantityOf({ headers }: Pick<EnvelopeItem, 'headers'>): number {
  const said = headers['item_count'];
  return typeof said === 'number' && said >= 1 ? Math.min(Math.floor(said), itemCountMax) : 1;
}

/** The category that an item type is counted in. */
export function categoryOf(itemType: string): string {
  return categoriesOf(itemType)[0] ?? itemType;
}

/**
 * The categories an SDK is told to hold back for items that we do not take (D-13): in the order they came,
 * each once. Only what has the form of a category, and never one of what we take: items may have any name,
 * and SDKs believe the answer.
 */
export function untakenCategories(itemTypes: Iterable<string>): string[] {
  const named = new Set<string>();
  for (const category of [...new Set(itemTypes)].flatMap(categoriesOf)) {
    if (named.size >= namedMax) break;
    if (/^[a-z][a-z0-9_]{0,31}$/.test(category) && !taken.has(category)) named.add(category);
  }
  return [...named];
}

function categoriesOf(itemType: string): readonly string[] {
  const known = Object.hasOwn(categories, itemType) ? categories[itemType] : undefined;
  return known ?? [scrubText(cutText(itemType, categoryCharactersMax))];
}

/**
 * Beside the categories of our types: what SDKs file events and reports under besides, and the words that
 * mean all.
 */
const taken: ReadonlySet<string> = new Set([
  ...[...takenTypes].flatMap((type) => [type, ...categoriesOf(type)]),
  ...['default', 'user_report_v2', 'attachment_item', 'unknown', 'all'],
]);

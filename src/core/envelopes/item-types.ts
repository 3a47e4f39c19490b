import { cutText } from '../parsing/cut-text.ts';
import { scrubText } from '../scrub/text.ts';
import type { EnvelopeItem } from './parse-envelope.ts';

export const supportedItemTypes: ReadonlySet<string> = new Set([
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
const namedMax = 20;

// Categories that differ from the item type, as in the SDKs' `envelopeItemTypeToDataCategory` and older SDKs.
const categories: Readonly<Record<string, readonly string[]>> = {
  event: ['error'],
  // The SDKs say `default`; here both kinds of user feedback share a category.
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
  // JavaScript SDKs say `profile`, Python and mobile SDKs `profile_chunk`.
  profile_chunk: ['profile', 'profile_chunk'],
  replay_event: ['replay'],
  replay_recording: ['replay'],
  replay_video: ['replay'],
};

/** SDKs send up to 1,000; this limits what anyone with the public key can claim. */
const itemCountMax = 10_000;

/** `item_count` of a container of logs, metrics or spans, else 1. */
export function getItemCount({ headers }: Pick<EnvelopeItem, 'headers'>): number {
  const stated = headers['item_count'];
  return typeof stated === 'number' && stated >= 1 ? Math.min(Math.floor(stated), itemCountMax) : 1;
}

export function getDataCategory(itemType: string): string {
  return categoriesOf(itemType)[0] ?? itemType;
}

/** Categories that SDKs must stop sending. Only valid names, since types are client text; never a supported one. */
export function listUnsupportedCategories(itemTypes: Iterable<string>): string[] {
  const named = new Set<string>();
  for (const category of [...new Set(itemTypes)].flatMap(categoriesOf)) {
    if (named.size >= namedMax) break;
    if (/^[a-z][a-z0-9_]{0,31}$/.test(category) && !reservedNames.has(category)) named.add(category);
  }
  return [...named];
}

function categoriesOf(itemType: string): readonly string[] {
  const known = Object.hasOwn(categories, itemType) ? categories[itemType] : undefined;
  return known ?? [scrubText(cutText(itemType, categoryCharactersMax))];
}

/** Also what SDKs use for errors and feedback, and the words that mean everything. */
const reservedNames: ReadonlySet<string> = new Set([
  ...[...supportedItemTypes].flatMap((type) => [type, ...categoriesOf(type)]),
  ...['default', 'user_report_v2', 'attachment_item', 'unknown', 'all'],
]);

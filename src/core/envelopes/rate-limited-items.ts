import type { Deps } from '../deps.ts';
import type { OutcomeName } from '../store/counts.ts';
import type { Project } from '../store/projects.ts';
import { getDataCategory, getItemCount, supportedItemTypes } from './item-types.ts';
import type { EnvelopeItem } from './parse-envelope.ts';
import { listDocumentEvents, type ParsedEnvelopeBody } from './parse-upload.ts';
import { parseHealthItemWithinLimit, type UnsupportedOutcome } from './sort-items.ts';

/** SDKs send one per envelope; further ones are not read. */
const reportsMax = 10;

export interface EnvelopeLimits {
  readonly unsupportedAdmitted: boolean;
  /** Checks and charges the limit of reported discarded events. */
  admitDiscarded(quantity: number): Promise<boolean>;
}

export function getUnsupportedOutcome({ unsupportedAdmitted }: EnvelopeLimits): UnsupportedOutcome {
  return unsupportedAdmitted ? ['filtered', 'unsupported'] : ['rate_limited', 'key_quota'];
}

/** The returned function counts one report; it resolves to why that was not counted, or null. */
export function createClientReportCounter(
  deps: Pick<Deps, 'outcomes' | 'largeBodyReader'>,
  project: Project,
  receivedAtMs: number,
  limits: EnvelopeLimits,
): (item: EnvelopeItem) => Promise<readonly [OutcomeName, reason: string] | null> {
  let reports = 0;
  return async (item) => {
    reports += 1;
    if (reports > reportsMax) return ['invalid', 'too_many'];
    const of = { project, atMs: receivedAtMs, sentAt: null };
    const discarded = await parseHealthItemWithinLimit(deps, { ...item, type: 'client_report' }, of);
    if (discarded === null) return ['invalid', 'invalid_json'];
    // An empty report costs 1, because it had to be read.
    const quantity = discarded.reduce((sum, loss) => sum + loss.quantity, 0);
    if (!(await limits.admitDiscarded(Math.max(1, quantity)))) return ['rate_limited', 'key_quota'];
    for (const loss of discarded) deps.outcomes.count(loss);
    return null;
  };
}

/** Counts the items of a rate-limited upload: its client reports as usual, everything else as discarded. */
export async function countRateLimitedUpload(
  deps: Pick<Deps, 'outcomes' | 'largeBodyReader'>,
  project: Project,
  upload: ParsedEnvelopeBody,
  receivedAtMs: number,
  limits: EnvelopeLimits,
): Promise<void> {
  const count = (category: string, [outcome, reason]: UnsupportedOutcome, quantity = 1): void =>
    deps.outcomes.count({
      projectId: project.id,
      atMs: receivedAtMs,
      outcome,
      reason,
      category,
      quantity,
    });
  if (upload.kind !== 'envelope') {
    for (const _event of listDocumentEvents(upload)) count('error', ['rate_limited', 'key_quota']);
    return;
  }
  const countReport = createClientReportCounter(deps, project, receivedAtMs, limits);
  for (const item of upload.envelope.items) {
    const category = getDataCategory(item.type);
    if (item.type === 'client_report') {
      const skipped = await countReport(item);
      if (skipped !== null) count(category, skipped);
    } else if (supportedItemTypes.has(item.type)) {
      count(category, ['rate_limited', 'key_quota']);
    } else {
      count(category, getUnsupportedOutcome(limits), getItemCount(item));
    }
  }
}

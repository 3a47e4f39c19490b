// What the limits leave of an envelope: losses that it reports, items that we do not take, and what is lost
// when it is refused.
import type { Deps } from '../deps.ts';
import type { OutcomeName } from '../store/outcomes.ts';
import type { Project } from '../store/projects.ts';
import type { EnvelopeItem } from './grammar.ts';
import { categoryOf, quantityOf, takenTypes } from './item-types.ts';
import { readHealthItem, type UntakenFate } from './items.ts';
import { eventsOf, type Upload } from './upload.ts';

/** An SDK sends one report at a time; what more there is in one envelope is not read. */
const reportsMax = 10;

export interface EnvelopeLimits {
  /** Whether the limit of items that we do not take let them pass. */
  readonly untakenAdmitted: boolean;
  /** Asks the limit of reported losses, and charges it. */
  admitLosses(quantity: number): Promise<boolean>;
}

/** What becomes of items that we do not take. */
export function untakenFate({ untakenAdmitted }: EnvelopeLimits): UntakenFate {
  return untakenAdmitted ? ['filtered', 'unsupported'] : ['rate_limited', 'key_quota'];
}

/**
 * Counts the client reports of one envelope, one a call; what it answers is why one was not counted, or null.
 */
export function reportCounter(
  deps: Pick<Deps, 'outcomes' | 'heavy'>,
  project: Project,
  receivedAtMs: number,
  limits: EnvelopeLimits,
): (item: EnvelopeItem) => Promise<readonly [OutcomeName, reason: string] | null> {
  let reports = 0;
  return async (item) => {
    reports += 1;
    if (reports > reportsMax) return ['invalid', 'too_many'];
    const of = { project, atMs: receivedAtMs, sentAt: null };
    const losses = await readHealthItem(deps, { ...item, type: 'client_report' }, of);
    if (losses === null) return ['invalid', 'invalid_json'];
    // A report of nothing costs something too: it had to be read.
    const quantity = losses.reduce((sum, loss) => sum + loss.quantity, 0);
    if (!(await limits.admitLosses(Math.max(1, quantity)))) return ['rate_limited', 'key_quota'];
    for (const loss of losses) deps.outcomes.count(loss);
    return null;
  };
}

/** Counts what a refused upload held: its own reports of losses, and everything else as lost. */
export async function countLimited(
  deps: Pick<Deps, 'outcomes' | 'heavy'>,
  project: Project,
  upload: Upload,
  receivedAtMs: number,
  limits: EnvelopeLimits,
): Promise<void> {
  const count = (category: string, [outcome, reason]: UntakenFate, quantity = 1): void =>
    deps.outcomes.count({
      projectId: project.id,
      atMs: receivedAtMs,
      outcome,
      reason,
      category,
      quantity,
    });
  if (upload.kind !== 'envelope') {
    for (const _event of eventsOf(upload)) count('error', ['rate_limited', 'key_quota']);
    return;
  }
  const countReport = reportCounter(deps, project, receivedAtMs, limits);
  for (const item of upload.envelope.items) {
    const category = categoryOf(item.type);
    if (item.type === 'client_report') {
      const skipped = await countReport(item);
      if (skipped !== null) count(category, skipped);
    } else if (takenTypes.has(item.type)) {
      count(category, ['rate_limited', 'key_quota']);
    } else {
      count(category, untakenFate(limits), quantityOf(item));
    }
  }
}

// Background loop: builds and sends due messages. Polls three indexes once a second.
import type { Deps } from '../deps.ts';
import { type PeriodicJob, startPeriodicJob } from '../periodic-job.ts';
import { buildDueMessages } from './build-messages.ts';
import { deliverDueMessages } from './deliver.ts';
import { createScheduledRuleCheck } from './scheduled-rules.ts';
import { createThresholdRuleCheck } from './threshold-rules.ts';

type ServiceDeps = Pick<Deps, 'store' | 'config' | 'now' | 'randomBytes' | 'log' | 'notificationSender'>;

const tickMs = 1_000;
/** Several batches may run at once, so that a slow receiver does not delay the others. */
const sendingsMax = 4;

export function startAlerting(
  deps: ServiceDeps,
  { pagesUrl, everyMs = tickMs }: { readonly pagesUrl: string | null; readonly everyMs?: number },
): PeriodicJob {
  const checkThresholdRules = createThresholdRuleCheck(deps);
  const checkScheduledRules = createScheduledRuleCheck(deps);
  return startPeriodicJob({
    everyMs,
    warn: (error) => deps.log.warn({ error: String(error) }, 'processing of alerts failed'),
    async run(state) {
      const { toNotify, toSend, hasLimits } = await deps.store.findAlertWork(deps.now());
      let created = 0;
      // A failed check must not keep other messages back.
      const isOver = hasLimits && (await checkThresholdRules().catch(state.logError)) === true;
      const hasCome = (await checkScheduledRules().catch(state.logError)) === true;
      while ((toNotify || isOver || hasCome) && !state.stopped) {
        const step = await buildDueMessages(deps, pagesUrl);
        created += step.created;
        if (!step.hasMore) break;
      }
      // Messages that are being sent when the process stops are due again after their lease.
      const hasToSend = toSend || created > 0;
      if (deps.notificationSender === undefined || !hasToSend || state.running >= sendingsMax) return;
      state.runInBackground(deliverDueMessages(deps, deps.notificationSender, pagesUrl));
    },
  });
}

// The loop beside whoever is served: a report over all projects is made and kept when its week or month is
// over, so that it stays when what it was computed of is gone; and reports are sent when their time has come.
import type { AuditBy } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { minuteMs } from '../reading/spans.ts';
import { type Rounds, startRounds } from '../rounds.ts';
import { before, isCountable, lastPeriods, type Period, settleMs } from '../workspace/reports/period.ts';
import { makeReport } from './making.ts';
import { sendDue } from './sending.ts';

/** As far back as what was missed is made up for; what cannot be counted any more is left out. */
const madeUpFor = { week: 14, month: 4 } as const;

/** The server itself, which nobody asked. */
export const byItself: AuditBy = {
  actor: { kind: 'system', id: null, name: 'notifier' },
  net: '',
  requestId: null,
};

/** Starts looking. `pagesUrl` is where links of mails lead, without a slash at the end; null for none. */
export function startReporting(
  deps: Deps,
  { pagesUrl, everyMs = minuteMs }: { readonly pagesUrl: string | null; readonly everyMs?: number },
): Rounds {
  let dueAtMs = Number.NEGATIVE_INFINITY;
  return startRounds({
    everyMs,
    warn: (error) => deps.log.warn({ error: String(error) }, 'reports could not go on'),
    async round(state) {
      await make(state).catch(state.tell);
      await sendDue(deps, { pagesUrl, by: byItself, isOver: () => state.stopped, tell: state.tell });
    },
  });
  async function make(state: { readonly stopped: boolean; tell(error: unknown): void }): Promise<void> {
    const nowMs = deps.now();
    // A clock that was set back is looked at again.
    if (nowMs < dueAtMs && nowMs >= dueAtMs - longestMs) return;
    let isWhole = true;
    for (const period of await missingPeriods(deps)) {
      if (state.stopped) return;
      // One that cannot be made holds up no other; the next round tries it again.
      await makeReport(deps, null, period.id, byItself, () => state.stopped).catch((error: unknown) => {
        isWhole = false;
        state.tell(error);
      });
    }
    if (isWhole) dueAtMs = nextEndMs(nowMs);
  }
}

/** Periods end no further apart. */
const longestMs = 8 * 24 * 60 * minuteMs;

/** When the next week or month is over and can be made. */
function nextEndMs(nowMs: number): number {
  const ends = (['week', 'month'] as const).flatMap((kind) =>
    lastPeriods(kind, nowMs, 2).map(({ toMs }) => toMs + settleMs),
  );
  return Math.min(...ends.filter((atMs) => atMs > nowMs));
}

/** What is over and was not made, of the time since there was a project; the oldest first. */
async function missingPeriods({ store, now }: Pick<Deps, 'store' | 'now'>): Promise<Period[]> {
  const nowMs = now();
  const projects = await store.listProjects();
  if (projects.length === 0) return [];
  const sinceMs = Math.min(...projects.map(({ createdAtMs }) => createdAtMs));
  const kept = new Set((await store.listKeptReports(null)).map(({ period }) => period));
  return (['week', 'month'] as const)
    .flatMap((kind) => lastPeriods(kind, nowMs, madeUpFor[kind]))
    .filter(({ toMs }) => toMs > sinceMs && toMs + settleMs <= nowMs)
    .filter((period) => !kept.has(period.id) && isCountable(before(period), nowMs))
    .sort((one, other) => one.toMs - other.toMs);
}

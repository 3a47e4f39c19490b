import { commandName } from '../parsing/command-name.ts';
import type { RetentionLimits } from '../retention/plan.ts';
import {
  countEventsToRemove,
  type HeldBackReason,
  parseRetentionState,
  startsAtMs,
} from '../retention/state.ts';
import type { ContentFacts } from './facts.ts';
import { createFindings, type Finding, formatPlural } from './finding.ts';

const reasons: Readonly<Record<HeldBackReason, string>> = {
  first: 'retention has not run before',
  clock: 'the clock jumped ahead',
  limits: 'a limit was lowered',
};

export function checkRetention(
  { retention }: Pick<ContentFacts, 'retention'>,
  { days, events, bytes }: RetentionLimits,
): Finding[] {
  const { ok, notice } = createFindings('retention');
  if (days + events + bytes === 0 || retention.keepsAll) {
    return [ok('Retention is off, so every event is kept.')];
  }
  const state = parseRetentionState(retention.state);
  if (state === null) return [ok('Retention is on; it has not run yet.')];
  if (state.heldBack === null) return [ok('Retention is on, and deletes old events as configured.')];
  const beginsAtMs = startsAtMs(state);
  const begins =
    beginsAtMs === null ? '' : ` It starts automatically at ${new Date(beginsAtMs).toISOString()}.`;
  return [
    notice(
      `${formatPlural(countEventsToRemove(state.plans), 'event')} would be deleted, but retention is on hold: ${reasons[state.heldBack]}.${begins}`,
      `\`${commandName} prune\` shows what would be deleted, \`${commandName} prune --yes\` deletes it. RETENTION_* set the limits.`,
    ),
  ];
}

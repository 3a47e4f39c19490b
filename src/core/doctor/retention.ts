import type { RetentionLimits } from '../retention/plan.ts';
import { beginsAtOf, dueOf, type HeldBack, parseState } from '../retention/state.ts';
import type { ContentFacts } from './facts.ts';
import { type Finding, findingsOf, numberOf } from './finding.ts';

const reasons: Readonly<Record<HeldBack, string>> = {
  first: 'it would be the first time that any go',
  clock: 'the clock went far since the last look',
  limits: 'a limit is tighter than it was',
};

export function retentionFindings(
  { retention }: Pick<ContentFacts, 'retention'>,
  { days, events, bytes }: RetentionLimits,
): Finding[] {
  const { ok, notice } = findingsOf('retention');
  if (days + events + bytes === 0 || retention.keepsAll) return [ok('Every event is kept.')];
  const state = parseState(retention.state);
  if (state === null) return [ok('Old events go; no server looked for any yet.')];
  if (state.heldBack === null) return [ok('Old events go by themselves, as the settings say.')];
  const beginsAtMs = beginsAtOf(state);
  const begins = beginsAtMs === null ? '' : ` It begins by itself at ${new Date(beginsAtMs).toISOString()}.`;
  return [
    notice(
      `${numberOf(dueOf(state.plans), 'event')} would go and stay: ${reasons[state.heldBack]}.${begins}`,
      '`notifier prune` shows what would go, `notifier prune --yes` begins it; RETENTION_* say what stays.',
    ),
  ];
}

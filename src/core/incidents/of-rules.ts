// Updates the incident of an alert rule, in the transaction that stores what the rule found.
import type { IncidentLink } from '../store/incidents/incidents.ts';
import type { Following, KeptIncident, NewIncident, RuleFinding } from '../store/incidents/keeping.ts';
import { firstUpdate, followed } from './states.ts';

/** Open incidents of one rule; further findings notify without opening one. */
const openOfRuleMax = 10;

/** `open` is the rule's open incident on the same object. Null if nothing changes. */
export function followingFinding(
  finding: RuleFinding,
  open: KeptIncident | null,
  openOfRule: number,
): Following | null {
  const { rule, title, atMs } = finding;
  if (open !== null) {
    return followed(open, { author: rule.name, isBad: true, sinceMs: atMs, atMs, body: `Again: ${title}` });
  }
  return openOfRule >= openOfRuleMax ? null : { does: 'open', incident: opened(finding) };
}

export function followingEnd(open: KeptIncident | null, body: string, atMs: number): Following | null {
  if (open === null) return null;
  return followed(open, { author: open.openedBy, isBad: false, sinceMs: atMs, atMs, body });
}

function opened({ rule, projectId, object, title, said, atMs, thing }: RuleFinding): NewIncident {
  const isHit = thing?.kind === 'monitor';
  const why = isHit ? '' : 'the rule matched';
  const link = { projectId, why, beforeMs: null, linkedBy: rule.name, isDismissed: false };
  const links: IncidentLink[] = thing === null ? [] : [{ ...link, ...thing }];
  return {
    projectId,
    monitorId: null,
    title,
    severity: rule.severity,
    openedBy: rule.name,
    lead: null,
    cause: '',
    startedAtMs: atMs,
    acknowledgedAtMs: null,
    isTouched: false,
    affects: isHit ? links : [],
    causes: isHit ? [] : links,
    update: firstUpdate(rule.name, said, atMs),
    ofRule: { ruleId: rule.id, object },
  };
}

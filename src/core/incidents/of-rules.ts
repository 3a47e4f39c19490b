// What becomes of an incident when a rule finds something, and when that is over. Pure: the store asks it in
// the transaction that writes what was found.
import type { IncidentLink } from '../store/incidents/incidents.ts';
import type { Following, KeptIncident, NewIncident, RuleFinding } from '../store/incidents/keeping.ts';
import { firstUpdate, followed } from './states.ts';

/** A storm opens no more than so many of a rule; what comes over that is told and opens none. */
const openOfRuleMax = 10;

/**
 * `open` is what the rule opened for the same thing and goes on, `openOfRule` how many of the rule go on.
 * Null where nothing follows.
 */
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

/** What the rule found is over. */
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

// Rules that open incidents: what a rule found as an incident says it. Whether one is opened, or one that is
// open goes on, is decided in src/core/incidents/of-rules.ts.
import { cutText } from '../reading/cut-text.ts';
import { oneLine } from '../reading/one-line.ts';
import type { AlertSignal } from '../store/alerting.ts';
import type { AlertRule, RuleSubject } from '../store/alerts.ts';
import type { LinkKind, OpenedSeverity } from '../store/incidents/incidents.ts';
import type { CauseKind, RuleFinding } from '../store/incidents/keeping.ts';
import type { Store } from '../store/store.ts';
import { lineOf } from './messages/message.ts';
import { kindOf } from './terms.ts';

/** As long as a title by hand may be. */
const titleMax = 200;

const linked: Readonly<Partial<Record<RuleSubject, CauseKind>>> = {
  issue: 'issue',
  deploy: 'deploy',
  test_run: 'test_run',
  release: 'release',
};

/**
 * Opens the incident of what was found, or goes on with it, and answers its number; of an issue that is gone
 * there is none.
 */
export async function openIncident(
  store: Store,
  { id, name, sentence, terms }: AlertRule,
  severity: OpenedSeverity,
  signal: AlertSignal,
): Promise<number | null> {
  const { projectId, object, objectId, atMs, said } = signal;
  const found = said?.title ?? signal.issueTitle;
  if (found === null) return null;
  const detail = said === null || said.detail === '' ? '' : ` (${said.detail})`;
  return store.followRule({
    rule: { id, name, severity },
    projectId,
    object,
    title: cutText(oneLine(lineOf(kindOf(terms), terms.limit, { objectId, title: found })), titleMax),
    said: `${sentence}${detail}`,
    atMs,
    thing: await thingOf(store, terms.subject, signal, found),
  });
}

/** The incident that a monitor opened by itself and that goes on. */
export async function incidentOfMonitor(
  store: Store,
  { terms: { subject } }: AlertRule,
  { objectId }: AlertSignal,
): Promise<number | null> {
  return subject === 'monitor' ? store.openOfMonitor(objectId) : null;
}

/** What incidents are linked to; null for what is no such thing, or was deleted since. */
async function thingOf(
  store: Store,
  subject: RuleSubject,
  { projectId, objectId }: AlertSignal,
  title: string,
): Promise<RuleFinding['thing']> {
  const thing = (kind: LinkKind, name: string) => ({ kind, id: objectId, name });
  if (subject === 'monitor') return thing('monitor', title);
  const kind = linked[subject];
  if (kind === undefined) return null;
  const cause = await store.findCause(projectId, kind, objectId);
  return cause === null ? null : thing(kind, cause.name);
}

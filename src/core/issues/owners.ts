// Who should have an issue: its owner by the rules of the project, and the author of the suspect commit.
import { type AuditSource, runAudited } from '../audit/audit.ts';
import { issueAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { type EventFacts, readEventFacts } from '../events/event-facts.ts';
import type { Assignee, Issue } from '../store/issues.ts';
import type { TriageSettings } from '../store/triage.ts';
import { loadPeople, type People, pickAssignee } from './assignees.ts';
import { findOwningRule, type OwnershipRule, parseOwnershipRules } from './ownership.ts';
import { findSuspectCommit, type SuspectCommitView } from './suspect-commit.ts';
import { viewIssueLink } from './tracker-links.ts';
import { noTriageSettings } from './triage-settings.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

export interface SuggestedAssignee {
  readonly member_id: number | null;
  readonly team_id: number | null;
  readonly name: string;
  /** `owns src/cart/*`, `suspect commit`. */
  readonly why: string;
}

/** Suspect commit, links and suggested assignees of an issue, from its newest stored event. */
export async function viewTriage({ store, now }: ServiceDeps, issue: Issue) {
  const { projectId, id } = issue;
  const [triageSettings, stored, links] = await Promise.all([
    store.findTriageSettings(projectId),
    store.storedEvents(projectId, id),
    store.listIssueLinks(projectId, id),
  ]);
  const settings = triageSettings ?? noTriageSettings;
  const event = stored.newestEventId === null ? null : await store.findEvent(projectId, stored.newestEventId);
  const facts = event === null ? { files: [], url: '', tags: [] } : readEventFacts(event);
  const suspectCommit = await findSuspectCommit(store, issue, facts, settings.repositoryUrl);
  return {
    settings,
    suspectCommit,
    links: links.map(viewIssueLink),
    suggested: await suggestAssignees({ store, now }, projectId, settings, facts, suspectCommit),
  };
}

async function suggestAssignees(
  deps: ServiceDeps,
  projectId: number,
  settings: TriageSettings,
  facts: EventFacts,
  commit: SuspectCommitView | null,
): Promise<SuggestedAssignee[]> {
  const rule = findOwningRule(parseOwnershipRules(settings.ownershipRules).rules, facts);
  const owners = (rule?.owners ?? []).map((word) => ({ word, why: `owns ${rule?.pattern}` }));
  const author = commit?.author_email ?? null;
  const words = author === null ? owners : [...owners, { word: author, why: 'suspect commit' }];
  if (words.length === 0) return [];
  const people = await loadPeople(deps, deps.now());
  const found = new Map<string, SuggestedAssignee>();
  for (const { word, why } of words) {
    const assignee = pickAssignee(people, projectId, word);
    if (typeof assignee === 'string') continue;
    const { name } = assignee;
    const key = 'memberId' in assignee ? `member ${assignee.memberId}` : `team ${assignee.teamId}`;
    const ids =
      'memberId' in assignee
        ? { member_id: assignee.memberId, team_id: null }
        : { member_id: null, team_id: assignee.teamId };
    if (!found.has(key)) found.set(key, { ...ids, name, why });
  }
  return [...found.values()];
}

/** The rules of a project by which `listOwners` finds the owners of its issues. */
export async function loadOwnershipRules(
  { store }: Pick<Deps, 'store'>,
  projectId: number,
): Promise<readonly OwnershipRule[]> {
  const settings = await store.findTriageSettings(projectId);
  return settings === null ? [] : parseOwnershipRules(settings.ownershipRules).rules;
}

/** Owners by the project's rules, from the newest stored event; without those removed or without access. */
export async function listOwners(
  { store }: Pick<Deps, 'store'>,
  { projectId, id }: Issue,
  rules: readonly OwnershipRule[],
  people: People,
): Promise<Assignee[]> {
  if (rules.length === 0) return [];
  const { newestEventId } = await store.storedEvents(projectId, id);
  const event = newestEventId === null ? null : await store.findEvent(projectId, newestEventId);
  if (event === null) return [];
  const rule = findOwningRule(rules, readEventFacts(event));
  const found = (rule?.owners ?? []).map((word) => pickAssignee(people, projectId, word));
  return found.filter((owner) => typeof owner !== 'string');
}

const rulesSource: AuditSource = {
  actor: { kind: 'command', id: null, name: 'ownership rules' },
  network: '',
  requestId: null,
};

/** Assigns a new issue to its first owner, if the project does that. Never throws: the event is stored. */
export async function assignToOwner(
  deps: ServiceDeps & Pick<Deps, 'log'>,
  projectId: number,
  issueId: number,
  eventId: string,
): Promise<void> {
  try {
    const to = await findFirstOwner(deps, projectId, eventId);
    if (to === undefined) return;
    await runAudited(deps, rulesSource, async ({ store, now }) => {
      const issue = await store.lockIssueForChange(projectId, issueId);
      if (issue === null || issue.assignedTo !== null || issue.assignedTeam !== null) {
        return { result: null, auditEvent: null };
      }
      await store.assignIssue(projectId, issue.id, to, { actor: rulesSource.actor.name, nowMs: now() });
      return { result: null, auditEvent: issueAuditEvent(issue, 'issue.assigned', `to ${to.name}`) };
    });
  } catch (error) {
    deps.log.warn({ projectId, issueId, error: String(error) }, 'a new issue was not assigned');
  }
}

async function findFirstOwner(deps: ServiceDeps, projectId: number, eventId: string) {
  const settings = await deps.store.findTriageSettings(projectId);
  const event = settings?.assignsOwners === true ? await deps.store.findEvent(projectId, eventId) : null;
  if (settings === null || event === null) return undefined;
  const rule = findOwningRule(parseOwnershipRules(settings.ownershipRules).rules, readEventFacts(event));
  if (rule === null) return undefined;
  const people = await loadPeople(deps, deps.now());
  const owners = rule.owners.map((word) => pickAssignee(people, projectId, word));
  return owners.find((owner) => typeof owner !== 'string');
}

// What a member with chosen projects may read and change in the store. A method without a rule here is refused to
// them. Objects without a project are for members with all projects (D-240).
import { splitRecipients } from '../../../schemas/alert-channel-fields.ts';
import { RestError } from '../errors.ts';
import type { Delivery } from '../store/alerts.ts';
import type { AuditActor, AuditFilter } from '../store/audit.ts';
import type { ProjectAccess } from '../store/members.ts';
import type { LiveFilter, MonitoringCounts } from '../store/page-queries.ts';
import type { CursorPage } from '../store/pagination.ts';
import type { SavedView } from '../store/saved-views.ts';
import type { Store } from '../store/store.ts';

/** Ids of the projects; null for all. */
export type ProjectScope = readonly number[] | null;

type AccessStore = Pick<Store, 'listAccess'>;

/** By the member's role, own access and teams. The workspace token has all projects. */
export async function findProjectScope(
  store: AccessStore,
  { memberId }: { readonly memberId: number | null },
): Promise<ProjectScope> {
  if (memberId === null) return null;
  return scopeOf(await listProjectScopes(store, [memberId]), memberId);
}

/** Null is all projects, so a member who is not there must not become null. */
export function scopeOf(scopes: ReadonlyMap<number, ProjectScope>, memberId: number | null): ProjectScope {
  if (memberId === null) return null;
  const scope = scopes.get(memberId);
  return scope === undefined ? [] : scope;
}

/** Removed members are not in it. */
export async function listProjectScopes(
  store: AccessStore,
  memberIds: readonly number[],
): Promise<ReadonlyMap<number, ProjectScope>> {
  const access = await store.listAccess(memberIds);
  const toScope = ({ hasAllProjects, projectIds }: ProjectAccess) => (hasAllProjects ? null : projectIds);
  return new Map([...access].map(([id, each]) => [id, toScope(each)]));
}

export function isSameScope(one: ProjectScope, other: ProjectScope): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The same store without the objects of other projects, in its transactions too. */
export function limitStore(store: Store, scope: ProjectScope): Store {
  if (scope === null) return store;
  const limited: Store = new Proxy(store, {
    get(target, name: keyof Store) {
      const member = target[name];
      if (typeof member !== 'function') return member;
      if (name === 'transaction') {
        return (job: (inner: Store) => unknown) =>
          target.transaction(async (inner) => job(limitStore(inner, scope)));
      }
      const rule = rules[name] ?? refuse;
      return (...args: unknown[]) => rule(member.bind(target) as Call, scope, args, target);
    },
  });
  return limited;
}

type Call = (...args: unknown[]) => Promise<unknown>;
type Rule = (call: Call, scope: readonly number[], args: unknown[], store: Store) => Promise<unknown>;

const refuse: Rule = async () => {
  throw allProjectsOnly();
};

/** Has no project, or is below an object that was found before. */
const open: Rule = (call, _scope, args) => call(...args);

/** The first argument is the id of a project. */
const ofProject: Rule = async (call, scope, args) => {
  if (!scope.includes(args[0] as number)) throw projectNotFound();
  return call(...args);
};

/** The first argument is an object of a project. */
const ofObject: Rule = async (call, scope, args) => {
  const { projectId } = args[0] as Owned;
  if (projectId == null) throw accessRefused('You have access to chosen projects only. Choose one of them.');
  if (!scope.includes(projectId)) throw projectNotFound();
  return call(...args);
};

/** The argument at this index is a list of project ids. */
const ofProjects =
  (index: number): Rule =>
  (call, scope, args) =>
    call(...args.with(index, cut(args[index] as readonly number[], scope)));

const ofFilter: Rule = (call, scope, [filter, ...others]) =>
  call(cutFilter(filter as Filter, scope), ...others);

/** What is answered belongs to a project: a row or null, or a list of rows. */
const filterAnswer: Rule = async (call, scope, args) => {
  const answer = await call(...args);
  if (Array.isArray(answer))
    return answer.filter((row) => isInside(row, scope)).map((row) => inner(row, scope));
  return isInside(answer, scope) ? inner(answer as object, scope) : null;
};

const filterProjects: Rule = async (call, scope, args) => {
  const isSeen = (project: unknown) => scope.includes((project as { readonly id: number }).id);
  const answer = await call(...args);
  if (Array.isArray(answer)) return answer.filter(isSeen);
  return answer === null || !isSeen(answer) ? null : answer;
};

/** A view that another shared names projects, releases and tags that this member may not see. */
const ownViews: Rule = async (call, _scope, args) =>
  ((await call(...args)) as SavedView[]).filter(({ ownerId }) => ownerId === args[0]);

const privateView: Rule = async (call, _scope, args) => {
  const view = (await call(...args)) as SavedView | null;
  return view?.isShared === true ? null : view;
};

/** A recipient may unsubscribe from any channel: that takes one address away, and changes nothing else. */
const removeOneRecipient: Rule = async (call, scope, args, store) => {
  const [id, change] = args as Parameters<Store['changeChannel']>;
  const channel = await store.findChannelRecord(id);
  if (channel === null) return null;
  const { address, target, ...others } = change;
  const [before, after] = [splitRecipients(channel.address), splitRecipients(address ?? '')];
  const removed = new Set(before.filter((each) => !after.includes(each)).map((each) => each.toLowerCase()));
  const isFewer = after.length > 0 && removed.size === 1 && after.every((each) => before.includes(each));
  if (channel.type !== 'email' || target === undefined || !isFewer || Object.keys(others).length > 0) {
    throw allProjectsOnly();
  }
  return inner((await call(...args)) as object, scope);
};

interface Owned {
  readonly projectId?: number | null;
}

interface Filter {
  readonly projectIds: readonly number[];
}

function cut(ids: readonly number[], scope: readonly number[]): number[] {
  return ids.filter((id) => scope.includes(id));
}

function cutFilter(filter: Filter, scope: readonly number[]): Filter {
  return { ...filter, projectIds: cut(filter.projectIds, scope) };
}

function isInside(row: unknown, scope: readonly number[]): boolean {
  const { projectId } = (row ?? {}) as Owned;
  return projectId != null && scope.includes(projectId);
}

/** Rules of a channel and links of an incident have a project of their own. */
function inner(row: object, scope: readonly number[]): object {
  const memberNames = ['rules', 'links', 'affects'].filter((name) => name in row);
  if (memberNames.length === 0) return row;
  const record = row as Record<string, unknown>;
  const seen = (part: unknown): boolean => isInside(part, scope);
  return {
    ...row,
    ...Object.fromEntries(memberNames.map((name) => [name, (record[name] as unknown[]).filter(seen)])),
  };
}

function accessRefused(reason: string): RestError {
  return new RestError('notifier_project_access', reason, 403);
}

function allProjectsOnly(): RestError {
  return accessRefused('This is open to members with access to all projects only.');
}

function projectNotFound(): RestError {
  return new RestError('notifier_project_invalid_id', 'There is no project with this number.', 404);
}

// biome-ignore format: several a line, so that the methods of a rule are read together.
const methods: ReadonlyArray<readonly [rule: Rule, names: ReadonlyArray<keyof Store>]> = [
  [filterProjects, ['listProjects', 'findProject', 'findProjectByName']],
  [ofProject, [
    'findTriageSettings', 'writeTriageSettings', 'listKeys', 'projectStatistics', 'listOutcomes',
    'recentPlatforms', 'countStoredEvents', 'listDomains', 'findDomain', 'listDomainVerifications',
    'findDomainVerification', 'findIssue', 'issuesOf', 'listIssues', 'listIssueEvents', 'listEvents',
    'listIssueActivity', 'changeIssue', 'listIssueHours', 'mergeIssues', 'unmergeIssues', 'listMerges',
    'listIssueTags', 'lockIssueForChange', 'storedEvents', 'walkIssueEvents', 'listIssueUsers',
    'issueReports', 'eventsOfUser', 'listIssueHistory', 'findEvent', 'countIssueHistory', 'lastActivity',
    'assignIssue', 'findComment', 'removeComment', 'listIssueKeys', 'splitIssue', 'isSplitting',
    'findAttachment', 'findEventDomain', 'sampleEvents', 'readPayloads', 'listComments', 'listProjectEvents',
    'restoreIssueState', 'listIssueLinks', 'removeIssueLink', 'findUsers', 'findFeedback', 'listFeedback',
    'findScreenshot', 'changeFeedbackState', 'findRelease', 'findReleaseByVersion', 'listReleases',
    'findDeploy', 'listDeploys', 'findContent', 'findArtifact', 'listArtifacts', 'findArtifactsByDebugId',
    'findArtifactsByName', 'hasArtifacts', 'findWildcardArtifacts', 'listSessionsOfReleases', 'findTestRun',
    'listTestRuns', 'listQuarantinedCases', 'findQuarantinedCase', 'removeQuarantinedCase',
    'removeEndedQuarantine', 'caseEnds', 'listCaseRunPage', 'listCaseRuns', 'affectedUsers',
  ]],
  [ofObject, [
    'listVerificationChecks', 'addComment', 'listSeenSlots', 'countSeen', 'seenParts', 'newestEventOf',
    'addIssueLink', 'summarizeUser', 'listUserIssues', 'listUserEvents', 'listUserHashes', 'countUserDays',
    'listUserFeedback', 'isErasing', 'beginErasure', 'releaseBefore', 'adoption', 'releaseFigures',
    'releaseIssueIds', 'sameContent', 'testRunsUpTo', 'testRunAfter', 'putQuarantinedCase', 'addMonitor',
    'changeMonitor', 'openIncident', 'addWindow', 'applyWindowTransition', 'deleteWindow', 'saveReport',
  ]],
  [ofProjects(0), [
    'listEndingKeys', 'listUnsettledVerifications', 'arrivals', 'placeCounts', 'sumOutcomes',
    'listFilterNames', 'countOpenIssues', 'listSeenIssues', 'findNamed', 'findEventsNamed', 'findStoredTags',
    'listTagNames', 'listTagValues', 'listLatestReleases', 'listPlaceNames', 'countReports', 'reportMoments',
    'newestReports', 'listReleasePage', 'countReleases', 'newestReleases', 'deployedEnvironments',
    'listDeployPage', 'countDeploys', 'listArtifactPage', 'countArtifacts', 'contentSums', 'listTestRunPage',
    'countTestRuns', 'recentTestRuns', 'testRunsOfReleases', 'newestTestRuns', 'projectsOfCase',
    'projectMoves', 'busiestIssues',
  ]],
  [ofProjects(1), ['findThings']],
  [ofFilter, ['listWorkspaceIssues', 'findWorkspaceIssues', 'countWorkspaceIssues', 'listReports']],
  [ofAudit, ['listAudit', 'countAudit', 'auditWeek']],
  [filterAnswer, [
    'findIssueAnywhere', 'endingEvents', 'findReleaseAnywhere', 'findArtifactAnywhere', 'findTestRunAnywhere',
    'listMonitors', 'findMonitor', 'findMonitorRecord', 'listIncidents', 'listLinkedIncidents',
    'listOpenIncidents', 'findIncident', 'listIncidentRecords', 'listIncidentsOf',
    'findCause', 'listWindows', 'findWindow', 'findWindowOf', 'windowsNow', 'listStatusPages',
    'findStatusPage', 'findStatusPageRecord', 'listChannels', 'listChannelRecords',
    'findChannelRecord', 'findActionLink', 'findDelivery', 'findRuleRecord', 'listSavedReports',
    'findSavedReport', 'findReportOf', 'listReportSchedules', 'findReportSchedule', 'walkAudit',
  ]],
  [ownViews, ['listSavedViews']],
  [privateView, ['findSavedView']],
  [removeOneRecipient, ['changeChannel']],
  [open, [
    'listMembers', 'findMember', 'findMemberByName', 'listTeams', 'findTeam', 'findTeamByName',
    'listMemberProjects', 'listAccess', 'findSetting', 'listSessions', 'endSession', 'endSessions',
    'sessionsThatHold', 'addChallenge', 'takeChallenge', 'listPasskeys', 'addPasskey', 'renamePasskey',
    'removePasskey', 'listIdentities', 'removeIdentity', 'listSignInMethods', 'listPersonalTokens',
    'addPersonalToken', 'removePersonalToken', 'addSavedView', 'changeSavedView', 'deleteSavedView',
    'findPageSettings', 'writePageSettings', 'listRegressedIn', 'listIssueEventIntervals', 'moveSplitSlice',
    'newestEventRow', 'eventWriters', 'listNewestPayloads', 'addBulkAction', 'addBulkSteps', 'findBulkAction',
    'takeBulkSteps', 'releaseSums', 'arrivalsOf', 'listTestUploads', 'listTestResults', 'walkTestResults',
    'slowestTestResults', 'listUnstableCases', 'monitorDays', 'monitorSums', 'monitorSlices', 'lastChecks',
    'countMonitors', 'changeMonitorToken', 'countOpenIncidents', 'changeIncident', 'openOfMonitor',
    'countWindows', 'changeStatusPage', 'listSubscribers', 'countSubscribers', 'countConfirmed',
    'findSubscriber', 'addSubscriber', 'removeSubscriber', 'findBrandImage', 'findChannelOfRecipient',
    'deleteActionLink', 'addPushSubscription', 'listPushSubscriptions', 'findPushSubscription',
    'countPushSubscriptions', 'removePushSubscription', 'deliveryDays', 'addAuditEntry', 'auditHead',
  ]],
];

const rules: { readonly [Name in keyof Store]?: Rule } = {
  ...Object.fromEntries(methods.flatMap(([rule, names]) => names.map((name) => [name, rule]))),
  async watchCounts(call, scope, [projectId]) {
    const ids = projectId === null ? scope : cut([projectId as number], scope);
    const counts = (await Promise.all(ids.map((id) => call(id)))) as MonitoringCounts[];
    const sum = (name: keyof MonitoringCounts): number => counts.reduce((all, each) => all + each[name], 0);
    const [downMonitors, openIncidents] = [sum('downMonitors'), sum('openIncidents')];
    return { downMonitors, openIncidents, failingChannels: sum('failingChannels') };
  },
  listLevelHours: (call, scope, [ids, fromMs, toMs, filter]) =>
    call(
      cut(ids as number[], scope),
      fromMs,
      toMs,
      filter === null ? null : cutFilter(filter as Filter, scope),
    ),
  listEventsBetween(call, scope, [afterRow, upToRow, filter, limit]) {
    const { projectIds } = filter as LiveFilter;
    const visibleIds = projectIds === null ? scope : cut(projectIds, scope);
    return call(afterRow, upToRow, { ...(filter as LiveFilter), projectIds: visibleIds }, limit);
  },
  // An erasure asks for those of the workspace too.
  listEmailSubscribers: async (call, scope, args) => (scope.includes(args[0] as number) ? call(...args) : []),
  // Rules of the whole workspace use channels of projects too.
  async listDeliveries(call, scope, args) {
    const page = (await call(...args)) as CursorPage<Delivery>;
    return { ...page, rows: page.rows.filter((row) => isInside(row, scope)) };
  },
  // Without the names of keys.
  async auditActors(call, _scope, args) {
    return ((await call(...args)) as AuditActor[]).filter(({ kind }) => kind !== 'key');
  },
};

function ofAudit(call: Call, scope: readonly number[], [filter, ...others]: unknown[]): Promise<unknown> {
  return call({ ...(filter as AuditFilter), projectIds: scope }, ...others);
}

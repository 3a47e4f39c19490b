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

const rules: { readonly [Name in keyof Store]?: Rule } = {
  ...{ listProjects: filterProjects, findProject: filterProjects, findProjectByName: filterProjects },
  ...{ listMembers: open, findMember: open, findMemberByName: open, listTeams: open, findTeam: open },
  ...{ findTeamByName: open, listMemberProjects: open, listAccess: open, findSetting: open },
  ...{ listSessions: open, endSession: open, endSessions: open, sessionsThatHold: open },
  ...{ addChallenge: open, takeChallenge: open, listPasskeys: open, addPasskey: open, renamePasskey: open },
  ...{ removePasskey: open, listIdentities: open, removeIdentity: open },
  ...{ listSignInMethods: open, listPersonalTokens: open, addPersonalToken: open, removePersonalToken: open },
  ...{ listSavedViews: ownViews, findSavedView: privateView, addSavedView: open, changeSavedView: open },
  ...{ deleteSavedView: open, findPageSettings: open, writePageSettings: open },
  ...{ findTriageSettings: ofProject, writeTriageSettings: ofProject },
  ...{
    listKeys: ofProject,
    projectStatistics: ofProject,
    listOutcomes: ofProject,
    recentPlatforms: ofProject,
  },
  ...{ listEndingKeys: ofProjects(0), countStoredEvents: ofProject, listDomains: ofProject },
  ...{
    findDomain: ofProject,
    listDomainVerifications: ofProject,
    findDomainVerification: ofProject,
    listUnsettledVerifications: ofProjects(0),
  },
  ...{
    listVerificationChecks: ofObject,
    arrivals: ofProjects(0),
    placeCounts: ofProjects(0),
    sumOutcomes: ofProjects(0),
  },
  async watchCounts(call, scope, [projectId]) {
    const ids = projectId === null ? scope : cut([projectId as number], scope);
    const counts = (await Promise.all(ids.map((id) => call(id)))) as MonitoringCounts[];
    const sum = (name: keyof MonitoringCounts): number => counts.reduce((all, each) => all + each[name], 0);
    const [downMonitors, openIncidents] = [sum('downMonitors'), sum('openIncidents')];
    return { downMonitors, openIncidents, failingChannels: sum('failingChannels') };
  },

  ...{
    findIssueAnywhere: filterAnswer,
    endingEvents: filterAnswer,
    findIssue: ofProject,
    issuesOf: ofProject,
  },
  ...{
    listIssues: ofProject,
    listIssueEvents: ofProject,
    listEvents: ofProject,
    listIssueActivity: ofProject,
    changeIssue: ofProject,
  },
  ...{ listIssueHours: ofProject, mergeIssues: ofProject, unmergeIssues: ofProject, listMerges: ofProject },
  ...{
    listIssueTags: ofProject,
    lockIssueForChange: ofProject,
    storedEvents: ofProject,
    walkIssueEvents: ofProject,
  },
  ...{ listIssueUsers: ofProject },
  ...{ issueReports: ofProject, eventsOfUser: ofProject, listIssueHistory: ofProject, findEvent: ofProject },
  ...{ countIssueHistory: ofProject, lastActivity: ofProject, assignIssue: ofProject, addComment: ofObject },
  ...{ findComment: ofProject, removeComment: ofProject, listIssueKeys: ofProject, splitIssue: ofProject },
  ...{
    isSplitting: ofProject,
    findAttachment: ofProject,
    findEventDomain: ofProject,
    listSeenSlots: ofObject,
  },
  ...{ countSeen: ofObject, seenParts: ofObject, newestEventOf: ofObject, listRegressedIn: open },
  ...{ listIssueEventIntervals: open, listWorkspaceIssues: ofFilter, findWorkspaceIssues: ofFilter },
  ...{ countWorkspaceIssues: ofFilter, listFilterNames: ofProjects(0), countOpenIssues: ofProjects(0) },
  ...{ listSeenIssues: ofProjects(0), moveSplitSlice: open },
  listLevelHours: (call, scope, [ids, fromMs, toMs, filter]) =>
    call(
      cut(ids as number[], scope),
      fromMs,
      toMs,
      filter === null ? null : cutFilter(filter as Filter, scope),
    ),
  ...{ findThings: ofProjects(1), findNamed: ofProjects(0), findEventsNamed: ofProjects(0) },
  ...{ newestEventRow: open, eventWriters: open },
  listEventsBetween(call, scope, [afterRow, upToRow, filter, limit]) {
    const { projectIds } = filter as LiveFilter;
    const visibleIds = projectIds === null ? scope : cut(projectIds, scope);
    return call(afterRow, upToRow, { ...(filter as LiveFilter), projectIds: visibleIds }, limit);
  },

  ...{ sampleEvents: ofProject, readPayloads: ofProject, listNewestPayloads: open, listComments: ofProject },
  listProjectEvents: ofProject,
  ...{ addBulkAction: open, addBulkSteps: open, findBulkAction: open, takeBulkSteps: open },
  ...{ restoreIssueState: ofProject },
  ...{ listIssueLinks: ofProject, addIssueLink: ofObject, removeIssueLink: ofProject },
  ...{ findStoredTags: ofProjects(0), listTagNames: ofProjects(0), listTagValues: ofProjects(0) },
  ...{ listLatestReleases: ofProjects(0), listPlaceNames: ofProjects(0) },
  ...{ findUsers: ofProject, summarizeUser: ofObject, listUserIssues: ofObject, listUserEvents: ofObject },
  ...{
    listUserHashes: ofObject,
    countUserDays: ofObject,
    listUserFeedback: ofObject,
    isErasing: ofObject,
    beginErasure: ofObject,
  },

  ...{ findFeedback: ofProject, listFeedback: ofProject, findScreenshot: ofProject, listReports: ofFilter },
  ...{ countReports: ofProjects(0), reportMoments: ofProjects(0), newestReports: ofProjects(0) },
  ...{ changeFeedbackState: ofProject },

  ...{
    findRelease: ofProject,
    findReleaseByVersion: ofProject,
    listReleases: ofProject,
    findReleaseAnywhere: filterAnswer,
  },
  ...{ listReleasePage: ofProjects(0), countReleases: ofProjects(0), newestReleases: ofProjects(0) },
  ...{ releaseSums: open, arrivalsOf: open, releaseBefore: ofObject, adoption: ofObject },
  ...{ releaseFigures: ofObject, releaseIssueIds: ofObject, deployedEnvironments: ofProjects(0) },
  ...{
    findDeploy: ofProject,
    listDeploys: ofProject,
    listDeployPage: ofProjects(0),
    countDeploys: ofProjects(0),
  },
  ...{ findArtifactAnywhere: filterAnswer, listArtifactPage: ofProjects(0), countArtifacts: ofProjects(0) },
  ...{ contentSums: ofProjects(0), sameContent: ofObject, findContent: ofProject, findArtifact: ofProject },
  ...{ listArtifacts: ofProject, findArtifactsByDebugId: ofProject, findArtifactsByName: ofProject },
  ...{ hasArtifacts: ofProject, findWildcardArtifacts: ofProject, listSessionsOfReleases: ofProject },
  ...{
    findTestRunAnywhere: filterAnswer,
    findTestRun: ofProject,
    listTestRuns: ofProject,
    listTestRunPage: ofProjects(0),
  },
  ...{ countTestRuns: ofProjects(0), recentTestRuns: ofProjects(0), testRunsOfReleases: ofProjects(0) },
  ...{ newestTestRuns: ofProjects(0), testRunsUpTo: ofObject, testRunAfter: ofObject, listTestUploads: open },
  ...{ listTestResults: open, walkTestResults: open, slowestTestResults: open, listUnstableCases: open },
  ...{ listQuarantinedCases: ofProject, findQuarantinedCase: ofProject, putQuarantinedCase: ofObject },
  ...{ removeQuarantinedCase: ofProject, removeEndedQuarantine: ofProject },
  ...{
    caseEnds: ofProject,
    projectsOfCase: ofProjects(0),
    listCaseRunPage: ofProject,
    listCaseRuns: ofProject,
  },

  ...{ listMonitors: filterAnswer, findMonitor: filterAnswer, findMonitorRecord: filterAnswer },
  ...{ monitorDays: open, monitorSums: open, monitorSlices: open, lastChecks: open, countMonitors: open },
  ...{ addMonitor: ofObject, changeMonitor: ofObject, changeMonitorToken: open },
  ...{
    listIncidents: filterAnswer,
    listLinkedIncidents: filterAnswer,
    listOpenIncidents: filterAnswer,
    findIncident: filterAnswer,
  },
  ...{
    listIncidentRecords: filterAnswer,
    listIncidentsOf: filterAnswer,
    countOpenIncidents: open,
  },
  ...{ openIncident: ofObject, changeIncident: open, openOfMonitor: open, findCause: filterAnswer },
  ...{
    listWindows: filterAnswer,
    findWindow: filterAnswer,
    findWindowOf: filterAnswer,
    countWindows: open,
    windowsNow: filterAnswer,
  },
  ...{ addWindow: ofObject, applyWindowTransition: ofObject, deleteWindow: ofObject },
  ...{
    listStatusPages: filterAnswer,
    findStatusPage: filterAnswer,
    findStatusPageRecord: filterAnswer,
  },
  ...{ changeStatusPage: open, listSubscribers: open, countSubscribers: open, countConfirmed: open },
  ...{ findSubscriber: open, addSubscriber: open, removeSubscriber: open, findBrandImage: open },
  // An erasure asks for those of the workspace too.
  listEmailSubscribers: async (call, scope, args) => (scope.includes(args[0] as number) ? call(...args) : []),

  ...{
    listChannels: filterAnswer,
    listChannelRecords: filterAnswer,
    findChannelRecord: filterAnswer,
  },
  ...{
    findChannelOfRecipient: open,
    changeChannel: removeOneRecipient,
    findActionLink: filterAnswer,
    deleteActionLink: open,
    addPushSubscription: open,
    listPushSubscriptions: open,
    findPushSubscription: open,
    countPushSubscriptions: open,
    removePushSubscription: open,
  },
  // Rules of the whole workspace use channels of projects too.
  async listDeliveries(call, scope, args) {
    const page = (await call(...args)) as CursorPage<Delivery>;
    return { ...page, rows: page.rows.filter((row) => isInside(row, scope)) };
  },
  ...{ findDelivery: filterAnswer, deliveryDays: open, findRuleRecord: filterAnswer },
  ...{ projectMoves: ofProjects(0), busiestIssues: ofProjects(0), affectedUsers: ofProject },
  ...{
    listSavedReports: filterAnswer,
    findSavedReport: filterAnswer,
    findReportOf: filterAnswer,
    saveReport: ofObject,
  },
  ...{ listReportSchedules: filterAnswer, findReportSchedule: filterAnswer },

  // The audit log: entries of their projects, and no names of keys.
  ...{ addAuditEntry: open, auditHead: open, walkAudit: filterAnswer },
  ...{ listAudit: ofAudit, countAudit: ofAudit, auditWeek: ofAudit },
  async auditActors(call, _scope, args) {
    return ((await call(...args)) as AuditActor[]).filter(({ kind }) => kind !== 'key');
  },
};

function ofAudit(call: Call, scope: readonly number[], [filter, ...others]: unknown[]): Promise<unknown> {
  return call({ ...(filter as AuditFilter), projectIds: scope }, ...others);
}

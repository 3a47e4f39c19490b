// The requests whose answers are the examples of the OpenAPI document, by operation, in the order they are sent.
import { required } from '../../support/one-of-each.ts';

export interface ExampleRequest {
  /** In the place of the parameters of the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  readonly text?: string;
}

export interface KnownIds {
  readonly event: string;
  readonly feedback: string;
  readonly user: string;
  readonly testCase: string;
  readonly verification: string;
  /** An issue with two hashes and a comment, and one of its hashes. */
  readonly split: string;
  readonly hash: string;
  readonly comment: string;
  /** A change of several issues by the member of the token. */
  readonly undo: string;
  readonly member: string;
  readonly invited: string;
  /** Sessions of the member, and of the member of the token. */
  readonly session: string;
  readonly ownSession: string;
}

const id = (value: number | string): ExampleRequest => ({ path: { id: String(value) } });
const of = (path: string): ExampleRequest => ({ body: required[path] ?? {} });

const eventText = { message: 'Payment failed', level: 'error', release: 'shop@1.1.0', user: { id: '42' } };
const envelopeText = [
  { event_id: '9ec79c33ec9942ab8353589fcb2e04dc', sent_at: '2026-11-21T12:00:00Z' },
  { type: 'event' },
  { message: 'Payment failed', level: 'error' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');
const cspReport = {
  'csp-report': {
    'document-uri': 'https://shop.example/cart',
    'violated-directive': 'script-src',
    'blocked-uri': 'https://evil.example/a.js',
  },
};
const sourceMap = {
  release: 'shop@1.2.0',
  files: [{ name: '~/app.js', type: 'minified_source', content: 'let a = 1;\n' }],
};

/** Reading comes before deleting. */
export function exampleRequests(ids: KnownIds): Readonly<Record<string, ExampleRequest>> {
  const event = { path: { event_id: ids.event } };
  const user = { path: { user_hash: ids.user } };
  const project = { project: '1' };
  return {
    storeEvent: { body: { ...eventText, event_id: 'fc6d8c0c43fc4630ad850ee518f1b9d0' } },
    storeEnvelope: { text: envelopeText },
    createFeedback: { body: { message: 'The basket stays empty.', email: 'jane@shop.example' } },
    verifySdk: of('/sdk-verify'),
    storeSecurityReports: { body: cspReport },
    storeOtlpLogs: { body: {} },
    storeOtlpTraces: { body: {} },
    storeSentryOtlpLogs: { path: project, body: {} },
    storeSentryOtlpTraces: { path: project, body: {} },
    storeSentryEvent: { path: project, body: { ...eventText, event_id: '0a1b2c3d4e5f60718293a4b5c6d7e8f9' } },
    storeSentryEnvelope: { path: project, text: envelopeText },
    storeSentrySecurityReports: { path: project, body: cspReport },
    storeSentryCspReport: { path: project, body: cspReport },
    listIssues: { query: 'query=is:unresolved&per_page=2' },
    getIssue: id(1),
    updateIssue: { ...id(1), body: { status: 'resolved', in: 'next_release' } },
    updateIssues: { body: { query: 'is:resolved', status: 'unresolved' } },
    createComment: { ...id(1), body: { text: 'Fixed by the new currency table.' } },
    listComments: id(1),
    listIssueEvents: id(1),
    listIssueTags: id(1),
    listIssueUsers: id(1),
    undoIssueUpdates: id(ids.undo),
    listIssueHashes: id(ids.split),
    splitIssue: { ...id(ids.split), body: { hashes: [ids.hash] } },
    listEvents: { query: 'query=level:error&per_page=1' },
    getEvent: event,
    listFeedback: {},
    getFeedback: id(ids.feedback),
    updateFeedback: { ...id(ids.feedback), body: { state: 'resolved' } },
    updateFeedbackList: { body: { ids: [Number(ids.feedback), 999], state: 'open' } },
    findUsers: { query: 'query=u2' },
    getUser: user,
    exportUser: user,
    listOutcomes: {},
    createRelease: {
      body: { version: 'shop@1.3.0', commits: [{ id: 'c'.repeat(40), message: 'Add totals' }] },
    },
    listReleases: {},
    getRelease: id(1),
    getReleaseVerdict: id(1),
    createDeploy: { body: { version: 'shop@1.3.0', environment: 'production' } },
    listDeploys: {},
    getDeploy: id(1),
    createArtifacts: { body: sourceMap },
    listArtifacts: {},
    getArtifact: id(1),
    createTestRun: { body: { tests: 12, passed: 11, failed: 1, release: 'shop@1.3.0', branch: 'main' } },
    listTestRuns: {},
    getTestRun: id(1),
    listCaseRuns: id(ids.testCase),
    createQuarantine: {
      body: { case_id: ids.testCase, until: '2026-12-01', reason: 'Fails on slow machines.' },
    },
    listQuarantine: {},
    createDomain: { body: { domain: 'www.shop.example', bug_reports: true } },
    listDomains: {},
    getDomain: id(1),
    updateDomain: { ...id(1), body: { sampling: 0.5 } },
    createDomainVerification: { body: { domain: 'probe-two.com' } },
    getDomainVerification: id(ids.verification),
    checkDomainVerification: { ...id(ids.verification), body: { method: 'dns_txt' } },
    getOwnership: {},
    updateOwnership: {
      body: { rules: 'path:src/cart/* #payments', repository: 'https://github.com/acme/shop' },
    },
    getInboundFilters: {},
    updateInboundFilters: { body: { web_crawlers: true, releases: ['test@*'] } },
    createAlertChannel: { body: { type: 'webhook', name: 'Operations', url: 'https://ops.example/hook' } },
    listAlertChannels: {},
    getAlertChannel: id(1),
    updateAlertChannel: { ...id(1), body: { quiet_hours: '22:00 to 07:00' } },
    testAlertChannel: id(2),
    retryAlertChannel: id(2),
    createMonitor: of('/monitors'),
    listMonitors: {},
    getMonitor: id(1),
    checkMonitor: id(1),
    updateMonitor: { ...id(1), body: { paused: true } },
    createMaintenanceWindow: of('/maintenance-windows'),
    listMaintenanceWindows: {},
    getMaintenanceWindow: id(1),
    updateMaintenanceWindow: { ...id(1), body: { minutes: 30 } },
    createIncident: of('/incidents'),
    listIncidents: {},
    getIncident: id(2),
    updateIncident: { ...id(2), body: { state: 'identified', message: 'A bad deploy.', public: true } },
    createStatusPage: { body: { name: 'Shop', components: [{ name: 'Checkout', monitors: [1] }] } },
    listStatusPages: {},
    getStatusPage: id(1),
    createSubscriber: { ...id(1), body: { url: 'https://ops.example/status' } },
    listSubscribers: id(1),
    updateStatusPage: { ...id(1), body: { published: true } },
    createReport: { body: { period: '2026-W46' } },
    listReports: {},
    getReport: id(1),
    createReportSchedule: { body: { alert_channel_id: 1, kind: 'week' } },
    listReportSchedules: {},
    getReportSchedule: id(1),
    updateReportSchedule: { ...id(1), body: { at: '07:30', timezone: 'Europe/Berlin' } },
    createSavedView: { body: { name: 'Checkout', query: 'is:unresolved url:*/checkout', shared: true } },
    listSavedViews: {},
    updateSavedView: { ...id(1), body: { sort: 'users' } },
    updateOwnSettings: { body: { time_zone: 'Europe/Berlin', default_view: '1' } },
    getOwnSettings: {},
    deleteSavedView: id(1),
    inviteMember: { body: { name: 'Jane Roe', role: 'member', email: 'jane@shop.example', projects: [1] } },
    listMembers: {},
    getMember: id(ids.member),
    updateMember: { ...id(ids.member), body: { role: 'viewer', projects: null } },
    resendInvitation: id(ids.invited),
    listMemberSessions: id(ids.member),
    endMemberSession: { path: { id: ids.member, session_id: ids.session } },
    endMemberSessions: id(ids.member),
    listOwnSessions: {},
    endOwnSession: { path: { session_id: ids.ownSession } },
    endOwnSessions: {},
    createTeam: { body: { name: 'checkout', projects: [1] } },
    listTeams: {},
    getTeam: id(1),
    updateTeam: { ...id(1), body: { name: 'payment', projects: [1, 2] } },
    addTeamMember: { ...id(1), body: { member_id: Number(ids.member) } },
    removeTeamMember: { path: { id: '1', member_id: ids.member } },
    deleteTeam: id(1),
    deleteMember: id(ids.member),
    createProject: { body: { name: 'warehouse' } },
    listProjects: {},
    getProject: id(1),
    updateProject: { ...id(1), body: { scrub_fields: ['iban', 'birthday'], bug_reports: true } },
    deleteReportSchedule: id(1),
    deleteReport: id(1),
    deleteQuarantine: id(1),
    deleteSubscriber: { path: { id: '1', subscriber_id: '1' } },
    deleteStatusPage: id(1),
    deleteIncident: id(2),
    deleteMaintenanceWindow: id(1),
    deleteMonitor: id(1),
    deleteAlertChannel: id(2),
    replaceDomainVerificationToken: id(ids.verification),
    deleteDomain: id(1),
    deleteDomainVerification: id(ids.verification),
    deleteArtifact: id(1),
    deleteRelease: id(1),
    deleteFeedback: id(ids.feedback),
    deleteComment: { path: { id: ids.split, comment_id: ids.comment } },
    deleteIssue: id(ids.split),
    deleteProject: { path: { id: '2' }, query: 'name=other' },
    deleteUser: user,
  };
}

/** Without an example: files, check-ins and heartbeats, a network, and the document itself. */
export const withoutExample: ReadonlySet<string> = new Set([
  ...[
    'getIssueMarkdown',
    'getEventMarkdown',
    'getAttachment',
    'getScreenshot',
    'tryAlertChannel',
    'getOpenApi',
  ],
  ...['getCronCheckIn', 'postCronCheckIn', 'getCronCheckInByKey', 'postCronCheckInByKey'],
  ...['getHeartbeat', 'postHeartbeat', 'getHeartbeatSignal', 'postHeartbeatSignal'],
]);

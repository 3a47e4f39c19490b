// What the route table does not say of each route: its name, what it answers, and with which codes it refuses.
import { z } from 'zod';
import { alertChannelTestView, alertChannelTryView } from '../../schemas/alert-channels.ts';
import {
  artifactsForm,
  artifactsJson,
  artifactsResponse,
  artifactsUploadQuery,
  artifactView,
} from '../../schemas/artifacts.ts';
import { deployResponse, deployView } from '../../schemas/deploys.ts';
import { domainCheckView, domainVerificationView } from '../../schemas/domain-verifications.ts';
import { domainView } from '../../schemas/domains.ts';
import {
  anyJson,
  binaryBody,
  eventSummaryView,
  eventView,
  groupingView,
  plainBody,
} from '../../schemas/event.ts';
import {
  feedbackBulkView,
  feedbackDetails,
  feedbackFiles,
  feedbackResponse,
  feedbackView,
} from '../../schemas/feedback.ts';
import { eventIdPattern } from '../../schemas/fields.ts';
import { inboundFiltersView } from '../../schemas/inbound-filters.ts';
import { incidentView } from '../../schemas/incidents.ts';
import {
  activityView,
  commentView,
  issueBulkView,
  issueDetails,
  issueHashView,
  issueTagView,
  issueUndoView,
  issueView,
  listedIssueView,
} from '../../schemas/issues.ts';
import { windowView } from '../../schemas/maintenance-windows.ts';
import { invitedMemberView, memberView, ownSettingsView, sessionView } from '../../schemas/members.ts';
import { monitorView } from '../../schemas/monitors.ts';
import { outcomeHour } from '../../schemas/outcomes.ts';
import { ownershipView } from '../../schemas/ownership.ts';
import { createdProjectView, listedProjectView, projectView } from '../../schemas/projects.ts';
import { quarantineView } from '../../schemas/quarantine.ts';
import { releaseDetails, releaseResponse, releaseVerdict, releaseView } from '../../schemas/releases.ts';
import { reportHead, reportSchedule, reportView } from '../../schemas/reports.ts';
import { savedViewView } from '../../schemas/saved-views.ts';
import { sdkVerifyResponse, sdkVerifyUnchanged } from '../../schemas/sdk-verify.ts';
import { statusPageView, subscriberView } from '../../schemas/status-pages.ts';
import { envelopeResponse, filteredResponse, storeResponse } from '../../schemas/store.ts';
import { teamView } from '../../schemas/teams.ts';
import {
  caseRun,
  testCase,
  testRunDetails,
  testRunFields,
  testRunForm,
  testRunRequest,
  testRunResponse,
  testRunView,
} from '../../schemas/test-runs.ts';
import { issueUserView, userDetails, userExport, userView } from '../../schemas/users.ts';
import { alertChannelView } from '../../src/core/alerts/channel-schemas.ts';
import {
  accepted,
  creates,
  deletes,
  lists,
  notFound,
  type Operation,
  shows,
  updates,
} from '../../src/http/openapi/operation.ts';

export const components: Readonly<Record<string, z.ZodType>> = {
  Activity: activityView,
  AlertChannel: alertChannelView,
  Artifact: artifactView,
  Comment: commentView,
  Deploy: deployView,
  Domain: domainView,
  DomainVerification: domainVerificationView,
  Event: eventView,
  EventSummary: eventSummaryView,
  Feedback: feedbackView,
  FeedbackDetails: feedbackDetails,
  Grouping: groupingView,
  InboundFilters: inboundFiltersView,
  Incident: incidentView,
  IssueDetails: issueDetails,
  ListedIssue: listedIssueView,
  MaintenanceWindow: windowView,
  Monitor: monitorView,
  OutcomeHour: outcomeHour,
  Ownership: ownershipView,
  QuarantinedCase: quarantineView,
  Release: releaseView,
  ReleaseDetails: releaseDetails,
  ReleaseVerdict: releaseVerdict,
  Report: reportView,
  ReportHead: reportHead,
  ReportSchedule: reportSchedule,
  Member: memberView,
  Session: sessionView,
  Project: projectView,
  SavedView: savedViewView,
  Team: teamView,
  FilteredEvent: filteredResponse,
  StatusPage: statusPageView,
  StoredEvent: storeResponse,
  Subscriber: subscriberView,
  TestCase: testCase,
  TestRun: testRunView,
  TestRunDetails: testRunDetails,
  User: userView,
  UserDetails: userDetails,
};

export const tags: Readonly<Record<string, string>> = {
  Ingestion: 'Events, envelopes, bug reports and security reports, with the public key.',
  'Sentry protocol': 'The same for Sentry SDKs, at the URLs that they make from a DSN.',
  Issues: 'Groups of events: status, assignee, comments.',
  Events: 'Single events.',
  Feedback: 'Bug reports of visitors.',
  Users: 'Whom events and bug reports name.',
  Releases: 'Versions, with commits and what became of them.',
  Deploys: 'Releases that were brought to an environment.',
  Artifacts: 'Scripts and source maps.',
  'Test runs': 'Reports of test runners.',
  Quarantine: 'Test cases whose failures are excused for a time.',
  Domains: 'Hostnames that may send data.',
  'Domain verifications': 'Proof that a domain is yours.',
  Ownership: 'Whose an issue is, by rules.',
  'Inbound filters': 'Events that are dropped on arrival.',
  'Alert channels': 'Where notifications go, and the rules for them.',
  Monitors: 'Uptime checks, cron jobs and heartbeats.',
  'Maintenance windows': 'Planned work.',
  Incidents: 'Outages and updates about them.',
  'Status pages': 'Pages for the public.',
  Reports: 'Weekly and monthly reports.',
  'Report schedules': 'Reports by e-mail.',
  'Saved views': 'Views of the issue list, of a member.',
  Members: 'Who has access.',
  Teams: 'Members who share access to projects.',
  Projects: 'The projects of the workspace.',
  Outcomes: 'What became of all that was sent.',
  Description: 'This document.',
};

/** Parameters of paths by their name, unless an operation says otherwise. Others are positive integers. */
export const pathParameters: Readonly<Record<string, z.ZodType>> = {
  event_id: z.string().regex(new RegExp(eventIdPattern)).describe('ID of the event.'),
  user_hash: z.string().describe('Hash of the user, from the list.'),
  comment_id: z.int().min(1).describe('ID of the comment.'),
  subscriber_id: z.int().min(1).describe('ID of the subscriber.'),
  session_id: z.int().min(1).describe('ID of the session.'),
  member_id: z.int().min(1).describe('ID of the member.'),
};

const verification = { id: z.string().describe('ID of the verification.') };
const projectPath = z.int().min(1).describe('The number in the DSN.');
const ingestion = { tag: 'Ingestion' };

const stored = { what: 'Stored.', schema: storeResponse };
const repeated = { what: 'Already known, or dropped by an inbound filter.' };
const known = { ...repeated, schema: z.union([storeResponse, filteredResponse]) };
const envelopeAnswer = { what: 'What became of the items.', schema: envelopeResponse };
const envelopeBodies = {
  'application/json': anyJson,
  'application/x-sentry-envelope': binaryBody,
  'text/plain': plainBody,
  '*/*': binaryBody,
};
const reportBodies = {
  'application/json': anyJson,
  'application/csp-report': anyJson,
  'application/reports+json': anyJson,
  '*/*': anyJson,
};
const envelopeErrors = {
  400: [
    ...['notifier_empty_envelope', 'notifier_invalid_envelope', 'notifier_duplicate_item'],
    ...['notifier_invalid_check_in', 'notifier_unknown_monitor'],
  ],
};
const reportErrors = { 400: ['notifier_invalid_report'] };
const otlp = (id: string, signals: string): Operation => ({
  id,
  summary: `Send ${signals} of OpenTelemetry`,
  description: 'Exceptions become events; all else is counted. Protobuf is answered in protobuf.',
  bodies: { 'application/json': anyJson, 'application/x-protobuf': binaryBody, '*/*': anyJson },
  answers: {
    200: {
      what: 'Taken; partialSuccess says how many exceptions were refused.',
      otherType: 'application/x-protobuf',
      schema: z.object({
        partialSuccess: z
          .object({
            rejectedLogRecords: z.string().optional(),
            rejectedSpans: z.string().optional(),
            errorMessage: z.string(),
          })
          .optional(),
      }),
    },
  },
  errors: { 400: ['notifier_invalid_otlp'] },
});

const ingestionOperations: Readonly<Record<string, Operation>> = {
  'POST /store': {
    id: 'storeEvent',
    summary: 'Send an event',
    ...ingestion,
    answers: { 201: stored, 200: known },
  },
  'POST /envelope': {
    id: 'storeEnvelope',
    summary: 'Send an envelope of Sentry',
    ...ingestion,
    bodies: envelopeBodies,
    answers: { 201: { ...envelopeAnswer, what: 'Something is new.' }, 200: envelopeAnswer },
    errors: envelopeErrors,
  },
  'POST /feedback': {
    id: 'createFeedback',
    summary: 'Send a bug report',
    ...ingestion,
    files: feedbackFiles,
    answers: {
      201: { what: 'Stored.', schema: feedbackResponse },
      200: { what: 'Sent before, or taken for spam.', schema: feedbackResponse },
    },
    errors: { 403: ['rest_forbidden'] },
  },
  'POST /sdk-verify': {
    id: 'verifySdk',
    summary: 'Check the set-up of an SDK',
    ...ingestion,
    answers: {
      200: {
        what: 'The result.',
        schema: z.union([sdkVerifyResponse, sdkVerifyUnchanged]),
        headers: ['ETag'],
      },
      304: { what: 'Nothing changed since If-None-Match.', schema: null, headers: ['ETag'] },
    },
  },
  'POST /security': {
    id: 'storeSecurityReports',
    summary: 'Send security reports of a browser',
    ...ingestion,
    bodies: reportBodies,
    answers: { 201: { ...envelopeAnswer, what: 'Something is new.' }, 200: envelopeAnswer },
    errors: reportErrors,
  },
  'POST /otlp/v1/logs': { ...otlp('storeOtlpLogs', 'log records'), ...ingestion },
  'POST /otlp/v1/traces': { ...otlp('storeOtlpTraces', 'spans'), ...ingestion },
};

const sentry = { tag: 'Sentry protocol', path: { project: projectPath } };
const cronPath = { ...sentry.path, monitor_slug: z.string().describe('Slug of the monitor.') };
const cronKeyPath = { ...cronPath, sentry_key: z.string().describe('A public key.') };
const heartbeatPath = { token: z.string().describe('The secret of the heartbeat URL.') };
const heartbeatSignal = {
  ...heartbeatPath,
  signal: z.string().describe('start, fail, log, or an exit code.'),
};
const cronCheckInAnswer = {
  what: 'Taken.',
  schema: z.object({ id: z.string().optional(), accepted: z.literal(true) }),
};
const acceptedAnswer = { what: 'Taken.', schema: z.object({ accepted: z.literal(true) }) };
const checkInQuery = z.object({
  status: z.string().describe('in_progress, ok or error.').optional(),
  check_in_id: z.string().describe('ID of the check-in.').optional(),
  environment: z.string().describe('Environment of the job.').optional(),
  duration: z.string().describe('Duration in seconds.').optional(),
});
const cron = (id: string, path: Operation['path']): Operation => ({
  id,
  summary: 'Send a check-in of a cron job',
  ...sentry,
  ...(path === undefined ? {} : { path }),
  query: checkInQuery,
  bodies: { 'application/json': anyJson, '*/*': anyJson },
  answers: { 200: cronCheckInAnswer },
  errors: envelopeErrors,
});
const beat = (id: string, path: Operation['path']): Operation => ({
  id,
  summary: 'Call a heartbeat URL',
  description: 'The token in the path is the credential.',
  tag: 'Monitors',
  ...(path === undefined ? {} : { path }),
  bodies: { 'text/plain': plainBody, '*/*': plainBody },
  answers: { 200: acceptedAnswer },
  errors: { 400: ['notifier_invalid_heartbeat'], ...notFound('monitor') },
});
const cronUrl = '/api/{project:\\d+}/cron/{monitor_slug:[^/]+}';

const sentryOperations: Readonly<Record<string, Operation>> = {
  'POST /api/{project:\\d+}/envelope': {
    id: 'storeSentryEnvelope',
    summary: 'Send an envelope',
    ...sentry,
    bodies: envelopeBodies,
    answers: { 200: envelopeAnswer },
    errors: envelopeErrors,
  },
  'POST /api/{project:\\d+}/store': {
    id: 'storeSentryEvent',
    summary: 'Send an event',
    ...sentry,
    answers: { 200: known },
  },
  'POST /api/{project:\\d+}/security': {
    id: 'storeSentrySecurityReports',
    summary: 'Send security reports of a browser',
    ...sentry,
    bodies: reportBodies,
    answers: { 200: envelopeAnswer },
    errors: reportErrors,
  },
  'POST /api/{project:\\d+}/csp-report': {
    id: 'storeSentryCspReport',
    summary: 'Send a CSP report of a browser',
    ...sentry,
    bodies: reportBodies,
    answers: { 200: envelopeAnswer },
    errors: reportErrors,
  },
  'POST /api/{project:\\d+}/integration/otlp/v1/logs': {
    ...otlp('storeSentryOtlpLogs', 'log records'),
    ...sentry,
  },
  'POST /api/{project:\\d+}/integration/otlp/v1/traces': {
    ...otlp('storeSentryOtlpTraces', 'spans'),
    ...sentry,
  },
  [`GET ${cronUrl}`]: cron('getCronCheckIn', cronPath),
  [`POST ${cronUrl}`]: cron('postCronCheckIn', cronPath),
  [`GET ${cronUrl}/{sentry_key:\\w+}`]: cron('getCronCheckInByKey', cronKeyPath),
  [`POST ${cronUrl}/{sentry_key:\\w+}`]: cron('postCronCheckInByKey', cronKeyPath),
  'GET /heartbeats/{token}': beat('getHeartbeat', heartbeatPath),
  'POST /heartbeats/{token}': beat('postHeartbeat', heartbeatPath),
  'GET /heartbeats/{token}/{signal}': beat('getHeartbeatSignal', heartbeatSignal),
  'POST /heartbeats/{token}/{signal}': beat('postHeartbeatSignal', heartbeatSignal),
};

const file = (description: string) => ({
  what: description,
  schema: null,
  type: '*/*',
  headers: ['Content-Disposition'] as const,
});

const errorOperations: Readonly<Record<string, Operation>> = {
  'GET /issues': lists('listIssues', 'List issues', listedIssueView),
  'GET /issues/{id}': shows('getIssue', 'Show an issue', issueDetails),
  'POST /issues/{id}': updates(
    'updateIssue',
    'Resolve, ignore, assign, merge or link an issue',
    issueDetails,
    { errors: notFound('release') },
  ),
  'POST /issues/bulk/{id}/undo': updates(
    'undoIssueUpdates',
    'Undo a change of several issues',
    issueUndoView,
    {
      description: 'For a minute, the newest change of the member; id is undo_id of its answer.',
      errors: { 409: ['notifier_undo_expired'] },
    },
  ),
  'DELETE /issues/{id}': deletes('deleteIssue', 'Delete an issue', issueView, {
    description: 'Its events and the issues merged into it go too, in the background; bug reports stay.',
  }),
  'GET /issues/{id}\\.md': {
    id: 'getIssueMarkdown',
    summary: 'Show an issue with its newest event as Markdown',
    answers: { 200: { what: 'The text.', schema: null, type: 'text/markdown' } },
  },
  'GET /issues/{id}/tags': shows(
    'listIssueTags',
    'List the tags of an issue, with the number of events of each value',
    z.array(issueTagView),
  ),
  'GET /issues/{id}/hashes': shows(
    'listIssueHashes',
    'List the fingerprint hashes of an issue, which a split can move',
    z.array(issueHashView),
  ),
  'POST /issues/{id}/split': creates(
    'splitIssue',
    'Move some hashes of an issue, with their events, into a new one',
    issueDetails,
    { errors: { 400: ['notifier_split'] } },
  ),
  'POST /issues/bulk': updates(
    'updateIssues',
    'Resolve, ignore, assign or merge several issues',
    issueBulkView,
    { errors: notFound('release') },
  ),
  'GET /issues/{id}/comments': lists('listComments', 'List the comments of an issue', commentView),
  'POST /issues/{id}/comments': creates('createComment', 'Comment on an issue', commentView, {
    errors: { 400: ['notifier_comment'] },
  }),
  'DELETE /issues/{id}/comments/{comment_id}': deletes('deleteComment', 'Delete a comment', commentView),
  'GET /issues/{id}/users': lists('listIssueUsers', 'List the users of an issue', issueUserView),
  'GET /issues/{id}/events': lists('listIssueEvents', 'List the events of an issue', eventSummaryView),
  'GET /events': lists('listEvents', 'List the newest events of the project', eventSummaryView),
  'GET /events/{event_id}': shows('getEvent', 'Show an event', eventView),
  'GET /events/{event_id}\\.md': {
    id: 'getEventMarkdown',
    summary: 'Show an event as Markdown',
    answers: { 200: { what: 'The text.', schema: null, type: 'text/markdown' } },
  },
  'GET /events/{event_id}/attachments/{attachment}': {
    id: 'getAttachment',
    summary: 'Download an attachment of an event',
    answers: { 200: { ...file('The file.'), type: 'application/octet-stream' } },
  },
  'GET /feedback': lists('listFeedback', 'List bug reports', feedbackView),
  'GET /feedback/{id}': shows('getFeedback', 'Show a bug report', feedbackDetails),
  'POST /feedback/{id}': updates(
    'updateFeedback',
    'Resolve or reopen a bug report, or mark it as spam',
    feedbackDetails,
  ),
  'POST /feedback/bulk': updates(
    'updateFeedbackList',
    'Change the state of several bug reports',
    feedbackBulkView,
  ),
  'DELETE /feedback/{id}': deletes('deleteFeedback', 'Delete a bug report', feedbackView),
  'GET /feedback/{id}/screenshots/{place}': {
    id: 'getScreenshot',
    summary: 'Download a screenshot of a bug report',
    answers: { 200: { ...file('The picture.'), type: 'image/*' } },
  },
  'GET /users': lists('findUsers', 'Find users', userView),
  'GET /users/{user_hash}': shows('getUser', 'Show a user', userDetails),
  'GET /users/{user_hash}/export': shows('exportUser', 'Export what is stored of a user', userExport),
  'DELETE /users/{user_hash}': {
    id: 'deleteUser',
    summary: 'Delete what is stored of a user',
    answers: {
      200: {
        what: 'Begun; many events are deleted in the background.',
        schema: accepted(userView.pick({ user_hash: true, events: true })),
      },
    },
  },
  'GET /outcomes': shows('listOutcomes', 'Show what became of what was sent, by hour', z.array(outcomeHour)),
};

const deliveryOperations: Readonly<Record<string, Operation>> = {
  'POST /releases': {
    id: 'createRelease',
    summary: 'Create or update a release',
    answers: {
      201: { what: 'Created.', schema: releaseResponse },
      200: { what: 'Updated.', schema: releaseResponse },
    },
  },
  'GET /releases': lists('listReleases', 'List releases', releaseView),
  'GET /releases/{id}': shows('getRelease', 'Show a release', releaseDetails),
  'GET /releases/{id}/verdict': shows(
    'getReleaseVerdict',
    'Show whether a release is good enough to go on',
    releaseVerdict,
  ),
  'DELETE /releases/{id}': deletes('deleteRelease', 'Delete a release', releaseDetails),
  'POST /deploys': {
    id: 'createDeploy',
    summary: 'Create or update a deploy',
    answers: {
      201: { what: 'Created.', schema: deployResponse },
      200: { what: 'A deploy with the same key is updated.', schema: deployResponse },
    },
  },
  'GET /deploys': lists('listDeploys', 'List deploys', deployView),
  'GET /deploys/{id}': shows('getDeploy', 'Show a deploy', deployView),
  'POST /artifacts': {
    id: 'createArtifacts',
    summary: 'Upload scripts and source maps',
    query: artifactsUploadQuery,
    bodies: {
      'application/json': artifactsJson,
      'multipart/form-data': artifactsForm,
      'application/zip': binaryBody,
      'application/x-zip-compressed': binaryBody,
      'application/octet-stream': binaryBody,
    },
    answers: {
      201: { what: 'Stored.', schema: artifactsResponse },
      200: { what: 'All of them were there.', schema: artifactsResponse },
    },
    errors: {
      400: [
        ...['notifier_artifact_invalid', 'notifier_artifact_unassigned', 'notifier_artifact_exists'],
        'notifier_bundle_invalid',
      ],
    },
  },
  'GET /artifacts': lists('listArtifacts', 'List artifacts', artifactView),
  'GET /artifacts/{id}': shows('getArtifact', 'Show an artifact', artifactView),
  'DELETE /artifacts/{id}': deletes('deleteArtifact', 'Delete an artifact', artifactView),
  'POST /test-runs': {
    id: 'createTestRun',
    summary: 'Upload a test report',
    bodies: {
      'application/json': testRunRequest,
      'application/xml': plainBody,
      'application/x-www-form-urlencoded': testRunFields,
      'multipart/form-data': testRunForm,
      '*/*': plainBody,
    },
    answers: {
      201: { what: 'Stored.', schema: testRunResponse },
      200: { what: 'The same report came within a day.', schema: testRunResponse },
    },
    errors: {
      400: [
        ...['notifier_test_run_unreadable', 'notifier_test_run_too_complex'],
        ...['notifier_test_run_too_many_cases', 'notifier_test_run_too_many_files'],
      ],
    },
  },
  'GET /quarantine': shows('listQuarantine', 'List quarantined test cases', z.array(quarantineView)),
  'POST /quarantine': creates('createQuarantine', 'Excuse the failures of a test case', quarantineView, {
    errors: { 400: ['notifier_quarantine_full'], ...notFound('issue', 'test_case') },
  }),
  'DELETE /quarantine/{id}': deletes('deleteQuarantine', 'End a quarantine', quarantineView),
  'GET /test-runs': lists('listTestRuns', 'List test runs', testRunView),
  'GET /test-runs/{id}': {
    id: 'getTestRun',
    summary: 'Show a test run, with a page of its cases',
    answers: {
      200: {
        what: 'Failed cases come first; the headers count the cases.',
        schema: testRunDetails,
        headers: ['X-WP-Total', 'X-WP-TotalPages', 'Link'],
      },
    },
  },
  'GET /test-cases/{id}/runs': lists('listCaseRuns', 'List the runs of a test case', caseRun, {
    tag: 'Test runs',
    path: { id: z.string().describe('ID of the case.') },
  }),
};

const domainOperations: Readonly<Record<string, Operation>> = {
  'GET /domains': lists('listDomains', 'List domains', domainView),
  'POST /domains': creates('createDomain', 'Add a domain', domainView, {
    repeatDescription: 'The domain was there; what is given is updated.',
    errors: { 400: ['notifier_too_many_domains'] },
  }),
  'GET /domains/{id}': shows('getDomain', 'Show a domain', domainView),
  'POST /domains/{id}': updates('updateDomain', 'Update a domain', domainView),
  'DELETE /domains/{id}': deletes('deleteDomain', 'Delete a domain', domainView),
  'POST /domain-verifications': creates(
    'createDomainVerification',
    'Begin to verify a domain',
    domainVerificationView,
    {
      repeatDescription: 'A verification of the domain was there.',
      errors: { 400: ['notifier_too_many_domain_verifications'] },
    },
  ),
  'GET /domain-verifications/{id}': shows(
    'getDomainVerification',
    'Show a domain verification',
    domainVerificationView,
    { path: verification },
  ),
  'POST /domain-verifications/{id}/check': updates(
    'checkDomainVerification',
    'Check a domain verification now',
    domainCheckView,
    {
      path: verification,
      errors: { 400: ['notifier_domain_verification_revoked'] },
    },
  ),
  'POST /domain-verifications/{id}/token': updates(
    'replaceDomainVerificationToken',
    'Replace the token of a domain verification',
    domainVerificationView,
    {
      path: verification,
      errors: { 400: ['notifier_too_many_domain_verifications'] },
    },
  ),
  'DELETE /domain-verifications/{id}': deletes(
    'deleteDomainVerification',
    'Revoke a domain verification',
    domainVerificationView,
    { path: verification },
  ),
  'GET /ownership': shows('getOwnership', 'Show the ownership rules', ownershipView),
  'POST /ownership': updates('updateOwnership', 'Update the ownership rules', ownershipView),
  'GET /inbound-filters': shows('getInboundFilters', 'Show the inbound filters', inboundFiltersView),
  'POST /inbound-filters': updates('updateInboundFilters', 'Update the inbound filters', inboundFiltersView),
};

const channelErrors = {
  400: [
    'notifier_alert_channel_paused',
    'notifier_too_many_alert_rules',
    'notifier_no_mail',
    'unverified_domain',
  ],
};

const alertOperations: Readonly<Record<string, Operation>> = {
  'GET /alert-channels': lists('listAlertChannels', 'List alert channels', alertChannelView),
  'POST /alert-channels': creates(
    'createAlertChannel',
    'Create an alert channel',
    alertChannelView.extend({
      secret: z.string().describe('The generated signing secret, shown only now.').optional(),
    }),
    { errors: { 400: [...channelErrors[400], 'notifier_too_many_alert_channels'] } },
  ),
  'POST /alert-channels/test': {
    id: 'tryAlertChannel',
    summary: 'Test settings of an alert channel that are not saved',
    answers: { 200: { what: 'What the receiver answered.', schema: alertChannelTryView } },
    errors: channelErrors,
  },
  'GET /alert-channels/{id}': shows('getAlertChannel', 'Show an alert channel', alertChannelView),
  'POST /alert-channels/{id}': updates('updateAlertChannel', 'Update an alert channel', alertChannelView, {
    errors: channelErrors,
  }),
  'DELETE /alert-channels/{id}': deletes('deleteAlertChannel', 'Delete an alert channel', alertChannelView),
  'POST /alert-channels/{id}/retry': updates(
    'retryAlertChannel',
    'Send notifications that wait for another try now',
    alertChannelView,
  ),
  'POST /alert-channels/{id}/test': {
    id: 'testAlertChannel',
    summary: 'Send a test notification',
    answers: { 200: { what: 'It is sent within a second.', schema: alertChannelTestView } },
    errors: channelErrors,
  },
};

const monitorErrors = {
  400: [
    ...['notifier_monitor_exists', 'notifier_monitor_type', 'notifier_too_many_monitors'],
    ...['notifier_monitor_paused', 'notifier_monitor_maintenance'],
  ],
};
const monitorWithUrl = monitorView.extend({
  heartbeat_url: z.string().describe('The URL to call, shown only when it was just made.').optional(),
});

const monitoringOperations: Readonly<Record<string, Operation>> = {
  'GET /monitors': lists('listMonitors', 'List monitors', monitorView),
  'POST /monitors': creates('createMonitor', 'Create a monitor', monitorWithUrl, { errors: monitorErrors }),
  'GET /monitors/{id}': shows('getMonitor', 'Show a monitor', monitorView),
  'POST /monitors/{id}': updates('updateMonitor', 'Update or pause a monitor', monitorWithUrl, {
    errors: monitorErrors,
  }),
  'POST /monitors/{id}/check': updates('checkMonitor', 'Check a monitor now', monitorView, {
    description: 'The check runs within seconds; its result is then at the monitor.',
    errors: monitorErrors,
  }),
  'DELETE /monitors/{id}': deletes('deleteMonitor', 'Delete a monitor', monitorView),
  'GET /maintenance-windows': lists('listMaintenanceWindows', 'List maintenance windows', windowView),
  'POST /maintenance-windows': creates('createMaintenanceWindow', 'Schedule maintenance', windowView, {
    errors: { 400: ['notifier_too_many_windows', 'notifier_no_monitors'] },
  }),
  'GET /maintenance-windows/{id}': shows('getMaintenanceWindow', 'Show a maintenance window', windowView),
  'POST /maintenance-windows/{id}': updates(
    'updateMaintenanceWindow',
    'Update a maintenance window',
    windowView,
    { errors: { 400: ['notifier_no_monitors'] } },
  ),
  'DELETE /maintenance-windows/{id}': deletes(
    'deleteMaintenanceWindow',
    'Delete a maintenance window',
    windowView,
  ),
  'GET /incidents': lists('listIncidents', 'List incidents', incidentView),
  'POST /incidents': creates('createIncident', 'Open an incident', incidentView, {
    errors: { 400: ['notifier_too_many_incidents', 'notifier_unknown_monitor'] },
  }),
  'GET /incidents/{id}': shows('getIncident', 'Show an incident', incidentView),
  'POST /incidents/{id}': updates(
    'updateIncident',
    'Update, acknowledge or resolve an incident',
    incidentView,
    { errors: { 400: ['notifier_too_many_updates', 'notifier_incident_planned'] } },
  ),
  'DELETE /incidents/{id}': deletes('deleteIncident', 'Delete an incident', incidentView, {
    errors: { 400: ['notifier_incident_planned'] },
  }),
  'GET /status-pages': lists('listStatusPages', 'List status pages', statusPageView),
  'POST /status-pages': creates('createStatusPage', 'Create a status page', statusPageView, {
    errors: { 400: ['notifier_too_many_status_pages'] },
  }),
  'GET /status-pages/{id}': shows('getStatusPage', 'Show a status page', statusPageView),
  'POST /status-pages/{id}': updates('updateStatusPage', 'Update a status page', statusPageView, {
    errors: notFound('component'),
  }),
  'DELETE /status-pages/{id}': deletes('deleteStatusPage', 'Delete a status page', statusPageView),
  'GET /status-pages/{id}/subscribers': lists(
    'listSubscribers',
    'List the subscribers of a status page',
    subscriberView,
  ),
  'POST /status-pages/{id}/subscribers': creates(
    'createSubscriber',
    'Send updates of a status page to a webhook',
    subscriberView.extend({ secret: z.string().describe('Signs each update; only in this answer.') }),
    { errors: { 400: ['notifier_too_many_subscribers'] } },
  ),
  'DELETE /status-pages/{id}/subscribers/{subscriber_id}': deletes(
    'deleteSubscriber',
    'Delete a subscriber of a status page',
    subscriberView,
  ),
};

const reportOperations: Readonly<Record<string, Operation>> = {
  'GET /reports': lists('listReports', 'List reports', reportHead),
  'POST /reports': creates('createReport', 'Create a report', reportView, {
    repeatDescription: 'The report was there.',
    errors: { 400: ['notifier_report_not_over', 'notifier_report_too_old'] },
  }),
  'GET /reports/{id}': shows('getReport', 'Show a report', reportView),
  'DELETE /reports/{id}': deletes('deleteReport', 'Delete a report', reportHead),
  'GET /report-schedules': lists('listReportSchedules', 'List report schedules', reportSchedule),
  'POST /report-schedules': creates('createReportSchedule', 'Schedule a report', reportSchedule, {
    repeatDescription: 'The channel had a schedule, which is updated.',
    errors: notFound('alert_channel'),
  }),
  'GET /report-schedules/{id}': shows('getReportSchedule', 'Show a report schedule', reportSchedule),
  'POST /report-schedules/{id}': updates('updateReportSchedule', 'Update a report schedule', reportSchedule),
  'DELETE /report-schedules/{id}': deletes(
    'deleteReportSchedule',
    'Delete a report schedule',
    reportSchedule,
  ),
};

const savedViewErrors = {
  400: ['notifier_saved_view_name', 'notifier_saved_view_query', 'notifier_saved_views_max'],
};

const teamErrors = { 400: ['notifier_team_name', 'notifier_team_exists', 'notifier_project_invalid_id'] };

const memberOperations: Readonly<Record<string, Operation>> = {
  'GET /saved-views': shows(
    'listSavedViews',
    'List own and shared views of the issue list',
    z.array(savedViewView),
  ),
  'POST /saved-views': creates('createSavedView', 'Save a view', savedViewView, { errors: savedViewErrors }),
  'POST /saved-views/{id}': updates('updateSavedView', 'Update or share a view', savedViewView, {
    errors: savedViewErrors,
  }),
  'DELETE /saved-views/{id}': deletes('deleteSavedView', 'Delete a view', savedViewView),
  'GET /members': shows('listMembers', 'List the members, invited ones too', z.array(memberView)),
  'POST /members': creates('inviteMember', 'Invite a member', invitedMemberView, {
    errors: {
      400: [
        ...['notifier_member_name', 'notifier_member_exists', 'notifier_member_email'],
        ...['notifier_team_invalid_id', 'notifier_project_invalid_id'],
      ],
    },
  }),
  'GET /members/{id}': shows('getMember', 'Show a member', memberView),
  'POST /members/{id}': updates('updateMember', 'Change the role or the projects of a member', memberView, {
    errors: { 400: ['notifier_project_invalid_id'] },
  }),
  'DELETE /members/{id}': deletes('deleteMember', 'Remove a member, or revoke an invitation', memberView, {
    errors: { 404: ['notifier_invitation_invalid_id'] },
  }),
  'POST /members/{id}/invitation': updates('resendInvitation', 'Send an invitation again', invitedMemberView),
  'DELETE /members/{id}/sessions': deletes('endMemberSessions', 'End all sessions of a member', memberView),
  'GET /members/{id}/sessions': shows(
    'listMemberSessions',
    'List the sessions of a member',
    z.array(sessionView),
  ),
  'DELETE /members/{id}/sessions/{session_id}': deletes(
    'endMemberSession',
    'End a session of a member',
    sessionView,
  ),
  'GET /members/me/sessions': shows(
    'listOwnSessions',
    'List the sessions of the member of the token',
    z.array(sessionView),
  ),
  'DELETE /members/me/sessions': deletes('endOwnSessions', 'End all own sessions', z.array(sessionView)),
  'DELETE /members/me/sessions/{session_id}': deletes('endOwnSession', 'End an own session', sessionView),
  'GET /teams': shows('listTeams', 'List the teams', z.array(teamView)),
  'POST /teams': creates('createTeam', 'Create a team', teamView, {
    errors: { 400: [...teamErrors[400], 'notifier_too_many_teams'] },
  }),
  'GET /teams/{id}': shows('getTeam', 'Show a team', teamView),
  'POST /teams/{id}': updates('updateTeam', 'Rename a team, or change its projects', teamView, {
    errors: teamErrors,
  }),
  'DELETE /teams/{id}': deletes('deleteTeam', 'Delete a team', teamView),
  'POST /teams/{id}/members': updates('addTeamMember', 'Add a member to a team', teamView, {
    errors: notFound('member'),
  }),
  'DELETE /teams/{id}/members/{member_id}': updates(
    'removeTeamMember',
    'Remove a member from a team',
    teamView,
  ),
  'GET /projects': shows(
    'listProjects',
    'List the projects that the member sees',
    z.array(listedProjectView),
  ),
  'POST /projects': creates('createProject', 'Create a project', createdProjectView, {
    description: 'It has a secret key too, which is not shown: rotate it in the workspace.',
    errors: { 400: ['notifier_project_name'] },
  }),
  'GET /projects/{id}': shows('getProject', 'Show the settings of a project', projectView),
  'POST /projects/{id}': updates('updateProject', 'Rename a project, or change its settings', projectView, {
    errors: { 400: ['notifier_project_name'] },
  }),
  'DELETE /projects/{id}': deletes('deleteProject', 'Delete a project with all its data', projectView, {
    description: 'Its keys end at once, its data is removed in the background.',
  }),
  'GET /members/me': shows('getOwnSettings', 'Show the member of the token', ownSettingsView),
  'POST /members/me': updates('updateOwnSettings', 'Update the settings of the member', ownSettingsView, {
    errors: notFound('saved_view'),
  }),
};

export const operations: Readonly<Record<string, Operation>> = {
  ...ingestionOperations,
  ...sentryOperations,
  ...errorOperations,
  ...deliveryOperations,
  ...domainOperations,
  ...alertOperations,
  ...monitoringOperations,
  ...reportOperations,
  ...memberOperations,
  'GET /openapi\\.json': {
    id: 'getOpenApi',
    summary: 'Show this document',
    tag: 'Description',
    answers: {
      200: { what: 'The document.', schema: z.looseObject({}), headers: ['ETag'] },
      304: { what: 'Nothing changed since If-None-Match.', schema: null, headers: ['ETag'] },
    },
  },
};

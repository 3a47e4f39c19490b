import { feedbackRequest } from '../schemas/feedback.ts';
import { outcomesQuery } from '../schemas/outcomes.ts';
import { releaseRequest } from '../schemas/releases.ts';
import { sdkVerifyRequest } from '../schemas/sdk-verify.ts';
import { type StoreResponse, storeRequest } from '../schemas/store.ts';
import { testRunRequest } from '../schemas/test-runs.ts';
import type { Deps } from '../src/core/deps.ts';
import { createNotFoundError } from '../src/core/errors.ts';
import { type EventItem, receiveEvent } from '../src/core/events/ingest.ts';
import { viewEvent, viewIngestedEvent } from '../src/core/events/views.ts';
import { viewGrouping } from '../src/core/grouping/group-event.ts';
import { parseEventId } from '../src/core/ids.ts';
import { viewOutcomes } from '../src/core/outcomes/outcomes.ts';
import type { FilteredEvent } from '../src/core/ports/prepared-data.ts';
import { verifySdk } from '../src/core/projects/sdk-verify.ts';
import { matchesEtag } from '../src/http/api/caching.ts';
import { dropBlankParams, parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import {
  type ApiRequest,
  created,
  handler,
  inputHandler,
  ok,
  type ProjectRoute,
  type Route,
} from '../src/http/api/route.ts';
import { checkEvent, toEventContext, toSender, wantsExplanation } from '../src/http/api/store-event.ts';
import * as alertChannels from './alert-channels.ts';
import { deleteOneArtifact, getArtifacts, getOneArtifact, postArtifacts } from './artifacts.ts';
import { getDeploys, getOneDeploy, postDeploys } from './deploys.ts';
import * as domainVerifications from './domain-verifications.ts';
import { deleteOneDomain, getDomains, getOneDomain, postDomain, postDomains } from './domains.ts';
import { keepUpload, postEnvelope } from './envelope.ts';
import * as feedback from './feedback.ts';
import { getInboundFilters, postInboundFilters } from './inbound-filters.ts';
import { deleteOneIncident, getIncidents, getOneIncident, postIncident, postIncidents } from './incidents.ts';
import * as issues from './issues.ts';
import * as maintenanceWindows from './maintenance-windows.ts';
import * as members from './members.ts';
import * as monitors from './monitors.ts';
import { postOtlp } from './otlp.ts';
import { getOwnership, postOwnership } from './ownership.ts';
import { deleteOneProject, getOneProject, getProjects, postProject, postProjects } from './projects.ts';
import { deleteQuarantine, getQuarantine, postQuarantine } from './quarantine.ts';
import { deleteOneRelease, getOneRelease, getReleases, getVerdict, postReleases } from './releases.ts';
import * as reports from './reports.ts';
import { deleteOneSavedView, getSavedViews, postSavedView, postSavedViews } from './saved-views.ts';
import { postSecurity } from './security.ts';
import * as statusPages from './status-pages.ts';
import * as teams from './teams.ts';
import { getCaseRuns, getOneTestRun, getTestRuns, postTestRuns } from './test-runs.ts';
import { deleteOneUser, getOneUser, getUserExport, getUsers } from './users.ts';

/** The REST server matches in this order. */
export function notifierRoutes(deps: Deps): Route[] {
  // biome-ignore format: one route a line, so that the table can be read as one.
  return [
    { method: 'POST', path: '/store', credential: 'event', scope: 'ingest', limit: 'events', schema: storeRequest, body: 'event', readsInWorker: 'any', ...postStore(deps) },
    { method: 'POST', path: '/envelope', credential: 'event', scope: 'ingest', limit: 'events', limitedByHandler: true, body: 'stream', ...postEnvelope(deps) },
    { method: 'POST', path: '/feedback', credential: 'public', scope: 'ingest', limit: 'feedback', schema: feedbackRequest, body: 'event', bodyBytesMax: 8 * 1_048_576, readsInWorker: 'large', ...feedback.postFeedback(deps) },
    { method: 'POST', path: '/sdk-verify', credential: 'public', scope: 'ingest', limit: 'verify', schema: sdkVerifyRequest, body: 'bytes', ...postSdkVerify(deps) },
    { method: 'POST', path: '/domain-verifications', credential: 'secret', scope: 'admin', limit: 'proofs', ...domainVerifications.postDomainVerification(deps) },
    { method: 'GET', path: '/domain-verifications/{id}', credential: 'secret', scope: 'read', limit: 'server', ...domainVerifications.getDomainVerification(deps) },
    { method: 'POST', path: '/domain-verifications/{id}/check', credential: 'secret', scope: 'admin', limit: 'checks', ...domainVerifications.postDomainCheck(deps) },
    { method: 'POST', path: '/domain-verifications/{id}/token', credential: 'secret', scope: 'admin', limit: 'proofs', ...domainVerifications.postDomainVerificationToken(deps) },
    { method: 'DELETE', path: '/domain-verifications/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...domainVerifications.deleteDomainVerification(deps) },
    { method: 'POST', path: '/releases', credential: 'secret', scope: 'ci', limit: 'server', schema: releaseRequest, readsInWorker: 'large', ...postReleases(deps) },
    { method: 'POST', path: '/deploys', credential: 'secret', scope: 'ci', limit: 'server', ...postDeploys(deps) },
    { method: 'POST', path: '/test-runs', credential: 'secret', scope: 'ci', limit: 'server', schema: testRunRequest, body: 'stream', ...postTestRuns(deps) },
    { method: 'POST', path: '/artifacts', credential: 'secret', scope: 'ci', limit: 'server', body: 'stream', ...postArtifacts(deps) },
    { method: 'POST', path: '/security', credential: 'event', scope: 'ingest', limit: 'events', limitedByHandler: true, body: 'stream', ...postSecurity(deps) },
    { method: 'POST', path: '/otlp/v1/logs', credential: 'event', scope: 'ingest', limit: 'events', limitedByHandler: true, body: 'stream', handler: postOtlp(deps, 'logs') },
    { method: 'POST', path: '/otlp/v1/traces', credential: 'event', scope: 'ingest', limit: 'events', limitedByHandler: true, body: 'stream', handler: postOtlp(deps, 'traces') },
    ...sentryRoutes(deps),
    ...issueRoutes(deps),
    { method: 'GET', path: '/users', credential: 'secret', scope: 'read', limit: 'server', ...getUsers(deps) },
    { method: 'GET', path: '/users/{user_hash}', credential: 'secret', scope: 'read', limit: 'server', ...getOneUser(deps) },
    { method: 'GET', path: '/users/{user_hash}/export', credential: 'secret', scope: 'read', limit: 'server', ...getUserExport(deps) },
    { method: 'DELETE', path: '/users/{user_hash}', credential: 'secret', scope: 'admin', limit: 'server', ...deleteOneUser(deps) },
    { method: 'GET', path: '/domains', credential: 'secret', scope: 'read', limit: 'server', ...getDomains(deps) },
    { method: 'POST', path: '/domains', credential: 'secret', scope: 'admin', limit: 'server', ...postDomains(deps) },
    { method: 'GET', path: '/domains/{id}', credential: 'secret', scope: 'read', limit: 'server', ...getOneDomain(deps) },
    { method: 'POST', path: '/domains/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...postDomain(deps) },
    { method: 'DELETE', path: '/domains/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...deleteOneDomain(deps) },
    { method: 'GET', path: '/releases', credential: 'secret', scope: 'read', limit: 'server', ...getReleases(deps) },
    { method: 'GET', path: '/releases/{id}', credential: 'secret', scope: 'read', limit: 'server', ...getOneRelease(deps) },
    { method: 'GET', path: '/releases/{id}/verdict', credential: 'secret', scope: 'read', alsoScope: 'ci', limit: 'server', refusesUnknown: true, ...getVerdict(deps) },
    { method: 'DELETE', path: '/releases/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...deleteOneRelease(deps) },
    { method: 'GET', path: '/deploys', credential: 'secret', scope: 'read', limit: 'server', ...getDeploys(deps) },
    { method: 'GET', path: '/deploys/{id}', credential: 'secret', scope: 'read', limit: 'server', ...getOneDeploy(deps) },
    { method: 'GET', path: '/artifacts', credential: 'secret', scope: 'read', limit: 'server', ...getArtifacts(deps) },
    { method: 'GET', path: '/artifacts/{id}', credential: 'secret', scope: 'read', limit: 'server', ...getOneArtifact(deps) },
    { method: 'DELETE', path: '/artifacts/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...deleteOneArtifact(deps) },
    { method: 'GET', path: '/test-runs', credential: 'secret', scope: 'read', limit: 'server', ...getTestRuns(deps) },
    { method: 'GET', path: '/test-runs/{id}', credential: 'secret', scope: 'read', limit: 'server', ...getOneTestRun(deps) },
    { method: 'GET', path: '/test-cases/{id}/runs', credential: 'secret', scope: 'read', limit: 'server', ...getCaseRuns(deps) },
    { method: 'GET', path: '/quarantine', credential: 'secret', scope: 'read', alsoScope: 'ci', limit: 'server', ...getQuarantine(deps) },
    { method: 'POST', path: '/quarantine', credential: 'secret', scope: 'admin', limit: 'server', ...postQuarantine(deps) },
    { method: 'DELETE', path: '/quarantine/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...deleteQuarantine(deps) },
    { method: 'GET', path: '/outcomes', credential: 'secret', scope: 'read', limit: 'server', ...getOutcomes(deps) },
    { method: 'GET', path: '/reports', credential: 'secret', scope: 'read', limit: 'server', ...reports.getReports(deps) },
    { method: 'POST', path: '/reports', credential: 'secret', scope: 'admin', limit: 'server', ...reports.postReports(deps) },
    { method: 'GET', path: '/reports/{id}', credential: 'secret', scope: 'read', limit: 'server', ...reports.getOneReport(deps) },
    { method: 'DELETE', path: '/reports/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...reports.deleteOneReport(deps) },
    ...[...monitoringRoutes(deps), ...personalRoutes(deps)].map((route) => ({ ...route, refusesUnknown: true })),
  ];
}

function issueRoutes(deps: Deps): Route[] {
  // biome-ignore format: as above.
  return [
    { method: 'GET', path: '/issues', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssues(deps) },
    // Before the route of one issue, whose path it matches too.
    { method: 'POST', path: '/issues/bulk', credential: 'secret', scope: 'admin', limit: 'server', refusesUnknown: true, ...issues.postIssuesBulk(deps) },
    { method: 'POST', path: '/issues/bulk/{id}/undo', credential: 'personal', scope: 'admin', limit: 'server', ...issues.postIssuesBulkUndo(deps) },
    { method: 'GET', path: '/issues/{id}', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssue(deps) },
    { method: 'POST', path: '/issues/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...issues.postIssue(deps) },
    { method: 'DELETE', path: '/issues/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...issues.deleteOneIssue(deps) },
    { method: 'GET', path: '/issues/{id}\\.md', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssueMarkdown(deps) },
    { method: 'GET', path: '/issues/{id}/hashes', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssueHashes(deps) },
    { method: 'GET', path: '/issues/{id}/tags', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssueTags(deps) },
    { method: 'GET', path: '/issues/{id}/users', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssueUsers(deps) },
    { method: 'POST', path: '/issues/{id}/split', credential: 'secret', scope: 'admin', limit: 'server', refusesUnknown: true, ...issues.postIssueSplit(deps) },
    { method: 'GET', path: '/issues/{id}/comments', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssueComments(deps) },
    { method: 'POST', path: '/issues/{id}/comments', credential: 'secret', scope: 'admin', limit: 'server', ...issues.postIssueComment(deps) },
    { method: 'DELETE', path: '/issues/{id}/comments/{comment_id}', credential: 'secret', scope: 'admin', limit: 'server', ...issues.deleteIssueComment(deps) },
    { method: 'GET', path: '/issues/{id}/events', credential: 'secret', scope: 'read', limit: 'server', ...issues.getIssueEvents(deps) },
    { method: 'GET', path: '/events', credential: 'secret', scope: 'read', limit: 'server', ...issues.getEvents(deps) },
    { method: 'GET', path: '/events/{event_id}', credential: 'secret', scope: 'read', limit: 'server', ...getEvent(deps) },
    { method: 'GET', path: '/events/{event_id}\\.md', credential: 'secret', scope: 'read', limit: 'server', ...issues.getEventMarkdown(deps) },
    { method: 'GET', path: '/events/{event_id}/attachments/{attachment}', credential: 'secret', scope: 'read', limit: 'server', ...getAttachment(deps) },
    { method: 'GET', path: '/feedback', credential: 'secret', scope: 'read', limit: 'server', ...feedback.getFeedbackList(deps) },
    // Before the route of one report, whose path it matches too.
    { method: 'POST', path: '/feedback/bulk', credential: 'secret', scope: 'admin', limit: 'server', refusesUnknown: true, ...feedback.postFeedbackBulk(deps) },
    { method: 'POST', path: '/feedback/{id}', credential: 'secret', scope: 'admin', limit: 'server', refusesUnknown: true, ...feedback.postOneFeedback(deps) },
    { method: 'GET', path: '/feedback/{id}', credential: 'secret', scope: 'read', limit: 'server', ...feedback.getOneFeedback(deps) },
    { method: 'DELETE', path: '/feedback/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...feedback.deleteOneFeedback(deps) },
    { method: 'GET', path: '/feedback/{id}/screenshots/{place}', credential: 'secret', scope: 'read', limit: 'server', ...feedback.getOneScreenshot(deps) },
  ];
}

/** All of these refuse unknown arguments. */
function monitoringRoutes(deps: Deps): Route[] {
  // biome-ignore format: as above.
  return [
    { method: 'GET', path: '/alert-channels', credential: 'secret', scope: 'read', limit: 'server', ...alertChannels.getAlertChannels(deps) },
    { method: 'POST', path: '/alert-channels', credential: 'secret', scope: 'admin', limit: 'server', ...alertChannels.postAlertChannels(deps) },
    { method: 'POST', path: '/alert-channels/test', credential: 'secret', scope: 'admin', limit: 'server', ...alertChannels.postAlertChannelsTest(deps) },
    { method: 'GET', path: '/alert-channels/{id}', credential: 'secret', scope: 'read', limit: 'server', ...alertChannels.getOneAlertChannel(deps) },
    { method: 'POST', path: '/alert-channels/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...alertChannels.postAlertChannel(deps) },
    { method: 'DELETE', path: '/alert-channels/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...alertChannels.deleteAlertChannel(deps) },
    { method: 'POST', path: '/alert-channels/{id}/test', credential: 'secret', scope: 'admin', limit: 'server', ...alertChannels.postAlertChannelTest(deps) },
    { method: 'POST', path: '/alert-channels/{id}/retry', credential: 'secret', scope: 'admin', limit: 'server', ...alertChannels.postAlertChannelRetry(deps) },
    { method: 'GET', path: '/ownership', credential: 'secret', scope: 'read', limit: 'server', ...getOwnership(deps) },
    { method: 'POST', path: '/ownership', credential: 'secret', scope: 'admin', limit: 'server', ...postOwnership(deps) },
    { method: 'GET', path: '/inbound-filters', credential: 'secret', scope: 'read', limit: 'server', ...getInboundFilters(deps) },
    { method: 'POST', path: '/inbound-filters', credential: 'secret', scope: 'admin', limit: 'server', ...postInboundFilters(deps) },
    { method: 'GET', path: '/monitors', credential: 'secret', scope: 'read', limit: 'server', ...monitors.getMonitors(deps) },
    { method: 'POST', path: '/monitors', credential: 'secret', scope: 'admin', limit: 'server', ...monitors.postMonitors(deps) },
    { method: 'GET', path: '/monitors/{id}', credential: 'secret', scope: 'read', limit: 'server', ...monitors.getOneMonitor(deps) },
    { method: 'POST', path: '/monitors/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...monitors.postMonitor(deps) },
    { method: 'POST', path: '/monitors/{id}/check', credential: 'secret', scope: 'admin', limit: 'server', ...monitors.postMonitorCheck(deps) },
    { method: 'DELETE', path: '/monitors/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...monitors.deleteOneMonitor(deps) },
    { method: 'GET', path: '/maintenance-windows', credential: 'secret', scope: 'read', limit: 'server', ...maintenanceWindows.getMaintenanceWindows(deps) },
    { method: 'POST', path: '/maintenance-windows', credential: 'secret', scope: 'admin', limit: 'server', ...maintenanceWindows.postMaintenanceWindows(deps) },
    { method: 'GET', path: '/maintenance-windows/{id}', credential: 'secret', scope: 'read', limit: 'server', ...maintenanceWindows.getOneMaintenanceWindow(deps) },
    { method: 'POST', path: '/maintenance-windows/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...maintenanceWindows.postMaintenanceWindow(deps) },
    { method: 'DELETE', path: '/maintenance-windows/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...maintenanceWindows.deleteMaintenanceWindow(deps) },
    { method: 'GET', path: '/incidents', credential: 'secret', scope: 'read', limit: 'server', ...getIncidents(deps) },
    { method: 'POST', path: '/incidents', credential: 'secret', scope: 'admin', limit: 'server', ...postIncidents(deps) },
    { method: 'GET', path: '/incidents/{id}', credential: 'secret', scope: 'read', limit: 'server', ...getOneIncident(deps) },
    { method: 'POST', path: '/incidents/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...postIncident(deps) },
    { method: 'DELETE', path: '/incidents/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...deleteOneIncident(deps) },
    { method: 'GET', path: '/status-pages', credential: 'secret', scope: 'read', limit: 'server', ...statusPages.getStatusPages(deps) },
    { method: 'POST', path: '/status-pages', credential: 'secret', scope: 'admin', limit: 'server', ...statusPages.postStatusPages(deps) },
    { method: 'GET', path: '/status-pages/{id}', credential: 'secret', scope: 'read', limit: 'server', ...statusPages.getOneStatusPage(deps) },
    { method: 'POST', path: '/status-pages/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...statusPages.postStatusPage(deps) },
    { method: 'DELETE', path: '/status-pages/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...statusPages.deleteOneStatusPage(deps) },
    { method: 'GET', path: '/status-pages/{id}/subscribers', credential: 'secret', scope: 'admin', limit: 'server', ...statusPages.getSubscribers(deps) },
    { method: 'POST', path: '/status-pages/{id}/subscribers', credential: 'secret', scope: 'admin', limit: 'server', ...statusPages.postSubscribers(deps) },
    { method: 'DELETE', path: '/status-pages/{id}/subscribers/{subscriber_id}', credential: 'secret', scope: 'admin', limit: 'server', ...statusPages.deleteSubscriber(deps) },
    { method: 'GET', path: '/report-schedules', credential: 'secret', scope: 'read', limit: 'server', ...reports.getReportSchedules(deps) },
    { method: 'POST', path: '/report-schedules', credential: 'secret', scope: 'admin', limit: 'server', ...reports.postReportSchedules(deps) },
    { method: 'GET', path: '/report-schedules/{id}', credential: 'secret', scope: 'read', limit: 'server', ...reports.getOneReportSchedule(deps) },
    { method: 'POST', path: '/report-schedules/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...reports.postReportSchedule(deps) },
    { method: 'DELETE', path: '/report-schedules/{id}', credential: 'secret', scope: 'admin', limit: 'server', ...reports.deleteOneReportSchedule(deps) },
  ];
}

/** What a person has, and what belongs to the whole workspace: for personal tokens. */
function personalRoutes(deps: Deps): Route[] {
  // biome-ignore format: as above.
  return [
    { method: 'GET', path: '/saved-views', credential: 'personal', scope: 'read', limit: 'server', ...getSavedViews(deps) },
    { method: 'POST', path: '/saved-views', credential: 'personal', scope: 'admin', limit: 'server', ...postSavedViews(deps) },
    { method: 'POST', path: '/saved-views/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...postSavedView(deps) },
    { method: 'DELETE', path: '/saved-views/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...deleteOneSavedView(deps) },
    // Before the routes of one member, whose path it matches too.
    { method: 'GET', path: '/members/me', credential: 'personal', scope: 'read', limit: 'server', ...members.getOwnSettings(deps) },
    { method: 'POST', path: '/members/me', credential: 'personal', scope: 'admin', limit: 'server', ...members.postOwnSettings(deps) },
    { method: 'GET', path: '/members/me/sessions', credential: 'personal', scope: 'read', limit: 'server', ...members.getOwnSessions(deps) },
    { method: 'DELETE', path: '/members/me/sessions', credential: 'personal', scope: 'admin', limit: 'server', ...members.deleteOwnSessions(deps) },
    { method: 'DELETE', path: '/members/me/sessions/{session_id}', credential: 'personal', scope: 'admin', limit: 'server', ...members.deleteOwnSession(deps) },
    { method: 'GET', path: '/members', credential: 'personal', scope: 'admin', limit: 'server', ...members.getMembers(deps) },
    { method: 'POST', path: '/members', credential: 'personal', scope: 'admin', limit: 'server', ...members.postMembers(deps) },
    { method: 'GET', path: '/members/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...members.getOneMember(deps) },
    { method: 'POST', path: '/members/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...members.postMember(deps) },
    { method: 'DELETE', path: '/members/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...members.deleteOneMember(deps) },
    { method: 'POST', path: '/members/{id}/invitation', credential: 'personal', scope: 'admin', limit: 'server', ...members.postInvitation(deps) },
    { method: 'GET', path: '/members/{id}/sessions', credential: 'personal', scope: 'admin', limit: 'server', ...members.getMemberSessions(deps) },
    { method: 'DELETE', path: '/members/{id}/sessions', credential: 'personal', scope: 'admin', limit: 'server', ...members.deleteMemberSessions(deps) },
    { method: 'DELETE', path: '/members/{id}/sessions/{session_id}', credential: 'personal', scope: 'admin', limit: 'server', ...members.deleteMemberSession(deps) },
    { method: 'GET', path: '/teams', credential: 'personal', scope: 'admin', limit: 'server', ...teams.getTeams(deps) },
    { method: 'POST', path: '/teams', credential: 'personal', scope: 'admin', limit: 'server', ...teams.postTeams(deps) },
    { method: 'GET', path: '/teams/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...teams.getOneTeam(deps) },
    { method: 'POST', path: '/teams/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...teams.postTeam(deps) },
    { method: 'DELETE', path: '/teams/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...teams.deleteOneTeam(deps) },
    { method: 'POST', path: '/teams/{id}/members', credential: 'personal', scope: 'admin', limit: 'server', ...teams.postTeamMember(deps) },
    { method: 'DELETE', path: '/teams/{id}/members/{member_id}', credential: 'personal', scope: 'admin', limit: 'server', ...teams.deleteTeamMember(deps) },
    { method: 'GET', path: '/projects', credential: 'personal', scope: 'read', limit: 'server', ...getProjects(deps) },
    { method: 'POST', path: '/projects', credential: 'personal', scope: 'admin', limit: 'server', ...postProjects(deps) },
    { method: 'GET', path: '/projects/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...getOneProject(deps) },
    { method: 'POST', path: '/projects/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...postProject(deps) },
    { method: 'DELETE', path: '/projects/{id}', credential: 'personal', scope: 'admin', limit: 'server', ...deleteOneProject(deps) },
  ];
}

/** The routes that Sentry SDKs derive from a DSN, with the same handlers. */
function sentryRoutes(deps: Deps): Route[] {
  const common = {
    method: 'POST',
    credential: 'event',
    scope: 'ingest',
    limit: 'events',
    hidden: true,
    isOfSentryProtocol: true,
  } as const;
  return [
    {
      ...common,
      path: '/api/{project:\\d+}/envelope',
      limitedByHandler: true,
      body: 'stream',
      ...postEnvelope(deps),
    },
    {
      ...common,
      path: '/api/{project:\\d+}/store',
      schema: storeRequest,
      body: 'event',
      takesBase64: true,
      readsInWorker: 'any',
      ...postStore(deps),
    },
    ...(['logs', 'traces'] as const).map((signal) => ({
      ...common,
      path: `/api/{project:\\d+}/integration/otlp/v1/${signal}`,
      limitedByHandler: true,
      body: 'stream' as const,
      handler: postOtlp(deps, signal),
    })),
    // `csp-report` is Sentry's older path for `report-uri`.
    ...['security', 'csp-report'].map((name) => ({
      ...common,
      path: `/api/{project:\\d+}/${name}`,
      limitedByHandler: true,
      body: 'stream' as const,
      ...postSecurity(deps),
    })),
    ...cronRoutes(deps).map((route) => ({ ...common, ...route })),
  ];
}

/** Check-ins by URL, with the key in the path or with a DSN's credentials. */
function cronRoutes(
  deps: Deps,
): Array<Pick<ProjectRoute, 'method' | 'path' | 'limitedByHandler' | 'body' | 'handler'>> {
  const job = '/api/{project:\\d+}/cron/{monitor_slug:[^/]+}';
  return (['GET', 'POST'] as const).flatMap((method) =>
    [`${job}/{sentry_key:\\w+}`, job].map((path) => ({
      method,
      path,
      limitedByHandler: true,
      body: 'event' as const,
      ...postCronCheckIn(deps),
    })),
  );
}

/** By hour; `sent` is the sum of accepted and lost. */
const getOutcomes = inputHandler(outcomesQuery, async (deps, request, { hours }) => {
  return ok(await viewOutcomes(deps, request.project, hours));
});

const getEvent = handler(async (deps, request) => {
  const event = await deps.store.findEvent(request.project.id, eventIdOf(request));
  if (event === null) throw createNotFoundError('event');
  return ok(viewEvent(event, request.restUrl));
});

const getAttachment = handler(async (deps, request) => {
  const id = pathId(request, 'event', 'attachment');
  const attachment = await deps.store.findAttachment(request.project.id, eventIdOf(request), id);
  if (attachment === null) throw createNotFoundError('event');
  const { bytes, filename } = attachment;
  return { status: 200, body: null, raw: { contentType: 'application/octet-stream', bytes, filename } };
});

function eventIdOf(request: ApiRequest): string {
  const eventId = parseEventId(request.path['event_id'] ?? '');
  if (eventId === null) throw createNotFoundError('event');
  return eventId;
}

/** 304, or a short 200 for a matching `etag`: RFC 9110 asks for 412 on POST, but a polling SDK expects "not
 * modified". Cross-origin scripts cannot use the headers, so the body has the ETag too. */
const postSdkVerify = handler(async (deps, request) => {
  const input = parseParameters(sdkVerifyRequest, dropBlankParams(request));
  const sender = toSender(request);
  const answer = await verifySdk(deps, request.project, input, sender);
  const headers = [['ETag', answer.etag]] as const;
  if (matchesEtag(request.header('if-none-match'), answer.etag)) return { status: 304, body: null, headers };
  if (input.etag !== answer.etag) return ok(answer, headers);
  const { accepted, verified, verification_id, server_time, ttl, etag } = answer;
  return ok({ accepted, verified, verification_id, server_time, ttl, etag, not_modified: true }, headers);
});

/** 201 for a new event, 200 for a known event id, and for one that an inbound filter drops. */
const postStore = handler(async (deps, request) => {
  const item = toEventItem(deps, request);
  const received = await receiveEvent(deps, request.project, item, toEventContext(request));
  if ('filteredBy' in received) return ok(viewFilteredEvent(received, request));
  const { recorded, grouping, errors } = received;
  const body: StoreResponse = { accepted: true, ...viewIngestedEvent(recorded) };
  if (errors.length > 0) body.errors = [...errors];
  if (wantsExplanation(request)) body.grouping = viewGrouping(grouping);
  return recorded.duplicate ? ok(body) : created(body);
});

/** Sentry SDKs want the id whatever became of the event. */
function viewFilteredEvent({ eventId }: FilteredEvent, { path }: ApiRequest) {
  const id = path['project'] === undefined ? {} : { id: eventId };
  return { ...id, accepted: false, reason: 'filtered' };
}

function toEventItem({ largeBodyReader }: Deps, { params, replacedAt, bodyInWorker }: ApiRequest): EventItem {
  if (bodyInWorker === null) return { read: checkEvent(params), replacedAt };
  return {
    reader: bodyInWorker.slot ?? largeBodyReader,
    readInWorker: (reader, maps, facts) => reader.readStore(bodyInWorker, maps, facts),
  };
}

/** Takes the check-in of the query or a JSON body, like an envelope item. */
const postCronCheckIn = handler(async (deps, request) => {
  const payload = Buffer.from(JSON.stringify(toCheckIn(request)));
  const items = [{ type: 'check_in', headers: {}, payload }];
  await keepUpload(
    deps,
    request,
    { kind: 'envelope', envelope: { headers: {}, items } },
    toEventContext(request),
  );
  const id = parseEventId(request.params['check_in_id']);
  return ok({ ...(id === null ? {} : { id }), accepted: true });
});

function toCheckIn({ params, path }: ApiRequest): Record<string, unknown> {
  const { status, check_in_id, environment, duration, monitor_config } = params;
  return {
    monitor_slug: decoded(path['monitor_slug'] ?? ''),
    status,
    check_in_id,
    environment,
    duration: typeof duration === 'string' && duration !== '' ? Number(duration) : duration,
    monitor_config,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

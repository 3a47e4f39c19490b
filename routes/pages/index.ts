import { detectImageType } from '../../src/core/feedback/image-info.ts';
import { parseId } from '../../src/core/ids.ts';
import { artifactModel, readArtifact } from '../../src/core/page-models/delivery/artifact.ts';
import { artifactsModel } from '../../src/core/page-models/delivery/artifacts.ts';
import { deploysModel } from '../../src/core/page-models/delivery/deploys.ts';
import { releaseModel } from '../../src/core/page-models/delivery/release.ts';
import { releasesModel } from '../../src/core/page-models/delivery/releases.ts';
import { testCaseModel } from '../../src/core/page-models/delivery/test-case.ts';
import { runCasesModel, testRunModel } from '../../src/core/page-models/delivery/test-run.ts';
import {
  exportTestRuns,
  type ListedRun,
  testRunsModel,
} from '../../src/core/page-models/delivery/test-runs.ts';
import { getEventOfPath, issueEventModel, viewEventOfIssue } from '../../src/core/page-models/issue/event.ts';
import { issueDeletionModel } from '../../src/core/page-models/issue/find-issue.ts';
import { issueTagsModel } from '../../src/core/page-models/issue/head.ts';
import { eventMarkdown, issueMarkdown } from '../../src/core/page-models/issue/markdown.ts';
import { issueMergeModel } from '../../src/core/page-models/issue/merge.ts';
import { issueSplitModel } from '../../src/core/page-models/issue/split.ts';
import {
  issueConfirmationModel,
  issueEventsModel,
  issueHistoryModel,
  issueSimilarModel,
  issueUsersModel,
} from '../../src/core/page-models/issue/tabs.ts';
import { liveModel } from '../../src/core/page-models/live.ts';
import {
  reportListModel,
  reportModel,
  schedulesModel,
  storedReportModel,
} from '../../src/core/page-models/reports/report.ts';
import {
  ownerOfNew,
  pageNotFound,
  pathId,
  type RequestContext,
} from '../../src/core/page-models/request-context.ts';
import { searchModel } from '../../src/core/page-models/search.ts';
import { createReport, deleteReport } from '../../src/core/reports/reports.ts';
import { createReportSchedule, deleteReportSchedule } from '../../src/core/reports/schedules.ts';
import { type CsvColumn, toCsv } from '../../src/http/pages/csv.ts';
import {
  action,
  confirmationForm,
  type FileResponse,
  file,
  noForm,
  page,
} from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import { artifactPage } from '../../src/web/delivery/artifact.ts';
import { artifactsPage } from '../../src/web/delivery/artifacts.ts';
import { deploysPage } from '../../src/web/delivery/deploys.ts';
import { releasePage } from '../../src/web/delivery/release.ts';
import { releasesPage } from '../../src/web/delivery/releases.ts';
import { runCasesPage } from '../../src/web/delivery/run-cases.ts';
import { testCasePage } from '../../src/web/delivery/test-case.ts';
import { testRunPage } from '../../src/web/delivery/test-run.ts';
import { testRunsPage } from '../../src/web/delivery/test-runs.ts';
import { helpPage } from '../../src/web/help/help.ts';
import { deletePage, deletingPage, ignorePage, linkPage } from '../../src/web/issue/confirm-pages.ts';
import { mergePage } from '../../src/web/issue/merge.ts';
import { splitPage } from '../../src/web/issue/split.ts';
import {
  issueEventPage,
  issueEventsPage,
  issueHistoryPage,
  issueSimilarPage,
  issueUsersPage,
} from '../../src/web/issue/tabs.ts';
import { issueTagsPage } from '../../src/web/issue/tags.ts';
import { livePage } from '../../src/web/live/live.ts';
import { reportsPage } from '../../src/web/reports/list.ts';
import { deleteReportPage, reportPage } from '../../src/web/reports/report.ts';
import { scheduleForm, schedulesPage } from '../../src/web/reports/schedules.ts';
import { searchPage } from '../../src/web/search/search.ts';
import { alertPages } from './alerts/channels.ts';
import { apiReferencePages } from './api-reference.ts';
import { auditPages } from './audit.ts';
import { domainPages } from './domains.ts';
import { feedbackPages } from './feedback.ts';
import { incidentPages } from './incidents.ts';
import { issueActions, issueLinkPages } from './issue-actions.ts';
import { issueListPages } from './issue-views.ts';
import { memberPages } from './members.ts';
import { overviewPages } from './overview.ts';
import { projectPages } from './projects.ts';
import { quarantineActions } from './quarantine.ts';
import { signInSettingsPages } from './sign-in-settings.ts';
import { monitorPages } from './uptime/monitors.ts';
import { statusPagePages } from './uptime/status-pages.ts';
import { userPages } from './users.ts';

const event = '/issues/{id}/events/{event_id}';

const one = '/reports/{period}';
const schedules = '/reports/schedules';

export function testRunPages() {
  return [
    page('/test-runs', 'viewer', testRunsModel, testRunsPage),
    file('/test-runs.csv', 'viewer', exportCsv),
    page('/test-runs/cases/{case_id}', 'viewer', testCaseModel, testCasePage),
    ...quarantineActions(),
    page('/test-runs/{test_run_id}', 'viewer', testRunModel, testRunPage),
    page('/test-runs/{test_run_id}/cases', 'viewer', runCasesModel, runCasesPage),
  ];
}

const columns: ReadonlyArray<CsvColumn<ListedRun>> = [
  ['test_run_id', (run) => run.test_run_id],
  ['created_at', (run) => run.created_at],
  ['project_id', ({ project }) => project.project_id],
  ['project', ({ project }) => project.name],
  ['result', ({ result }) => result],
  ['suite', ({ suite }) => suite],
  ['branch', ({ branch }) => branch],
  ['commit', ({ commit }) => commit],
  ['release', ({ release }) => release],
  ['environment', ({ environment }) => environment],
  ['tests', ({ tests }) => tests],
  ['passed', ({ passed }) => passed],
  ['failed', ({ failed }) => failed],
  ['skipped', ({ skipped }) => skipped],
  ['flaky', ({ flaky }) => flaky],
  ['duration_ms', (run) => run.duration_ms],
  ['tool', ({ tool }) => tool],
  ['ci', ({ ci }) => ci],
  ['run_key', (run) => run.run_key],
];

export function workspacePages() {
  return [
    ...overviewPages(),
    ...issueListPages(),
    ...issuePages(),
    ...userPages(),
    ...feedbackPages(),
    page('/live', 'viewer', liveModel, livePage),
    page('/search', 'viewer', searchModel, searchPage),
    ...projectPages(),
    ...domainPages(),
    ...monitorPages(),
    ...incidentPages(),
    ...statusPagePages(),
    ...alertPages(),
    ...releasePages(),
    ...testRunPages(),
    ...artifactPages(),
    ...reportPages(),
    ...auditPages(),
    ...signInSettingsPages(),
    ...memberPages(),
    ...helpPages(),
    ...apiReferencePages(),
  ];
}

export function helpPages() {
  return [page('/help', 'viewer', async ({ apiUrl }) => ({ api_url: apiUrl }), helpPage)];
}

export function releasePages() {
  return [
    page('/releases', 'viewer', releasesModel, releasesPage),
    page('/releases/{release_id}', 'viewer', releaseModel, releasePage),
    page('/deploys', 'viewer', deploysModel, deploysPage),
  ];
}

export function artifactPages() {
  return [
    page('/artifacts', 'viewer', artifactsModel, artifactsPage),
    page('/artifacts/{artifact_id}', 'viewer', artifactModel, artifactPage),
    file('/artifacts/{artifact_id}/download', 'member', async (context) => ({
      contentType: 'application/octet-stream',
      ...(await readArtifact(context)),
    })),
  ];
}

async function exportCsv(context: RequestContext): Promise<FileResponse> {
  const { text } = await toCsv(columns, exportTestRuns(context));
  return { contentType: 'text/csv; charset=utf-8', bytes: text, filename: 'test-runs.csv' };
}

function reportPages() {
  return [
    page('/reports', 'viewer', reportListModel, reportsPage),
    page(schedules, 'viewer', schedulesModel, schedulesPage),
    page(one, 'viewer', reportModel, reportPage),
    page(`${one}/delete`, 'admin', storedReportModel, deleteReportPage),
    action(schedules, 'admin', scheduleForm.schema, schedule, {
      onInvalid: { model: schedulesModel, view: schedulesPage },
      fieldOf: { alert_channel_id: 'channel' },
    }),
    action(`${schedules}/{schedule_id}/stop`, 'admin', noForm, stop),
    action(`${one}/keep`, 'member', noForm, saveReport),
    action(`${one}/delete`, 'admin', confirmationForm, remove),
  ];
}

async function saveReport(context: RequestContext) {
  const period = context.path['period'] ?? '';
  const owner = ownerOfNew(context, context.project?.id ?? null);
  await createReport(context.deps, owner, period, context.by);
  return { to: `/reports/${period}` };
}

async function remove(context: RequestContext) {
  const { deps, project } = context;
  const report = await deps.store.findReportOf(project?.id ?? null, context.path['period'] ?? '');
  if (report === null) throw pageNotFound('A saved report of this period');
  await deleteReport(deps, null, report.id, context.by);
  return { to: '/reports' };
}

async function schedule(
  context: RequestContext,
  { channel, kind, at, timezone }: FormValues<typeof scheduleForm>,
) {
  const input = { alert_channel_id: channel, kind, at, timezone };
  await createReportSchedule(context.deps, null, input, context.by);
  return { to: schedules };
}

async function stop(context: RequestContext) {
  const id = pathId(context, 'schedule_id', 'A report schedule with this number');
  await deleteReportSchedule(context.deps, null, id, context.by);
  return { to: schedules };
}

export function issuePages() {
  return [
    file('/issues/{id}.md', 'viewer', issueMarkdownFile),
    page('/issues/{id}', 'viewer', issueEventModel, issueEventPage),
    page('/issues/{id}/events', 'viewer', issueEventsModel, issueEventsPage),
    page('/issues/{id}/users', 'viewer', issueUsersModel, issueUsersPage),
    page('/issues/{id}/tags', 'viewer', issueTagsModel, issueTagsPage),
    page('/issues/{id}/activity', 'viewer', issueHistoryModel, issueHistoryPage),
    page('/issues/{id}/similar', 'viewer', issueSimilarModel, issueSimilarPage),
    page('/issues/{id}/merge', 'member', issueMergeModel, mergePage),
    page('/issues/{id}/links', 'member', issueConfirmationModel, linkPage),
    page('/issues/{id}/ignore', 'member', issueConfirmationModel, ignorePage),
    page(
      '/issues/{id}/delete',
      'admin',
      async (context) => (await issueDeletionModel(context)) ?? (await issueConfirmationModel(context)),
      (model, pageContext) =>
        'ending' in model ? deletingPage(model, pageContext) : deletePage(model, pageContext),
    ),
    page('/issues/{id}/split', 'viewer', issueSplitModel, splitPage),
    file(`${event}.md`, 'viewer', markdownFile),
    file(`${event}/download`, 'viewer', storedFile),
    file(`${event}/attachments/{attachment_id}`, 'viewer', attachmentFile),
    file(`${event}/attachments/{attachment_id}/image`, 'viewer', attachmentImage),
    page(event, 'viewer', issueEventModel, issueEventPage),
    ...issueActions(),
    ...issueLinkPages(),
  ];
}

async function storedFile(context: RequestContext): Promise<FileResponse> {
  const { event: found } = await getEventOfPath(context);
  return {
    contentType: 'application/json; charset=utf-8',
    bytes: `${JSON.stringify(viewEventOfIssue(context, found))}\n`,
    filename: `event-${found.eventId}.json`,
  };
}

async function issueMarkdownFile(context: RequestContext): Promise<FileResponse> {
  const { issueId, text } = await issueMarkdown(context);
  return { contentType: 'text/markdown; charset=utf-8', bytes: text, filename: `issue-${issueId}.md` };
}

async function markdownFile(context: RequestContext): Promise<FileResponse> {
  const { event: found } = await getEventOfPath(context);
  const bytes = eventMarkdown(context, found);
  return { contentType: 'text/markdown; charset=utf-8', bytes, filename: `event-${found.eventId}.md` };
}

/** Always a download, whatever its type. */
async function attachmentFile(context: RequestContext): Promise<FileResponse> {
  const { bytes, filename } = await attachmentOf(context);
  return { contentType: 'application/octet-stream', bytes, filename };
}

/** Only if the bytes are an image; sandboxed. */
async function attachmentImage(context: RequestContext): Promise<FileResponse> {
  const { bytes } = await attachmentOf(context);
  const contentType = detectImageType(Buffer.from(bytes));
  if (contentType === null) throw pageNotFound('A picture');
  return { contentType, bytes, contentSecurityPolicy: "sandbox; default-src 'none'" };
}

async function attachmentOf(context: RequestContext) {
  const { event: found } = await getEventOfPath(context);
  const id = parseId(context.path['attachment_id']);
  const issue = await context.deps.store.findIssueAnywhere(found.issueId);
  const attachment =
    id === null || issue === null
      ? null
      : await context.deps.store.findAttachment(issue.projectId, found.eventId, id);
  if (attachment === null) throw pageNotFound('An attachment with this number');
  return attachment;
}

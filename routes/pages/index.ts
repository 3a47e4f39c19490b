// All pages, downloads and form actions of the workspace.

import { z } from 'zod';
import { byVisit } from '../../src/core/audit/audit.ts';
import { imageType } from '../../src/core/feedback/images.ts';
import { parseId } from '../../src/core/ids.ts';
import { deleteReport, makeReport } from '../../src/core/reports/making.ts';
import { endSchedule, sendReports } from '../../src/core/reports/schedules.ts';
import { artifactBytes, artifactModel } from '../../src/core/workspace/delivery/artifact.ts';
import { artifactsModel } from '../../src/core/workspace/delivery/artifacts.ts';
import { deploysModel } from '../../src/core/workspace/delivery/deploys.ts';
import { releaseModel } from '../../src/core/workspace/delivery/release.ts';
import { releasesModel } from '../../src/core/workspace/delivery/releases.ts';
import { testCaseModel } from '../../src/core/workspace/delivery/test-case.ts';
import { runCasesModel, testRunModel } from '../../src/core/workspace/delivery/test-run.ts';
import { exportedRuns, type ListedRun, testRunsModel } from '../../src/core/workspace/delivery/test-runs.ts';
import { helpModel } from '../../src/core/workspace/help.ts';
import { endingModel } from '../../src/core/workspace/issue/ending.ts';
import {
  eventOfPath,
  eventView,
  issueEventModel,
  newestEventView,
} from '../../src/core/workspace/issue/event.ts';
import { headModel } from '../../src/core/workspace/issue/head.ts';
import { eventMarkdown, issueMarkdown } from '../../src/core/workspace/issue/markdown.ts';
import { issueSplitModel } from '../../src/core/workspace/issue/split.ts';
import {
  issueAskModel,
  issueEventsModel,
  issueHistoryModel,
  issueSimilarModel,
} from '../../src/core/workspace/issue/tabs.ts';
import { issueTagsModel } from '../../src/core/workspace/issue/tags.ts';
import { actOnIssues } from '../../src/core/workspace/issues/bulk.ts';
import { issuesModel } from '../../src/core/workspace/issues/list.ts';
import { liveModel } from '../../src/core/workspace/live.ts';
import { reportsModel } from '../../src/core/workspace/reports/list.ts';
import { keptReportModel, reportModel } from '../../src/core/workspace/reports/report.ts';
import { schedulesModel } from '../../src/core/workspace/reports/schedules.ts';
import { searchModel } from '../../src/core/workspace/search.ts';
import { inWords, notHere, pathNumber, type Visit } from '../../src/core/workspace/visit.ts';
import { type CsvColumn, csvOf } from '../../src/http/pages/csv.ts';
import {
  type ActAnswer,
  act,
  type Declaration,
  type FileAnswer,
  file,
  page,
  sure,
} from '../../src/http/pages/declare.ts';
import { artifactPage } from '../../src/pages/delivery/artifact.ts';
import { artifactsPage } from '../../src/pages/delivery/artifacts.ts';
import { deploysPage } from '../../src/pages/delivery/deploys.ts';
import { releasePage } from '../../src/pages/delivery/release.ts';
import { releasesPage } from '../../src/pages/delivery/releases.ts';
import { runCasesPage } from '../../src/pages/delivery/run-cases.ts';
import { testCasePage } from '../../src/pages/delivery/test-case.ts';
import { testRunPage } from '../../src/pages/delivery/test-run.ts';
import { testRunsPage } from '../../src/pages/delivery/test-runs.ts';
import { helpPage } from '../../src/pages/help/help.ts';
import { deletePage, endingPage, ignorePage, mergePage } from '../../src/pages/issue/ask.ts';
import { splitPage } from '../../src/pages/issue/split.ts';
import {
  issueEventPage,
  issueEventsPage,
  issueHistoryPage,
  issueSimilarPage,
} from '../../src/pages/issue/tabs.ts';
import { issueTagsPage } from '../../src/pages/issue/tags.ts';
import { issuesPage } from '../../src/pages/issues/list.ts';
import { livePage } from '../../src/pages/live/live.ts';
import type { Posted } from '../../src/pages/parts/form.ts';
import { deleteReportPage } from '../../src/pages/reports/forms.ts';
import { reportsPage } from '../../src/pages/reports/list.ts';
import { reportPage } from '../../src/pages/reports/report.ts';
import { scheduleForm, schedulesPage } from '../../src/pages/reports/schedules.ts';
import { searchPage } from '../../src/pages/search/search.ts';
import { alertPages } from './alerts/channels.ts';
import { auditPages } from './audit.ts';
import { domainPages } from './domains.ts';
import { feedbackPages } from './feedback.ts';
import { incidentPages } from './incidents/incidents.ts';
import { issueActs } from './issue-acts.ts';
import { memberPages } from './members.ts';
import { overviewPages } from './overview.ts';
import { projectPages } from './projects.ts';
import { monitorPages } from './uptime/monitors.ts';
import { statusPagePages } from './uptime/status-pages.ts';

const event = '/issues/{id}/events/{event_id}';

const one = '/reports/{period}';
const schedules = '/reports/schedules';

export function testRunPages(): Declaration[] {
  return [
    page({ path: '/test-runs', model: testRunsModel, view: testRunsPage }),
    file({ path: '/test-runs.csv', answer: exportCsv }),
    page({ path: '/test-runs/cases/{case_id}', model: testCaseModel, view: testCasePage }),
    page({ path: '/test-runs/{test_run_id}', model: testRunModel, view: testRunPage }),
    page({ path: '/test-runs/{test_run_id}/cases', model: runCasesModel, view: runCasesPage }),
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

const chosenMax = 100;

const bulkForm = z.object({
  issue: z.array(z.coerce.number('Choose at least one issue.').int().min(1)).max(chosenMax).default([]),
  do: z.enum(['resolve', 'ignore', 'merge'], 'Choose an action: resolve, ignore or merge.'),
});

export function workspacePages(): Declaration[] {
  return [
    ...overviewPages(),
    ...issueListPages(),
    ...issuePages(),
    ...feedbackPages(),
    ...livePages(),
    ...searchPages(),
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
    ...memberPages(),
    ...helpPages(),
  ];
}

export function helpPages(): Declaration[] {
  return [page({ path: '/help', model: helpModel, view: helpPage })];
}

function livePages(): Declaration[] {
  return [page({ path: '/live', model: liveModel, view: livePage })];
}

function searchPages(): Declaration[] {
  return [page({ path: '/search', model: searchModel, view: searchPage })];
}

export function releasePages(): Declaration[] {
  return [
    page({ path: '/releases', model: releasesModel, view: releasesPage }),
    page({ path: '/releases/{release_id}', model: releaseModel, view: releasePage }),
    page({ path: '/deploys', model: deploysModel, view: deploysPage }),
  ];
}

export function artifactPages(): Declaration[] {
  return [
    page({ path: '/artifacts', model: artifactsModel, view: artifactsPage }),
    page({ path: '/artifacts/{artifact_id}', model: artifactModel, view: artifactPage }),
    file({
      path: '/artifacts/{artifact_id}/download',
      needs: 'member',
      answer: async (visit) => ({
        contentType: 'application/octet-stream',
        ...(await artifactBytes(visit)),
      }),
    }),
  ];
}

export function issueListPages(): Declaration[] {
  return [
    page({ path: '/issues', model: issuesModel, view: issuesPage }),
    act({
      path: '/issues/bulk',
      form: bulkForm,
      act: async (visit, form) => ({ back: true, notice: await actOnIssues(visit, form.issue, form.do) }),
    }),
  ];
}

async function exportCsv(visit: Visit): Promise<FileAnswer> {
  const { text } = await csvOf(columns, exportedRuns(visit));
  return { contentType: 'text/csv; charset=utf-8', bytes: text, filename: 'test-runs.csv' };
}

function reportPages(): Declaration[] {
  return [
    page({ path: '/reports', model: reportsModel, view: reportsPage }),
    page({ path: schedules, model: schedulesModel, view: schedulesPage }),
    page({ path: one, model: reportModel, view: reportPage }),
    page({ path: `${one}/delete`, needs: 'admin', model: keptReportModel, view: deleteReportPage }),
    act({ path: schedules, needs: 'admin', form: scheduleForm.schema, act: schedule }),
    act({ path: `${schedules}/{schedule_id}/stop`, needs: 'admin', act: stop }),
    act({ path: `${one}/keep`, needs: 'member', act: keep }),
    act({ path: `${one}/delete`, needs: 'admin', form: sure, act: remove }),
  ];
}

async function keep(visit: Visit): Promise<ActAnswer> {
  const period = visit.path['period'] ?? '';
  await inWords(makeReport(visit.deps, visit.project?.id ?? null, period, byVisit(visit)));
  return { to: `/reports/${period}` };
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const { deps, project } = visit;
  const report = await deps.store.findReportOf(project?.id ?? null, visit.path['period'] ?? '');
  if (report === null) throw notHere('A saved report of this period');
  await deleteReport(deps, null, report.id, byVisit(visit));
  return { to: '/reports' };
}

async function schedule(
  visit: Visit,
  { channel, kind, at, timezone }: Posted<typeof scheduleForm>,
): Promise<ActAnswer> {
  const asked = { alert_channel_id: channel, kind, at, timezone };
  await inWords(sendReports(visit.deps, null, asked, byVisit(visit)));
  return { to: schedules };
}

async function stop(visit: Visit): Promise<ActAnswer> {
  const id = pathNumber(visit, 'schedule_id', 'A report schedule with this number');
  await endSchedule(visit.deps, null, id, byVisit(visit));
  return { to: schedules };
}

export function issuePages(): Declaration[] {
  return [
    file({ path: '/issues/{id}.md', answer: issueMarkdownFile }),
    page({ path: '/issues/{id}', model: issueEventModel, view: issueEventPage }),
    page({ path: '/issues/{id}/events', model: issueEventsModel, view: issueEventsPage }),
    page({ path: '/issues/{id}/tags', model: issueTagsModel, view: issueTagsPage }),
    page({ path: '/issues/{id}/activity', model: issueHistoryModel, view: issueHistoryPage }),
    page({ path: '/issues/{id}/similar', model: issueSimilarModel, view: issueSimilarPage }),
    page({ path: '/issues/{id}/merge', needs: 'member', model: issueAskModel, view: mergePage }),
    page({ path: '/issues/{id}/ignore', needs: 'member', model: issueAskModel, view: ignorePage }),
    page({
      path: '/issues/{id}/delete',
      needs: 'admin',
      model: async (visit) => (await endingModel(visit)) ?? (await issueAskModel(visit)),
      view: (model, frame) => ('ending' in model ? endingPage(model, frame) : deletePage(model, frame)),
    }),
    page({ path: '/issues/{id}/split', model: issueSplitModel, view: splitPage }),
    file({ path: `${event}.md`, answer: markdownFile }),
    file({ path: `${event}/download`, answer: storedFile }),
    file({ path: `${event}/attachments/{attachment_id}`, answer: attachmentFile }),
    file({ path: `${event}/attachments/{attachment_id}/image`, answer: attachmentImage }),
    page({ path: event, model: issueEventModel, view: issueEventPage }),
    ...issueActs(),
  ];
}

async function storedFile(visit: Visit): Promise<FileAnswer> {
  const { event: found } = await eventOfPath(visit);
  return {
    contentType: 'application/json; charset=utf-8',
    bytes: `${JSON.stringify(eventView(visit, found))}\n`,
    filename: `event-${found.eventId}.json`,
  };
}

async function issueMarkdownFile(visit: Visit): Promise<FileAnswer> {
  const { head, found, tags } = await headModel(visit);
  const newest = await newestEventView(visit, found, head.stored);
  const id = head.issue.issue_id;
  return {
    contentType: 'text/markdown; charset=utf-8',
    bytes: issueMarkdown(head, tags, newest, `${visit.pagesUrl}/issues/${id}`),
    filename: `issue-${id}.md`,
  };
}

async function markdownFile(visit: Visit): Promise<FileAnswer> {
  const { event: found } = await eventOfPath(visit);
  const view = eventView(visit, found);
  const address = `${visit.pagesUrl}/issues/${view.issue_id}/events/${view.event_id}`;
  return {
    contentType: 'text/markdown; charset=utf-8',
    bytes: eventMarkdown(view, address),
    filename: `event-${found.eventId}.md`,
  };
}

/** Always a download, whatever its type. */
async function attachmentFile(visit: Visit): Promise<FileAnswer> {
  const { bytes, filename } = await attachmentOf(visit);
  return { contentType: 'application/octet-stream', bytes, filename };
}

/** Only if the bytes are an image; sandboxed. */
async function attachmentImage(visit: Visit): Promise<FileAnswer> {
  const { bytes } = await attachmentOf(visit);
  const contentType = imageType(Buffer.from(bytes));
  if (contentType === null) throw notHere('A picture');
  return { contentType, bytes, contentSecurityPolicy: "sandbox; default-src 'none'" };
}

async function attachmentOf(visit: Visit) {
  const { event: found } = await eventOfPath(visit);
  const id = parseId(visit.path['attachment_id']);
  const issue = await visit.deps.store.findIssueAnywhere(found.issueId);
  const attachment =
    id === null || issue === null
      ? null
      : await visit.deps.store.findAttachment(issue.projectId, found.eventId, id);
  if (attachment === null) throw notHere('An attachment with this number');
  return attachment;
}

import { beforeAll, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { feedbackListModel } from '../../../src/core/page-models/feedback/list.ts';
import { feedbackModel } from '../../../src/core/page-models/feedback/report.ts';
import { issueEventModel } from '../../../src/core/page-models/issue/event.ts';
import { issueTagsModel, viewEventSlots } from '../../../src/core/page-models/issue/head.ts';
import {
  issueEventsModel,
  issueHistoryModel,
  issueSimilarModel,
} from '../../../src/core/page-models/issue/tabs.ts';
import { issuesModel } from '../../../src/core/page-models/issues/list.ts';
import { overviewModel } from '../../../src/core/page-models/overview/overview.ts';
import { projectsModel } from '../../../src/core/page-models/projects/list.ts';
import { projectModel } from '../../../src/core/page-models/projects/project.ts';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import { searchModel } from '../../../src/core/page-models/search.ts';
import { hourMs } from '../../../src/core/parsing/durations.ts';
import type { Issue } from '../../../src/core/store/issues.ts';
import { feedbackPage } from '../../../src/web/feedback/feedback.ts';
import { feedbackListPage } from '../../../src/web/feedback/list.ts';
import {
  issueEventPage,
  issueEventsPage,
  issueHistoryPage,
  issueSimilarPage,
} from '../../../src/web/issue/tabs.ts';
import { issueTagsPage } from '../../../src/web/issue/tags.ts';
import { issuesPage } from '../../../src/web/issues/list.ts';
import { overviewPage } from '../../../src/web/overview/overview.ts';
import type { PageContent, PageContext } from '../../../src/web/page-context.ts';
import { projectsPage } from '../../../src/web/projects/list.ts';
import { projectPage } from '../../../src/web/projects/project.ts';
import { searchPage } from '../../../src/web/search/search.ts';
import { inFull } from '../../support/test-level.ts';
import { frameOf, golden, goldenMs, placesOfTrouble, visitTo } from '../look.ts';

const any = { limit: 100, offset: 0, descending: true } as const;
let issues: readonly Issue[];
let trouble: Awaited<ReturnType<typeof placesOfTrouble>>;
beforeAll(async () => {
  const { store } = await golden();
  const projects = await store.listProjects();
  const lists = projects.map(({ id }) => store.listIssues(id, { ...any, orderBy: 'id' }));
  issues = (await Promise.all(lists)).flatMap(({ rows }) => rows);
  trouble = await placesOfTrouble();
});

const idOf = (words: string): number => issues.find(({ title }) => title.includes(words))?.id ?? 0;
const basket = () => String(idOf("reading 'total'"));

const at = (path: Readonly<Record<string, string>> = {}, query = ''): Promise<RequestContext> =>
  visitTo({ path, query: new URLSearchParams(query) });

async function shown<Model>(
  visiting: Promise<RequestContext>,
  modelOf: (visit: RequestContext) => Promise<Model>,
  view: (model: Model, frame: PageContext) => PageContent,
): Promise<{ readonly model: Model; readonly html: string }> {
  const visit = await visiting;
  const model = await modelOf(visit);
  const { main } = view(model, frameOf(visit, '/'));
  const html = (Array.isArray(main) ? main : [main])
    .map((part) => (typeof part === 'object' && part !== null ? renderToString(part as never) : String(part)))
    .join('');
  return { model, html };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

it('lists issues under their tabs, with the events of the range', async () => {
  const { model, html } = await shown(at({}, 'range=90d&sort=events'), issuesModel, issuesPage);
  expect(model.counts).toEqual({ unresolved: 40, review: 9, regressed: 5, mine: 0 });
  expect([model.issues.length, model.total]).toEqual([40, 40]);
  expect(await issuesModel(await at({}, 'state=ignored&range=90d'))).toMatchObject({ total: 6 });
  const most = model.issues.map(({ events }) => events);
  expect(most).toEqual(most.toSorted((one, other) => other - one));
  expect(html).toContain('renderTotals');
});

it.each(['last_seen', 'first_seen', 'events', 'users', 'trend'])(
  'pages through every issue once in both directions, by %s',
  async (sort) => {
    const there: number[] = [];
    let query = `state=all&range=90d&sort=${sort}`;
    let last = await issuesModel(await at({}, query));
    for (;;) {
      there.push(...last.issues.map((issue) => issue.issue_id));
      if (last.older === null) break;
      query = `state=all&range=90d&sort=${sort}&after=${last.older}`;
      last = await issuesModel(await at({}, query));
    }
    expect(there).toHaveLength(last.total);
    expect(there.length).toBeGreaterThan(last.issues.length);
    expect(new Set(there).size).toBe(there.length);
    const back = await issuesModel(await at({}, `state=all&range=90d&sort=${sort}&before=${last.newer}`));
    expect(back.issues.map((issue) => issue.issue_id)).toEqual(
      there.slice(-last.issues.length - 50, -last.issues.length),
    );
  },
);

it.each([
  ['q=capturePayment', ['PaymentCaptureError']],
  ['q=CAPTUREPAYMENT', ['PaymentCaptureError']],
  ['level=fatal&state=new', ['PaymentCaptureError', 'Allowed memory size']],
  ['tag=queue:shipping', ['parcel', 'mail.send']],
])('finds by %s', async (query, words) => {
  const { issues: found } = await issuesModel(await at({}, query));
  const titles = found.map(({ title }) => title.toLowerCase());
  expect(titles.length).toBeGreaterThan(0);
  for (const word of words) expect(titles.join('\n')).toContain(word.toLowerCase());
});

it('finds the issues of a user, and none of another', async () => {
  const { shown: event } = await issueEventModel(await at({ id: basket() }));
  expect(event?.event.event_id).toMatch(/^[0-9a-f]{32}$/);
  const { issues: none } = await issuesModel(await at({}, 'user=Nobody+At+All&range=90d&state=all'));
  expect(none).toEqual([]);
});

inFull(it)('shows every issue with its newest event, and its other pages', async () => {
  for (const issue of issues) {
    const { model, html } = await shown(at({ id: String(issue.id) }), issueEventModel, issueEventPage);
    expect(model.issue.issue_id).toBe(issue.mergedInto ?? issue.id);
    expect(model.shown?.event.event_id).toMatch(/^[0-9a-f]{32}$/);
    expect(html).not.toContain('<script>alert');
  }
});

it('shows the other pages of an issue: events, tags, activity, similar issues', async () => {
  const visit = at({ id: basket() });
  const { model: events } = await shown(visit, issueEventsModel, issueEventsPage);
  const { model: tags } = await shown(visit, issueTagsModel, issueTagsPage);
  const { model: history } = await shown(visit, issueHistoryModel, issueHistoryPage);
  const { model: similar } = await shown(visit, issueSimilarModel, issueSimilarPage);
  expect(events.events).toHaveLength(50);
  expect(tags.tags.find(({ tag }) => tag === 'level')?.events).toBeGreaterThan(100);
  expect(history.history.entries.length).toBeGreaterThan(3);
  expect(history.merges).toHaveLength(2);
  expect(similar.similar.length).toBeGreaterThan(0);
});

inFull(it)('counts the last day of every issue by five minutes as it counts its hours', async () => {
  const visit = await at({}, 'span=day');
  const fromMs = goldenMs - (goldenMs % hourMs) - 23 * hourMs;
  let all = 0;
  for (const issue of issues.filter((each) => each.mergedInto === null)) {
    const bySlot = new Map<number, number>();
    for (const { at: begins, events } of (await viewEventSlots(visit, issue)) ?? []) {
      const hour = Date.parse(begins) - (Date.parse(begins) % hourMs);
      if (hour >= fromMs && events > 0) bySlot.set(hour, (bySlot.get(hour) ?? 0) + events);
    }
    const { projectId, id } = issue;
    const hours = await visit.deps.store.listIssueHours(projectId, [id], fromMs, goldenMs + hourMs);
    expect([...bySlot]).toEqual(hours.map(({ atMs, events }) => [atMs, events]));
    all += bySlot.size;
  }
  expect(all).toBeGreaterThan(50);
});

it('shows a minified script beside its source, and an event without a stack', async () => {
  const { html: mapped } = await shown(at({ id: basket() }), issueEventModel, issueEventPage);
  const { html: raw } = await shown(at({ id: basket() }, 'stack=raw'), issueEventModel, issueEventPage);
  expect(mapped).toContain("setText(root, '.sum'");
  expect(raw).toMatch(/app-[0-9a-f]{6}\.js/);
  const { model } = await shown(at({ id: String(idOf('Script error.')) }), issueEventModel, issueEventPage);
  expect(model.shown?.event).toMatchObject({ title: 'Script error.' });
  expect(JSON.stringify(model.shown?.event)).not.toContain('stacktrace');
});

it('pages through the events of an issue from the newest to the oldest and back', async () => {
  const { store } = await golden();
  const { projectId, issueId } = trouble;
  const kept = await store.walkIssueEvents(projectId, issueId, { way: 'older', than: null }, 100);
  const walked: string[] = [];
  for (let id = kept[0]?.eventId ?? null; id !== null; ) {
    walked.push(id);
    id = (await store.findEvent(projectId, id))?.olderEventId ?? null;
  }
  expect(walked).toEqual(kept.map(({ eventId }) => eventId));
});

it('shows the overview, whose events are those of the issues', async () => {
  const { model } = await shown(at(), overviewModel, overviewPage);
  expect(model.issues).toEqual({ open: 40, new: 9, regressed: 5, all: 64 });
  expect(model.events.total).toBe(
    sumOf(model.events.bars.map((bar) => bar.error + bar.fatal + bar.warning + bar.info)),
  );
  expect(model.look_at.map((issue) => issue.issue_id)).toContain(trouble.issueId);
  expect(model.reports).toHaveLength(4);
});

it('shows bug reports with masked contacts, and their events', async () => {
  const { model, html } = await shown(at(), feedbackListModel, feedbackListPage);
  expect(model.counts).toEqual({ open: 9, resolved: 2, spam: 1 });
  expect(html).not.toMatch(/[a-z]{2,}\.[a-z]+@/);
  for (const { feedback_id: id } of model.reports) {
    const { model: one } = await shown(at({ feedback_id: String(id) }), feedbackModel, feedbackPage);
    if (one.event !== null) expect(one.event.before_ms).toBeGreaterThan(0);
  }
  expect((await feedbackListModel(await at({}, 'q=BENCHES'))).reports).toHaveLength(1);
});

it('shows projects whose open issues and events add up', async () => {
  const { model } = await shown(at(), projectsModel, projectsPage);
  expect(model.projects).toHaveLength(5);
  expect(model.open_issues).toBe(40);
  for (const { project_id: id, events_24h: day, hours } of model.projects) {
    const { model: one } = await shown(at({ project_id: String(id) }), projectModel, projectPage);
    expect(sumOf(hours)).toBe(day);
    expect(sumOf(one.sdks.map(({ events }) => events))).toBe(one.events_total);
    expect(one.sent.accepted).toBeGreaterThan(0);
    expect(one.keys.length).toBeGreaterThanOrEqual(2);
  }
});

it('searches over issues and reports, and finds ids', async () => {
  const { model } = await shown(at({}, `q=${trouble.issueId}`), searchModel, searchPage);
  expect(model.exact).toContainEqual(expect.objectContaining({ kind: 'issues', id: trouble.issueId }));
  const { model: event } = await shown(at({}, `q=${trouble.eventId}`), searchModel, searchPage);
  expect(event.exact).toMatchObject([{ kind: 'events', id: trouble.eventId }]);
  const { model: words } = await shown(at({}, 'q=postcode'), searchModel, searchPage);
  expect(words.groups.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['issues', 'feedback']));
});

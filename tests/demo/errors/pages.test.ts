// The pages of errors and people over the demo's store: each model is made, its numbers agree with the
// world's, and its view is rendered.
import { beforeAll, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { dayMs, hourMs } from '../../../src/core/reading/spans.ts';
import { reportsModel } from '../../../src/core/workspace/feedback/list.ts';
import { reportModel } from '../../../src/core/workspace/feedback/report.ts';
import { issueEventModel } from '../../../src/core/workspace/issue/event.ts';
import { slotsOf } from '../../../src/core/workspace/issue/slots.ts';
import {
  issueEventsModel,
  issueHistoryModel,
  issueSimilarModel,
} from '../../../src/core/workspace/issue/tabs.ts';
import { issueTagsModel } from '../../../src/core/workspace/issue/tags.ts';
import { issuesModel } from '../../../src/core/workspace/issues/list.ts';
import { liveModel } from '../../../src/core/workspace/live.ts';
import { membersModel } from '../../../src/core/workspace/members.ts';
import { overviewModel } from '../../../src/core/workspace/overview/overview.ts';
import { projectsModel } from '../../../src/core/workspace/projects/list.ts';
import { projectModel } from '../../../src/core/workspace/projects/project.ts';
import { searchModel } from '../../../src/core/workspace/search.ts';
import type { Visit } from '../../../src/core/workspace/visit.ts';
import { type ErrorsWorld, errorsWorld } from '../../../src/demo/world/errors/world.ts';
import { reportsPage } from '../../../src/pages/feedback/list.ts';
import { reportPage } from '../../../src/pages/feedback/report.ts';
import type { Frame, PageContent } from '../../../src/pages/frame.ts';
import {
  issueEventPage,
  issueEventsPage,
  issueHistoryPage,
  issueSimilarPage,
} from '../../../src/pages/issue/tabs.ts';
import { issueTagsPage } from '../../../src/pages/issue/tags.ts';
import { issuesPage } from '../../../src/pages/issues/list.ts';
import { livePage } from '../../../src/pages/live/live.ts';
import { overviewPage } from '../../../src/pages/overview/overview.ts';
import { membersPage } from '../../../src/pages/people/members.ts';
import { projectsPage } from '../../../src/pages/projects/list.ts';
import { projectPage } from '../../../src/pages/projects/project.ts';
import { searchPage } from '../../../src/pages/search/search.ts';
import { frameOf, goldenMs, seed, visitTo } from './visit.ts';

let world: ErrorsWorld;
beforeAll(() => {
  world = errorsWorld(seed, goldenMs);
});

const at = (path: Readonly<Record<string, string>> = {}, query = ''): Visit => visitTo(path, query, world);

/** The model of a visit, with its page as markup. */
async function shown<Model>(
  visit: Visit,
  modelOf: (visit: Visit) => Promise<Model>,
  view: (model: Model, frame: Frame) => PageContent,
): Promise<{ readonly model: Model; readonly html: string }> {
  const model = await modelOf(visit);
  const { main } = view(model, frameOf(visit));
  const html = (Array.isArray(main) ? main : [main])
    .map((part) => (typeof part === 'object' && part !== null ? renderToString(part as never) : String(part)))
    .join('');
  return { model, html };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

it('lists issues under their tabs, with the events of the range', async () => {
  const { model, html } = await shown(at({}, 'range=90d&sort=events'), issuesModel, issuesPage);
  expect(model.counts).toMatchObject({ open: 36, new: 9, regressed: 5, ignored: 6 });
  expect(model.issues[0]).toMatchObject({ issue_id: 1043, regressed_in: '4.18.0' });
  expect(model.issues).toHaveLength(20);
  const fromMs = Date.parse(model.histogram.bars[0]?.from ?? '');
  const events = world.issues.filter(({ issue }) => issue.mergedInto === null);
  expect(model.histogram.events).toBe(
    sumOf(events.map(({ issue }) => world.eventsOf(issue.id, fromMs, goldenMs + 1))),
  );
  expect(html).toContain('renderTotals');
});

it.each(['last_seen', 'first_seen', 'events', 'users', 'trend'])(
  'meets every issue once on the way there and back, by %s',
  async (sort) => {
    const there: number[] = [];
    let query = `state=all&range=90d&sort=${sort}`;
    let last = await issuesModel(at({}, query));
    for (;;) {
      there.push(...last.issues.map((issue) => issue.issue_id));
      if (last.older === null) break;
      query = `state=all&range=90d&sort=${sort}&after=${last.older}`;
      last = await issuesModel(at({}, query));
    }
    expect(there).toHaveLength(last.total);
    expect(new Set(there).size).toBe(there.length);
    const back = await issuesModel(at({}, `state=all&range=90d&sort=${sort}&before=${last.newer}`));
    expect(back.issues.map((issue) => issue.issue_id)).toEqual(
      there.slice(-last.issues.length - 20, -last.issues.length),
    );
  },
);

it.each([
  ['q=capturePayment', [1061]],
  ['q=CAPTUREPAYMENT', [1061]],
  ['q=%D8%B3%D9%84%D8%A9', [1029]],
  ['level=fatal&state=new', [1059, 1061]],
  ['who=2&state=regressed', [1006, 1043]],
  ['tag=queue:shipping', [1056, 1057]],
  ['release=2.31.0&state=new', [1060, 1061]],
])('finds by %s', async (query, ids) => {
  const { issues } = await issuesModel(at({}, query));
  expect(issues.map((issue) => issue.issue_id).sort()).toEqual(ids);
});

it('finds the issues of a user, and none of somebody else', async () => {
  const visit = at({ id: '1043' });
  const { shown: event } = await issueEventModel(visit);
  const place = world.storedById(event?.event.event_id ?? '');
  expect(place).not.toBeNull();
  const { issues } = await issuesModel(at({}, 'user=Anna+Abara&range=90d&state=all'));
  const { issues: none } = await issuesModel(at({}, 'user=Nobody+At+All&range=90d&state=all'));
  expect(issues.length).toBeGreaterThan(0);
  expect(none).toEqual([]);
});

it('shows every issue with its newest event, and its other pages', async () => {
  for (const { issue } of world.issues) {
    const { model, html } = await shown(at({ id: String(issue.id) }), issueEventModel, issueEventPage);
    const standing = issue.mergedInto ?? issue.id;
    expect(model.issue.issue_id).toBe(standing);
    expect(model.shown?.event.event_id).toBe(world.storedOf(standing).at(-1)?.eventId);
    expect(html).not.toContain('<script>alert');
  }
});

it('shows the pages beside an event: events, tags, history, what is alike', async () => {
  const visit = at({ id: '1043' });
  const { model: events } = await shown(visit, issueEventsModel, issueEventsPage);
  const { model: tags } = await shown(visit, issueTagsModel, issueTagsPage);
  const { model: history } = await shown(visit, issueHistoryModel, issueHistoryPage);
  const { model: similar } = await shown(visit, issueSimilarModel, issueSimilarPage);
  expect(events.events.length).toBe(Math.min(50, world.storedOf(1043).length));
  expect(tags.tags.find(({ tag }) => tag === 'level')?.events).toBe(world.issueById(1043)?.issue.eventsCount);
  expect(history.history.entries).toHaveLength(history.history_entries);
  expect(history.merges).toHaveLength(1);
  expect(similar.similar.length).toBeGreaterThan(0);
});

it('counts the last day of every issue by five minutes as it counts its hours', async () => {
  const visit = at({}, 'span=day');
  const fromMs = goldenMs - (goldenMs % hourMs) - 23 * hourMs;
  let all = 0;
  for (const { issue } of world.issues.filter((each) => each.issue.mergedInto === null)) {
    const bySlot = new Map<number, number>();
    for (const { at: begins, events } of (await slotsOf(visit, issue)) ?? []) {
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

it('shows a built script beside what its map makes of it, and an event without a stack', async () => {
  const { html: mapped } = await shown(at({ id: '1043' }), issueEventModel, issueEventPage);
  const { html: raw } = await shown(at({ id: '1043' }, 'stack=raw'), issueEventModel, issueEventPage);
  expect(mapped).toContain('setText(root, &#39;.sum&#39;'.replaceAll('&#39;', "'"));
  expect(raw).toMatch(/app-[0-9a-f]{6}\.js/);
  const { model } = await shown(at({ id: '1004' }), issueEventModel, issueEventPage);
  expect(model.shown?.event).toMatchObject({ title: 'Script error.' });
  expect(JSON.stringify(model.shown?.event)).not.toContain('stacktrace');
});

it('walks the events of an issue from the newest to the oldest and back', async () => {
  const { store } = at().deps;
  const kept = world.storedOf(1014).map(({ eventId }) => eventId);
  const walked: string[] = [];
  for (let id = kept.at(-1) ?? null; id !== null; ) {
    walked.push(id);
    id = (await store.findEvent(2, id))?.olderEventId ?? null;
  }
  expect(walked).toEqual(kept.toReversed());
  const third = world.storedOf(1014)[2];
  const than = { receivedAtMs: third?.atMs ?? 0, eventId: third?.eventId ?? '' };
  const newer = await store.walkIssueEvents(2, 1014, { way: 'newer', than }, 2);
  const older = await store.walkIssueEvents(2, 1014, { way: 'older', than }, 5);
  expect(newer.map(({ eventId }) => eventId)).toEqual([kept[4], kept[3]]);
  expect(older.map(({ eventId }) => eventId)).toEqual([kept[1], kept[0]]);
});

it('shows the overview, whose events are those of the issues', async () => {
  const { model } = await shown(at(), overviewModel, overviewPage);
  expect(model.issues).toEqual({ open: 36, new: 9, regressed: 5, all: 60 });
  expect(model.events.total).toBe(
    sumOf(model.events.bars.map((bar) => bar.error + bar.fatal + bar.warning + bar.info)),
  );
  expect(model.look_at.map((issue) => issue.issue_id)).toContain(1061);
  expect(model.reports).toHaveLength(4);
});

it('shows what visitors wrote, with masked contacts, and the event that it is about', async () => {
  const { model, html } = await shown(at(), reportsModel, reportsPage);
  expect(model.counts).toEqual({ open: 8, resolved: 3, spam: 1 });
  expect(html).not.toMatch(/[a-z]{2,}\.[a-z]+@/);
  for (const { feedback } of world.reports) {
    const { model: one } = await shown(at({ feedback_id: String(feedback.id) }), reportModel, reportPage);
    expect(one.event === null).toBe(feedback.eventId === null);
    if (one.event !== null) expect(one.event.before_ms).toBeGreaterThan(0);
  }
});

it('finds no report by who wrote it', async () => {
  const name = world.reports.find(({ feedback }) => feedback.name !== null)?.feedback.name ?? '';
  expect((await reportsModel(at({}, `q=${encodeURIComponent(name)}`))).reports).toEqual([]);
  expect((await reportsModel(at({}, 'q=BENCHES'))).reports).toHaveLength(1);
});

it('keeps the picture of a report as it says', async () => {
  const { store } = at().deps;
  const report = world.reports.find(({ picture }) => picture !== null);
  const { projectId = 0, id = 0 } = report?.feedback ?? {};
  const [facts] = (await store.findFeedback(projectId, id))?.screenshots ?? [];
  const shot = await store.findScreenshot(projectId, id, 1);
  expect(shot?.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(facts).toMatchObject({ sizeBytes: shot?.bytes.length, width: shot?.width });
});

it('shows the live tail: the newest events of all, each of which is there', async () => {
  const { model } = await shown(at(), liveModel, livePage);
  expect(model.events).toHaveLength(50);
  for (const { event_id: id, issue_id: issueId } of model.events) {
    expect(world.storedById(id)?.issueId).toBe(issueId);
  }
  expect(model.hour_before.kept).toBeGreaterThan(0);
  const hourMs = goldenMs - (goldenMs % 3_600_000);
  const own = world.issues.filter(({ issue }) => issue.mergedInto === null);
  expect(model.this_hour.kept).toBe(
    sumOf(own.map(({ issue }) => world.eventsOf(issue.id, hourMs, goldenMs + 1))),
  );
});

it('shows projects whose open issues and events add up', async () => {
  const { model } = await shown(at(), projectsModel, projectsPage);
  expect(model.projects).toHaveLength(5);
  expect(model.open_issues).toBe(36);
  for (const { project_id: id, events_24h: day, hours } of model.projects) {
    const { model: one } = await shown(at({ project_id: String(id) }), projectModel, projectPage);
    expect(sumOf(hours)).toBe(day);
    expect(sumOf(one.sdks.map(({ events }) => events))).toBe(one.events_total);
    expect(one.sent.kept).toBeGreaterThan(0);
    expect(JSON.stringify(one.keys)).toContain('ntf_sk_demo');
    // One that ended is in the oldest project alone.
    expect(one.keys.map(({ state }) => state)).toEqual(
      id === 1 ? ['live', 'live', 'revoked'] : ['live', 'live'],
    );
  }
});

it('shows who may come in', async () => {
  const { model } = await shown(at(), membersModel, membersPage);
  expect(model.members).toHaveLength(6);
  expect(model.your_sessions).toEqual([]);
});

it('searches over issues and reports, and finds ids', async () => {
  const { model } = await shown(at({}, 'q=1043'), searchModel, searchPage);
  expect(model.exact).toMatchObject([{ kind: 'issues', id: 1043 }]);
  const { model: event } = await shown(at({}, `q=${world.trouble.eventId}`), searchModel, searchPage);
  expect(event.exact).toMatchObject([{ kind: 'events', id: world.trouble.eventId }]);
  const { model: words } = await shown(at({}, 'q=postcode'), searchModel, searchPage);
  expect(words.groups.map(({ kind }) => kind)).toEqual(['issues', 'feedback']);
});

it('counts what stands beside the places', async () => {
  const { store } = at().deps;
  const counts = await store.placeCounts([1, 2, 3, 4, 5], goldenMs - 7 * dayMs);
  expect(counts).toMatchObject({ openIssues: 36, members: 6 });
});

it('throws by name for what it does not answer', async () => {
  expect(() => at().deps.store.recordEvent).toThrow('recordEvent');
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueListPages } from '../../../routes/pages/index.ts';
import type { IssuesModel } from '../../../src/core/page-models/issues/list.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import { eventOf } from '../../data/support/events.ts';
import { type Browser, type OpenedPages, openPages } from '../../support/pages.ts';

const startOfPages = Date.UTC(2026, 10, 21, 12);

describe('the list of issues', () => {
  let pages: OpenedPages;
  let shop: Project;
  let second: Project;
  let member: { browser: Browser; csrf: Record<string, string> };
  let viewer: { browser: Browser; csrf: Record<string, string> };
  let made = 0;

  const file = async (parts: Parameters<typeof eventOf>[0]): Promise<number> => {
    made += 1;
    const at = { receivedAtMs: startOfPages - made * 60_000, projectId: shop.id };
    return (await pages.deps.store.recordEvent(eventOf({ kind: `kind ${made}`, ...at, ...parts }))).issueId;
  };
  const model = async (query = ''): Promise<IssuesModel> => {
    const answer = await member.browser.get(`/issues.json${query}`);
    expect([query, answer.status]).toEqual([query, 200]);
    return JSON.parse(answer.text) as IssuesModel;
  };
  const page = async (query = ''): Promise<string> => (await member.browser.get(`/issues${query}`)).text;
  const bulk = async (act: string, ids: readonly number[], by = member): Promise<[number, string]> => {
    const fields = { ...by.csrf, do: act, back: '/issues?state=all', 'issue[]': ids.map(String) };
    const answer = await by.browser.post('/issues/bulk', fields);
    if (answer.location === null) return [answer.status, answer.text];
    const next = await by.browser.get(answer.location);
    return [answer.status, /role="status"[^>]*>([^<]*)</.exec(next.text)?.[1] ?? ''];
  };

  beforeAll(async () => {
    pages = await openPages({ declarations: issueListPages(), now: () => startOfPages });
    [shop] = (await pages.deps.store.listProjects()) as [Project];
    second = await pages.deps.store.createProject({ name: 'second', createdAtMs: startOfPages });
    member = await pages.signedIn('member', 'Ines Okafor');
    viewer = await pages.signedIn('viewer');
  });
  afterAll(() => pages.close());

  it('says which nothing it is', async () => {
    expect(await page()).toContain('Send your first event');
    await file({ title: 'RangeError: too far', level: 'fatal' });
    expect(await page('?state=ignored')).toContain('No ignored issues');
    expect(await page('?q=nowhere')).toContain('No issue matches');
  });

  it('says which word no issue has, and which parameter it does not know', async () => {
    await file({ title: 'RangeError: slow checkout', tags: [['browser', 'Chrome 99']] });
    const q = (text: string) => `?q=${encodeURIComponent(text)}`;
    expect((await model(q('slow is:foo browsr:chrome'))).unknown_words).toEqual(['is:foo', 'browsr:chrome']);
    expect((await model(`${q('slow')}&tag=browsr:chrome`)).unknown_words).toEqual(['browsr:chrome']);
    expect((await model(q('slow browser:chrome'))).unknown_words).toEqual([]);
    // Each alone is found.
    expect((await model(q('far checkout'))).unknown_words).toEqual([]);
    const text = await page(q('slow is:foo'));
    expect(text).toContain('No issue has <code><bdi>is:foo</bdi></code>.');
    expect(text).toContain('Use the filters of the issue list');
    expect(await page(`${q('<b>x:1</b>')}&state=resolvd&level=loud&sort=events&range=7d`)).toContain(
      'Unknown parameters, ignored: <code><bdi>state=resolvd</bdi></code>, <code><bdi>level=loud</bdi></code>.',
    );
    expect(await page(`${q('  Slow ')}&state=all&range=30d&who=nobody`)).not.toContain('Not known here');
  });

  it('takes of an address what it knows, and carries nothing else on', async () => {
    const query = '?sort=nothing&state=else&level=loud&tag=x&after=!!&range=1..2&evil=<b>&q=far';
    const { asked, issues } = await model(query);
    expect(asked).toEqual({
      state: 'open',
      query: null,
      q: 'far',
      range: '7d',
      level: null,
      environment: null,
      release: null,
      tag: [],
      user: null,
      who: null,
      sort: 'last_seen',
    });
    expect(issues.map(({ type, message }) => [type, message])).toEqual([['RangeError', 'too far']]);
    const text = await page('?evil=1&tag=a:1&state=all&tag=b:2&q=far&level=fatal');
    expect(text).toContain('/issues?state=all&amp;q=far&amp;level=fatal&amp;tag=b%3A2"');
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, address]) => address ?? '');
    expect(links.filter((address) => address.includes('evil') && !address.includes('.json'))).toEqual([]);
  });

  it('takes five tags of an address, and finds what has them all', async () => {
    const tags = [1, 2, 3, 4, 5].map((nth) => ['part', `nth ${nth}`] as const);
    const id = await file({ title: 'Error: of five parts', tags });
    const query = (parts: readonly number[]) => `?${parts.map((nth) => `tag=part:nth+${nth}`).join('&')}`;
    const five = await model(query([1, 2, 3, 4, 5, 6]));
    expect(five.asked.tag).toEqual(tags.map((tag) => tag.join(':')));
    expect(five.issues.map(({ issue_id: each }) => each)).toEqual([id]);
    expect((await model(query([2, 3, 4, 5, 6]))).issues).toEqual([]);
  });

  it('has pages that lead on and back', async () => {
    for (let nth = 0; nth < 25; nth += 1) await file({ title: `Error: page ${nth}` });
    const first = await model('?q=page');
    expect([first.issues.length, first.total, first.newer]).toEqual([20, 25, null]);
    const next = await model(`?q=page&after=${first.older}`);
    expect([next.issues.length, next.older]).toEqual([5, null]);
    const back = await model(`?q=page&before=${next.newer}`);
    expect(back.issues.map(({ issue_id: id }) => id)).toEqual(first.issues.map(({ issue_id: id }) => id));
    expect(await page('?q=page')).toContain('20 of 25 open issues');
  });

  it('finds a user by what they are called', async () => {
    const { ingestEvent } = await import('../../../src/core/events/ingest.ts');
    const raw = {
      message: 'on request',
      platform: 'php',
      user: { id: '77', username: 'Ines O', email: 'Ines@Shop.example' },
    };
    const context = { receivedAtMs: startOfPages, clientAddress: '192.0.2.1', userAgent: '', domain: null };
    await ingestEvent(pages.deps, shop, { read: raw }, context);
    for (const user of ['77', 'ines o', 'INES@shop.example']) {
      const { issues } = await model(`?user=${encodeURIComponent(user)}`);
      expect([user, issues.map(({ title }) => title)]).toEqual([user, ['on request']]);
    }
    expect((await model('?user=78')).issues).toEqual([]);
  });

  it('does what a member asks for several issues, and says what was done', async () => {
    const [one, other] = [await file({}), await file({})];
    expect(await bulk('resolve', [one, other])).toEqual([303, '2 issues resolved.']);
    expect(await bulk('resolve', [one, 999_999])).toEqual([
      303,
      '0 issues resolved. 1 was resolved already. 1 was no longer there.',
    ]);
    expect(await bulk('ignore', [one])).toEqual([303, '1 issue ignored.']);
    expect(await bulk('ignore', [])).toEqual([303, 'Nothing was selected, so nothing was changed.']);
    const { rows } = await pages.deps.store.listIssueActivity(shop.id, one, { limit: 1, offset: 0 });
    expect(rows[0]).toMatchObject({ kind: 'ignored', actor: 'member Ines Okafor' });
    expect((await bulk('explode', [one]))[0]).toBe(400);
    const chosen = (count: number) => Array.from({ length: count }, (_, nth) => 1_000_000 + nth);
    expect((await bulk('ignore', chosen(100)))[1]).toContain('100 were no longer there');
    expect((await bulk('ignore', chosen(101)))[0]).toBe(400);
  });

  it('merges within a project, and says where it cannot', async () => {
    const [one, other] = [await file({}), await file({})];
    const elsewhere = await file({ projectId: second.id });
    expect((await bulk('merge', [one, elsewhere]))[1]).toContain('Only issues of the same project');
    expect((await bulk('merge', [one]))[1]).toContain('at least two issues');
    // The later of the two in the queue was received first.
    expect(await bulk('merge', [one, other])).toEqual([303, `2 issues merged into #${other}.`]);
    expect((await pages.deps.store.findIssue(shop.id, one))?.mergedInto).toBe(other);
  });

  it('lets a viewer look and change nothing', async () => {
    const id = await file({ title: 'Error: untouched' });
    const { text } = await viewer.browser.get('/issues?q=untouched');
    expect(text).toContain('untouched');
    expect(text).not.toMatch(/type="checkbox"|name="do"|\/issues\/bulk/);
    expect((await bulk('resolve', [id], viewer))[0]).toBe(403);
    expect((await pages.deps.store.findIssue(shop.id, id))?.state.status).toBe('unresolved');
  });

  it('says how many events came, and whether that is more than before where there was a before', async () => {
    const third = await pages.deps.store.createProject({ name: 'third', createdAtMs: startOfPages });
    const found = async () => /<b>[^<]*<\/b> in 7 days[^<]*/.exec(await page(`?project=${third.id}`))?.[0];
    await file({ projectId: third.id });
    await file({ projectId: third.id });
    expect(await found()).toBe('<b>2 events</b> in 7 days');
    await file({ projectId: third.id, receivedAtMs: startOfPages - 8 * 86_400_000 });
    expect(await found()).toBe('<b>2 events</b> in 7 days, 100% more than the 7 before');
    // One hour of the range is still to come: as many hours are compared, so that the overview says the same.
    await file({ projectId: third.id, receivedAtMs: startOfPages - (14 * 24 - 2.5) * 3_600_000 });
    expect(await found()).toBe('<b>2 events</b> in 7 days, 100% more than the 7 before');
  });

  it('is about one project where the address says so', async () => {
    const id = await file({ projectId: second.id, title: 'Error: elsewhere' });
    const { issues } = await model(`?project=${second.id}&state=all`);
    expect(issues.map(({ issue_id: each }) => each)).toContain(id);
    expect(new Set(issues.map(({ project }) => project.name))).toEqual(new Set(['second']));
    const { histogram } = await model(`?project=${second.id}&range=24h`);
    expect(histogram.events).toBe(issues.reduce((sum, issue) => sum + issue.events, 0));
  });
});

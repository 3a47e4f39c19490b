import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueListPages } from '../../../routes/pages/issue-views.ts';
import type { IssuesModel } from '../../../src/core/page-models/issues/list.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import { eventOf } from '../../data/support/events.ts';
import { type Browser, type OpenedPages, openPages } from '../../support/pages.ts';
import { inFull } from '../../support/test-level.ts';

const startOfPages = Date.UTC(2026, 10, 21, 12);

describe('the list of issues', () => {
  let pages: OpenedPages;
  let shop: Project;
  let second: Project;
  let member: { browser: Browser; csrf: Record<string, string> };
  let viewer: { browser: Browser; csrf: Record<string, string> };
  let made = 0;
  let nowMs = startOfPages;

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
  const bulk = (act: string, ids: readonly number[], by = member) => bulkOf(by, act, ids);
  const bulkOf = async (
    by: typeof member,
    act: string,
    ids: readonly number[],
  ): Promise<[number, string]> => {
    const fields = { ...by.csrf, do: act, back: '/issues?state=all', 'issue[]': ids.map(String) };
    const answer = await by.browser.post('/issues/bulk', fields);
    if (answer.location === null) return [answer.status, answer.text];
    const next = await by.browser.get(answer.location);
    return [answer.status, said(next.text)];
  };
  const said = (text: string): string =>
    /<p class="(?:note|undo)" role="status">(.*?)<(?:\/p|button)/s
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]*>/g, '')
      .trim() ?? '';
  /** The question is on the page that answers the action; its form is sent as it is. */
  const answered = async (fields: Record<string, string | readonly string[]>, by = member) => {
    const asked = await by.browser.post('/issues/bulk', { ...by.csrf, back: '/issues', ...fields });
    expect(asked.status).toBe(200);
    const form = /<form[^>]*action="\/[^"]*issues\/bulk".*?<\/form>/s.exec(asked.text)?.[0] ?? '';
    const sent: Record<string, string[]> = {};
    for (const [, name = '', value = ''] of form.matchAll(/name="([^"]*)" value="([^"]*)"/g)) {
      sent[name] = [...(sent[name] ?? []), value];
    }
    const answer = await by.browser.post('/issues/bulk', sent);
    const next = await by.browser.get(answer.location ?? '');
    return {
      title: /<h1>(.*?)<\/h1>/.exec(asked.text)?.[1],
      said: said(next.text),
      location: answer.location,
    };
  };
  const undo = async (by = member): Promise<[number, string]> => {
    const { text } = await by.browser.get('/issues');
    const action = /action="[^"]*(\/issues\/bulk\/\d+\/undo)"/.exec(text)?.[1];
    if (action === undefined) return [0, 'no undo'];
    const answer = await by.browser.post(action, { ...by.csrf, back: '/issues' });
    if (answer.location === null) return [answer.status, answer.text];
    return [answer.status, said((await by.browser.get(answer.location)).text)];
  };
  const stateOf = async (id: number, projectId = shop.id) => {
    const issue = await pages.deps.store.findIssue(projectId, id);
    const { status, ignore } = issue?.state ?? {};
    return { status, ignore: ignore?.until ?? null, to: issue?.assignedTo ?? issue?.assignedTeam ?? null };
  };

  beforeAll(async () => {
    pages = await openPages({ declarations: issueListPages(), now: () => nowMs });
    [shop] = (await pages.deps.store.listProjects()) as [Project];
    second = await pages.deps.store.createProject({ name: 'second', createdAtMs: startOfPages });
    member = await pages.signedIn('member', 'Ines Okafor');
    viewer = await pages.signedIn('viewer');
  });
  afterAll(() => pages.close());

  it('says why it is empty', async () => {
    expect(await page()).toContain('Send your first event');
    await file({ title: 'RangeError: too far', level: 'fatal' });
    expect(await page('?state=ignored')).toContain('No issues match this search.');
    expect(await page('?query=nowhere')).toContain('Search the last 90 days');
    expect(await page('?range=24h')).not.toContain('No unresolved issues');
  });

  it('shows a mistake with a button that corrects it, and applies the rest of the search', async () => {
    await file({ title: 'RangeError: slow checkout', tags: [['browser', 'Chrome 99']] });
    const asked = '?query=is:unresolved+lvl:error+slow';
    const { issues, search } = await model(asked);
    expect(issues.map(({ message }) => message)).toEqual(['slow checkout']);
    expect(search.mistakes).toEqual([
      { message: 'Unknown key `lvl`: did you mean `level`?', start: 14, end: 17, suggestion: 'level' },
    ]);
    const text = await page(asked);
    expect(text).toContain('<span class="tok bad">lvl:error</span> slow');
    expect(text).toContain('name="corrected" value="is:unresolved level:error slow"');
    // The button is sent with the field that holds the mistake.
    const corrected = await model(`${asked}&corrected=is:unresolved+level:error+slow`);
    expect([corrected.filters.query, corrected.search.mistakes]).toEqual([
      'is:unresolved level:error slow',
      [],
    ]);
    expect(await page('?query=%3Cb%3Ex%3C/b%3E')).not.toContain('<b>x</b>');
  });

  it('ignores unknown parameters and does not repeat them in links', async () => {
    const query = '?sort=nothing&view=else&after=!!&range=1..2&evil=<b>&query=far';
    const { filters, issues } = await model(query);
    expect(filters).toEqual({
      view: null,
      query: 'far',
      range: '7d',
      environment: null,
      sort: 'last_seen',
      zone: null,
    });
    expect(issues.map(({ type, message }) => [type, message])).toEqual([['RangeError', 'too far']]);
    const links = [...(await page(query)).matchAll(/href="([^"]*)"/g)].map(([, address]) => address ?? '');
    expect(links.filter((address) => address.includes('evil') && !address.includes('.json'))).toEqual([]);
  });

  it('reads an address with the former parameters as a search', async () => {
    const asked = async (query: string) => (await model(query)).filters.query;
    expect(await asked('')).toBe('is:unresolved');
    expect(await asked('?state=all')).toBe('');
    expect(await asked('?state=regressed')).toBe('is:regressed');
    expect(await asked('?level=fatal&tag=part:nth+1&tag=b:2&who=nobody&release=1.0.0')).toBe(
      'is:unresolved level:fatal release:1.0.0 tags[part]:"nth 1" tags[b]:2 assigned:none',
    );
    expect(await asked('?q=a:b+far&state=ignored&user=77')).toBe('is:ignored user:77 "a:b" far');
    const id = await file({
      title: 'Error: of parts',
      tags: [['part', 'nth 1'] as const, ['part2', 'x'] as const],
    });
    const { issues } = await model('?tag=part:nth+1&tag=part2:x');
    expect(issues.map(({ issue_id: each }) => each)).toEqual([id]);
    expect((await model('?tag=part:nth+1&tag=part2:y')).issues).toEqual([]);
  });

  inFull(it)('has next and previous pages and shows the range of rows', async () => {
    for (let nth = 0; nth < 55; nth += 1) await file({ title: `Error: page ${nth}` });
    const first = await model('?query=page');
    expect([first.issues.length, first.total, first.newer]).toEqual([50, 55, null]);
    const next = await model(`?query=page&after=${first.older}`);
    expect([next.issues.length, next.older]).toEqual([5, null]);
    const back = await model(`?query=page&before=${next.newer}`);
    expect(back.issues.map(({ issue_id: id }) => id)).toEqual(first.issues.map(({ issue_id: id }) => id));
    expect(await page('?query=page')).toContain('1–50 of 55 issues');
    expect(await page(`?query=page&after=${first.older}&at=51`)).toContain('51–55 of 55 issues');
    expect(await page(`?query=page&after=${first.older}&at=99`)).toContain('>5 of 55 issues');
  });

  it('shows function and file of the newest event, and its transaction', async () => {
    const stacked = (name: string, transaction: string) => ({
      kind: 'placed',
      title: 'Error: placed',
      payload: JSON.stringify({
        event_id: 'f'.repeat(32),
        platform: 'node',
        timestamp: new Date(startOfPages).toISOString(),
        level: 'error',
        transaction,
        exception: {
          values: [
            {
              type: 'Error',
              value: 'placed',
              stacktrace: { frames: [{ function: name, filename: 'src/a.ts', in_app: true }] },
            },
          ],
        },
      }),
    });
    await file({ ...stacked('before', 'GET /old'), receivedAtMs: startOfPages - 120_000 });
    await file({ ...stacked('capture', 'POST /pay'), receivedAtMs: startOfPages - 60_000 });
    const { issues } = await model('?query=placed');
    expect(issues.map(({ place }) => place)).toEqual([
      { function: 'capture', file: 'src/a.ts', transaction: 'POST /pay', text: null },
    ]);
  });

  it('reads the range that a person typed in their zone, and says what is wrong with it', async () => {
    const typed = async (from: string, to: string, zone = 'Europe/Berlin') =>
      (await model(`?${new URLSearchParams({ from, to, zone })}`)).typed_range;
    expect((await typed('2026-11-14 15:00', '2026-11-21 15:35'))?.range).toBe(
      '2026-11-14T14:00:00.000Z..2026-11-21T14:35:00.000Z',
    );
    expect((await typed('2026-11-14', '2026-11-14', 'UTC'))?.range).toBe(
      '2026-11-14T00:00:00.000Z..2026-11-15T00:00:00.000Z',
    );
    const wrong = 'Enter a date such as 2026-11-21 15:35.';
    expect((await typed('yesterday', '2026-02-30'))?.wrong).toEqual({ from: wrong, to: wrong });
    expect((await typed('2026-11-21 15:35', '2026-11-21 15:00'))?.wrong.from).toBe('From must be before To.');
    expect((await typed('2024-01-01', '2026-01-01'))?.wrong.from).toBe('The range is longer than 366 days.');
    const said = /<p class="wrong" id="r-from-wrong">(.*?)<\/p>/.exec(await page('?from=x&to=y'))?.[1];
    expect(said?.replaceAll(/<[^>]*>/g, '')).toBe(wrong);
  });

  it('finds a user by name', async () => {
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

  it('changes several issues and shows the result', async () => {
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

  it('merges within a project, and refuses across projects', async () => {
    const [one, other] = [await file({}), await file({})];
    const elsewhere = await file({ projectId: second.id });
    expect((await bulk('merge', [one, elsewhere]))[1]).toContain('Only issues of the same project');
    expect((await bulk('merge', [one]))[1]).toContain('at least two issues');
    // The later of the two in the queue was received first.
    const asked = { do: 'merge', 'issue[]': [String(one), String(other)] };
    expect(await answered(asked)).toMatchObject({
      title: 'Merge 2 issues?',
      said: `2 issues merged into #${other}.`,
    });
    expect((await pages.deps.store.findIssue(shop.id, one))?.mergedInto).toBe(other);
    expect(await undo()).toEqual([303, 'Undone. 1 issue is as before.']);
    expect((await pages.deps.store.findIssue(shop.id, one))?.mergedInto).toBeNull();
  });

  it('undoes a bulk change within a minute, except for issues changed since', async () => {
    const [one, other, third] = [await file({}), await file({}), await file({})];
    expect(await bulk('ignore 100-events', [one])).toEqual([303, '1 issue ignored.']);
    expect(await bulk('resolve', [one, other, third])).toEqual([303, '3 issues resolved.']);
    expect(await page('?state=all')).toMatch(/Undo<kbd class="js">z<\/kbd>.*until 12:\d\d:\d\d/s);
    // Nobody else is offered it, and nobody else can do it.
    const colleague = await pages.signedIn('member');
    expect(await undo(colleague)).toEqual([0, 'no undo']);
    const id = /bulk\/(\d+)\/undo/.exec(await page())?.[1];
    const foreign = await colleague.browser.post(`/issues/bulk/${id}/undo`, colleague.csrf);
    expect([foreign.status, (await stateOf(one)).status]).toEqual([409, 'resolved']);
    await bulkOf(colleague, 'reopen', [other]);
    expect(await undo()).toEqual([
      303,
      'Undone. 2 issues are as before. 1 changed since then and stays as it is.',
    ]);
    expect(await stateOf(one)).toMatchObject({ status: 'ignored', ignore: 'count' });
    expect(await stateOf(other)).toMatchObject({ status: 'unresolved' });
    expect(await stateOf(third)).toMatchObject({ status: 'unresolved' });
    const { rows } = await pages.deps.store.listIssueActivity(shop.id, third, { limit: 2, offset: 0 });
    expect(rows.map(({ kind }) => kind)).toEqual(['unresolved', 'resolved']);
    await bulk('resolve', [third]);
    const last = /bulk\/(\d+)\/undo/.exec(await page())?.[1];
    nowMs += 60_000;
    expect(await undo()).toEqual([0, 'no undo']);
    const late = await member.browser.post(`/issues/bulk/${last}/undo`, member.csrf);
    expect([late.status, late.text.includes('This can no longer be undone')]).toEqual([409, true]);
    expect((await stateOf(third)).status).toBe('resolved');
    nowMs = startOfPages;
  });

  it('assigns several issues to a member or a team with access, and to nobody', async () => {
    const { store } = pages.deps;
    const [one, other] = [await file({}), await file({ projectId: second.id })];
    const made = { createdAtMs: startOfPages, createdBy: 'test' };
    const team = await store.addTeam({ ...made, name: 'web', hasAllProjects: false });
    await store.setAccess({ teamId: team?.id ?? 0 }, { hasAllProjects: false, projectIds: [shop.id] });
    expect(await page('?state=all')).toContain('value="assign #web"');
    expect(await bulk('assign #web', [one, other])).toEqual([
      303,
      '1 issue assigned. 1 was not: the assignee has no access to the project.',
    ]);
    expect((await stateOf(one)).to).toBe(team?.id);
    expect((await bulk('assign #web', [other]))[0]).toBe(400);
    expect((await bulk('assign #nobody-there', [one]))[0]).toBe(400);
    expect(await bulk('assign nobody', [one])).toEqual([303, '1 issue unassigned.']);
    expect(await undo()).toEqual([303, 'Undone. 1 issue is as before.']);
    expect((await stateOf(one)).to).toBe(team?.id);
  });

  it('changes all matching issues after a confirmation with their number', async () => {
    const ids: number[] = [];
    for (let nth = 0; nth < 55; nth += 1) ids.push(await file({ title: `Error: sweep ${nth}` }));
    const apart = await file({ title: 'Error: apart' });
    expect(await page('?query=sweep')).toMatch(/selected=all[^>]*>Select all 55 that match</);
    const onPage = await page('?query=sweep&selected=page');
    expect(onPage.match(/name="issue\[\]"[^>]* checked/g)).toHaveLength(50);
    expect(onPage).toContain('50 selected');
    const whole = await page('?query=sweep&selected=all');
    expect(whole).toContain('All 55 that match are selected');
    expect(whole).toContain('<input type="hidden" name="all" value="yes"');
    const asked = { do: 'ignore forever', all: 'yes', query: 'sweep' };
    expect(await answered(asked)).toMatchObject({ title: 'Ignore 55 issues?', said: '55 issues ignored.' });
    const states = await Promise.all(ids.map(async (id) => (await stateOf(id)).status));
    expect(new Set(states)).toEqual(new Set(['ignored']));
    expect((await stateOf(apart)).status).toBe('unresolved');
    expect(await undo()).toEqual([303, 'Undone. 55 issues are as before.']);
    expect((await stateOf(ids[54] ?? 0)).status).toBe('unresolved');
    // What the search does not understand is no reason to change more than was meant.
    const wrong = { ...member.csrf, do: 'ignore', all: 'yes', query: 'sweep lvl:error' };
    const refused = await member.browser.post('/issues/bulk', wrong);
    expect([refused.status, refused.text.includes('Unknown key lvl')]).toEqual([400, true]);
    expect(
      (
        await bulk(
          'merge',
          Array.from({ length: 101 }, (_, nth) => nth + 1),
        )
      )[0],
    ).toBe(400);
  });

  it('shows a viewer the list without actions', async () => {
    const id = await file({ title: 'Error: untouched' });
    const { text } = await viewer.browser.get('/issues?q=untouched');
    expect(text).toContain('untouched');
    expect(text).not.toMatch(/type="checkbox"|name="do"|\/issues\/bulk/);
    expect((await bulk('resolve', [id], viewer))[0]).toBe(403);
    expect((await pages.deps.store.findIssue(shop.id, id))?.state.status).toBe('unresolved');
  });

  it('shows the number of events, and the trend if there is a previous period', async () => {
    const third = await pages.deps.store.createProject({ name: 'third', createdAtMs: startOfPages });
    const found = async () =>
      /<b>[^<]*<\/b> in \d+ issues?(?:<span class="opt">[^<]*)?/.exec(
        (await page(`?project=${third.id}&state=all`)).replaceAll(/\s+/g, ' '),
      )?.[0];
    await file({ projectId: third.id });
    await file({ projectId: third.id });
    expect(await found()).toBe('<b>2 events</b> in 2 issues');
    await file({ projectId: third.id, receivedAtMs: startOfPages - 8 * 86_400_000 });
    const more = '<b>2 events</b> in 2 issues<span class="opt">, 100% more than the 7 days before';
    expect((await found())?.replace(' <span', '<span')).toBe(more);
  });

  it('shows one project if the address names it', async () => {
    const id = await file({ projectId: second.id, title: 'Error: elsewhere' });
    const { issues } = await model(`?project=${second.id}&state=all`);
    expect(issues.map(({ issue_id: each }) => each)).toContain(id);
    expect(new Set(issues.map(({ project }) => project.name))).toEqual(new Set(['second']));
    const { histogram } = await model(`?project=${second.id}&range=24h`);
    expect(histogram.events).toBe(issues.reduce((sum, issue) => sum + issue.events, 0));
  });

  inFull(it)('shows a team as a square, a person as a circle', async () => {
    const { store } = pages.deps;
    const made = { createdAtMs: startOfPages, createdBy: 'test' };
    const team = await store.addTeam({ ...made, name: 'payments', hasAllProjects: true });
    const act = { actor: 'test', nowMs: startOfPages };
    const newest = { receivedAtMs: startOfPages };
    const mine = [await file(newest), await file(newest)] as const;
    await store.assignIssue(shop.id, mine[0], { teamId: team?.id ?? 0, name: '#payments' }, act);
    const [person] = await store.listMembers(startOfPages);
    await store.assignIssue(shop.id, mine[1], { memberId: person?.id ?? 0, name: person?.name ?? '' }, act);
    const row = async (id: number): Promise<string> =>
      new RegExp(`value="${id}".*?</tr>`, 's').exec(await page('?state=all'))?.[0] ?? '';
    expect(/class="av[^"]*"/.exec(await row(mine[0]))?.[0]).toBe('class="av team"');
    expect(/class="av[^"]*"/.exec(await row(mine[1]))?.[0]).toBe('class="av"');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issueListPages } from '../../../routes/pages/issue-views.ts';
import { memberPages } from '../../../routes/pages/members.ts';
import type { IssuesModel } from '../../../src/core/page-models/issues/list.ts';
import { eventOf } from '../../data/support/events.ts';
import { type Browser, type OpenedPages, openPages } from '../../support/pages.ts';
import { inFull } from '../../support/test-level.ts';

const startOfPages = Date.UTC(2026, 10, 21, 12);

interface Person {
  browser: Browser;
  csrf: Record<string, string>;
}

describe('saved views and settings', () => {
  let pages: OpenedPages;
  let ines: Person;
  let mara: Person;
  let viewer: Person;

  beforeAll(async () => {
    const declarations = [...issueListPages(), ...memberPages()];
    pages = await openPages({ declarations, now: () => startOfPages });
    const [shop] = await pages.deps.store.listProjects();
    await pages.deps.store.recordEvent(
      eventOf({ kind: 'one', projectId: shop?.id ?? 0, receivedAtMs: startOfPages - 60_000 }),
    );
    ines = await pages.signedIn('member', 'Ines Okafor');
    mara = await pages.signedIn('admin', 'Mara Feld');
    viewer = await pages.signedIn('viewer');
  });
  afterAll(() => pages.close());

  const post = async ({ browser, csrf }: Person, path: string, fields: Record<string, string>) => {
    const answer = await browser.post(path, { ...csrf, back: '/issues', ...fields });
    return [answer.status, answer.location ?? answer.text] as const;
  };
  const model = async ({ browser }: Person, query = ''): Promise<IssuesModel> =>
    JSON.parse((await browser.get(`/issues.json${query}`)).text) as IssuesModel;
  const saved = async (by: Person) => (await model(by)).views.filter((view) => !view.is_built_in);
  const make = async (by: Person, fields: Record<string, string>): Promise<string> => {
    const [status, location] = await post(by, '/issues/views', fields);
    expect([status, location]).toEqual([303, expect.stringMatching(/view=\d+/)]);
    return /view=(\d+)/.exec(location)?.[1] ?? '';
  };

  it('shows an own view to its owner alone until it is shared', async () => {
    const id = await make(ines, {
      name: ' Not  Safari ',
      query: 'is:unresolved !browser:Safari',
      sort: 'events',
    });
    expect(await saved(ines)).toEqual([
      {
        view: id,
        title: 'Not Safari',
        query: 'is:unresolved !browser:Safari',
        sort: 'events',
        is_built_in: false,
        is_yours: true,
        is_shared: false,
        is_default: false,
      },
    ]);
    expect((await model(ines, `?view=${id}`)).filters).toMatchObject({ view: id, sort: 'events' });
    expect(await saved(mara)).toEqual([]);
    // Nobody else reaches it, an admin neither.
    expect((await post(mara, `/issues/views/${id}/delete`, {}))[0]).toBe(404);
    expect((await post(mara, '/issues/views/default', { view: id }))[0]).toBe(404);
    expect((await post(ines, `/issues/views/${id}/share`, { shared: 'yes' }))[0]).toBe(303);
    expect((await saved(mara)).map(({ title, is_yours: isYours }) => [title, isYours])).toEqual([
      ['Not Safari', false],
    ]);
    // A shared one is changed by its owner, or by an admin, since its owner may be gone.
    expect((await post(viewer, `/issues/views/${id}`, { query: '' }))[0]).toBe(404);
    expect((await post(mara, `/issues/views/${id}/delete`, {}))[0]).toBe(303);
    expect(await saved(ines)).toEqual([]);
  });

  it('keeps the tab of a changed search, and saves the change', async () => {
    const id = await make(ines, { name: 'Fatal', query: 'level:fatal' });
    const query = `?view=${id}&query=level:%5Bfatal,error%5D`;
    expect((await model(ines, query)).filters).toMatchObject({ view: id, query: 'level:[fatal,error]' });
    expect((await ines.browser.get(`/issues${query}`)).text).toContain('Save changes to this view');
    expect((await ines.browser.get(`/issues?view=${id}`)).text).not.toContain('Save changes to this view');
    expect(
      (await post(ines, `/issues/views/${id}`, { query: 'level:[fatal,error]', sort: 'users' }))[0],
    ).toBe(303);
    expect((await model(ines, `?view=${id}`)).filters).toMatchObject({
      query: 'level:[fatal,error]',
      sort: 'users',
    });
  });

  it('opens the default view of a member', async () => {
    expect((await model(viewer)).filters).toMatchObject({ view: 'unresolved', query: 'is:unresolved' });
    const id = await make(viewer, { name: 'Everything', query: '' });
    expect((await post(viewer, '/issues/views/default', { view: id }))[0]).toBe(303);
    expect((await model(viewer)).filters).toMatchObject({ view: id, query: '' });
    await post(viewer, `/issues/views/${id}/delete`, {});
    expect((await model(viewer)).filters.view).toBe('unresolved');
  });

  inFull(it)('refuses invalid views, and more than 50', async () => {
    expect((await post(viewer, '/issues/views', { name: 'For all', shared: 'on' }))[0]).toBe(403);
    expect((await post(viewer, '/issues/views', { name: '   ' }))[1]).toContain('Enter a name');
    expect((await post(viewer, '/issues/views', { name: 'x'.repeat(61) }))[0]).toBe(400);
    expect((await post(viewer, '/issues/views', { name: 'x', query: 'y'.repeat(1_001) }))[0]).toBe(400);
    for (let nth = 0; nth < 50; nth += 1) await make(viewer, { name: `view ${nth}` });
    expect((await post(viewer, '/issues/views', { name: 'one more' }))[1]).toContain(
      'You have 50 saved views',
    );
  });

  it('shows times on every page in the zone of the member, and UTC on hover', async () => {
    expect((await post(mara, '/settings', { timezone: 'Mars/Olympus' }))[0]).toBe(400);
    expect((await post(mara, '/settings', { timezone: 'Asia/Tokyo' }))[0]).toBe(303);
    const text = (await mara.browser.get('/issues')).text;
    expect(text).toContain('href="/settings"');
    expect(text).toContain(
      'title="21 Nov 2026, 12:00:00 UTC" data-ago="false">21 Nov 2026, 21:00:00</time>, times in Asia/Tokyo',
    );
    expect((await ines.browser.get('/issues')).text).toContain('>21 Nov 2026, 12:00:00 UTC</time>');
    // One page in another zone.
    expect((await ines.browser.get('/issues?zone=Europe/Berlin')).text).toContain(
      '>21 Nov 2026, 13:00:00</time>',
    );
    expect((await model(ines)).time_zone).toBe('UTC');
  });

  it('is unshared by its owner, with chosen projects or as a viewer too', async () => {
    const jo = await pages.signedIn('member', 'Jo Chosen');
    const { store } = pages.deps;
    const memberId = (await store.findMemberByName('jo chosen'))?.id ?? 0;
    const [shop] = await store.listProjects();
    await store.setAccess({ memberId }, { hasAllProjects: false, projectIds: [shop?.id ?? 0] });
    const id = await make(jo, { name: 'of one project', shared: 'on' });
    const share = async (shared: string) => (await post(jo, `/issues/views/${id}/share`, { shared }))[0];
    const isShared = async () => (await saved(jo)).find(({ view }) => view === id)?.is_shared;
    expect([await share('no'), await isShared()]).toEqual([303, false]);
    expect([await share('yes'), await isShared()]).toEqual([303, true]);
    await store.changeMember(memberId, { role: 'viewer' });
    expect([await share('no'), await isShared()]).toEqual([303, false]);
    expect([await share('yes'), await isShared()]).toEqual([403, false]);
    expect((await post(jo, `/issues/views/${id}/delete`, {}))[0]).toBe(303);
  });

  it('deletes private views and settings of a removed member, and keeps shared views', async () => {
    const gone = await pages.signedIn('member', 'Jo Gone');
    await make(gone, { name: 'of Jo' });
    const kept = await make(gone, { name: 'of Jo for all', shared: 'on' });
    await post(gone, '/settings', { timezone: 'Europe/Berlin' });
    const { store } = pages.deps;
    const jo = (await store.listMembers(startOfPages)).find(({ name }) => name === 'Jo Gone');
    await store.removeMember(jo?.id ?? 0, startOfPages);
    expect((await store.listSavedViews(jo?.id ?? 0)).map(({ name }) => name)).toContain('of Jo for all');
    expect((await store.listSavedViews(jo?.id ?? 0)).map(({ name }) => name)).not.toContain('of Jo');
    expect(await store.findPageSettings(jo?.id ?? 0)).toBeNull();
    expect((await saved(mara)).map(({ view }) => view)).toContain(kept);
  });
});

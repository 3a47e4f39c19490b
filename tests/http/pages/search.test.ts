import { describe, expect, it } from '@jest/globals';
import { demoPages } from '../../../routes/pages/demo.ts';
import type { SearchModel } from '../../../src/core/page-models/search.ts';
import { lookAtDemo } from '../../demo/look.ts';
import { shared } from '../../support/shared.ts';
import { openWorkspace } from '../../support/workspace.ts';

const workspace = shared(() => openWorkspace());

const search = (q: string, more = ''): Promise<SearchModel> =>
  workspace.viewer.json(`/search?q=${encodeURIComponent(q)}${more}`);
const exact = async (q: string) => (await search(q)).exact.map(({ kind, id }) => [kind, id]);
const kindsOf = ({ groups }: SearchModel) => groups.map(({ kind, total }) => [kind, total]);

describe('an exact identifier', () => {
  it('finds an issue by its number and an event by its id in either form', async () => {
    const { issueIds, eventIds } = workspace.world;
    expect(await exact(`#${issueIds.payment}`)).toContainEqual(['issues', issueIds.payment]);
    expect(await exact(String(issueIds.payment))).toContainEqual(['issues', issueIds.payment]);
    const [eventId = ''] = eventIds;
    expect(await exact(eventId)).toEqual([['events', eventId]]);
    const spelled = eventId.toUpperCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    expect(await exact(spelled)).toEqual([['events', eventId]]);
  });

  it('finds a release by its version, and everything built from a commit', async () => {
    const { releaseIds, testRunId } = workspace.world;
    expect(await exact('shop@1.1.0')).toEqual([['releases', releaseIds.new]]);
    expect(await exact('b'.repeat(40))).toEqual([
      ['releases', releaseIds.new],
      ['test_runs', testRunId],
    ]);
    expect(await exact('A'.repeat(40))).toEqual([['releases', releaseIds.old]]);
    expect(await exact('shop@1.1')).toEqual([]);
  });

  it('finds a domain by its host and an artifact by its checksum', async () => {
    expect((await search('Shop.example')).exact).toMatchObject([{ kind: 'domains', title: 'shop.example' }]);
    const { body } = await workspace.app.get(`/artifacts/${workspace.world.artifactIds[0]}`);
    expect(await exact(body.sha256)).toEqual([['artifacts', workspace.world.artifactIds[0]]]);
  });
});

describe('search words', () => {
  it('find results by kind, each with a link to its page', async () => {
    const model = await search('shop@1.1.0');
    expect(kindsOf(model)).toEqual([
      ['releases', 1],
      ['deploys', 1],
      ['test_runs', 1],
    ]);
    const { text } = await workspace.viewer.get('/search?q=shop%401.1.0');
    for (const { hits } of model.groups) for (const { path } of hits) expect(text).toContain(`href="${path}`);
    expect(text).toContain('<mark>shop@1.1.0</mark>');
  });

  it('show three results of a kind, and all when that kind is chosen', async () => {
    const { app } = workspace;
    for (let index = 1; index <= 5; index += 1) {
      await app.deps.store.addDomain({
        projectId: app.project.id,
        host: `s${index}.many.example`,
        bugReports: true,
        createdAtMs: app.deps.now(),
      });
    }
    const all = (await search('many.example')).groups[0];
    expect([all?.kind, all?.hits.length, all?.total, all?.more]).toEqual(['domains', 3, 5, false]);
    expect((await search('many.example', '&type=domains')).groups[0]?.hits).toHaveLength(5);
    expect((await search('many.example', '&type=issues')).groups[0]?.hits).toHaveLength(0);
  });

  it('without results are repeated on the page', async () => {
    const { unknown_words: words } = await search('KeyError is:foo zzz');
    expect(words).toEqual(['is:foo', 'zzz']);
    expect((await search('KeyError')).unknown_words).toEqual([]);
    const { text } = await workspace.viewer.get('/search?q=KeyError+is%3Afoo');
    expect(text).toContain('No issue has <code><bdi>is:foo</bdi></code>.');
  });

  it('in the filter syntax of another tool are explained by every list without results', async () => {
    const runId = workspace.world.testRunId;
    const lists = ['/releases', '/deploys', '/artifacts', '/test-runs', `/test-runs/${runId}/cases`];
    lists.push('/feedback', '/projects', '/domains', '/live');
    for (const path of lists) {
      const { status, text } = await workspace.viewer.get(`${path}?q=is%3Afoo`);
      expect([path, status, text.includes('searched as text: <code><bdi>is:foo</bdi></code>')]).toEqual([
        path,
        200,
        true,
      ]);
      const plain = await workspace.viewer.get(`${path}?q=https%3A%2F%2Fnowhere.example%3A99`);
      expect([path, plain.text.includes('searched as text')]).toEqual([path, false]);
    }
    for (const path of ['/monitors', '/alert-channels', '/incidents']) {
      const { text } = await lookAtDemo(demoPages(), `${path}?q=is%3Afoo`);
      expect([path, text.includes('searched as text: is:foo')]).toEqual([path, true]);
    }
  });

  it('search only the selected project', async () => {
    const projects = await workspace.app.deps.store.listProjects();
    const other = projects.find(({ name }) => name === 'other')?.id;
    expect(kindsOf(await search('KeyError'))).toEqual([['issues', 1]]);
    expect(kindsOf(await search('KeyError', `&project=${other}`))).toEqual([['issues', 1]]);
    expect(kindsOf(await search('TypeError', `&project=${other}`))).toEqual([]);
    const { text } = await workspace.viewer.get(`/search?q=TypeError&project=${other}`);
    expect(text).toContain('No results');
    expect(text).toContain('Search all projects');
  });

  it('find bug reports by their message, never by their author', async () => {
    expect(kindsOf(await search('total is gone'))).toEqual([['feedback', 1]]);
    const reports = await workspace.app.deps.store.newestReports([workspace.app.project.id], 9);
    expect(reports).toHaveLength(1);
    const { body } = await workspace.app.get(`/feedback/${reports[0]?.id}`);
    for (const hidden of [body.name, body.email]) {
      if (typeof hidden === 'string') expect(kindsOf(await search(hidden))).toEqual([]);
    }
    expect(typeof (body.email ?? body.name)).toBe('string');
  });

  it('are shown as they were sent', async () => {
    const evil = '"><img src=x onerror=alert(1)>&amp;';
    const { status, text } = await workspace.viewer.get(`/search?q=${encodeURIComponent(evil)}`);
    expect(status).toBe(200);
    expect(text).not.toContain('<img');
  });

  it('are explained where none were given', async () => {
    const nothing = { exact: [], groups: [], unknown_words: [] };
    expect(await search('  ')).toEqual({ q: '', type: null, ...nothing });
    expect((await workspace.viewer.get('/search')).text).toContain('What can be searched');
  });
});

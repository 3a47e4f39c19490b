// What the pages of an issue do, by the API: Markdown, deletion, splits, and deleting comments.
import { describe, expect, it } from '@jest/globals';
import { openAsMember } from '../support/as-member.ts';
import { shared } from '../support/shared.ts';
import { openWorkspace } from '../support/workspace.ts';

const workspace = shared(() => openWorkspace());

const newIssue = async (fingerprint: string): Promise<number> =>
  (await workspace.app.post('/store', { message: 'cannot find a', fingerprint: [fingerprint] })).body
    .issue_id;
const actions = async (): Promise<string[]> =>
  (await workspace.app.deps.store.walkAudit(0, 1_000)).map(({ action }) => action);

describe('Markdown', () => {
  it('is the text of the page, of an issue and of an event', async () => {
    const { app, viewer, world } = workspace;
    const [eventId] = world.eventIds;
    for (const [path, page] of [
      [`/issues/${world.issueIds.basket}.md`, `/issues/${world.issueIds.basket}.md`],
      [`/events/${eventId}.md`, `/issues/${world.issueIds.basket}/events/${eventId}.md`],
    ] as const) {
      const { status, text, headers } = await app.get(path);
      expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
      expect(text).toContain('at renderTotals (src/renderTotals.py:14)');
      expect(text).toBe((await viewer.get(page)).text);
      expect(text).toContain(`${app.origin}/issues/`);
    }
  });

  it('is 404 for an unknown issue or event', async () => {
    const { app, world } = workspace;
    for (const path of ['/issues/999.md', `/issues/${world.otherIssueId}.md`, '/events/1.md']) {
      expect(await app.get(path)).toHaveStatus(404);
    }
  });
});

describe('a split', () => {
  it('shows what can be moved, and moves it', async () => {
    const { app } = workspace;
    const [into, from] = [await newIssue('one'), await newIssue('two')];
    await app.postSecret(`/issues/${into}`, { merge: [from] });
    const hashes = (await app.get(`/issues/${into}/hashes`)).body;
    expect(hashes.map((each: { events: number; issue_id: number }) => [each.events, each.issue_id])).toEqual([
      [1, into],
      [1, from],
    ]);
    const moved = await app.postSecret(`/issues/${into}/split`, { hashes: [hashes[1].hash] });
    expect([moved.status, moved.body.events]).toEqual([201, 1]);
    expect((await app.get(`/issues/${into}`)).body.events).toBe(1);
    expect((await actions()).at(-1)).toBe('issue.split');
  });

  it('changes nothing where it is refused', async () => {
    const { app } = workspace;
    const id = await newIssue('whole');
    const [{ hash }] = (await app.get(`/issues/${id}/hashes`)).body;
    const before = await actions();
    for (const body of [
      { hashes: [hash] },
      { hashes: ['a'.repeat(64)] },
      { hashes: ['x'] },
      { hashes: [] },
      {},
      { hashes: [hash], into: 1 },
    ]) {
      expect(await app.postSecret(`/issues/${id}/split`, body)).toHaveStatus(400);
    }
    expect((await app.get(`/issues/${id}/hashes`)).body).toHaveLength(1);
    expect(await actions()).toEqual(before);
  });
});

it('deletes an issue with its events, once', async () => {
  const { app } = workspace;
  const { body } = await app.post('/store', { message: 'cannot find a', fingerprint: ['gone'] });
  const path = `/issues/${body.issue_id}`;
  const gone = await app.deleteSecret(path);
  expect([gone.status, gone.body.deleted, gone.body.previous.issue_id]).toEqual([200, true, body.issue_id]);
  expect(await app.get(path)).toHaveStatus(404);
  expect(await app.get(`/events/${body.event_id}`)).toHaveStatus(404);
  expect(await app.deleteSecret(path)).toHaveStatus(404);
  expect((await actions()).at(-1)).toBe('issue.deleted');
});

it('a comment is deleted by its author, an admin or a key, and by no other member', async () => {
  const { app } = workspace;
  const path = `/issues/${await newIssue('said')}/comments`;
  const [ann, ben, root] = [
    await openAsMember(app, 'member', ['issues']),
    await openAsMember(app, 'member', ['issues']),
    await openAsMember(app, 'admin', ['issues']),
  ];
  const said = async (): Promise<string> =>
    `${path}/${(await ann.post(path, { text: 'x' })).body.comment_id}`;
  const refused = await ben.delete(await said());
  expect([refused.status, refused.body.code, refused.body.data.reason]).toEqual([
    403,
    'rest_forbidden',
    'author',
  ]);
  expect((await app.get(path)).body).toHaveLength(1);
  expect((await actions()).at(-1)).toBe('issue.commented');
  const own = await ann.delete(await said());
  expect([own.status, own.body.previous.text]).toEqual([200, 'x']);
  expect((await actions()).at(-1)).toBe('issue.comment_removed');
  expect(await root.delete(await said())).toHaveStatus(200);
  expect(await app.deleteSecret(await said())).toHaveStatus(200);
  expect(await app.deleteSecret(`${path}/999`)).toHaveStatus(404);
  expect((await app.get(path)).body).toHaveLength(1);
});

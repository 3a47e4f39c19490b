import { beforeAll, describe, expect, it } from '@jest/globals';
import { finishBackgroundWork } from '../../../src/core/issues/background-work.ts';
import { shared } from '../../support/shared.ts';
import { openWorkspace } from '../../support/workspace.ts';

const user = { id: 'u-84213', email: 'renske@northwind.example', username: 'renske.dv', name: 'Renske' };

let hash: string;
const world = shared(() => openWorkspace());
beforeAll(async () => {
  const other = await world.app.addProject('second shop');
  for (const key of [world.app.publicKey, other.publicKey]) {
    const event = { message: 'Cart broke', platform: 'javascript', user };
    expect(await world.app.post('/store', event, { 'X-Notifier-Key': key })).toHaveStatus(201);
  }
  const found = await world.admin.json('/users?query=u-84213');
  hash = found.user.user_hash;
});

const newest = async () => (await world.admin.json('/audit')).entries[0];

describe('the page', () => {
  it('finds a user in all projects by each name, and shows it masked', async () => {
    for (const query of ['u-84213', user.email, 'user.username:renske.dv', 'renske']) {
      const { text } = await world.viewer.get(`/users?query=${query}`);
      expect(text).toContain('User u-84213');
      expect(text).toContain('r…@northwind.example');
      expect(text).not.toContain(`<bdi>${user.email}`);
    }
    const { user: found, matches } = await world.viewer.json('/users?query=u-84213');
    expect(matches).toHaveLength(1);
    expect(found).toMatchObject({ id: 'u-84213', email: 'r…@northwind.example', username: 'r…', events: 2 });
    expect(found.projects).toMatchObject([{ events: 1 }, { events: 1 }]);
    expect(found.issues).toHaveLength(2);
    expect(found.recent).toEqual({ issues: 2, unresolved: 2, events: 2 });
    const { text } = await world.viewer.get('/users?query=u-84213');
    // Enter sends a form from an input, not from a textarea.
    expect(text).toMatch(/<input id="uq"[^>]* value="u-84213"/);
    expect(text).toContain('href="/issues?query=user.id%3Au-84213&amp;range=90d"');
  });

  it('says that no user matches, and is 404 for an unknown key', async () => {
    expect((await world.viewer.get('/users?query=nobody')).text).toContain('No user matches.');
    expect(await world.viewer.get(`/users/${'0'.repeat(32)}`)).toHaveStatus(404);
    expect(await world.viewer.get(`/users/${hash}`)).toHaveStatus(200);
  });
});

describe('an issue', () => {
  it('lists its users masked, each with a link to their page', async () => {
    const [{ issue_id: id }] = (await world.viewer.json(`/users/${hash}`)).issues;
    const { users, users_total: total } = await world.viewer.json(`/issues/${id}/users`);
    expect([total, users]).toMatchObject([1, [{ id: 'u-84213', email: 'r…@northwind.example', events: 1 }]]);
    const { text } = await world.viewer.get(`/issues/${id}/users`);
    expect(text).toContain(`href="/users/${users[0].user_hash}"`);
    expect(text).toContain('1 of 1 user in the newest 1 stored event');
    expect(text).not.toContain(user.email);
    const beyond = await world.viewer.json(`/issues/${id}/users?page=2`);
    expect([beyond.users, beyond.newer, beyond.older]).toEqual([[], 1, null]);
  });
});

describe('an event', () => {
  it('leads to the page of its user, and from its tags to the issues that have them', async () => {
    const { text } = await world.viewer.get(`/issues/${world.world.issueIds.basket}`);
    const toUser = text.slice(text.indexOf('id="s-user"')).match(/href="(\/users[^"]+)"/)?.[1] ?? '';
    expect((await world.viewer.get(toUser)).text).toContain('User u2');
    const toTag = text.slice(text.indexOf('id="s-tags"')).match(/href="(\/issues[^"]+zone[^"]+)"/)?.[1] ?? '';
    const { issues } = await world.viewer.json(toTag.replaceAll('&amp;', '&'));
    const ids = issues.map((issue: { issue_id: number }) => issue.issue_id);
    expect(ids).toContain(world.world.issueIds.basket);
  });
});

describe('what only admins may', () => {
  it('is not offered to others', async () => {
    for (const who of [world.viewer, world.member]) {
      expect((await who.get(`/users/${hash}`)).text).not.toContain('Erase');
    }
  });

  it('reveals the e-mail address once, with an audit entry', async () => {
    const answer = await world.admin.post(`/users/${hash}/email`);
    expect([answer.status, answer.text.includes(user.email)]).toEqual([200, true]);
    const entry = await newest();
    expect(entry).toMatchObject({ action: 'user.email_revealed', object: { kind: 'user', id: hash } });
    expect(JSON.stringify(entry)).not.toContain(user.email);
    expect((await world.admin.get(`/users/${hash}`)).text).not.toContain(user.email);
  });

  it('exports all stored data, with an audit entry', async () => {
    const answer = await world.admin.get(`/users/${hash}/export`);
    expect(answer).toHaveStatus(200);
    const exports = JSON.parse(answer.text);
    expect(exports).toHaveLength(2);
    expect(exports[0]).toMatchObject({ next: null, user: { email: user.email }, events: [{ user }] });
    expect(await newest()).toMatchObject({ action: 'user.exported' });
  });

  it('erases once the id was typed', async () => {
    expect(await world.admin.post(`/users/${hash}/erase`, { typed: 'u-8421' })).toHaveStatus(400);
    expect(await world.admin.get(`/users/${hash}`)).toHaveStatus(200);
    const answer = await world.admin.post(`/users/${hash}/erase`, { typed: 'u-84213' });
    expect(answer).toHaveStatus(303);
    await finishBackgroundWork(world.app.deps, () => false);
    expect(await world.admin.get(`/users/${hash}`)).toHaveStatus(404);
    expect((await world.admin.json('/users?query=u-84213')).matches).toEqual([]);
    const { entries } = await world.admin.json('/audit');
    expect(entries.slice(0, 2)).toMatchObject([{ action: 'user.erased' }, { action: 'user.erased' }]);
    expect(JSON.stringify(entries)).not.toContain('84213');
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { NewFeedback } from '../../../src/core/store/feedback.ts';
import { reportOf } from '../../data/support/reports.ts';
import { startOfTests } from '../../support/app.ts';
import { pngOf } from '../../support/images.ts';
import { shared } from '../../support/shared.ts';
import { openWorkspace } from '../../support/workspace.ts';

const email = 'ines@mail.example';

let id: number;
const world = shared(() => openWorkspace());
beforeAll(() => {
  id = world.world.feedbackIds.basket;
});

const entries = async (): Promise<number> => (await world.app.deps.store.auditHead()).entries;
const newest = async () => (await world.admin.json('/audit')).entries[0];
const stateOf = async (report = id): Promise<string> =>
  (await world.viewer.json(`/feedback/${report}`)).report.state;
const record = async (parts: Partial<NewFeedback>): Promise<number> => {
  const report = reportOf({ projectId: world.app.project.id, createdAtMs: startOfTests, ...parts });
  return (await world.app.deps.store.recordFeedback(report)).id;
};

describe('rights', () => {
  it('show a viewer no form', async () => {
    for (const path of ['/feedback', `/feedback/${id}`]) {
      expect((await world.viewer.get(path)).text).not.toMatch(/method="post" action="[^"]*\/feedback/);
    }
  });
});

describe('contact details', () => {
  it('are masked on pages and in their JSON', async () => {
    for (const who of [world.viewer, world.member, world.admin]) {
      for (const path of ['/feedback', '/feedback.json', `/feedback/${id}`, `/feedback/${id}.json`]) {
        const { status, text } = await who.get(path);
        expect([path, status, text.includes(email)]).toEqual([path, 200, false]);
      }
    }
    expect((await world.viewer.get(`/feedback/${id}`)).text).toContain('i•••@mail.example');
    const masked = await record({ name: 'ada@home.example', email: 'ada' });
    const { report } = await world.viewer.json(`/feedback/${masked}`);
    expect([report.name, report.email]).toEqual(['a•••@home.example', 'a•••']);
  });

  it('are revealed by an audited action, in its answer only', async () => {
    const before = await entries();
    expect(await world.member.post(`/feedback/${id}/contact`)).toHaveStatus(403);
    const answer = await world.admin.post(`/feedback/${id}/contact`);
    expect([answer.status, answer.text.includes(email)]).toEqual([200, true]);
    expect(await entries()).toBe(before + 1);
    const entry = await newest();
    expect(entry).toMatchObject({ action: 'feedback.email_revealed', object: { id: String(id) } });
    expect(JSON.stringify(entry)).not.toContain(email);
    // A link is followed by who only looks at it.
    expect(await world.admin.get(`/feedback/${id}/contact`)).toHaveStatus(405);
    expect((await world.admin.get(`/feedback/${id}`)).text).not.toContain(email);
  });
});

describe('a screenshot', () => {
  const bytesOf = async (parts: Array<{ bytes: Buffer; contentType: 'image/png' }>) => {
    const screenshots = parts.map((part) => ({ ...part, width: 4, height: 3, name: null }));
    const report = await record({ screenshots });
    return world.viewer.get(`/feedback/${report}/screenshots/1`);
  };

  it('is sent with a sandbox policy', async () => {
    const { status, headers } = await bytesOf([{ bytes: pngOf(4, 3), contentType: 'image/png' }]);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'image/png',
      undefined,
    ]);
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    '<!doctype html><script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '%PDF-1.7',
    '',
  ])('that is no image by its bytes is only downloaded: %s', async (text) => {
    const { headers } = await bytesOf([{ bytes: Buffer.from(text), contentType: 'image/png' }]);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="?feedback-\d+-1\.bin"?$/);
    expect(headers['content-security-policy']).toMatch(/^sandbox/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('that does not exist is 404, and signed-out visitors go to sign-in', async () => {
    for (const place of ['2', '0', 'x']) {
      expect(await world.viewer.get(`/feedback/${id}/screenshots/${place}`)).toHaveStatus(404);
    }
    const response = await fetch(`${world.app.origin}/feedback/${id}/screenshots/1`, { redirect: 'manual' });
    expect(response).toHaveStatus(303);
  });
});

describe('a report', () => {
  it('changes its status, shows who changed it, and is reopened', async () => {
    const report = await record({});
    const back = { back: `/feedback/${report}` };
    const answer = await world.member.post(`/feedback/${report}/state`, { ...back, state: 'resolved' });
    expect([answer.status, answer.location]).toEqual([303, `/feedback/${report}`]);
    const shown = (await world.viewer.json(`/feedback/${report}`)).report;
    expect(shown).toMatchObject({ state: 'resolved', state_by: 'The member' });
    expect(await newest()).toMatchObject({ action: 'feedback.changed', summary: 'open to resolved' });
    const before = await entries();
    await world.member.post(`/feedback/${report}/state`, { ...back, state: 'resolved' });
    expect(await entries()).toBe(before);
    await world.member.post(`/feedback/${report}/state`, { ...back, state: 'spam' });
    const listed = await world.app.get('/feedback?spam=true');
    expect(listed.body.map((each: { feedback_id: number }) => each.feedback_id)).toContain(report);
    expect(await world.member.post(`/feedback/${report}/state`, { state: 'gone' })).toHaveStatus(400);
    expect(await stateOf(report)).toBe('spam');
  });

  it('is changed with others, all or none', async () => {
    const ids = [await record({}), await record({})];
    const post = (chosen: readonly number[]) =>
      world.member.post('/feedback', {
        state: 'resolved',
        back: '/feedback',
        'feedback[]': chosen.map(String),
      });
    expect(await post([...ids, 999_999])).toHaveStatus(404);
    expect(await Promise.all(ids.map(stateOf))).toEqual(['open', 'open']);
    const before = await entries();
    expect((await post(ids)).location).toBe('/feedback');
    expect(await Promise.all(ids.map(stateOf))).toEqual(['resolved', 'resolved']);
    expect(await entries()).toBe(before + 2);
    expect((await post([])).location).toBe('/feedback?notice=nothing-chosen');
  });

  it('is deleted by an admin after a confirmation', async () => {
    const report = await record({ message: 'secret words' });
    expect(await world.admin.post(`/feedback/${report}/delete`)).toHaveStatus(400);
    expect((await world.admin.post(`/feedback/${report}/delete`, { sure: 'yes' })).location).toBe(
      '/feedback',
    );
    expect(await world.viewer.get(`/feedback/${report}`)).toHaveStatus(404);
    const entry = await newest();
    expect(entry).toMatchObject({ action: 'feedback.deleted', object: { id: String(report) } });
    expect(JSON.stringify(entry)).not.toContain('secret words');
  });

  it('links to the events of that moment', async () => {
    const { event, report } = await world.viewer.json(`/feedback/${id}`);
    expect(event.event_id).toBe(report.event_id);
    expect(event.trail).toEqual([expect.objectContaining({ category: 'ui.click', text: 'button.pay' })]);
    const { text } = await world.viewer.get(`/feedback/${id}`);
    expect(text).toContain('Related event');
    expect(text).toContain(`/feedback/${id}/screenshots/1"`);
  });
});

describe('the list', () => {
  it('has pages by cursor, and an invalid cursor is the first page', async () => {
    for (let at = 0; at < 26; at += 1) await record({ domain: 'many.example', message: `number ${at}` });
    const path = '/feedback?domain=many.example';
    const first = await world.viewer.json(path);
    expect([first.reports.length, first.newer]).toEqual([25, null]);
    const second = await world.viewer.json(`${path}&after=${first.older}`);
    expect(second.reports.map(({ message }: { message: string }) => message)).toEqual(['number 0']);
    expect(second.older).toBeNull();
    const back = await world.viewer.json(`${path}&before=${second.newer}`);
    expect(back.reports).toEqual(first.reports);
    for (const wrong of ['after=x', 'before=1']) {
      expect((await world.viewer.json(`${path}&${wrong}`)).reports).toEqual(first.reports);
    }
    expect(await world.viewer.get('/feedback?state=gone')).toHaveStatus(400);
  });

  it('says why it is empty', async () => {
    const other = world.world.otherIssueId;
    const { projects } = await world.viewer.json('/projects');
    const { project_id: empty } = projects.find(({ name }: { name: string }) => name === 'empty');
    const said = async (query: string) => (await world.viewer.get(`/feedback?${query}`)).text;
    expect(other).toBeGreaterThan(0);
    expect(await said(`project=${empty}`)).toContain('No domains yet');
    const store = world.app.deps.store;
    const domain = { projectId: empty, host: 'e.example', bugReports: false, createdAtMs: startOfTests };
    const added = await store.addDomain(domain);
    expect(await said(`project=${empty}`)).toContain('Feedback is off');
    await store.changeDomain(empty, added.domain.id, { bugReports: true });
    expect(await said(`project=${empty}`)).toContain('No feedback yet');
    expect(await said(`project=${empty}&q=nope`)).toContain('No feedback matches');
  });
});

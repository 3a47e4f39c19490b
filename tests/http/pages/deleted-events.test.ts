import { expect, it } from '@jest/globals';
import { runRetention } from '../../../src/core/retention/retention.ts';
import { shared } from '../../support/shared.ts';
import { openWorkspace } from '../../support/workspace.ts';

const world = shared(() => openWorkspace());

it('every page shows how many events are counted and stored, and that one was deleted', async () => {
  const { deps } = world.app;
  const { project, publicKey } = await world.app.addProject('loud');
  const send = async (message: string) => {
    world.app.advance(1000);
    const { body } = await world.app.post('/store', { message }, { 'X-Notifier-Key': publicKey });
    return body as { event_id: string; issue_id: number };
  };
  const prune = async (events: number): Promise<void> => {
    const config = { ...deps.config, retention: { days: 0, events, bytes: 0 } };
    const quick = { isOver: () => false, sleep: async () => {}, onProgress: () => {} };
    await runRetention(
      { ...deps, config },
      { ...quick, projectId: project.id, isConfirmed: true, isDryRun: false },
    );
  };
  const ids: string[] = [];
  let issue = '';
  for (let n = 0; n < 5; n += 1) {
    const { event_id: id, issue_id: issueId } = await send('the cart is gone');
    ids.push(id);
    issue = `/issues/${issueId}`;
  }
  await send('and the list');
  await prune(3);

  const gone = await world.viewer.get(`${issue}/events/${ids[2]}`);
  expect(gone.text).toContain('This event is no longer stored');
  expect(gone.text).toContain('This one was deleted, or it belongs to another issue');
  const { text } = await world.viewer.get(issue);
  expect(text).toContain('newest of 2');
  const shown = await world.viewer.json(`${issue}/events`);
  expect(shown.events.map((each: { event_id: string }) => each.event_id)).toEqual([ids[4], ids[0]]);
  expect(shown.issue.events).toBe(5);
  // From one that stays to the next that stays.
  const newest = await deps.store.findEvent(project.id, ids[4] ?? '');
  expect([newest?.olderEventId, newest?.newerEventId]).toEqual([ids[0], null]);

  await prune(1);
  const empty = await world.viewer.get(issue);
  expect(empty.text).toContain('No events of this issue are stored any more');
  expect((await world.viewer.get(`${issue}/events`)).text).toContain('No events are stored any more');
  expect((await world.viewer.json(issue)).issue.events).toBe(5);
  expect(`/issues/${(await send('the cart is gone')).issue_id}`).toBe(issue);
  expect((await world.viewer.json(issue)).issue.events).toBe(6);
});

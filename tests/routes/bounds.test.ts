import { describe, expect, it } from '@jest/globals';
import { sharedApp } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const app = sharedApp();

describe('environments past the limit of a project', () => {
  inFull(it)('count as “other”, and the event is stored as it was sent', async () => {
    const send = (environment: string) => app.post('/store', { message: 'many places', environment });
    const events = Array.from({ length: 200 }, (_, at) => ({
      message: 'many places',
      environment: `e${at + 1}`,
    }));
    expect(await app.post('/envelope', { events })).toHaveStatus(201);
    const over = await send('e201');
    expect(over.body).toMatchObject({ accepted: true });
    expect((await app.get(`/events/${over.body.event_id}`)).body.environment).toBe('e201');
    const total = async (environment: string): Promise<unknown> =>
      (await app.get(`/issues/${over.body.issue_id}/events?environment=${environment}`)).headers[
        'x-wp-total'
      ];
    expect([await total('e1'), await total('e200'), await total('e201'), await total('other')]).toEqual([
      '1',
      '1',
      '0',
      '1',
    ]);
    expect((await app.get('/issues?environment=other')).body).toMatchObject([
      { issue_id: over.body.issue_id },
    ]);
    // One that has its place keeps it.
    await send('e200');
    expect(await total('e200')).toBe('2');
  });
});

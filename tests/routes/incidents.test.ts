import { describe, expect, it } from '@jest/globals';
import { openTestApp } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { forEachTest, itForAll } from '../support/shared.ts';

const app = forEachTest(() => openTestApp());

const opened = { title: 'Checkout fails' };
const open = async (more: object = {}) => (await app.postSecret('/incidents', { ...opened, ...more })).body;

describe('an incident', () => {
  it('is opened with 201, and read as it was answered', async () => {
    const monitor = await app.postSecret('/monitors', {
      type: 'tcp',
      name: 'Mail',
      host: 'a.example',
      port: 25,
    });
    const id = monitor.body.monitor_id;
    const made = await app.postSecret('/incidents', {
      ...opened,
      severity: 'minor',
      started_at: '2026-11-21T11:45:00Z',
      monitors: [id, id],
      message: 'Cards are refused.',
      public: true,
    });
    expect([made.status, made.body]).toEqual([
      201,
      {
        accepted: true,
        incident_id: 1,
        title: 'Checkout fails',
        severity: 'minor',
        state: 'investigating',
        cause: '',
        lead: null,
        opened_by: expect.stringMatching(/…/),
        started_at: '2026-11-21T11:45:00.000Z',
        acknowledged_at: '2026-11-21T12:00:00.000Z',
        identified_at: null,
        mitigated_at: null,
        resolved_at: null,
        acknowledged_after: 900,
        resolved_after: null,
        affects: [{ kind: 'monitor', id, name: 'Mail' }],
        causes: [],
        post_mortem: null,
        updates: [
          {
            at: '2026-11-21T12:00:00.000Z',
            author: expect.stringMatching(/…/),
            public: true,
            message: 'Cards are refused.',
            from: null,
            to: 'investigating',
          },
        ],
      },
    ]);
    const { accepted: _accepted, ...view } = made.body;
    expect((await app.get('/incidents/1')).body).toEqual(view);
    expect((await app.get('/incidents')).body).toEqual([view]);
  });

  it('goes through its states, each with its time', async () => {
    const { incident_id: id } = await open();
    const to = async (state: string) => {
      app.advance(60_000);
      return (await app.postSecret(`/incidents/${id}`, { state })).body;
    };
    expect(await to('identified')).toMatchObject({ identified_at: '2026-11-21T12:01:00.000Z' });
    expect(await to('monitoring')).toMatchObject({
      mitigated_at: '2026-11-21T12:02:00.000Z',
      resolved_at: null,
    });
    expect(await to('resolved')).toMatchObject({
      resolved_after: 180,
      mitigated_at: '2026-11-21T12:02:00.000Z',
    });
    const again = await to('investigating');
    expect(again).toMatchObject({
      resolved_at: null,
      mitigated_at: null,
      identified_at: '2026-11-21T12:01:00.000Z',
    });
    expect(again.updates.map(({ from, to: next }: { from: string; to: string }) => [from, next])).toEqual([
      ['resolved', 'investigating'],
      ['monitoring', 'resolved'],
      ['identified', 'monitoring'],
      ['investigating', 'identified'],
      [null, 'investigating'],
    ]);
  });

  it('is filtered by state and words, the newest first', async () => {
    await open();
    app.advance(1_000);
    const { incident_id: id } = await open({ title: 'Search is slow' });
    const titles = async (query: string) =>
      (await app.get(`/incidents${query}`)).body.map(({ title }: { title: string }) => title);
    expect(await titles('')).toEqual(['Search is slow', 'Checkout fails']);
    expect(await titles('?order=asc&search=CHECK')).toEqual(['Checkout fails']);
    await app.postSecret(`/incidents/${id}`, { state: 'resolved' });
    expect(await titles('?state=open')).toEqual(['Checkout fails']);
    expect(await titles('?state=resolved')).toEqual(['Search is slow']);
    expect((await app.get('/incidents?per_page=1')).headers['x-wp-total']).toBe('2');
  });

  it('is found by its short id, however it is written', async () => {
    await open({ title: 'Straße gesperrt' });
    await open({ title: 'Mu\u0308ller wartet' });
    const found = async (search: string) => {
      const { body } = await app.get(`/incidents?search=${encodeURIComponent(search)}`);
      return body.map(({ incident_id: id }: { incident_id: number }) => id);
    };
    expect([await found('STRASSE'), await found(' M\u00fcller ')]).toEqual([[1], [2]]);
  });

  it('is listed with its updates on its own page only', async () => {
    for (const title of ['One', 'Two', 'Two', 'Three']) await open({ title, message: `${title} is down.` });
    const { store } = app.deps;
    const whole = store.listIncidentRecords;
    const read: unknown[] = [];
    Object.assign(store, {
      listIncidentRecords(which: Parameters<typeof whole>[0]) {
        read.push(which);
        return whole(which);
      },
    });
    const { body, headers } = await app.get('/incidents?orderby=title&order=asc&per_page=2&page=2');
    expect([body.length, headers['x-wp-total']]).toEqual([2, '4']);
    expect(body[0].updates).toMatchObject([{ message: 'Two is down.' }]);
    expect(read).toEqual([[2, 3]]);
  });

  it('is deleted with its updates', async () => {
    const { incident_id: id } = await open();
    const answer = await app.deleteSecret(`/incidents/${id}`);
    expect(answer.body).toMatchObject({ deleted: true, previous: { title: 'Checkout fails' } });
    expect(await app.get(`/incidents/${id}`)).toHaveStatus(404);
  });

  itForAll(
    [
      [{ title: ' \n ' }, 'title'],
      [{ started_at: 'yesterday' }, 'started_at'],
      [{ started_at: '2026-11-22T12:00:00Z' }, 'started_at'],
      [{ monitors: [7] }, 'monitors'],
      [{ severity: 'planned' }, 'severity'],
    ],
    'is not opened with an invalid field',
    async (wrong, field) => {
      const answer = await app.postSecret('/incidents', { ...opened, ...wrong });
      expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, [field]]);
      expect((await app.get('/incidents')).body).toEqual([]);
    },
  );

  it.each([
    [{ state: 'over' }, 'state'],
    [{ message: '  ' }, 'message'],
    [{ link: { kind: 'issue', id: 9 } }, 'link'],
    [{ link: { kind: 'issue', id: 9 }, dismiss: { kind: 'issue', id: 9 } }, 'dismiss'],
  ])('is not changed by %j', async (wrong, field) => {
    const { incident_id: id, accepted: _accepted, ...before } = await open();
    const answer = await app.postSecret(`/incidents/${id}`, wrong);
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, [field]]);
    expect((await app.get(`/incidents/${id}`)).body).toMatchObject(before);
  });

  it('has an audit entry for each action', async () => {
    const { incident_id: id } = await open();
    for (const asked of [
      { acknowledged: true },
      { message: 'We look.' },
      { lead: 'Mara' },
      { state: 'resolved' },
    ]) {
      expect(await app.postSecret(`/incidents/${id}`, asked)).toHaveStatus(200);
    }
    const rows = await app.deps.store.listAudit(wholeAudit, { limit: 50 });
    expect(rows.map(({ action, summary }) => [action, summary]).toReversed()).toEqual([
      ['incident.opened', 'critical, investigating'],
      ['incident.acknowledged', 'critical, investigating'],
      ['incident.updated', 'critical, investigating'],
      ['incident.changed', 'critical, investigating'],
      ['incident.resolved', 'critical, resolved'],
    ]);
  });
});

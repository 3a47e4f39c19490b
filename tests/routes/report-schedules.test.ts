import { beforeEach, describe, expect, it } from '@jest/globals';
import { openTestApp } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { forEachTest } from '../support/shared.ts';

let channelId: number;
const app = forEachTest(() => openTestApp({ env: { SMTP_URL: 'smtp://mail.example' } }));
beforeEach(async () => {
  const mail = { type: 'email', name: 'Team', to: 'team@shop.example' };
  channelId = (await app.postSecret('/alert-channels', mail)).body.alert_channel_id;
});

const make = (more: object = {}) =>
  app.postSecret('/report-schedules', { alert_channel_id: channelId, kind: 'week', ...more });

describe('a schedule of reports', () => {
  it('is created with 201, at 08:00 UTC by default, and read as it was answered', async () => {
    const made = await make();
    const schedule = {
      report_schedule_id: 1,
      alert_channel_id: channelId,
      kind: 'week',
      at: '08:00',
      timezone: 'UTC',
      next_at: '2026-11-23T08:00:00.000Z',
      created_at: '2026-11-21T12:00:00.000Z',
      created_by: expect.stringMatching(/…/),
    };
    expect([made.status, made.body]).toEqual([201, { accepted: true, ...schedule }]);
    expect((await app.get('/report-schedules/1')).body).toEqual(schedule);
    expect((await app.get('/report-schedules')).body).toEqual([schedule]);
  });

  it('is replaced by another of its channel and kind, or changed by its number', async () => {
    await make();
    // A zone is shown as its name is written.
    const again = await make({ at: '07:30', timezone: 'europe/berlin' });
    expect([again.status, again.body]).toMatchObject([
      200,
      { report_schedule_id: 1, at: '07:30', timezone: 'Europe/Berlin', next_at: '2026-11-23T06:30:00.000Z' },
    ]);
    const changed = await app.postSecret('/report-schedules/1', { at: '23:00' });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { at: '23:00', timezone: 'Europe/Berlin', next_at: '2026-11-23T22:00:00.000Z' },
    ]);
    expect((await make({ kind: 'month' })).body).toMatchObject({
      kind: 'month',
      next_at: '2026-12-01T08:00:00.000Z',
    });
  });

  it('is refused without mail, channel, valid time or time zone, and changes nothing', async () => {
    const hook = { type: 'slack', name: 'Hook', url: 'https://hooks.example/services/T0/abc' };
    const { alert_channel_id: other } = (await app.postSecret('/alert-channels', hook)).body;
    const refused = [
      [{ alert_channel_id: other }, 'alert_channel_id: reports are only sent by e-mail.'],
      [{ alert_channel_id: 99 }, 'alert_channel_id: there is no alert channel 99.'],
      [{ kind: 'year' }, 'kind is not one of week and month.'],
      [{ at: '8:00' }, null],
      [{ at: '24:00' }, null],
      [{ timezone: 'Mars/Base' }, 'timezone must be a time zone, for example Europe/Berlin.'],
      [{ timezone: '' }, 'timezone must be a time zone, for example Europe/Berlin.'],
      [{ timezone: '+01:00' }, 'timezone must be a time zone, for example Europe/Berlin.'],
    ] as const;
    for (const [asked, words] of refused) {
      const { status, body } = await make(asked);
      expect([asked, status, body.code]).toEqual([asked, 400, 'rest_invalid_param']);
      if (words !== null) expect(Object.values(body.data.params)).toEqual([words]);
    }
    expect((await app.get('/report-schedules')).body).toEqual([]);
  });

  it('is stopped by its number or with its channel, with an audit entry', async () => {
    await make();
    const gone = await app.deleteSecret('/report-schedules/1');
    expect([gone.status, gone.body]).toMatchObject([
      200,
      { deleted: true, previous: { report_schedule_id: 1 } },
    ]);
    await make({ timezone: 'Asia/Tokyo' });
    expect(await app.deleteSecret(`/alert-channels/${channelId}`)).toHaveStatus(200);
    expect((await app.get('/report-schedules')).body).toEqual([]);
    const rows = await app.deps.store.listAudit({ ...wholeAudit, action: 'report' }, { limit: 9 });
    expect(rows.map(({ action, objectName, summary }) => [action, objectName, summary])).toEqual([
      ['report.scheduled', 'Team', 'of each week, 08:00 Asia/Tokyo'],
      ['report.unscheduled', 'Team', 'of each week'],
      ['report.scheduled', 'Team', 'of each week, 08:00 UTC'],
    ]);
  });
});

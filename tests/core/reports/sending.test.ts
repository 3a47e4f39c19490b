import { beforeEach, describe, expect, it } from '@jest/globals';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import type { NotificationSender } from '../../../src/core/ports/notification-sender.ts';
import { createReport } from '../../../src/core/reports/reports.ts';
import { startReportLoop } from '../../../src/core/reports/runner.ts';
import { createReportSchedule, deleteReportSchedule } from '../../../src/core/reports/schedules.ts';
import { mailChannelOf } from '../../data/support/channels.ts';
import { openTestApp } from '../../support/app.ts';
import { forEachTest } from '../../support/shared.ts';

const dayMs = 86_400_000;
const pagesUrl = 'https://errors.example';
const options = { pagesUrl, everyMs: dayMs };
type Mail = Parameters<NotificationSender['mail']>[0];

let channelId: number;
let mails: Mail[];
let isDown: boolean;

const app = forEachTest(() => openTestApp({ nowMs: Date.parse('2026-11-18T12:00:00Z') }));
const reporting = forEachTest(() => startReportLoop(app.deps, options));
beforeEach(async () => {
  [mails, isDown] = [[], false];
  channelId = await addChannel(null);
});

async function addChannel(projectId: number | null, quietHours = ''): Promise<number> {
  const mailbox = { address: 'team@shop.example', target: 't•••@shop.example' };
  const made = await app.deps.store.addChannel(mailChannelOf({ projectId, ...mailbox, quietHours }));
  return made.id;
}

const schedule = async (kind: 'week' | 'month' = 'week', channel = channelId) => {
  const asked = { alert_channel_id: channel, kind, at: '08:00', timezone: 'Europe/Berlin' };
  return (await createReportSchedule(app.deps, null, asked, commandLineSource)).schedule;
};

async function goTo(at: string): Promise<string[]> {
  app.advance(Date.parse(at) - app.deps.now());
  await reporting.runNow();
  const messenger: NotificationSender = {
    canMail: true,
    post: async () => ({ ok: false, status: null, detail: '' }),
    async mail(mail) {
      if (isDown) return { ok: false, status: null, detail: 'it cannot be reached' };
      mails.push(mail);
      return { ok: true, status: null, detail: '' };
    },
  };
  const alerting = startAlerting({ ...app.deps, notificationSender: messenger }, options);
  await alerting.runNow();
  await alerting.stop();
  return mails.map(({ subject }) => subject);
}

const week47 = 'Weekly report: Week 47, 16 to 22 November 2026, all projects';
const week48 = 'Weekly report: Week 48, 23 to 29 November 2026, all projects';

describe('reports are sent', () => {
  it('on Monday morning, with text, HTML, a link and how to stop it', async () => {
    await app.post('/store', { message: 'broken <b>basket</b>', platform: 'php' });
    await schedule();
    expect(await goTo('2026-11-23T06:59:59Z')).toEqual([]);
    expect(await goTo('2026-11-23T07:00:00Z')).toEqual([week47]);
    expect(await goTo('2026-11-29T12:00:00Z')).toEqual([week47]);
    expect(await goTo('2026-11-30T07:00:00Z')).toEqual([week47, week48]);
    const [mail] = mails;
    expect(mail).toMatchObject({
      to: 'team@shop.example',
      stopUrl: `${pagesUrl}/alert-channels/${channelId}/unsubscribe`,
    });
    expect(mail?.text).toContain(`Full report: ${pagesUrl}/reports/2026-W47`);
    expect(mail?.text).toContain(`Unsubscribe: ${pagesUrl}/reports/schedules`);
    expect(mail?.text).toContain('- broken <b>basket</b> (test): 1');
    expect(mail?.html).toContain('broken &lt;b&gt;basket&lt;/b&gt; (test)');
  });

  it('on the first of a month, also where both kinds are sent', async () => {
    await schedule('month');
    await schedule('week');
    expect(await goTo('2026-12-01T07:00:00Z')).toEqual([
      'Monthly report: November 2026, all projects',
      week48,
    ]);
  });

  it('only the newest after a downtime', async () => {
    await schedule();
    expect(await goTo('2026-12-20T12:00:00Z')).toEqual([
      'Weekly report: Week 50, 7 to 13 December 2026, all projects',
    ]);
    expect(await goTo('2026-12-20T13:00:00Z')).toHaveLength(1);
  });

  it('after the quiet hours of a channel', async () => {
    await schedule('week', await addChannel(null, '22:00 to 09:00'));
    expect(await goTo('2026-11-23T07:00:00Z')).toEqual([]);
    expect(await goTo('2026-11-23T09:00:00Z')).toEqual([week47]);
  });

  it('of one project to a channel of that project', async () => {
    const other = await app.addProject('other <i>shop</i>');
    await schedule('week', await addChannel(other.project.id));
    expect(await goTo('2026-11-23T07:00:00Z')).toEqual([
      'Weekly report: Week 47, 16 to 22 November 2026, other <i>shop</i>',
    ]);
    expect(mails[0]?.text).toContain(`${pagesUrl}/reports/2026-W47?project=${other.project.id}`);
    expect(mails[0]?.html).not.toContain('<i>');
    expect(await app.deps.store.findReportOf(other.project.id, '2026-W47')).not.toBeNull();
  });
});

describe('nothing is sent', () => {
  it('to a paused channel, nor later', async () => {
    await schedule();
    await app.deps.store.changeChannel(channelId, { state: 'paused' });
    await goTo('2026-11-23T07:00:00Z');
    await app.deps.store.changeChannel(channelId, { state: 'on' });
    expect(await goTo('2026-11-23T08:00:00Z')).toEqual([]);
    expect(await goTo('2026-11-30T07:00:00Z')).toEqual([week48]);
  });

  it('for a project that is being deleted', async () => {
    await app.post('/store', { message: 'not theirs', platform: 'php' });
    const { project } = await app.addProject('other');
    await schedule('week', await addChannel(project.id));
    await app.deps.store.endProject(project.id, app.deps.now());
    expect(await goTo('2026-11-23T07:00:00Z')).toEqual([]);
    const making = createReport(app.deps, project.id, '2026-W47', commandLineSource);
    await expect(making).rejects.toMatchObject({ status: 404 });
    expect(await app.deps.store.listSavedReports(project.id)).toEqual([]);
  });

  it('after it was stopped, or its channel deleted', async () => {
    const { id } = await schedule();
    const other = await addChannel(null);
    await schedule('week', other);
    await deleteReportSchedule(app.deps, null, id, commandLineSource);
    await app.deps.store.deleteChannel(other);
    expect(await goTo('2026-11-23T07:00:00Z')).toEqual([]);
    expect(await app.deps.store.listReportSchedules(null)).toEqual([]);
  });
});

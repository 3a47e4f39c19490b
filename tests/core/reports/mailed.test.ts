import { describe, expect, it } from '@jest/globals';
import { startAlerting } from '../../../src/core/alerts/runner.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { startReportLoop } from '../../../src/core/reports/runner.ts';
import { createReportSchedule } from '../../../src/core/reports/schedules.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createNotificationSender } from '../../../src/net/notification-sender.ts';
import { parseAllowedTargets } from '../../../src/net/ssrf-guard.ts';
import { mailChannelOf } from '../../data/support/channels.ts';
import { databases } from '../../data/support/databases.ts';
import { startMailServer } from '../../support/alerts/mail-server.ts';
import { openTestApp } from '../../support/app.ts';
import { forEachTest } from '../../support/shared.ts';

const options = { pagesUrl: 'https://errors.example', everyMs: 86_400_000 };
const leaseMs = 15_000;

describe.each(databases)('a report by mail on $name', (database) => {
  const server = forEachTest(startMailServer);
  let channelId: number;
  const app = forEachTest(async () => {
    const messenger = createNotificationSender({
      ...{ resolve: async () => [], allowed: parseAllowedTargets([]), userAgent: 'test' },
      smtpUrl: `smtp://u:p%40ss@127.0.0.1:${server.port}`,
      smtpFrom: 'Notifier <notifier@shop.example>',
    });
    const nowMs = Date.parse('2026-11-18T12:00:00Z');
    const env = { DATABASE_URL: await database.createMigrated() };
    const opened = await openTestApp({ env, nowMs, deps: { notificationSender: messenger } });
    const address = 'team@shop.example, boss@shop.example';
    const channel = await opened.deps.store.addChannel(
      mailChannelOf({ address, target: 't•••@shop.example' }),
    );
    channelId = channel.id;
    await opened.post('/store', { message: 'broken <b>basket</b>', platform: 'php' });
    const asked = { alert_channel_id: channelId, kind: 'week', at: '08:00', timezone: 'Europe/Berlin' };
    await createReportSchedule(opened.deps, null, asked as never, commandLineSource);
    opened.advance(Date.parse('2026-11-23T07:00:00Z') - nowMs);
    return opened;
  });

  const look = async (store: Partial<Store> = {}): Promise<void> => {
    const deps: Deps = { ...app.deps, store: { ...app.deps.store, ...store } };
    const loops = [startReportLoop(deps, options), startAlerting(deps, options)];
    for (const loop of loops) await loop.runNow();
    for (const loop of loops) await loop.stop();
  };
  const deliveries = async () =>
    (await app.deps.store.listDeliveries(channelId, { after: null, before: null, limit: 9 })).rows;

  it('arrives once, as text and as HTML, with how to stop it', async () => {
    await look();
    await look();
    app.advance(leaseMs);
    await look();
    expect(server.mails.map(({ to }) => to)).toEqual([['team@shop.example', 'boss@shop.example']]);
    const whole = server.mails[0]?.text ?? '';
    const [head = ''] = whole.split('\r\n\r\n');
    expect(head).toMatch(/^From: Notifier <notifier@shop\.example>\r$/m);
    const subject = 'Weekly report: Week 47, 16 to 22 November 2026, all projects';
    expect(head.replaceAll('\r\n ', ' ')).toContain(`Subject: ${subject}`);
    expect(head).toMatch(/^Message-ID: <msg_\w{22}@errors\.example>\r$/m);
    expect(head).toMatch(
      new RegExp(
        `^List-Unsubscribe: <https://errors\\.example/alert-channels/${channelId}/unsubscribe>\\r$`,
        'm',
      ),
    );
    const [text = '', html = ''] = partsOf(whole);
    expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8/);
    expect(text).toContain('- broken <b>basket</b> (test): 1');
    expect(text).toContain('Unsubscribe: https://errors.example/reports/schedules');
    expect(html).toMatch(/^Content-Type: text\/html; charset=utf-8/);
    expect(html).toContain('broken &lt;b&gt;basket&lt;/b&gt; (test)');
    expect(html).toContain('<a href="https://errors.example/reports/schedules">Unsubscribe</a>');
    expect(await deliveries()).toMatchObject([{ state: 'arrived', rule: 'Weekly report' }]);
  });

  it('is not lost by a crash before the commit, or between commit and mail', async () => {
    const transaction = () => Promise.reject(new Error('killed'));
    await look({ transaction });
    expect([server.mails, await deliveries()]).toEqual([[], []]);
    await look({ claimDeliveries: () => Promise.reject(new Error('killed')) });
    expect([server.mails.length, (await deliveries()).length]).toEqual([0, 1]);
    await look();
    expect(server.mails).toHaveLength(1);
  });

  it('is sent again, byte for byte, after a crash before the delivery was recorded', async () => {
    await look({ finishTry: () => Promise.reject(new Error('killed')) });
    await look();
    // Nobody else has it as long as its sender may be at it.
    expect(server.mails).toHaveLength(1);
    app.advance(leaseMs);
    await look();
    app.advance(leaseMs);
    await look();
    expect(server.mails).toHaveLength(2);
    expect(server.mails[1]).toEqual(server.mails[0]);
    expect(await deliveries()).toMatchObject([{ state: 'arrived' }]);
  });

  it('that the server refuses is tried again', async () => {
    server.refusal = Object.assign(new Error('Mailbox full'), { responseCode: 452 });
    await look();
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', attempts: [{ response: '452 Mailbox full' }] },
    ]);
    server.refusal = null;
    app.advance(2_000);
    await look();
    expect([server.mails.length, (await deliveries())[0]?.state]).toEqual([1, 'arrived']);
  });
});

function partsOf(whole: string): string[] {
  const boundary = /boundary="([^"]+)"/.exec(whole)?.[1] ?? '';
  return whole
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const plain = part.trim().replaceAll('\r\n', '\n');
      return plain.includes('quoted-printable') ? unquoted(plain) : plain;
    });
}

function unquoted(part: string): string {
  const bytes = part
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

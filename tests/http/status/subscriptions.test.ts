import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { getPagesUrl } from '../../../src/core/config/public-urls.ts';
import type { DeliveryResult, NotificationSender } from '../../../src/core/ports/notification-sender.ts';
import { announceDue } from '../../../src/core/status-pages/announce.ts';
import { sendDueStatusMessages, startStatusMessages } from '../../../src/core/status-pages/runner.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import { wholeAudit } from '../../support/audit.ts';
import { verifyDomain } from '../../support/verified-domain.ts';

type Mail = Parameters<NotificationSender['mail']>[0];
type Post = Parameters<NotificationSender['post']>[0];

let app: TestApp;
let mails: Mail[];
let posts: Post[];
let answer: DeliveryResult;
const path = '/status/harbour';
const email = 'Mara@Shop.example';
const hourMs = 3_600_000;

const messenger: NotificationSender = {
  canMail: true,
  async mail(mail) {
    mails.push(mail);
    return answer;
  },
  async post(post) {
    posts.push(post);
    return answer;
  },
};

const open = async (more: object = {}, options: TestAppOptions = {}): Promise<void> => {
  app = await openTestApp({ ...options, deps: { notificationSender: messenger, ...options.deps } });
  await verifyDomain(app, 'shop.example');
  const page = { name: 'Harbour', published: true, components: [{ name: 'Parcels' }], ...more };
  expect(await app.postSecret('/status-pages', page)).toHaveStatus(201);
  app.advance(1_000);
};
beforeEach(() => {
  [mails, posts, answer] = [[], [], { ok: true, status: null, detail: '' }];
});
afterEach(() => app.close());

const form = (at: string, fields: Record<string, string> = {}) =>
  app.agent.post(at).type('form').send(fields);
const subscribe = (address = email) => form(`${path}/subscribe`, { email: address });

/** Until nothing is due. */
async function send(): Promise<Mail[]> {
  const pagesUrl = getPagesUrl(app.deps.config);
  // The answer is sent before it is written.
  await app.deps.store.transaction(async () => {});
  while (await announceDue(app.deps, pagesUrl));
  while ((await sendDueStatusMessages(app.deps, messenger, pagesUrl)) > 0);
  return mails.splice(0);
}

const pathIn = ({ text }: Mail, which: string): string =>
  new RegExp(`http://[^/\\s]+(\\S*/${which}/\\S+)`).exec(text)?.[1] ?? '';

async function subscribed(address = email): Promise<void> {
  await subscribe(address);
  const [mail] = await send();
  expect((await form(pathIn(mail as Mail, 'confirm'))).status).toBe(200);
}

const incident = async (more: object = {}) =>
  (
    await app.postSecret('/incidents', {
      title: 'Parcels are late',
      message: 'We look <into> it.',
      public: true,
      components: [1],
      ...more,
    })
  ).body.incident_id;

describe('subscribing by e-mail', () => {
  it('is offered by the page, and needs a confirmation in a form', async () => {
    await open();
    const shown = await app.agent.get(path);
    expect(shown.text).toContain(`href="${path}/subscribe"`);
    expect((await app.agent.get(`${path}/subscribe`)).text).toContain('name="email"');
    const answered = await subscribe();
    expect([answered.status, answered.headers['cache-control']]).toEqual([200, 'no-store']);
    const [mail, ...others] = await send();
    expect([mail?.to, others, mail?.stopUrl]).toEqual(['mara@shop.example', [], null]);
    const link = pathIn(mail as Mail, 'confirm');
    expect((await app.agent.get(link)).text).toContain('Confirm subscription');
    expect(await app.deps.store.listSubscribers(1)).toEqual([]);
    expect((await form(link)).text).toContain('You are subscribed');
    expect(await app.deps.store.listSubscribers(1)).toMatchObject([{ address: 'mara@shop.example' }]);
  });

  it('refuses an invalid address, and does not reveal known ones', async () => {
    await open();
    const wrong = await subscribe('mara');
    expect([wrong.status, wrong.text.includes('aria-invalid="true"')]).toEqual([400, true]);
    const first = await subscribe();
    await send();
    await subscribed('other@shop.example');
    for (const address of [email, 'other@shop.example', 'new@shop.example']) {
      expect([address, (await subscribe(address)).text]).toEqual([address, first.text]);
    }
    // Those who confirmed get no mail.
    expect((await send()).map(({ to }) => to)).toEqual(['mara@shop.example', 'new@shop.example']);
  });

  it('sends at most three mails a day to an address, and deletes it after that', async () => {
    await open();
    for (let at = 0; at < 5; at += 1) {
      await subscribe();
      app.advance(60_000);
      await send();
      mails.push({} as Mail);
    }
    expect(await app.deps.store.countConfirmationMails('mara@shop.example')).toBe(3);
    app.advance(24 * hourMs);
    await app.deps.store.removeExpiredSubscribers(app.deps.now());
    expect(await app.deps.store.countSubscribers(1, 'email')).toBe(0);
  });

  it('has links that expire', async () => {
    await open();
    await subscribe();
    const [mail] = await send();
    app.advance(24 * hourMs);
    const late = await form(pathIn(mail as Mail, 'confirm'));
    expect([late.status, late.text.includes('does not work any more')]).toEqual([404, true]);
  });

  it('is unavailable without SMTP, unpublished, or switched off for the page', async () => {
    await open({ shows: ['incidents'] });
    expect((await app.agent.get(path)).text).not.toContain('/subscribe');
    expect(await subscribe()).toHaveStatus(404);
    await app.close();
    await open({}, { deps: { notificationSender: { ...messenger, canMail: false } } });
    expect((await app.agent.get(path)).text).not.toContain('/subscribe');
    expect(await app.agent.get(`${path}/subscribe`)).toHaveStatus(404);
    await app.close();
    await open({ published: false });
    expect(await app.agent.get(`${path}/subscribe`)).toHaveStatus(404);
  });

  it('is limited by address', async () => {
    await open({}, { env: { RATE_LIMITS: 'on' } });
    const answers = [];
    for (let at = 0; at < 6; at += 1) answers.push((await subscribe(`a${at}@shop.example`)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('keeps the host where it started in its links', async () => {
    const host = 'status.shop.example';
    await open({ hosts: [host] });
    await app.agent.get(path);
    const answered = await form('/subscribe', { email }).set('Host', host);
    expect(answered.status).toBe(200);
    const [mail] = await send();
    expect(mail?.text).toMatch(/http:\/\/status\.shop\.example\/confirm\/\w{32}/);
    const link = pathIn(mail as Mail, 'confirm');
    expect(await form(link)).toHaveStatus(404);
    expect(await form(link).set('Host', host)).toHaveStatus(200);
  });
});

describe('what subscribers get', () => {
  it('is each public update once, and the end of the incident', async () => {
    await open();
    await subscribed();
    await subscribe('never-confirmed@shop.example');
    await send();
    const id = await incident();
    const [opened, ...others] = await send();
    expect([opened?.subject, others]).toEqual(['[Harbour] Investigating: Parcels are late', []]);
    expect(opened?.text).toContain('We look <into> it.');
    expect(opened?.html).toContain('We look &lt;into&gt; it.');
    expect(opened?.text).toContain('Affects: Parcels');
    await app.postSecret(`/incidents/${id}`, { message: 'Only for the team' });
    await app.postSecret(`/incidents/${id}`, { message: 'Found', public: true, state: 'identified' });
    await app.postSecret(`/incidents/${id}`, { message: 'Internal reason', state: 'resolved' });
    const later = await send();
    expect(later.map(({ subject }) => subject)).toEqual([
      '[Harbour] Identified: Parcels are late',
      '[Harbour] Resolved: Parcels are late',
    ]);
    expect(JSON.stringify(later)).not.toMatch(/Only for the team|Internal reason/);
    expect(await send()).toEqual([]);
  });

  it('is nothing about internal incidents or other pages', async () => {
    await open();
    await subscribed();
    const id = await incident({ public: false });
    await app.postSecret(`/incidents/${id}`, { state: 'resolved' });
    await incident({ components: [] });
    expect(await send()).toEqual([]);
  });

  it('includes maintenance: announced, moved, begun and completed, or canceled', async () => {
    await open();
    await subscribed();
    const asked = { type: 'tcp', name: 'Port', host: 'a.example', port: 25 };
    const monitor = (await app.postSecret('/monitors', asked)).body.monitor_id;
    await app.postSecret('/status-pages/1', { components: [{ name: 'Port', monitors: [monitor] }] });
    const at = (ms: number): string => new Date(app.deps.now() + ms).toISOString();
    const window = { title: 'New disks', message: 'Brief outages.', monitors: [monitor] };
    const times = { starts_at: at(2 * hourMs), ends_at: at(3 * hourMs) };
    const made = await app.postSecret('/maintenance-windows', { ...window, ...times });
    expect(made).toHaveStatus(201);
    const said = async () => (await send()).map(({ subject }) => subject);
    expect(await said()).toEqual(['[Harbour] Maintenance scheduled: New disks']);
    const id = made.body.maintenance_window_id;
    await app.postSecret(`/maintenance-windows/${id}`, {
      starts_at: at(3 * hourMs),
      ends_at: at(4 * hourMs),
    });
    expect(await said()).toEqual(['[Harbour] Maintenance rescheduled: New disks']);
    app.advance(2 * hourMs);
    expect(await said()).toEqual([]);
    app.advance(hourMs);
    expect(await said()).toEqual(['[Harbour] Maintenance in progress: New disks']);
    await app.deleteSecret(`/maintenance-windows/${id}`);
    expect(await said()).toEqual(['[Harbour] Maintenance completed: New disks']);
    const later = { starts_at: at(2 * hourMs), ends_at: at(3 * hourMs) };
    const other = (await app.postSecret('/maintenance-windows', { ...window, ...later })).body;
    await send();
    await app.deleteSecret(`/maintenance-windows/${other.maintenance_window_id}`);
    expect(await said()).toEqual(['[Harbour] Maintenance canceled: New disks']);
    app.advance(60_000);
    expect((await app.agent.get(`${path}.rss`)).text).toContain(
      '<title>Maintenance canceled: New disks</title>',
    );
    expect((await app.agent.get(path)).text).toContain('Maintenance canceled: ');
    app.advance(3 * hourMs);
    expect(await said()).toEqual([]);
    const shown = (await app.agent.get(`${path}.json`)).body;
    expect(shown).toMatchObject({ planned: [], canceled: [{ title: 'New disks' }] });
    expect(shown.past[0].incidents).toHaveLength(1);
    expect((await app.agent.get(path)).text).not.toContain('Maintenance canceled: ');
  });

  it('can be ended by one click, which deletes the address', async () => {
    await open();
    await subscribed();
    await incident();
    const [mail] = await send();
    expect([mail?.isOneClick, mail?.stopUrl]).toEqual([true, expect.stringContaining('/unsubscribe/')]);
    const link = pathIn(mail as Mail, 'unsubscribe');
    // A scanner that follows links ends nothing.
    expect((await app.agent.get(link)).text).toContain('<form');
    expect(await app.deps.store.countSubscribers(1, 'email')).toBe(1);
    expect(await form(link, { 'List-Unsubscribe': 'One-Click' })).toHaveStatus(200);
    expect(await app.deps.store.countSubscribers(1, 'email')).toBe(0);
    expect((await form(link)).text).toContain('You are unsubscribed');
    await incident();
    expect(await send()).toEqual([]);
  });

  it('is retried with the same id, except after a permanent refusal of the address', async () => {
    await open();
    await subscribed();
    await incident();
    answer = { ok: false, status: 451, detail: 'try later' };
    const [first] = await send();
    answer = { ok: false, status: 550, detail: 'no such mailbox' };
    app.advance(2_000);
    expect((await send()).map(({ messageId }) => messageId)).toEqual([first?.messageId]);
    app.advance(24 * hourMs);
    expect(await send()).toEqual([]);
    expect(await app.deps.store.listSubscribers(1)).toMatchObject([{ lastError: 'no such mailbox' }]);
  });

  it('is sent by the background job', async () => {
    await open();
    await subscribe();
    await app.deps.store.transaction(async () => {});
    const job = startStatusMessages(app.deps, { pagesUrl: 'http://shop.example', everyMs: hourMs });
    await job.runNow();
    await job.stop();
    expect(mails).toHaveLength(1);
  });
});

describe('the language of a page', () => {
  it('is used for the whole page and its mails', async () => {
    await open({ language: 'de' });
    const shown = (await app.agent.get(path)).text;
    expect(shown).toContain('<html lang="de"');
    expect(shown).toContain('Alle Systeme betriebsbereit');
    expect(shown).not.toMatch(/Operational|No incidents|Skip to/);
    expect((await app.agent.get(`${path}.rss`)).text).toContain('<language>de</language>');
    expect((await app.agent.get(`${path}/subscribe`)).text).toContain('Updates abonnieren');
    await subscribe();
    const [mail] = await send();
    expect(mail?.subject).toBe('Bestätigen Sie Ihr Abonnement von Harbour');
    await form(pathIn(mail as Mail, 'confirm'));
    await incident();
    expect((await send())[0]?.subject).toBe('[Harbour] Wird untersucht: Parcels are late');
  });

  it('can be that of the browser, with a Vary header', async () => {
    await open({ language: 'auto' });
    const asked = async (at: string, language: string) => app.agent.get(at).set('Accept-Language', language);
    const french = await asked(path, 'tlh, fr-CA;q=0.8, en;q=0.5');
    expect(french.text).toContain('Tous les systèmes sont opérationnels');
    expect(french.headers['vary']).toBe('Accept-Encoding, Accept-Language');
    const chinese = await asked(path, 'zh-CN');
    expect(chinese.text).toContain('<html lang="zh-Hans"');
    expect((await asked(path, 'tlh')).text).toContain('All systems operational');
    expect((await asked(`${path}.json`, 'fr')).body).toMatchObject({ language: 'en' });
    expect((await asked(`${path}/subscribe`, 'ja')).text).toContain('更新を購読');
    expect(await app.postSecret('/status-pages/1', { language: 'tlh' })).toHaveStatus(400);
  });
});

describe('a page without components', () => {
  it('says so, and does not show “operational”', async () => {
    await open({ components: [] });
    const { text } = await app.agent.get(path);
    expect(text).toContain('No components yet');
    expect(text).not.toContain('operational');
  });
});

describe('webhooks of a status page', () => {
  const url = 'https://ops.example/hook/secret-part';
  const add = () => app.postSecret('/status-pages/1/subscribers', { url });

  it('are added by admins, listed without their path, and get signed updates', async () => {
    await open();
    const added = await add();
    expect([added.status, added.body]).toMatchObject([
      201,
      {
        kind: 'webhook',
        address: expect.stringMatching(/^ops\.example\/hook/),
        secret: expect.stringMatching(/^whsec_/),
      },
    ]);
    const { accepted: _accepted, secret, ...view } = added.body;
    expect((await app.get('/status-pages/1/subscribers')).body).toEqual([view]);
    expect(
      JSON.stringify([view, await app.deps.store.listAudit(wholeAudit, { beforeId: null, limit: 50 })]),
    ).not.toContain('secret-part');
    expect(await add()).toHaveStatus(400);
    await incident();
    await send();
    const [post] = posts;
    const headers = post?.headers ?? {};
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const signed = new Webhook(secret).sign(headers['webhook-id'] ?? '', signedAt, post?.body ?? '');
    expect(headers['webhook-signature']).toBe(signed);
    expect(JSON.parse(post?.body ?? '')).toMatchObject({
      type: 'incident.opened',
      data: { incident: { title: 'Parcels are late' } },
    });
  });

  it('are twenty at most', async () => {
    await open();
    for (let at = 0; at < 20; at += 1) {
      const added = await app.postSecret('/status-pages/1/subscribers', { url: `https://ops.example/${at}` });
      expect(added.status).toBe(201);
    }
    expect((await add()).body.code).toBe('notifier_too_many_subscribers');
  });

  it('are refused at private addresses and of other projects, and end with 410', async () => {
    await open();
    expect(await app.postSecret('/status-pages/1/subscribers', { url: 'http://127.0.0.1/' })).toHaveStatus(
      400,
    );
    const other = await app.addProject('other');
    const theirs = await app.agent
      .get(`${new URL(app.api).pathname}/status-pages/1/subscribers`)
      .set('Authorization', `Bearer ${other.secretKey}`);
    expect(theirs.status).toBe(404);
    const { subscriber_id: id } = (await add()).body;
    expect(await app.deleteSecret(`/status-pages/1/subscribers/${id}`)).toHaveStatus(200);
    expect(await app.deleteSecret(`/status-pages/1/subscribers/${id}`)).toHaveStatus(404);
    await add();
    await incident();
    answer = { ok: false, status: 410, detail: '' };
    await send();
    expect(await app.deps.store.countSubscribers(1, 'webhook')).toBe(0);
  });
});

describe('an erased person', () => {
  it('is no longer a subscriber, and an export has the subscription', async () => {
    await open();
    await subscribed();
    await subscribed('other@shop.example');
    await app.post('/store', { message: 'Broken', user: { id: '7', email } });
    const [user] = (await app.get('/users?query=7')).body;
    const exported = await app.get(`/users/${user.user_hash}/export`);
    expect(exported.body.status_page_subscriptions).toMatchObject([{ address: 'mara@shop.example' }]);
    await app.deleteSecret(`/users/${user.user_hash}`);
    expect(await app.deps.store.listSubscribers(1)).toMatchObject([{ address: 'other@shop.example' }]);
  });
});

import { beforeAll, expect, it } from '@jest/globals';
import { buildDueMessages } from '../../../src/core/alerts/build-messages.ts';
import { shared } from '../../support/shared.ts';
import { openWorkspace } from '../../support/workspace.ts';

const pages = 'https://errors.example';
const dayMs = 86_400_000;
const workspace = shared(() => openWorkspace({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } }));
beforeAll(async () => {
  const channel = { type: 'email', name: 'Team', to: 'team@shop.example' };
  expect(await workspace.app.postSecret('/alert-channels', channel)).toHaveStatus(201);
});

const frames = ['handle', 'lib', 'withLock', 'confirm', 'placeOrder', 'capturePayment'].map((name, at) => ({
  function: name,
  filename: `src/${name}.ts`,
  lineno: 60 + at,
  in_app: name !== 'lib',
  context_line: `    throw new Error("<${name}>")`,
}));

async function mailOf(value: string) {
  const { app } = workspace;
  // What follows within a minute would be grouped.
  app.advance(61_000);
  const values = [{ type: 'PaymentCaptureError', value, stacktrace: { frames } }];
  const event = { exception: { values }, level: 'fatal', release: '2.31.0', environment: 'production' };
  const stored = await app.post('/store', { ...event, fingerprint: [value], platform: 'node' });
  await buildDueMessages(app.deps, pages);
  const nowMs = app.deps.now();
  const lease = { untilMs: nowMs + 1, perChannel: 10, limit: 10 };
  const [mail] = (await app.deps.store.claimDeliveries(nowMs, lease)).slice(-1);
  for (const { id, tries } of mail === undefined ? [] : [mail]) {
    const attempt = { atMs: nowMs, status: 250, durationMs: 1, response: '' };
    await app.deps.store.finishTry({ id, tries }, attempt, {
      state: 'arrived',
      nextTryAtMs: null,
      threadTs: null,
    });
  }
  const links = [
    ...(mail?.body ?? '').matchAll(/(?:Resolve|Ignore|Mute for a day): https:\/\/errors\.example(\/\S+)/g),
  ];
  return { mail, id: stored.body.issue_id as number, links: links.map(([, path = '']) => path) };
}

it('a mail about a new issue has the same content in HTML and text, in the same order', async () => {
  const { mail, id } = await mailOf('gateway answered 502 <b>');
  expect(mail?.subject).toBe('[test] New fatal issue: PaymentCaptureError');
  const order = [
    ...['production', 'New issue, fatal', 'PaymentCaptureError', 'gateway answered 502', `/issues/${id}`],
    ...['/issue-links/', '/issue-links/', 'Events', 'Users', '2.31.0', 'First seen', 'Stack trace'],
    ...['capturePayment', 'src/capturePayment.ts:65', 'throw new Error', 'placeOrder', 'confirm', 'withLock'],
    ...['handle', 'First 5 in-app frames of 6', 'notifies', 'for 7 days', 'Edit rule'],
  ];
  const [, shown = ''] = mail?.html?.split('role="main"') ?? [];
  for (const text of [mail?.body ?? '', shown]) {
    let from = 0;
    for (const word of order) {
      const at = text.indexOf(word, from);
      expect([word, at >= from]).toEqual([word, true]);
      from = at;
    }
    expect(text).not.toContain('src/lib.ts');
  }
  expect(mail?.html).not.toMatch(/<b>"|<script|502 <b>/);
  expect(mail?.html?.match(/<style>/g)).toHaveLength(1);
  expect(mail?.html).not.toMatch(/(?:src|url)\s*[=(]/);
});

it('its links ask for confirmation and work once, for a member, for 7 days', async () => {
  const { admin, member, viewer } = workspace;
  const { id, links } = await mailOf('second');
  const [resolve = '', ignore = ''] = links;
  expect(await viewer.get(resolve)).toHaveStatus(403);
  const asking = await member.get(resolve);
  expect([asking.status, asking.text]).toEqual([200, expect.stringContaining('Resolve issue?')]);
  const statusOf = async () => (await workspace.app.get(`/issues/${id}`)).body.status;
  expect(await statusOf()).toBe('unresolved');
  expect(await member.post(resolve)).toHaveStatus(400);
  const done = await member.post(resolve, { sure: 'yes' });
  expect([done.status, done.location]).toEqual([303, `/issues/${id}`]);
  expect(await statusOf()).toBe('resolved');
  expect(await admin.post(resolve, { sure: 'yes' })).toHaveStatus(404);
  expect((await admin.get(resolve)).text).toContain('works once, for 7 days');
  workspace.app.advance(7 * dayMs);
  expect(await (await workspace.guest('admin', 'Later')).get(ignore)).toHaveStatus(404);
});

it('ignores an issue for a day by a link of its own', async () => {
  const { member, app } = workspace;
  const { id, links } = await mailOf('third');
  const [, , mute = ''] = links;
  expect((await member.get(mute)).text).toContain('Mute issue for a day?');
  expect(await member.post(mute, { sure: 'yes' })).toHaveStatus(303);
  const { body } = await app.get(`/issues/${id}`);
  const date = new Date(app.deps.now() + dayMs).toISOString();
  expect([body.status, body.activity[0]?.detail]).toEqual(['ignored', { until: 'date', date }]);
});

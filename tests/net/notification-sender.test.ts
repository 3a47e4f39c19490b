import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createNotificationSender,
  type NotificationSenderOptions,
} from '../../src/net/notification-sender.ts';
import { parseAllowedTargets } from '../../src/net/ssrf-guard.ts';
import { startMailServer } from '../support/alerts/mail-server.ts';

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function messenger(options: Partial<NotificationSenderOptions> = {}) {
  return createNotificationSender({
    resolve: async () => ['127.0.0.1'],
    allowed: parseAllowedTargets([]),
    userAgent: 'test',
    smtpUrl: null,
    smtpFrom: null,
    deadlineMs: 2_000,
    ...options,
  });
}

async function canary(): Promise<{ port: number; touched(): number; close(): Promise<void> }> {
  let touched = 0;
  const server: Server = createServer((_request, response) => response.end('inside'));
  server.on('connection', () => {
    touched += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  closing.push(close);
  return { port: (server.address() as AddressInfo).port, touched: () => touched, close };
}

describe('a post', () => {
  const post = { headers: { 'content-type': 'application/json' }, body: '{}' };

  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://rebound.example:PORT/',
    'http://0x7f000001:PORT/',
    'http://2130706433:PORT/',
    'http://127.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://user@127.0.0.1:PORT/',
    'http://169.254.169.254:PORT/latest',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
  ])('never reaches a private address by %s', async (address) => {
    const { port, touched } = await canary();
    const answer = await messenger().post({ ...post, url: address.replace('PORT', String(port)) });
    expect(answer).toMatchObject({ ok: false, status: null });
    expect(answer.detail).toContain('private address');
    expect(touched()).toBe(0);
  });

  it.each([
    [['127.0.0.1'], '127.0.0.1'],
    [['127.0.0.0/8'], '127.0.0.1'],
    [['127.0.0.0/8'], 'inside.example'],
    [['localhost'], 'localhost'],
  ])('reaches what %j allows, as %s', async (allow, host) => {
    const { port, touched } = await canary();
    const answer = await messenger({ allowed: parseAllowedTargets(allow) }).post({
      ...post,
      url: `http://${host}:${port}/`,
    });
    expect(answer).toEqual({ ok: true, status: 200, detail: '', answer: 'inside', text: 'inside' });
    expect(touched()).toBe(1);
  });

  it('is refused where one address of several is private', async () => {
    const { port, touched } = await canary();
    const resolve = async () => ['93.184.216.34', '127.0.0.1'];
    const answer = await messenger({ resolve }).post({ ...post, url: `http://mixed.example:${port}/` });
    expect([answer.ok, answer.detail.includes('private'), touched()]).toEqual([false, true, 0]);
  });

  async function refusingWith(text: string): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(500);
      response.end(text);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    closing.push(() => new Promise((resolve) => void server.close(() => resolve())));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it('has a one-line error where the server is unreachable, or answers too much', async () => {
    const { port, close } = await canary();
    await close();
    const allowed = parseAllowedTargets(['127.0.0.1']);
    expect(await messenger({ allowed }).post({ ...post, url: `http://127.0.0.1:${port}/` })).toEqual({
      ok: false,
      status: null,
      detail: 'it cannot be reached',
    });
    const url = await refusingWith(`no\r\n\u0007 ${'x'.repeat(100_000)}`);
    const answer = await messenger({ allowed }).post({ ...post, url });
    expect([answer.status, answer.detail.length, answer.detail.slice(0, 5)]).toEqual([500, 200, 'no xx']);
  });

  it('has an error line that is cut between characters', async () => {
    const url = await refusingWith(`${'x'.repeat(198)}\u{1f600}${'y'.repeat(9)}`);
    const { detail } = await messenger({ allowed: parseAllowedTargets(['127.0.0.1']) }).post({
      ...post,
      url,
    });
    expect(detail).toBe(`${'x'.repeat(198)}…`);
  });

  it('keeps the first 4 KiB of the answer', async () => {
    const url = await refusingWith(`${'a'.padEnd(4_095)}bc`);
    const answer = await messenger({ allowed: parseAllowedTargets(['127.0.0.1']) }).post({ ...post, url });
    expect(answer.detail).toBe('a b');
  });
});

describe('mail', () => {
  const mail = {
    to: 'ann@shop.example, ben@shop.example',
    subject: '#1 is new: Übel\r\nBcc: evil@evil.example',
    text: 'A line.\n.\nAnother, mit Ümlaut.\n',
    messageId: '<msg_1@errors.example>',
    atMs: Date.UTC(2026, 10, 21, 12),
    html: null,
    stopUrl: 'https://errors.example/alert-channels/1',
  };

  async function mailServer(refusal: Error | null = null) {
    const server = await startMailServer();
    server.refusal = refusal;
    closing.push(() => server.close());
    return server;
  }

  it('arrives at every recipient, with a stable id, and without injected headers', async () => {
    const { mails, port } = await mailServer();
    const sender = messenger({
      smtpUrl: `smtp://u:p%40ss@127.0.0.1:${port}`,
      smtpFrom: 'Notifier <n@shop.example>',
    });
    expect(await sender.mail(mail)).toMatchObject({ ok: true, status: null });
    expect(await sender.mail(mail)).toMatchObject({ ok: true });
    const [first, second] = mails;
    expect(first).toEqual(second);
    expect(first?.to).toEqual(['ann@shop.example', 'ben@shop.example']);
    const [head = '', ...body] = (first?.text ?? '').split('\r\n\r\n');
    expect(head).toMatch(/^From: Notifier <n@shop\.example>\r$/m);
    expect(head).toMatch(/^Message-ID: <msg_1@errors\.example>\r$/m);
    expect(head).toMatch(/^Date: Sat, 21 Nov 2026 12:00:00 \+0000\r$/m);
    expect(head).toMatch(/^List-Unsubscribe: <https:\/\/errors\.example\/alert-channels\/1>\r$/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(body.join('\r\n\r\n')).toContain('A line.');
  });

  it('has two parts where it has HTML beside its text', async () => {
    const { mails, port } = await mailServer();
    const sender = messenger({ smtpUrl: `smtp://127.0.0.1:${port}` });
    const both = { ...mail, html: '<p>A <b>line</b>.</p>' };
    expect(await sender.mail(both)).toMatchObject({ ok: true });
    expect(await sender.mail(both)).toMatchObject({ ok: true });
    // Tried again it is the same to the byte, the line between its parts too.
    expect(mails[0]).toEqual(mails[1]);
    const [head = ''] = (mails[0]?.text ?? '').split('\r\n\r\n');
    expect(head).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(mails[0]?.text).toMatch(
      /Content-Type: text\/plain[\s\S]*A line\.[\s\S]*Content-Type: text\/html[\s\S]*<b>line<\/b>/,
    );
  });

  it('that is refused has the status and the reply of the mail server', async () => {
    const { port } = await mailServer(Object.assign(new Error('Mailbox full'), { responseCode: 452 }));
    const answer = await messenger({ smtpUrl: `smtp://127.0.0.1:${port}` }).mail(mail);
    expect(answer).toEqual({ ok: false, status: 452, detail: '452 Mailbox full' });
  });

  it('times out where a server never ends its reply', async () => {
    const sockets = new Set<Socket>();
    const slow = createPlainServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).write('220 here\r\n');
      const timer = setInterval(() => socket.write('250-more\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => {
      slow.listen(0, '127.0.0.1', resolve);
    });
    const smtpUrl = `smtp://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const answer = await messenger({ smtpUrl, deadlineMs: 100 }).mail(mail);
    expect(answer).toEqual({ ok: false, status: null, detail: 'no response in time' });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => void slow.close(resolve));
  });

  it('cannot be sent without a server', async () => {
    expect(messenger().canMail).toBe(false);
    expect(await messenger().mail(mail)).toEqual({ ok: false, status: null, detail: 'SMTP_URL is not set' });
  });
});

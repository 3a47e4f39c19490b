import { describe, expect, it } from '@jest/globals';
import { parseUrlHost } from '../../src/core/parsing/web-url.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

const app = sharedApp({ domains: ['shop.example'] });

const item = (type: string, payload: object): string =>
  `{}\n${JSON.stringify({ type })}\n${JSON.stringify(payload)}\n`;
const shop = 'https://shop.example';
const other = 'https://other.example/page';
const senders: ReadonlyArray<readonly [headers: Record<string, string>, host: string | null]> = [
  [{ Origin: shop }, 'shop.example'],
  [{ Origin: 'https://SHOP.example.:8443' }, 'shop.example'],
  [{ Origin: shop, Referer: other }, 'shop.example'],
  [{ Referer: `${shop}/page` }, 'shop.example'],
  [{ Referer: `${shop}/${'x'.repeat(5000)}` }, 'shop.example'],
  [{ Origin: '', Referer: `${shop}/page` }, 'shop.example'],
  [{ Origin: 'null', Referer: `${shop}/page` }, null],
  [{ Origin: 'null' }, null],
  [{ Origin: 'file://', Referer: `${shop}/page` }, null],
  [{ Origin: 'chrome-extension://abcdef', Referer: `${shop}/page` }, null],
  [{ Origin: 'shop.example', Referer: `${shop}/page` }, null],
  [{ Origin: 'https://.', Referer: `${shop}/page` }, null],
  [{ Referer: 'about:blank' }, null],
  [{}, null],
];

describe('the origin of a request', () => {
  const send = (path: string, body: object, headers: Record<string, string>) =>
    app.post(path, body, { 'X-Notifier-Key': app.publicKey, ...headers });
  const domainOf = async (eventId: string): Promise<unknown> =>
    (await app.deps.store.findEvent(app.project.id, eventId))?.domain;

  const named = senders.map(
    ([headers, host]) => [JSON.stringify(headers).slice(0, 80), headers, host] as const,
  );
  it.each(rows(() => fullOrSome(named, 4)))(
    '%s is the same host at every endpoint',
    async (_name, headers, host) => {
      const stored = await send('/store', { message: 'one sender' }, headers);
      const enveloped = await app.agent
        .post('/wp-json/notifier/v1/envelope')
        .set({ 'X-Notifier-Key': app.publicKey, ...headers })
        .send(item('event', { message: 'one sender' }));
      const reported = await send(
        '/feedback',
        { message: 'one sender', url: `${shop}/said`, domain: 'shop.example' },
        headers,
      );
      const verified = await send(
        '/sdk-verify',
        { url: `${shop}/said`, sdk: { name: 'x', version: '1' } },
        headers,
      );
      // Where no header is given, a report and a check go by what their body says.
      const said =
        headers['Origin'] === undefined && headers['Referer'] === undefined ? 'shop.example' : host;
      expect({
        store: await domainOf(stored.body.event_id),
        envelope: await domainOf(enveloped.body.event_id),
        feedback: reported.status === 201 ? 'shop.example' : reported.body.data.reason,
        verify: verified.body.domain?.name,
      }).toEqual({ store: host, envelope: host, feedback: said ?? 'unknown_domain', verify: said });
    },
  );
});

describe('the host of a URL', () => {
  it.each([
    ['https://a.example', 'a.example'],
    ['HTTP://A.Example:81/x?y#z', 'a.example'],
    ['https://b\u00fccher.example./', 'xn--bcher-kva.example'],
    ['https://user:secret@a.example/', 'a.example'],
    ['http://[::1]:3000', '[::1]'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['https://.', null],
    ['https://', null],
    ['//a.example/x', null],
    ['a.example', null],
    ['ftp://a.example', null],
    ['javascript:alert(1)', null],
    ['null', null],
    ['', null],
    [`https://a.example/${'x'.repeat(9000)}`, null],
  ])('%s is %s', (text, host) => {
    expect(parseUrlHost(text)).toBe(host);
  });

  it('accepts a report in an envelope with an invalid URL', async () => {
    const report = {
      event_id: 'a'.repeat(32),
      contexts: { feedback: { message: 'odd page', url: 'https://.' } },
    };
    const answer = await app.agent
      .post('/wp-json/notifier/v1/envelope')
      .set({ 'X-Notifier-Key': app.publicKey, Origin: shop })
      .send(item('feedback', report));
    expect(answer).toHaveStatus(201);
  });
});

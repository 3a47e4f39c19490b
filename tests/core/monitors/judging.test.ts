import { describe, expect, it } from '@jest/globals';
import { judgeDns, judgeHttp, judgeTcp, judgeTls } from '../../../src/core/monitors/check-monitor.ts';
import { defaultSettings, parseRecords } from '../../../src/core/monitors/settings.ts';
import type { HttpCheckResponse } from '../../../src/core/ports/monitor-check-client.ts';

const nowMs = Date.UTC(2026, 10, 21);
const dayMs = 86_400_000;

const judged = (
  settings: Partial<typeof defaultSettings>,
  found: Partial<HttpCheckResponse>,
  durationMs = 120,
) => {
  const answer = { status: 200, location: null, text: '', certificateEndsAtMs: null, ...found };
  const page = { ...defaultSettings, url: 'https://shop.example/', ...settings };
  const { result, code, reason } = judgeHttp(page, { ok: true, durationMs, found: answer }, nowMs);
  return [result, code, reason];
};
const json = JSON.stringify({ status: 'ok', parts: [{ 'a/b': 3 }], none: null });

describe('a page', () => {
  it.each([
    [{}, { status: 204 }, ['up', '204', '']],
    [{}, { status: 404 }, ['down', '404', 'returns status 404']],
    [{ status: '200-299,401' }, { status: 401 }, ['up', '401', '']],
    [{ status: '503' }, { status: 200 }, ['down', '200', 'returns status 200']],
    [{ contains: 'Total' }, { text: 'Total: 3' }, ['up', '200', '']],
    [{ contains: 'Total' }, { text: 'total: 3' }, ['down', '200', 'does not contain “Total”']],
    [{ lacks: 'Fatal error' }, { text: 'Fatal error: x' }, ['down', '200', 'contains “Fatal error”']],
    [{ jsonPath: '/status', jsonValue: 'ok' }, { text: json }, ['up', '200', '']],
    [{ jsonPath: '/parts/0/a~1b', jsonValue: '3' }, { text: json }, ['up', '200', '']],
    [{ jsonPath: '/none', jsonValue: 'null' }, { text: json }, ['up', '200', '']],
    [{ jsonPath: '/status', jsonValue: 'bad' }, { text: json }, ['down', '200', 'has not “bad” at /status']],
    [{ jsonPath: '/toString', jsonValue: '' }, { text: json }, ['down', '200', 'has nothing at /toString']],
    [
      { jsonPath: '/status', jsonValue: 'ok' },
      { text: '<html>' },
      ['down', '200', 'its response is not valid JSON'],
    ],
    [{ redirect: 'https://b.example/' }, { status: 301, location: 'https://b.example/' }, ['up', '301', '']],
    [
      { redirect: 'https://b.example/' },
      { status: 301, location: 'https://c.example/' },
      ['down', '301', 'redirects to another URL'],
    ],
    [
      { redirect: 'https://b.example/' },
      { status: 200 },
      ['down', '200', 'returns status 200 without a redirect'],
    ],
    [
      {},
      { certificateEndsAtMs: nowMs + 6 * dayMs },
      ['degraded', '200', 'its certificate expires in 6 days'],
    ],
    [{}, { certificateEndsAtMs: nowMs + 14 * dayMs }, ['up', '200', '']],
    [{ certificateDays: 0 }, { certificateEndsAtMs: nowMs + dayMs }, ['up', '200', '']],
    [{ slowMs: 100 }, {}, ['degraded', '200', 'took longer than 100 ms']],
    [{ slowMs: 120 }, {}, ['up', '200', '']],
    // What is wrong comes before what is slow.
    [{ slowMs: 100 }, { status: 500 }, ['down', '500', 'returns status 500']],
  ])('%j of %j', (settings, found, expected) => {
    expect(judged(settings, found)).toEqual(expected);
  });

  it('that does not answer is down, with the reason of the HTTP client', () => {
    const asked = { ok: false, durationMs: 10_000, message: 'no response within 10 s' } as const;
    expect(judgeHttp(defaultSettings, asked, nowMs)).toMatchObject({
      result: 'down',
      reason: 'no response within 10 s',
    });
  });
});

it('a port is up, slow or down', () => {
  const answer = (durationMs: number) => ({ ok: true, durationMs, found: null }) as const;
  expect(judgeTcp(defaultSettings, answer(5)).result).toBe('up');
  expect(judgeTcp({ ...defaultSettings, slowMs: 4 }, answer(5)).result).toBe('degraded');
  expect(judgeTcp(defaultSettings, { ok: false, durationMs: 1, message: 'cannot be reached' }).result).toBe(
    'down',
  );
});

describe('records', () => {
  const down = ['down', 'does not have the expected records'];
  it.each([
    ['A', '', ['203.0.113.7'], ['up', '']],
    ['A', '203.0.113.8, 203.0.113.7', ['203.0.113.7', '203.0.113.8'], ['up', '']],
    ['A', '203.0.113.7', ['203.0.113.7', '203.0.113.8'], down],
    ['A', '203.0.113.7, 203.0.113.8', ['203.0.113.7'], down],
    ['AAAA', '2001:DB8:0:0::7', ['2001:db8::7'], ['up', '']],
    ['MX', '10  Mail.shop.example.\n20 b.example', ['20 b.example', '10 mail.shop.example'], ['up', '']],
    ['MX', '10 mail.shop.example', ['20 mail.shop.example'], down],
    ['CAA', '0 issue "ca.example"', ['0 issue ca.example'], ['up', '']],
    // Of texts there may be others, and a comma may be part of one.
    ['TXT', 'v=spf1 -all', ['google-site=1', 'v=spf1 -all'], ['up', '']],
    ['TXT', 'a, b', ['a', 'b'], down],
    ['TXT', 'v=spf1 -ALL', ['v=spf1 -all'], down],
  ] as const)('%s with %j expected', (kind, written, found, said) => {
    const settings = { ...defaultSettings, answers: parseRecords(kind, written).join('\n') };
    const { result, reason } = judgeDns(settings, kind, { ok: true, durationMs: 5, found });
    expect([result, reason]).toEqual(said);
  });

  it('that arrive late are degraded, and missing ones are down', () => {
    const late = { ok: true, durationMs: 50, found: ['203.0.113.7'] } as const;
    expect(judgeDns({ ...defaultSettings, slowMs: 20 }, 'A', late)).toMatchObject({
      result: 'degraded',
      reason: 'took longer than 20 ms',
    });
    const none = { ok: false, durationMs: 1, message: 'the name does not exist' } as const;
    expect(judgeDns(defaultSettings, 'A', none)).toMatchObject({ result: 'down', reason: none.message });
  });
});

describe('a certificate by itself', () => {
  it.each([
    [{ fault: null, endsAtMs: nowMs + 40 * dayMs }, ['up', '']],
    [{ fault: null, endsAtMs: nowMs + 6 * dayMs }, ['degraded', 'its certificate expires in 6 days']],
    [{ fault: 'ended', endsAtMs: nowMs - 3 * dayMs }, ['down', 'its certificate expired 3 days ago']],
    [{ fault: 'ended', endsAtMs: nowMs + 3 * dayMs }, ['down', 'its certificate expired']],
    [{ fault: 'early', endsAtMs: null }, ['down', 'its certificate is not valid yet']],
    [{ fault: 'name', endsAtMs: nowMs + dayMs }, ['down', 'its certificate is for another hostname']],
    [{ fault: 'chain', endsAtMs: nowMs + dayMs }, ['down', 'its certificate is not trusted']],
  ] as const)('%j', (found, said) => {
    const judged = judgeTls(defaultSettings, { ok: true, durationMs: 5, found }, nowMs);
    expect([judged.result, judged.reason]).toEqual(said);
    expect(judged.certificateEndsAtMs).toBe(found.endsAtMs);
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { sleepWithCountdown } from '../../src/cli/contract/options.ts';
import { type RunReport, runSuite } from '../../src/contract/run-suite.ts';
import { wholeSuite } from '../../src/contract/suite/whole.ts';
import { secondsToWait, waitSecondsMax } from '../../src/contract/suite-session.ts';
import type { Target } from '../../src/contract/target.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';
import { startPlainServer } from './support/plain-server.ts';

function answer(headers: Array<[string, string]>, json: unknown = {}) {
  return { status: 429, statusText: '', headers, body: '', json, durationMs: 0 };
}

describe('the wait after a 429', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0);

  it.each([
    ['Retry-After in seconds', answer([['retry-after', '17']]), 17],
    ['Retry-After as a date', answer([['Retry-After', 'Sat, 21 Nov 2026 12:00:30 GMT']]), 30],
    ['a date that is past', answer([['Retry-After', 'Sat, 21 Nov 2026 11:00:00 GMT']]), 1],
    ['data.retry_after', answer([], { data: { status: 429, retry_after: 8 } }), 8],
    ['the draft header', answer([['RateLimit', '"key"; r=0; t=42']]), 42],
    ['the header before the body', answer([['Retry-After', '3']], { data: { retry_after: 9 } }), 3],
    ['nonsense', answer([['Retry-After', 'soon']]), 5],
  ])('%s', (_what, limited, seconds) => {
    expect(secondsToWait(limited, 0, nowMs)).toBe(seconds);
  });

  it('doubles without a header', () => {
    expect([0, 1, 2, 3].map((attempt) => secondsToWait(answer([]), attempt, nowMs))).toEqual([5, 10, 20, 40]);
  });
});

async function run(
  target: Pick<Target, 'siteUrl' | 'publicKey' | 'secretKey' | 'domain'>,
  sleep: (ms: number) => Promise<void>,
  more: { expectLimits?: boolean; onWait?: (name: string, seconds: number) => void } = {},
): Promise<RunReport> {
  return runSuite({
    target: {
      ...target,
      domainGiven: true,
      domainOff: 'notifier-contract.invalid',
      proofDomain: 'notifier-contract.example.com',
      releaseVersion: 'notifier-contract-1.0.0',
      run: '0123456789abcdef0123456789abcdef',
    },
    now: Date.now,
    expectLimits: false,
    sleep,
    ...more,
  });
}

function failures(report: RunReport): string[] {
  return report.results.filter((each) => each.outcome.result === 'failed').map((each) => each.check.name);
}

describe('a server of ours with its default limits', () => {
  async function withApp<T>(env: Record<string, string>, ask: (app: TestApp) => Promise<T>): Promise<T> {
    const app = await openTestApp({ env: { RATE_LIMITS: 'on', ...env }, domains: ['shop.example'] });
    try {
      return await ask(app);
    } finally {
      await app.close();
    }
  }

  function targetOf(app: TestApp) {
    const { publicKey, secretKey } = app;
    return { siteUrl: new URL(app.origin), publicKey, secretKey, domain: 'shop.example' };
  }

  inFull(it)('is checked to the end in each run, with the waits that it asks for', async () => {
    const waits: Array<[string, number]> = [];
    const reports = await withApp({}, async (app) => {
      const sleep = async (ms: number) => app.advance(ms);
      const onWait = (name: string, seconds: number) => waits.push([name, seconds]);
      const first = await run(targetOf(app), sleep, { onWait });
      const firstWaits = waits.length;
      const again: RunReport[] = [];
      for (let more = fullOrShort(2, 1); more > 0; more -= 1) {
        again.push(await run(targetOf(app), sleep, { onWait }));
      }
      expect(firstWaits).toBe(0);
      // Two proofs at most, and the same ones again.
      expect((await app.get('/releases?per_page=100')).body).toHaveLength(1);
      expect((await app.get('/feedback?per_page=100')).body).toHaveLength(1 + again.length);
      return [first, ...again];
    });
    expect(reports.map(failures)).toEqual(reports.map(() => []));
    expect(waits.length).toBeGreaterThan(0);
    expect(Math.max(...waits.map(([, seconds]) => seconds))).toBeLessThanOrEqual(60);
    const limited = reports.flatMap((report) =>
      report.results.filter(
        (each) => each.outcome.result === 'not-observed' && each.outcome.reason.startsWith('limited'),
      ),
    );
    expect(limited).toEqual([]);
  });

  inFull(it)('passes the limit checks under --expect-limits', async () => {
    const report = await withApp({}, (app) =>
      run(targetOf(app), async (ms) => app.advance(ms), { expectLimits: true }),
    );
    expect(failures(report)).toEqual([]);
    const limits = report.results.filter((each) => each.check.limits === true);
    expect(limits.map((each) => [each.check.name, each.outcome.result])).toEqual(
      limits.map((each) => [each.check.name, 'passed']),
    );
    expect(limits.length).toBeGreaterThanOrEqual(9);
  });
});

describe('a server that asks for too long a wait', () => {
  it('skips that check, and is checked for the rest', async () => {
    const server = createServer((_request, response) => {
      const body = { code: 'slow', message: 'Slow down.', data: { status: 429 } };
      response.writeHead(429, {
        'Content-Type': 'application/json',
        'Retry-After': String(waitSecondsMax + 1),
      });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const siteUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const sleep = () => Promise.reject(new Error('that is too long to wait'));
    const report = await run(
      { siteUrl, publicKey: 'pk_000000', secretKey: 'sk_000000', domain: 'a.example' },
      sleep,
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(failures(report)).toEqual([]);
    const first = report.results.find((each) => each.check.name === 'store-accepts-event');
    expect(first?.outcome).toEqual({
      result: 'not-observed',
      reason: `limited (the server asks for ${waitSecondsMax + 1} more seconds)`,
    });
  });

  inFull(it)('gets no longer wait by repeated 429 answers', async () => {
    const keys = { publicKey: 'pk_plain_1', secretKey: 'sk_plain_1', domain: 'shop.example' };
    const server = await startPlainServer({ ...keys, requestsMax: 0 });
    const waits = new Map<string, number>();
    const onWait = (name: string, seconds: number) => waits.set(name, (waits.get(name) ?? 0) + seconds);
    const report = await run({ siteUrl: new URL(server.url), ...keys }, async () => {}, { onWait });
    await server.close();
    expect(Math.max(...waits.values())).toBeLessThanOrEqual(waitSecondsMax);
    expect(report.results.find((each) => each.check.name === 'releases-accepts')?.outcome.result).toBe(
      'not-observed',
    );
  });
});

describe('a wait', () => {
  inFull(it)('shows a countdown at a terminal, and nothing elsewhere', async () => {
    const said: string[] = [];
    const io = { env: {}, out: () => {}, err: (text: string) => void said.push(text) };
    await sleepWithCountdown({ ...io, isTerminal: false })(5);
    expect(said).toEqual([]);
    await sleepWithCountdown({ ...io, isTerminal: true })(1010);
    expect(said.map((text) => text.replace(/[^\w ,]+|2K/g, '').trim())).toEqual([
      'waiting, 2 s left',
      'waiting, 1 s left',
      '',
    ]);
  });
});

describe('without --expect-limits', () => {
  it('no check of a limit is made, and each is listed', async () => {
    const keys = { publicKey: 'pk_plain_1', secretKey: 'sk_plain_1', domain: 'shop.example' };
    const server = await startPlainServer(keys);
    const report = await run({ siteUrl: new URL(server.url), ...keys }, async () => {});
    await server.close();
    const limits = wholeSuite.checks.filter((check) => check.limits === true).map((check) => check.name);
    const listed = report.results.filter((each) => limits.includes(each.check.name));
    expect(listed.map((each) => each.outcome)).toEqual(
      limits.map(() => ({ result: 'not-observed', reason: 'limits are judged with --expect-limits' })),
    );
  });
});

// Our answers beside those of the WordPress of this machine, so that the recorded fixtures can never drift
// into fiction.
import { describe, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { isNightly } from '../support/test-level.ts';
import type { Answer } from './exchanges.ts';
import { compareWithWordPress, report } from './record/compare.ts';
import { alike } from './record/named-differences.ts';
import type { FixtureRequest } from './record/requests.ts';
import { wordpressPrograms } from './record/site.ts';

describeWithPrograms('a live WordPress', wordpressPrograms, () => {
  // A minute of PHP: what it answered is a fixture that replay.test.ts holds, and the contract suite asks it.
  (isNightly ? it : it.skip)('answers as we do, named differences aside', async () => {
    const comparison = await compareWithWordPress();
    process.stdout.write(report(comparison));
    expect(comparison.unnamed).toEqual([]);
    expect(comparison.compared).toBeGreaterThanOrEqual(150);
  });
});

describe('the comparison', () => {
  const request: FixtureRequest = { id: 'query: page', method: 'GET', path: '/wp-json/x', headers: [] };
  const answer = (status: number, body: string, ...headers: Array<[string, string]>): Answer => ({
    status,
    headers: [['Date', String(body.length)], ['Content-Type', 'application/json'], ...headers],
    body: Buffer.from(body),
  });
  const resource: [string, string] = ['Cross-Origin-Resource-Policy', 'cross-origin'];

  it('counts what has a name', () => {
    const found = alike(request, answer(200, '[]', resource), answer(200, '[]'));
    expect(found).toEqual({ named: ['D-27: Cross-Origin-Resource-Policy is ours'], difference: null });
  });

  it.each([
    ['a status', answer(201, '[]')],
    ['a byte', answer(200, '{}')],
    ['a header', answer(200, '[]', ['X-Robots-Tag', 'noindex'])],
    ['a header of ours in another place', answer(200, '[]', resource, ['Vary', 'Origin'])],
  ])('does not overlook %s', (_, ours) => {
    expect(alike(request, ours, answer(200, '[]')).difference).not.toBeNull();
  });

  it('keeps the order of headers', () => {
    const allow: [string, string] = ['Allow', 'GET'];
    const vary: [string, string] = ['Vary', 'Origin'];
    const [ours, theirs] = [answer(200, '[]', allow, vary), answer(200, '[]', vary, allow)];
    expect(alike(request, ours, theirs).difference).toContain('headers');
  });

  it('does not let a decision excuse what it does not say, or what is the same', () => {
    const excused: FixtureRequest = { ...request, differs: 'D-10' };
    expect(alike(excused, answer(401, '[]'), answer(400, '{}')).difference).toBeNull();
    expect(alike(excused, answer(404, '[]'), answer(400, '{}')).difference).not.toBeNull();
    expect(alike(excused, answer(400, '[]'), answer(400, '[]')).difference).toContain('is the same');
  });
});

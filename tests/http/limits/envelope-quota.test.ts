import { describe, expect, it } from '@jest/globals';
import {
  createBadRequestError,
  createOverloadError,
  createPayloadTooLargeError,
  createRateLimitError,
} from '../../../src/core/errors.ts';
import { BodyStalled } from '../../../src/http/bodies/body-timeouts.ts';
import { chargeFailure, openQuota } from '../../../src/http/limits/envelope-quota.ts';
import type { LimitHeaders } from '../../../src/http/limits/headers.ts';
import { createLimiters } from '../../../src/http/limits/rate-limit.ts';

const limits = {
  enabled: true,
  eventsPerMinute: 2,
  eventsPerAddressPerMinute: 300,
  bytesPerMinute: 1000,
  bytesPerAddressPerMinute: 1000,
  bytesPerProjectPerMinute: 1000,
  feedbackPerAddressPerMinute: 5,
  feedbackPerHour: 100,
  verifyPerAddressPerMinute: 30,
  serverPerMinute: 120,
  chunksPerMinute: 600,
  proofsPerHour: 20,
  checksPerMinute: 6,
  badCredentialsPerMinute: 60,
  pagesPerMinute: 120,
  signInPerMinute: 5,
};
const subject = { address: '203.0.113.1', keyId: 1, projectId: 1, resourceId: '' };

async function fail(...failures: unknown[]): Promise<Array<[answer: unknown, left: string | undefined]>> {
  const limiters = createLimiters(limits, () => 0);
  const answers: Array<[unknown, string | undefined]> = [];
  for (const failure of failures) {
    let told: string | undefined;
    const tell = (headers: LimitHeaders): void => {
      told = /"events"; r=(\d+)/.exec(headers.find(([name]) => name === 'RateLimit')?.[1] ?? '')?.[1];
    };
    const quota = await openQuota(limiters, subject, tell, () => 1);
    answers.push([await chargeFailure(quota, failure), told]);
  }
  return answers;
}

describe('a request that fails before its cost is known', () => {
  it('costs one event, and gets 429 where none is left', async () => {
    const refusal = createBadRequestError('notifier_invalid_envelope', 'The envelope is not valid.');
    const [first, second, third] = await fail(refusal, refusal, refusal);
    expect([first, second]).toEqual([
      [refusal, '1'],
      [refusal, '0'],
    ]);
    expect(third).toEqual([expect.objectContaining({ code: 'rest_too_many_requests' }), '0']);
  });

  it('gets the limit used up at its arrival, also if the next charge is admitted', async () => {
    const limiters = createLimiters(limits, () => 0);
    const spent = createRateLimitError(1, { categories: ['error'] });
    const quota = await openQuota(
      { ...limiters, findSpent: async () => spent },
      subject,
      () => {},
      () => 1,
    );
    expect(await chargeFailure(quota, createPayloadTooLargeError(262_144))).toBe(spent);
  });

  it('costs nothing when the server is overloaded, and shows what is left', async () => {
    const overload = createOverloadError();
    expect(await fail(overload, overload, overload)).toEqual([
      [overload, '2'],
      [overload, '2'],
      [overload, '2'],
    ]);
  });

  it.each([
    ['is a fault, or has gone', new Error('the client went away')],
    ['came too slowly', new BodyStalled()],
  ])('gets no limit headers where it %s', async (_what, failure) => {
    const answers = await fail(failure, failure, failure);
    expect(answers.map(([answer]) => answer === failure)).toEqual([true, true, true]);
  });
});

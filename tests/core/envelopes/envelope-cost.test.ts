import { describe, expect, it } from '@jest/globals';
import {
  getDataCategory,
  listUnsupportedCategories,
  supportedItemTypes,
} from '../../../src/core/envelopes/item-types.ts';
import { countRateLimitCost, parseUpload } from '../../../src/core/envelopes/parse-upload.ts';

function cost(...types: string[]): [taken: number, untaken: number, categories: readonly string[]] {
  const items = types.map((type) => `${JSON.stringify({ type })}\n{}\n`).join('');
  const {
    supported: taken,
    unsupported: untaken,
    unsupportedCategories: categories,
  } = countRateLimitCost(parseUpload(Buffer.from(`{}\n${items}`)));
  return [taken, untaken, categories];
}

describe('the cost of an upload', () => {
  it('is the number of its items that are processed', () => {
    expect(cost('event')).toEqual([1, 0, []]);
    expect(cost('event', 'attachment', 'attachment', 'feedback', 'user_report')).toEqual([5, 0, []]);
    expect(cost('session', 'session', 'sessions')).toEqual([3, 0, []]);
  });

  it('of a JSON document is the number of its events', () => {
    const of = (document: unknown) =>
      countRateLimitCost(parseUpload(Buffer.from(JSON.stringify(document)))).supported;
    expect(of({ message: 'one' })).toBe(1);
    expect(of({ events: Array.from({ length: 500 }, () => ({ message: 'many' })) })).toBe(500);
    expect(of({ events: [5, null] })).toBe(2);
  });

  it('is zero for client reports', () => {
    expect(cost('client_report', 'client_report')).toEqual([0, 0, []]);
    expect(cost('client_report', 'session')).toEqual([1, 0, []]);
  });
});

describe('unsupported items', () => {
  it('are counted by category, in the words of the SDKs', () => {
    expect(cost('event', 'transaction', 'span', 'span', 'log', 'client_report')).toEqual([
      1,
      4,
      ['transaction', 'span', 'log_item'],
    ]);
  });

  it.each([
    ['transaction', ['transaction']],
    ['span', ['span']],
    ['otel_span', ['span']],
    ['log', ['log_item']],
    ['profile', ['profile']],
    ['profile_chunk', ['profile', 'profile_chunk']],
    ['replay_event', ['replay']],
    ['replay_recording', ['replay']],
    ['replay_video', ['replay']],
    ['statsd', ['metric_bucket']],
    ['metric_buckets', ['metric_bucket']],
    ['trace_metric', ['trace_metric']],
    ['metric', ['trace_metric']],
    ['raw_security', ['security']],
    ['security', ['security']],
    ['of_a_later_sdk', ['of_a_later_sdk']],
  ])('%s is %j', (type, categories) => {
    expect(listUnsupportedCategories([type, type])).toEqual(categories);
    expect(getDataCategory(type)).toBe(categories[0]);
  });

  it.each(['error', 'default', 'feedback', 'session', 'attachment', 'monitor', 'internal', 'unknown', 'all'])(
    'never get the category %s, whatever the item type is',
    (type) => {
      expect(listUnsupportedCategories([type])).toEqual([]);
    },
  );

  it('never get a category of a supported item', () => {
    expect(listUnsupportedCategories(supportedItemTypes)).toEqual([]);
  });

  it.each(['', 'a:b', 'a,b', 'a;b', 'A', 'a b', 'a\r\nb', '__proto__', 'é', 'x'.repeat(33)])(
    'never get an ambiguous category: %j',
    (type) => {
      expect(listUnsupportedCategories([type])).toEqual([]);
    },
  );

  it('have a bounded number of categories', () => {
    const many = Array.from({ length: 500 }, (_, index) => `kind_${index}`);
    expect(listUnsupportedCategories(many)).toHaveLength(20);
  });
});

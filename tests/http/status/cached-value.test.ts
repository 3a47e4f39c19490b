import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CachedValue, createCachedValue } from '../../../src/http/status/cached-value.ts';
import { createStatusPageCache, type StatusPageCache } from '../../../src/http/status/page-cache.ts';
import type { Rendered } from '../../../src/http/status/render.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

describe('a cached value', () => {
  let nowMs: number;
  let made: number;
  let faults: number;
  let isBroken: boolean;
  let gate: { readonly promise: Promise<void>; resolve(): void } | null;
  let kept: CachedValue<number>;
  beforeEach(() => {
    [nowMs, made, faults, isBroken, gate] = [0, 0, 0, false, null];
    kept = createCachedValue({
      now: () => nowMs,
      async compute() {
        await gate?.promise;
        if (isBroken) throw new Error('down');
        made += 1;
        return made;
      },
      failed() {
        faults += 1;
      },
    });
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('is computed once for concurrent requests, and kept for fifteen seconds', async () => {
    expect(kept.last()).toBeNull();
    expect(await Promise.all([kept.get(), kept.get(), kept.get()])).toEqual([1, 1, 1]);
    nowMs += 15 * secondMs - 1;
    expect([await kept.get(), kept.last(), made]).toEqual([1, 1, 1]);
  });

  it('is served stale while the next is computed, once', async () => {
    await kept.get();
    nowMs += 15 * secondMs;
    gate = Promise.withResolvers();
    expect(await Promise.all([kept.get(), kept.get()])).toEqual([1, 1]);
    gate.resolve();
    await settle();
    expect([await kept.get(), made]).toEqual([2, 2]);
  });

  it('is recomputed before the answer if older than a minute', async () => {
    await kept.get();
    nowMs += minuteMs;
    expect(await Promise.all([kept.get(), kept.get()])).toEqual([2, 2]);
  });

  it('is recomputed before the answer for a caller that needs it fresher', async () => {
    await kept.get();
    nowMs += 2 * secondMs;
    expect(await kept.get({ freshMs: secondMs, staleMs: secondMs })).toBe(2);
  });

  it('is served for an hour on failures, with a new attempt every two seconds', async () => {
    await kept.get();
    isBroken = true;
    nowMs += minuteMs;
    for (let asked = 0; asked < 10; asked += 1) expect(await kept.get()).toBe(1);
    expect(faults).toBe(1);
    nowMs += 2 * secondMs;
    expect([await kept.get(), faults]).toEqual([1, 2]);
    nowMs = hourMs;
    await expect(kept.get()).rejects.toThrow('down');
    isBroken = false;
    nowMs += 2 * secondMs;
    expect(await kept.get()).toBe(2);
  });

  it('is recomputed if the clock was set back', async () => {
    nowMs = hourMs;
    await kept.get();
    nowMs = 0;
    expect(await kept.get()).toBe(2);
  });
});

describe('answers of status pages', () => {
  const bytes = Buffer.alloc(12 * 1_048_576);
  let asked: string[];
  let atOnce: number;
  let mostAtOnce: number;
  let answers: StatusPageCache;
  beforeEach(() => {
    [asked, atOnce, mostAtOnce] = [[], 0, 0];
    const slowly = async (what: string): Promise<void> => {
      asked.push(what);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
    };
    answers = createStatusPageCache({
      now: () => 0,
      async source(slug) {
        asked.push(`model ${slug}`);
        const language = slug === 'auto' ? 'auto' : 'en';
        return slug === 'gone'
          ? null
          : ({
              language,
              modelIn: (chosen: string) => ({ slug: `${slug}${chosen === 'en' ? '' : ` ${chosen}`}` }),
            } as never);
      },
      async render({ slug }, kind, place): Promise<Rendered> {
        await slowly(`${slug} ${kind}${place}`);
        return { contentType: '', etag: '', plain: bytes, gzip: null };
      },
      failed() {},
    });
  });

  it('are rendered once for each kind, one at a time', async () => {
    const all = ['a', 'b'].flatMap((slug) =>
      Array.from({ length: 50 }, () => [
        answers.get(slug, 'page', '', 'en'),
        answers.get(slug, 'json', 'http://x', 'en'),
      ]),
    );
    await Promise.all(all.flat());
    expect(asked.toSorted()).toEqual(
      ['a json', 'a page', 'b json', 'b page', 'model a', 'model b']
        .map((each) => (each === 'a json' || each === 'b json' ? `${each}http://x` : each))
        .toSorted(),
    );
    expect(mostAtOnce).toBe(1);
  });

  it('are cached for each host separately, except for what is the same', async () => {
    for (const place of ['', 'http://x']) {
      for (const kind of ['page', 'json', 'feed', 'badge'] as const)
        await answers.get('a', kind, place, 'en');
    }
    expect(asked).toHaveLength(1 + 6);
  });

  it('have a size limit and drop the least recently used', async () => {
    for (const slug of ['a', 'b', 'a', 'c']) await answers.get(slug, 'page', '', 'en');
    asked = [];
    await answers.get('a', 'page', '', 'en');
    await answers.get('c', 'page', '', 'en');
    expect(asked).toEqual([]);
    await answers.get('b', 'page', '', 'en');
    expect(asked).toEqual(['model b', 'b page']);
  });

  it('are cached for each language of an automatic page, once for programs', async () => {
    for (const kind of ['page', 'json'] as const) {
      for (const language of ['de', 'de'] as const) await answers.get('auto', kind, '', language);
    }
    expect(asked).toEqual(['model auto', 'auto de page', 'auto json']);
    asked = [];
    for (const language of ['de', 'en'] as const) await answers.get('a', 'page', '', language);
    expect(asked).toEqual(['model a', 'a page']);
  });

  it('are dropped with their page', async () => {
    expect((await answers.get('gone', 'page', '', 'en')).rendered).toBeNull();
    await answers.get('a', 'page', '', 'en');
    answers.keepOnly(new Set(['b']));
    asked = [];
    await answers.get('a', 'page', '', 'en');
    expect(asked).toEqual(['model a', 'a page']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { eventOfSize } from '../event.ts';
import { OptionsError, readOptions, usualTopics } from './options.ts';
import { farness } from './planned.ts';

describe('options of the benchmark', () => {
  it('measures everything that is usual where nothing is said', () => {
    const { topics, bodies, repeats, events, peer, docs } = readOptions([]);
    expect(topics).toEqual(usualTopics);
    expect(bodies).toEqual([2, 27, 45, 200]);
    expect(events).toEqual([0, 100_000, 1_000_000]);
    expect({ repeats, peer, docs }).toEqual({ repeats: 7, peer: null, docs: null });
  });

  it('picks', () => {
    const options = readOptions(['store', '--bodies', '2,45', '--repeats', '3', '--databases', 'sqlite']);
    expect(options).toMatchObject({ topics: ['store'], bodies: [2, 45], repeats: 3, databases: ['sqlite'] });
    expect(readOptions(['pages', 'sqlite'])).toMatchObject({ topics: ['pages'], rest: ['sqlite'] });
  });

  it('reads the address of a peer', () => {
    const { peer } = readOptions([
      'store',
      '--peer',
      'https://wp.example/wp-json/notifier/v1/',
      '--peer-key',
      'k',
    ]);
    expect(peer).toEqual({
      host: 'wp.example',
      port: 443,
      isTls: true,
      base: '/wp-json/notifier/v1',
      key: 'k',
    });
  });

  it.each([
    [['stores'], 'nothing called "stores"'],
    [['--bodies', '2,x'], '--bodies takes numbers'],
    [['--repeats', '0'], '--repeats takes numbers of at least 1'],
    [['--databases', 'mysql'], '--databases takes sqlite and postgresql'],
    [['--events', '5'], '--events takes 0, 100000 and 1000000'],
    [['--peer', 'ftp://x'], '--peer takes the address'],
    [['--pear', 'x'], "Unknown option '--pear'"],
  ])('says what is wrong with %j', (words, said) => {
    expect(() => readOptions(words)).toThrow(OptionsError);
    expect(() => readOptions(words)).toThrow(said);
  });
});

describe('how far a run is', () => {
  it.each([
    [0, 0, 100, '  0 %, 2 min left'],
    [50, 50, 100, ' 50 %, 50 s left'],
    // As slow as it was so far.
    [100, 50, 100, ' 50 %, 2 min left'],
    [130, 100, 100, '100 %, 0 s left'],
  ])('after %d s that were to be %d of %d: %s', (took, done, total, said) => {
    expect(farness(took, done, total)).toBe(said);
  });
});

describe('events of a size', () => {
  it.each([2, 27, 45, 200])('has about %d KB, each other texts', (kilobytes) => {
    const bytes = Buffer.byteLength(eventOfSize(kilobytes, 1));
    expect(Math.abs(bytes - kilobytes * 1000)).toBeLessThan(1500);
    expect(eventOfSize(kilobytes, 1)).toBe(eventOfSize(kilobytes, 1));
    expect(eventOfSize(kilobytes, 2)).not.toBe(eventOfSize(kilobytes, 1));
  });
});

// What lies between threads that answer: how many there are, news of events, overload, questions.
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { localEventFeed } from '../../../src/core/events/feed.ts';
import { localSum } from '../../../src/core/shared/sum.ts';
import { howManyThreads } from '../../../src/program/threads/how-many.ts';
import { openLink, type Word } from '../../../src/program/threads/link.ts';
import { openShared, sharedMemory } from '../../../src/program/threads/shared.ts';
import { threadFeed } from '../../../src/program/threads/thread-feed.ts';
import { whenBusy } from '../../../src/program/threads/when-busy.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function twoThreads() {
  const memory = sharedMemory();
  return [0, 1].map(() => openShared(memory, () => 1_000)) as [
    ReturnType<typeof openShared>,
    ReturnType<typeof openShared>,
  ];
}

describe('how many threads answer', () => {
  const linux = { platform: 'linux', cores: 2, isHanded: false } as const;
  it.each([
    [1, 'sqlite:x.db', linux, 1, null],
    [4, 'sqlite:x.db', linux, 4, null],
    [4, 'postgres://host/db', linux, 4, null],
    [4, 'sqlite:x.db', { ...linux, platform: 'darwin' }, 1, /only Linux/],
    [4, 'sqlite:x.db', { ...linux, isHanded: true }, 1, /the socket was handed over/],
    [2, 'sqlite::memory:', linux, 1, /^WEB_CONCURRENCY is 2, and one thread answers: a database in memory/],
    [1, 'sqlite::memory:', { ...linux, platform: 'win32', isHanded: true }, 1, null],
  ] as const)('%p on %p, %p: %p', (webConcurrency, databaseUrl, machine, threads, words) => {
    const many = howManyThreads({ webConcurrency, databaseUrl }, machine);
    expect(many.threads).toBe(threads);
    expect(many.grows).toBe(false);
    if (words === null) expect(many.warning).toBe(null);
    else expect(many.warning).toMatch(words);
  });

  it.each([
    ['sqlite:x.db', linux, 1],
    ['sqlite:x.db', { ...linux, cores: 3 }, 2],
    ['postgres://host/db', { ...linux, cores: 4 }, 3],
    ['sqlite:x.db', { ...linux, cores: 64 }, 4],
    ['sqlite:x.db', { ...linux, cores: 1 }, 1],
    ['sqlite::memory:', { ...linux, cores: 8 }, 1],
    ['sqlite:x.db', { ...linux, cores: 8, platform: 'darwin' }, 1],
    ['sqlite:x.db', { ...linux, cores: 8, isHanded: true }, 1],
  ] as const)(
    'where nothing is said, on %p, %p: up to %p, and nobody is warned',
    (databaseUrl, machine, threads) => {
      const many = howManyThreads({ webConcurrency: 0, databaseUrl }, machine);
      expect(many).toEqual({ threads, grows: threads > 1, warning: null });
    },
  );
});

describe('a look at how busy the loop is', () => {
  /** Looks at each of these shares of time in turn; how often it was told. */
  function toldAfter(shares: readonly number[]): number {
    let look = (): void => {};
    let told = 0;
    let at = 0;
    const { stop } = whenBusy(
      () => {
        told += 1;
      },
      () => shares[at++] ?? 0,
      (asked) => {
        look = asked;
        return setTimeout(() => {}, 0);
      },
    );
    for (const _ of shares) look();
    stop();
    return told;
  }

  it('tells once it was busy for six looks without a pause', () => {
    expect(toldAfter([1, 1, 1, 1, 1])).toBe(0);
    expect(toldAfter([0.7, 0.8, 1, 1, 1, 0.7])).toBe(1);
  });

  it('does not tell of what is over sooner', () => {
    expect(toldAfter([1, 1, 1, 1, 1, 0.2, 1, 1, 1, 1, 1, 0.69])).toBe(0);
  });
});

describe('news of events', () => {
  it('go to the others once a turn, while somebody follows there', async () => {
    const followers = localSum();
    let told = 0;
    const own = localEventFeed();
    const here = threadFeed(own, followers, () => {
      told += 1;
    });
    const there = threadFeed(localEventFeed(), followers, () => {});
    let heard = 0;
    const leaveHere = here.subscribe(() => {
      heard += 1;
    });
    here.publish();
    await turn();
    expect([heard, told]).toEqual([1, 0]);
    const leaveThere = there.subscribe(() => {});
    here.publish();
    here.publish();
    await turn();
    expect([heard, told]).toEqual([3, 1]);
    leaveThere();
    leaveThere();
    here.publish();
    await turn();
    expect([heard, told, followers.value()]).toEqual([4, 1, 1]);
    leaveHere();
    // What another thread tells is heard by its followers here alone.
    own.publish();
    expect([heard, followers.value()]).toEqual([4, 0]);
  });
});

describe('domain checks', () => {
  it('have one budget a host and one a server, of which a project leaves others their share', () => {
    const [here, there] = twoThreads();
    const takes = (host: string, times: number, projectOf = (index: number) => index) =>
      Array.from({ length: times }, (_, index) =>
        (index % 2 === 0 ? here : there).takeCheck(host, projectOf(index)),
      );
    expect(takes('a.example', 32).filter((wait) => wait === null)).toHaveLength(30);
    expect(takes('b.example', 40).filter((wait) => wait === null)).toHaveLength(30);
    expect(takes('c.example', 2)).toEqual([60_000, 60_000]);
    const [first, second] = twoThreads();
    const of = (projectId: number) =>
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? first : second).takeCheck(`${projectId}-${index}.example`, projectId),
      ).filter((wait) => wait === null).length;
    expect([of(1), of(2)]).toEqual([45, 6]);
  });
});

describe('a link', () => {
  it('brings words, questions and answers, and no answer where one fails', async () => {
    const { port1, port2 } = new MessageChannel();
    const heard: Word[] = [];
    const one = openLink(port1, { hear: () => {}, answer: async () => null });
    openLink(port2, {
      hear: (word) => void heard.push(word),
      async answer(what) {
        if (what === 'metrics') throw new Error('not now');
        return what === 'counts'
          ? { inflightRequests: 1, requestsWaiting: 4, waitingItems: 2, waitingBytes: 3 }
          : null;
      },
    });
    try {
      one.tell({ say: 'news' });
      expect(await one.ask('counts')).toEqual({
        inflightRequests: 1,
        requestsWaiting: 4,
        waitingItems: 2,
        waitingBytes: 3,
      });
      expect(heard).toEqual([{ say: 'news' }]);
      expect(await one.ask('metrics')).toBe(null);
    } finally {
      port1.close();
    }
  });
});

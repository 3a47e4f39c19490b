// The ladder of overload: by what it goes up and down, and what is turned away at each level. How the process
// stands is said here, never made.
import { afterEach, describe, expect, it } from '@jest/globals';
import { createOverload, type OverloadLevel, type Pressure } from '../../../src/http/server/overload.ts';
import { defaultMemoryLimit } from '../../../src/program/sight/pressure.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

const idle: Pressure = { loopDelayP99Ms: 0, memoryShare: 0.3, queueShare: 0, diskFreeBytes: 1e12 };
const mebibyte = 1_048_576;

/** A ladder over what `stand` says, and the levels it told of. */
function ladder() {
  const told: OverloadLevel[] = [];
  let now = idle;
  const overload = createOverload({
    pressure: () => now,
    diskReserveBytes: 64 * mebibyte,
    told: (level) => void told.push(level),
  });
  return {
    told,
    overload,
    /** The level after so many looks at this. */
    at(pressure: Partial<Pressure>, looks = 1): OverloadLevel {
      now = { ...idle, ...pressure };
      for (let look = 0; look < looks; look += 1) overload.look();
      return overload.level();
    },
  };
}

describe('the ladder of overload', () => {
  it.each<[string, Partial<Pressure>, OverloadLevel]>([
    ['nothing', {}, 0],
    ['a loop at its bound', { loopDelayP99Ms: 100 }, 0],
    ['a loop over its first bound', { loopDelayP99Ms: 101 }, 1],
    ['a loop over its second bound', { loopDelayP99Ms: 251 }, 2],
    ['a loop that hardly turns', { loopDelayP99Ms: 60_000 }, 2],
    ['memory', { memoryShare: 0.71 }, 1],
    ['more memory', { memoryShare: 0.86 }, 2],
    ['most memory', { memoryShare: 0.96 }, 3],
    ['a queue', { queueShare: 0.51 }, 1],
    ['a queue that is nearly full', { queueShare: 0.91 }, 2],
    ['a queue that is full', { queueShare: 1 }, 2],
    ['a disk at its reserve', { diskFreeBytes: 64 * mebibyte }, 0],
    ['a disk below its reserve', { diskFreeBytes: 64 * mebibyte - 1 }, 3],
    ['a disk that nobody knows', { diskFreeBytes: null }, 0],
    ['the highest of several', { loopDelayP99Ms: 101, queueShare: 0.95 }, 2],
  ])('stands for %s', (_what, pressure, level) => {
    expect(ladder().at(pressure)).toBe(level);
  });

  it('goes up at once, and down after two seconds of less', () => {
    const { at, told } = ladder();
    expect(at({ queueShare: 0.95 })).toBe(2);
    expect(at({}, 3)).toBe(2);
    expect(at({ queueShare: 0.95 })).toBe(2);
    expect(at({}, 3)).toBe(2);
    expect(at({})).toBe(0);
    expect(told).toEqual([2, 0]);
  });

  it('goes down no further than it was meanwhile', () => {
    const { at } = ladder();
    expect(at({ memoryShare: 0.99 })).toBe(3);
    expect(at({ memoryShare: 0.75 })).toBe(3);
    expect(at({}, 3)).toBe(1);
    expect(at({}, 4)).toBe(0);
  });

  it('serves again as soon as there is room on the disk', () => {
    const { at } = ladder();
    expect(at({ diskFreeBytes: 1 })).toBe(3);
    expect(at({})).toBe(0);
  });

  const none = { underWay: 0, isLarge: false };
  const ingestion = { isIngestion: true, writes: true, ...none };
  const server = { isIngestion: false, writes: true, ...none };
  const read = { isIngestion: false, writes: false, ...none };
  it.each<[string, Partial<Pressure>, Array<number | undefined>]>([
    ['nothing at 0', {}, [undefined, undefined, undefined]],
    ['nothing at 1', { queueShare: 0.6 }, [undefined, undefined, undefined]],
    ['public ingestion at 2 for a queue', { queueShare: 0.95 }, [429, undefined, undefined]],
    ['public ingestion at 2 for memory', { memoryShare: 0.9 }, [429, undefined, undefined]],
    ['nothing at 2 for the loop while few are under way', { loopDelayP99Ms: 300 }, Array(3).fill(undefined)],
    ['all at 3 for memory', { memoryShare: 0.99 }, [429, 429, 429]],
    ['what writes where the disk is low', { diskFreeBytes: 1 }, [503, 503, undefined]],
  ])('turns away %s', (_what, pressure, statuses) => {
    const { at, overload } = ladder();
    at(pressure);
    expect([ingestion, server, read].map((asked) => overload.refusal(asked)?.status)).toEqual(statuses);
  });

  it.each([
    ['small ones, while all is well', {}, false, 256],
    ['large ones, while all is well', {}, true, 32],
    ['small ones at 2', { loopDelayP99Ms: 300 }, false, 64],
    ['large ones at 2', { loopDelayP99Ms: 300 }, true, 1],
  ])('has places for %s', (_what, pressure, isLarge, places) => {
    const { at, overload } = ladder();
    at(pressure);
    const asked = { ...ingestion, isLarge };
    expect(overload.refusal({ ...asked, underWay: places - 1 })).toBeNull();
    expect(overload.refusal({ ...asked, underWay: places })?.status).toBe(429);
  });

  it('stands at 2 as soon as somebody finds no place, and until nobody did for two seconds', () => {
    const { at, overload, told } = ladder();
    at({});
    overload.refusal({ ...ingestion, underWay: 256 });
    expect(told).toEqual([2]);
    for (let second = 0; second < 10; second += 1) {
      expect(at({}, 2)).toBe(2);
      expect(overload.refusal({ ...ingestion, underWay: 63 })).toBeNull();
      expect(overload.refusal({ ...ingestion, underWay: 64 })?.status).toBe(429);
    }
    expect(at({}, 4)).toBe(2);
    expect(at({})).toBe(0);
    expect(told).toEqual([2, 0]);
  });

  it('spreads the time after which clients come back over one to five seconds', () => {
    const { at, overload } = ladder();
    at({ queueShare: 0.95 });
    const waits = Array.from({ length: 200 }, () => {
      const refusal = overload.refusal(ingestion);
      expect(refusal?.headers[0]).toEqual(['Retry-After', String(refusal?.extra['retry_after'])]);
      return Number(refusal?.extra['retry_after']);
    });
    expect([...new Set(waits)].sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('the limit of memory', () => {
  const gibibyte = 1024 * mebibyte;
  it.each([
    ['what a container allows', 768 * mebibyte, 8 * gibibyte, 768 * mebibyte],
    ['half of a machine without a limit', 2 ** 63, 8 * gibibyte, 4 * gibibyte],
    ['half of a machine that says nothing', 0, 8 * gibibyte, 4 * gibibyte],
    ['512 MiB on a small machine', 0, 0.6 * gibibyte, 512 * mebibyte],
  ])('is %s', (_what, allowed, machine, limit) => {
    expect(defaultMemoryLimit(allowed, machine)).toBe(limit);
  });
});

inFull(describe)('a server', () => {
  let app: TestApp;
  let now = idle;
  afterEach(() => app.close());

  async function openAt(pressure: Partial<Pressure>, level: OverloadLevel): Promise<void> {
    now = idle;
    app = await openTestApp({ pressure: () => now });
    now = { ...idle, ...pressure };
    await until(async () => (await app.metrics()).includes(`notifier_overload_level ${level}\n`));
  }
  const send = () => app.post('/store', { message: 'm' });
  const alias = () =>
    app.agent
      .post(`/wp-json/notifier/v1/api/${app.project.id}/store/?sentry_key=${app.publicKey}`)
      .send('{"message":"m"}');

  it('at 0 keeps connections', async () => {
    await openAt({}, 0);
    const answer = await send().set('Connection', 'keep-alive').expect(201);
    expect(answer.headers['connection']).not.toBe('close');
    expect((await app.agent.get('/readyz')).body).not.toHaveProperty('overload_level');
  });

  it('at 1 closes connections with their answers, those of events apart', async () => {
    await openAt({ queueShare: 0.6 }, 1);
    const event = await send().set('Connection', 'keep-alive').expect(201);
    expect(event.headers['connection']).not.toBe('close');
    const page = app.agent.get('/sign-in').set('Connection', 'keep-alive');
    for (const answer of [await app.get('/issues').set('Connection', 'keep-alive'), await page]) {
      expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
    }
  });

  it('at 2 keeps the connection of a large event that it turns away, and not of a larger one', async () => {
    await openAt({ queueShare: 0.95 }, 2);
    for (const [bytes, closes] of [
      [1_048_000, false],
      [1_048_600, true],
    ] as const) {
      const sent = app.post('/store', { message: 'm', extra: 'x'.repeat(bytes - 30) });
      const answer = await sent.set('Connection', 'keep-alive').expect(429);
      expect([bytes, answer.headers['connection'] === 'close']).toEqual([bytes, closes]);
    }
  });

  it('at 2 gives the memory of a large event that it turns away back as it comes', async () => {
    await openAt({ queueShare: 0.95 }, 2);
    let bytes = 0;
    const { transfer } = ArrayBuffer.prototype;
    ArrayBuffer.prototype.transfer = function (length) {
      bytes += this.byteLength;
      return transfer.call(this, length);
    };
    try {
      await app.post('/store', { message: 'm', extra: 'x'.repeat(1_000_000) }).expect(429);
      await until(() => bytes > 900_000);
      expect(bytes).toBeLessThan(1_200_000);
    } finally {
      ArrayBuffer.prototype.transfer = transfer;
    }
  });

  it('at 2 turns away who finds no place, and answers who has one', async () => {
    await openAt({ loopDelayP99Ms: 300 }, 2);
    const { store } = app.deps;
    const { recordEvent } = store;
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    Object.assign(store, {
      recordEvent: async (...parts: Parameters<typeof recordEvent>) => {
        await held;
        return recordEvent.apply(store, parts);
      },
    });
    const some = Array.from({ length: 72 }, () => send().then(({ status }) => status));
    await until(async () =>
      (await app.metrics()).includes('shed",reason="overload",category="unknown"} 8\n'),
    );
    go();
    const statuses = await Promise.all(some);
    expect([201, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([64, 8]);
    Object.assign(store, { recordEvent });
    await send().expect(201);
  });

  it('at 2 turns events away, by every address they have, and serves secret keys', async () => {
    await openAt({ queueShare: 0.95 }, 2);
    let asked = 0;
    const { store } = app.deps;
    Object.assign(store, {
      findKeyByHash: async () => {
        asked += 1;
        return null;
      },
    });
    for (const answer of [
      await send(),
      await alias(),
      await app.agent.post('/?rest_route=/Notifier/v1/STORE'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([429, 'rest_too_many_requests']);
      expect(answer.headers['retry-after']).toBe(String(answer.body.data.retry_after));
      expect(answer.headers).toMatchObject({ 'access-control-allow-headers': expect.any(String) });
    }
    expect(asked).toBe(0);
    Reflect.deleteProperty(store, 'findKeyByHash');
  });

  it('at 2 serves secret keys, and is ready', async () => {
    await openAt({ queueShare: 0.95 }, 2);
    await app.get('/issues').expect(200);
    await app.postSecret('/releases', { version: '1.0.0' }).expect(201);
    const { status, body } = await app.agent.get('/readyz');
    expect([status, body.overload_level]).toEqual([200, 2]);
    const text = await app.metrics();
    expect(text).not.toContain('outcome="shed"');
    await send().expect(429);
    const after = await app.metrics();
    expect(after).toContain('notifier_events_total{outcome="shed",reason="overload",category="unknown"} 1\n');
    expect(after).toContain('{route="/notifier/v1/store",method="POST",status="429"} 1\n');
  });

  it('at 3 for memory serves nothing but how it is', async () => {
    await openAt({ memoryShare: 0.99 }, 3);
    await send().expect(429);
    await app.get('/issues').expect(429);
    const page = await app.agent.get('/issues').set('Accept', 'text/html').expect(429);
    expect(page.headers['retry-after']).toMatch(/^[1-5]$/);
    await app.agent.get('/livez').expect(200);
    await app.agent.get('/healthz').expect(200);
    expect((await app.agent.get('/readyz').expect(503)).body).toMatchObject({
      ready: false,
      overload_level: 3,
    });
  });

  it('with too little disk takes nothing, is not ready, and is read as before', async () => {
    await openAt({ diskFreeBytes: 5 }, 3);
    const { body } = await send().expect(503);
    expect(body.code).toBe('rest_unavailable');
    await app.postSecret('/releases', { version: '1.0.0' }).expect(503);
    await app.get('/issues').expect(200);
    await app.agent.get('/readyz').expect(503);
    now = idle;
    await until(async () => (await send()).status === 201);
  });
});

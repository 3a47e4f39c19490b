import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProcessLoad } from '../../../src/app/metrics/process-load.ts';
import { createDiskReserve } from '../../../src/http/server/disk-reserve.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { until } from '../../support/until.ts';

const mebibyte = 1_048_576;
const reserve = 64 * mebibyte;
const idle: ProcessLoad = { memoryShare: 0.3, queueShare: 0, diskFreeBytes: 1e12 };

describe('bodies admitted between two checks of the disk', () => {
  function room(freeBytes: number | null) {
    let free = freeBytes;
    const disk = createDiskReserve(reserve);
    const look = (bytes = free): void => {
      free = bytes;
      disk.setFreeBytes(free);
    };
    look();
    return { disk, look };
  }
  const admitted = ({ disk }: ReturnType<typeof room>, bodies = 20): number =>
    Array.from({ length: bodies }, () => disk.admitBytes(mebibyte)).filter((each) => each === null).length;

  it('count twice, for log and database, and are refused if they would use the reserve', () => {
    const tight = room(reserve + 10 * mebibyte);
    // Each takes its rows besides.
    expect(admitted(tight)).toBe(4);
    expect(tight.disk.admitBytes(mebibyte)).toMatchObject({ status: 503, code: 'rest_unavailable' });
    // What was refused took nothing.
    expect(tight.disk.admitBytes(1000)).toBeNull();
    expect(tight.disk.isLow()).toBe(false);
  });

  it('are refused before they are read once nothing is left', () => {
    const { disk } = room(reserve + 8 * 1024);
    expect(disk.isLow()).toBe(false);
    expect(disk.admitBytes(2048)).toBeNull();
    expect(disk.admitBytes(0)).toMatchObject({ status: 503 });
  });

  it('count until the free space includes them', () => {
    const disk = room(reserve + 10 * mebibyte);
    expect(admitted(disk)).toBe(4);
    for (let looks = 0; looks < 3; looks += 1) {
      disk.look();
      expect(admitted(disk, 1)).toBe(0);
    }
    disk.look(reserve + 4 * mebibyte);
    expect(admitted(disk)).toBe(1);
  });

  it('are not counted if the free space is unknown', () => {
    expect(admitted(room(null))).toBe(20);
  });
});

describe('a server with little more free disk than its reserve', () => {
  let app: TestApp;
  afterEach(() => app.close());

  it('accepts what fits, refuses the rest before storing it, and allows deletions', async () => {
    let now = { ...idle, diskFreeBytes: reserve + 100 * 1024 };
    let looks = 0;
    const pressure = (): ProcessLoad => {
      looks += 1;
      return now;
    };
    app = await openTestApp({ pressure, admission: { pressureCheckMs: 20 } });
    await app.postSecret('/releases', { version: '1.0.0' }).expect(201);
    const [release] = (await app.get('/releases').expect(200)).body;
    await until(() => looks > 0);
    const large = { message: 'large', extra: { text: 'x'.repeat(60 * 1024) } };
    const { body } = await app.post('/store', large).expect(503);
    expect(body).toMatchObject({ code: 'rest_unavailable', data: { status: 503 } });
    expect(await app.deps.store.countStoredEvents(app.project.id)).toBe(0);
    await app.post('/store', { message: 'small' }).expect(201);
    const form = `{}\n{"type":"event"}\n${JSON.stringify(large)}\n`;
    const envelope = app.agent.post('/wp-json/notifier/v1/envelope').set('X-Notifier-Key', app.publicKey);
    await envelope.send(form).expect(503);
    expect(await app.deps.store.countStoredEvents(app.project.id)).toBe(1);
    now = { ...idle, diskFreeBytes: 5 };
    await until(async () => (await app.post('/store', { message: 'small' })).status === 503);
    await app.postSecret('/releases', { version: '1.0.1' }).expect(503);
    await app.deleteSecret(`/releases/${release.release_id}`).expect(200);
  });
});

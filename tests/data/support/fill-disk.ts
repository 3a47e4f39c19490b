// A process on a small disk of its own: says whether its store is ready before the disk is full, while it is,
// and once there is room again. Argument: the folder the disk is mounted at.
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { eventIdOf, eventOf, startMs } from './events.ts';

const [folder = ''] = process.argv.slice(2);
const store = await openStore(`sqlite:${join(folder, 'notifier.db')}`, {
  now: () => startMs,
  log: silentLog,
});
await store.createProject({ name: 'shop', createdAtMs: startMs });
const ready = async (): Promise<boolean> => (await store.health()).writable;

const before = await ready();
const ballast = join(folder, 'ballast');
try {
  for (;;) appendFileSync(ballast, Buffer.alloc(4096, 1));
} catch {
  // The disk is full.
}
const full = await ready();
rmSync(ballast);
const after = await ready();
await store.recordEvent(eventOf({ id: 'e1' }));
const kept = (await store.findEvent(1, eventIdOf('e1'))) !== null;
await store.close();
process.stdout.write(JSON.stringify({ before, full, after, kept }));

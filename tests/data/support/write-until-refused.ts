// A process that files events until the store refuses one, and says what it then still can do. Argument:
// database address.
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { eventIdOf, eventOf, startMs } from './events.ts';

const [address = ''] = process.argv.slice(2);
const store = await openStore(address, { now: () => startMs, log: silentLog });
await store.createProject({ name: 'shop', createdAtMs: startMs });
const random = Array.from({ length: 8000 }, (_, index) => eventIdOf(`${index}`)).join('');

const readyBefore = (await store.health()).writable;
let accepted = 0;
let refusal = '';
for (; refusal === '' && accepted < 10_000; accepted += 1) {
  try {
    await store.recordEvent(
      eventOf({ id: `e${accepted}`, payload: JSON.stringify({ message: random.slice(accepted % 99) }) }),
    );
  } catch (error) {
    refusal = (error as Error).constructor.name;
    break;
  }
}
const readable = (await store.findEvent(1, eventIdOf('e0'))) !== null;
const readyAfter = (await store.health()).writable;
process.stdout.write(JSON.stringify({ accepted, refusal, readable, readyBefore, readyAfter }));
await store.close();

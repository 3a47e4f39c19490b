// A process that files events until it is killed: prints each event id after the store has answered for it,
// never before. Arguments: database address, round.
import { writeSync } from 'node:fs';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { eventIdOf, eventOf, startMs } from './events.ts';

const [address = '', round = '0'] = process.argv.slice(2);
const writers = 64;

const store = await openStore(address, { now: () => startMs, log: silentLog });
await store.setSetting('ready', round);
if ((await store.listProjects()).length === 0) {
  await store.createProject({ name: 'shop', createdAtMs: startMs });
}

let next = 0;
async function writeForEver(): Promise<void> {
  for (;;) {
    next += 1;
    // The first events repeat those of the round before, as a client does that had no answer.
    const word = next <= 200 ? `${Number(round) - 1}-${next}` : `${round}-${next - 200}`;
    await store.recordEvent(
      eventOf({ id: word, kind: `k${next % 10}`, userHash: `u${next % 50}`, release: `1.${next % 3}.0` }),
    );
    writeSync(1, `${eventIdOf(word)}\n`);
  }
}
await Promise.all(Array.from({ length: writers }, writeForEver));

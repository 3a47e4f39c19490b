// A process that removes old events until it is killed: prints a line for each slice and waits after the
// fourth. Arguments: database address, days that are kept, time.
import { writeSync } from 'node:fs';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { runRetention } from '../../../src/core/retention/retention.ts';

const [address = '', days = '', time = ''] = process.argv.slice(2);
const now = (): number => Number(time);
const store = await openStore(address, { now, log: silentLog });
const config = { retention: { days: Number(days), events: 0, bytes: 0 } } as never;
let slices = 0;
await runRetention(
  { store, now, config, log: silentLog },
  {
    isOver: () => false,
    sleep: () => {
      slices += 1;
      writeSync(1, `${slices}\n`);
      // Whoever started this ends it here.
      return slices < 4 ? Promise.resolve() : new Promise(() => setInterval(() => {}, 1000));
    },
    onProgress: () => {},
    isConfirmed: true,
    isDryRun: false,
  },
);

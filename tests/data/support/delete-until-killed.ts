// A process that deletes an issue, a slice at a time, until it is killed: prints a line for each slice and
// waits after the fourth. Arguments: database address, issue.
import { writeSync } from 'node:fs';
import { openStore } from '../../../data/open-store.ts';
import { silentLog } from '../../../src/app/log.ts';
import { startMs } from './events.ts';

const [address = '', issue = ''] = process.argv.slice(2);
const store = await openStore(address, { now: () => startMs, log: silentLog });
await store.endIssue(1, Number(issue), startMs);
for (let slice = 1; slice <= 4; slice += 1) {
  await store.removeIssueSlice({ projectId: 1, issueId: Number(issue) });
  writeSync(1, `${slice}\n`);
}
// Whoever started this ends it here.
setInterval(() => {}, 1000);

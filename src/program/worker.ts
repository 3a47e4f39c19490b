// A thread that answers requests beside the one that the program began with. It begins with what was compiled
// at earlier starts, which a thread does not take over by itself.
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './threads/thread-data.ts';

const data = workerData as ThreadData;
if (data.compileCache !== undefined) enableCompileCache(data.compileCache);
const { answerRequests } = await import('./answering.ts');
if (parentPort !== null) await answerRequests(parentPort, data);

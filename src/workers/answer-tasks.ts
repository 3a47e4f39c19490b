// A worker's own side of the pool: it is given tasks, one at a time or several, and answers each in its turn.
import { once } from 'node:events';
import { type MessagePort, parentPort, type TransferListItem } from 'node:worker_threads';
import { type Part, partCame, type Reply } from './pool.ts';
import { type Refusals, restRefusals } from './replies.ts';

/** An answer, and the memory that goes along with it instead of being copied. */
interface Performed {
  readonly answer: unknown;
  readonly transfer?: readonly TransferListItem[];
}

/**
 * Answers each task by `perform`, which may send parts of a long answer before it answers. What it throws is
 * answered as the refusal that it is, anything else as a fault of ours.
 */
export function answerTasks<Task>(
  perform: (task: Task) => Performed | Promise<Performed>,
  refusals: Refusals = restRefusals,
): void {
  parentPort?.on('message', async (task: Task | typeof partCame) => {
    // Whoever sends parts listens for this.
    if (task === partCame) return;
    try {
      const { answer, transfer = [] } = await perform(task);
      post({ answer }, transfer);
    } catch (error) {
      const refusal = refusals.posted(error);
      post(refusal === null ? { fault: stackOf(error) } : { refusal });
    }
  });
}

/** Sends a part of the answer; resolves when the next one may come. */
export async function sendPart(part: unknown): Promise<void> {
  post({ part });
  await once(parentPort as MessagePort, 'message');
}

function post(words: Reply | Part, transfer: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(words, transfer);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

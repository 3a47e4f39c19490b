import { once } from 'node:events';
import { type MessagePort, parentPort, type TransferListItem } from 'node:worker_threads';
import { type ErrorCodec, restErrorCodec } from './error-codec.ts';
import { type Part, partReceived, type Reply } from './pool.ts';

/** `transfer`: memory to move instead of copying it. */
interface TaskResult {
  readonly answer: unknown;
  readonly transfer?: readonly TransferListItem[];
}

/** Errors that `refusals` knows are posted as refusals, others as faults. */
export function handleTasks<Task>(
  perform: (task: Task) => TaskResult | Promise<TaskResult>,
  refusals: ErrorCodec = restErrorCodec,
): void {
  parentPort?.on('message', async (task: Task | typeof partReceived) => {
    // Handled by `sendPart`.
    if (task === partReceived) return;
    try {
      const { answer, transfer = [] } = await perform(task);
      post({ answer }, transfer);
    } catch (error) {
      const refusal = refusals.posted(error);
      post(refusal === null ? { fault: stackOf(error) } : { refusal });
    }
  });
}

/** Sends a part of the answer; resolves when the next may be sent. */
export async function sendPart(part: unknown): Promise<void> {
  post({ part });
  await once(parentPort as MessagePort, 'message');
}

function post(message: Reply | Part, transfer: readonly TransferListItem[] = []): void {
  parentPort?.postMessage(message, transfer);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

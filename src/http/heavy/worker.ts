// The thread that reads heavy bodies, one task at a time. It holds nothing between two of them.
import { parentPort } from 'node:worker_threads';
import { RestError } from '../../core/errors.ts';
import { memberOf, toPlain } from '../../wordpress/php/values.ts';
import { errorResponse, WpError } from '../../wordpress/response/wp-error.ts';
import { perform } from './perform.ts';
import type { PostedRefusal, Task } from './tasks.ts';

parentPort?.on('message', (task: Task) => {
  try {
    const { answer, transfer } = perform(task);
    parentPort?.postMessage({ answer }, [...transfer]);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== null) parentPort?.postMessage({ refusal });
    else
      parentPort?.postMessage({
        fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
  }
});

function refusalOf(error: unknown): PostedRefusal | null {
  if (error instanceof RestError) {
    const { code, message, status, extra } = error;
    return { code, message, status, extra: Object.entries(extra) };
  }
  if (!(error instanceof WpError)) return null;
  const { data, status } = errorResponse(error);
  const told = toPlain(memberOf(data, 'data') ?? null);
  const extra = typeof told === 'object' && told !== null ? Object.entries(told) : [];
  const [code, message] = [error.firstCode(), error.sentence()];
  return { code, message, status, extra: extra.filter(([name]) => name !== 'status') };
}

// The thread that reads heavy bodies, one task at a time. It holds nothing between two of them.
import { parentPort } from 'node:worker_threads';
import { RestError } from '../../core/errors.ts';
import { isRecord } from '../../core/reading/lenient.ts';
import { memberOf, toPlain } from '../../wordpress/php/values.ts';
import { errorResponse, WpError } from '../../wordpress/response/wp-error.ts';
import { failureReply } from '../threads/replies.ts';
import { perform } from './perform.ts';
import type { Task } from './tasks.ts';

parentPort?.on('message', (task: Task) => {
  try {
    const { answer, transfer } = perform(task);
    parentPort?.postMessage({ answer }, [...transfer]);
  } catch (error) {
    parentPort?.postMessage(failureReply(error instanceof WpError ? refusalOf(error) : error));
  }
});

/** The engine's refusal as the rules would have thrown it. */
function refusalOf(error: WpError): RestError {
  const { data, status } = errorResponse(error);
  const told = toPlain(memberOf(data, 'data') ?? null);
  const { status: _status, ...extra } = isRecord(told) ? told : {};
  return new RestError(error.firstCode(), error.sentence(), status, extra);
}

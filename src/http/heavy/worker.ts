// Worker that reads large bodies or events, one task at a time, without state between tasks.
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { RestError } from '../../core/errors.ts';
import { isRecord } from '../../core/reading/lenient.ts';
import { memberOf, toPlain } from '../../wordpress/php/values.ts';
import { errorResponse, WpError } from '../../wordpress/response/wp-error.ts';
import { answerTasks } from '../../workers/answer-tasks.ts';
import { perform } from './perform.ts';
import type { Task, ThreadGives } from './tasks.ts';

if ((workerData as ThreadGives).givesWay) giveWay();

answerTasks((task: Task) => {
  try {
    return perform(task);
  } catch (error) {
    throw error instanceof WpError ? refusalOf(error) : error;
  }
});

/** The main thread comes first on few cores. Only on Linux does 0 mean this thread. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, 15);
  } catch {
    // Containers may forbid it.
  }
}

/** Converts to the error that the main thread would have thrown. */
function refusalOf(error: WpError): RestError {
  const { data, status } = errorResponse(error);
  const told = toPlain(memberOf(data, 'data') ?? null);
  const { status: _status, ...extra } = isRecord(told) ? told : {};
  return new RestError(error.firstCode(), error.sentence(), status, extra);
}

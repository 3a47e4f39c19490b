// A worker that reads large bodies or events aside, one task at a time. It holds nothing between two of them.
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

/**
 * Where there are fewer cores than threads, the one that answers comes first: else each answer would wait
 * for a slice of this one's. Linux alone means this thread by 0, elsewhere it is the whole process.
 */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, 15);
  } catch {
    // A container may forbid it; it works as well, only less promptly.
  }
}

/** The engine's refusal as the rules would have thrown it. */
function refusalOf(error: WpError): RestError {
  const { data, status } = errorResponse(error);
  const told = toPlain(memberOf(data, 'data') ?? null);
  const { status: _status, ...extra } = isRecord(told) ? told : {};
  return new RestError(error.firstCode(), error.sentence(), status, extra);
}

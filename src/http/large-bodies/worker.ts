// Worker that reads large bodies or events, one task at a time, without state between tasks.
import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { RestError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/parsing/unknown-values.ts';
import { getMember, toPlain } from '../../wordpress/php/values.ts';
import { toErrorResponse, WpError } from '../../wordpress/response/wp-error.ts';
import { handleTasks } from '../../workers/handle-tasks.ts';
import { freeBuffer } from '../bodies/free-buffer.ts';
import { runTask } from './run-task.ts';
import type { Task, WorkerOptions } from './tasks.ts';

if ((workerData as WorkerOptions).yieldsToOthers) lowerPriority();

handleTasks((task: Task) => {
  // Once the answer is posted.
  setImmediate(freeBytes, task);
  try {
    return runTask(task);
  } catch (error) {
    throw error instanceof WpError ? refusalOf(error) : error;
  }
});

function freeBytes(task: Task): void {
  const bytes = 'request' in task ? [task.request.body.bytes] : Object.values(task);
  for (const value of bytes) if (value instanceof Uint8Array) freeBuffer(value);
}

/** The main thread comes first on few cores. Only on Linux does 0 mean this thread. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, 15);
  } catch {
    // Containers may forbid it.
  }
}

/** Converts to the error that the main thread would have thrown. */
function refusalOf(error: WpError): RestError {
  const { data, status } = toErrorResponse(error);
  const members = toPlain(getMember(data, 'data') ?? null);
  const { status: _status, ...extra } = isJsonObject(members) ? members : {};
  return new RestError(error.firstCode(), error.sentence(), status, extra);
}

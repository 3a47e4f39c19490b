// Starts the thread that copies and checks a file (worker.ts), and answers when it is through.
import { once } from 'node:events';
import { startWorker } from '../../src/workers/start-worker.ts';
import type { SchemaState } from '../migrate.ts';
import { UpkeepRefusal } from './files.ts';

/** What a thread is to do: copy `source` to `copy` where there is one to copy, then check the copy. */
export interface CopyTask {
  readonly source: string | null;
  readonly copy: string;
  /** Whether what it holds is counted, which reads an index of each table. */
  readonly counts: boolean;
}

/** What was found in a file. */
export interface CheckedFile {
  /** What `quick_check` complains of; none where the file is whole. */
  readonly faults: readonly string[];
  readonly sqliteVersion: string;
  readonly schema: SchemaState;
  readonly counts: Readonly<Record<string, number>>;
}

/** SQLite copies outside of the heap (D-238). */
const heapLimits = { maxYoungGenerationSizeMb: 12 };

/** What a thread says, in this order. */
export type Heard =
  | { readonly kind: 'copied' }
  | { readonly kind: 'checked'; readonly checked: CheckedFile }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/**
 * Runs the task. `copied` is called when the copy is written and goes on while it is checked.
 * @throws {UpkeepRefusal} with SQLite's words where it fails.
 */
export async function runThread(task: CopyTask, copied: () => Promise<void>): Promise<CheckedFile> {
  const thread = startWorker(import.meta.url, heapLimits, task);
  let beside: Promise<void> = Promise.resolve();
  const end = once(thread, 'exit').then((): never => {
    throw new UpkeepRefusal('The thread that copies ended before it was through.');
  });
  const answer = new Promise<CheckedFile>((resolve, reject) => {
    thread.on('error', reject);
    thread.on('message', (heard: Heard) => {
      if (heard.kind === 'failed') reject(new UpkeepRefusal(wordsOf(heard)));
      if (heard.kind === 'checked') resolve(heard.checked);
      if (heard.kind !== 'copied') return;
      beside = copied();
      beside.catch(reject);
    });
  });
  try {
    const checked = await Promise.race([answer, end]);
    await beside;
    return checked;
  } finally {
    end.catch(() => {});
    await thread.terminate();
  }
}

/**
 * What `quick_check` complains of in a file that others may be writing; about a second for each GB.
 * @throws {UpkeepRefusal} where it cannot be read at all.
 */
export async function faultsIn(file: string): Promise<readonly string[]> {
  return (await runThread({ source: null, copy: file, counts: false }, async () => {})).faults;
}

function wordsOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return `The disk does not take the copy (${code}: ${message}).`;
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return `The file is damaged (${code}: ${message}).`;
  if (/^SQLITE_BUSY/.test(code)) return 'Another program holds the database locked: try again.';
  return `SQLite refuses (${code}: ${message}).`;
}

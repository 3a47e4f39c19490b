import { once } from 'node:events';
import { startWorker } from '../../src/workers/start-worker.ts';
import type { SchemaState } from '../migrate.ts';
import { MaintenanceError } from './files.ts';

/** Copies `source` to `copy` (unless null), then checks the copy. */
export interface CopyTask {
  readonly source: string | null;
  readonly copy: string;
  /** Whether rows are counted, which reads an index of each table. */
  readonly counts: boolean;
}

export interface CheckedFile {
  /** Messages of `quick_check`; empty where the file is sound. */
  readonly faults: readonly string[];
  readonly sqliteVersion: string;
  readonly schema: SchemaState;
  readonly counts: Readonly<Record<string, number>>;
}

/** SQLite allocates outside of V8's heap, so a small heap is enough. */
const heapLimits = { maxYoungGenerationSizeMb: 12 };

export type CopyThreadMessage =
  | { readonly kind: 'copied' }
  | { readonly kind: 'checked'; readonly checked: CheckedFile }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** Calls `copied` when the copy is written. @throws {MaintenanceError} with SQLite's message. */
export async function runCopyThread(task: CopyTask, copied: () => Promise<void>): Promise<CheckedFile> {
  const thread = startWorker(import.meta.url, heapLimits, task);
  let afterCopy: Promise<void> = Promise.resolve();
  const end = once(thread, 'exit').then((): never => {
    throw new MaintenanceError('The thread that copies ended before it was through.');
  });
  const result = new Promise<CheckedFile>((resolve, reject) => {
    thread.on('error', reject);
    thread.on('message', (message: CopyThreadMessage) => {
      if (message.kind === 'failed') reject(new MaintenanceError(describeError(message)));
      if (message.kind === 'checked') resolve(message.checked);
      if (message.kind !== 'copied') return;
      afterCopy = copied();
      afterCopy.catch(reject);
    });
  });
  try {
    const checked = await Promise.race([result, end]);
    await afterCopy;
    return checked;
  } finally {
    end.catch(() => {});
    await thread.terminate();
  }
}

/** Runs `quick_check`, about 1 s per GB; others may write. @throws {MaintenanceError} if it is unreadable. */
export async function findCorruption(file: string): Promise<readonly string[]> {
  return (await runCopyThread({ source: null, copy: file, counts: false }, async () => {})).faults;
}

function describeError({ code, message }: { readonly code: string; readonly message: string }): string {
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return `The disk does not take the copy (${code}: ${message}).`;
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return `The file is damaged (${code}: ${message}).`;
  if (/^SQLITE_BUSY/.test(code)) return 'Another program holds the database locked: try again.';
  return `SQLite refuses (${code}: ${message}).`;
}

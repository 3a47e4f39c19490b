// What a process did to the files of a database, and what it answered meanwhile, as strace saw it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** In the order in which they were. */
export type Deed =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'remove'; readonly file: string }
  | { readonly kind: 'answer'; readonly text: string };

const calls = 'trace=openat,close,pwrite64,ftruncate,fsync,fdatasync,unlink,write';

/** Runs a Node program under strace until it printed so many lines, and kills both. */
export async function traceUntil(
  strace: string,
  words: readonly string[],
  trace: string,
  answersWanted: number,
): Promise<void> {
  const options = ['-f', '-xx', '-s', '20000', '-e', calls, '-e', 'signal=none', '-o', trace];
  const child = spawn(strace, [...options, process.execPath, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
    detached: true,
  });
  const ended = once(child, 'exit');
  let answers = 0;
  for await (const _line of createInterface({ input: child.stdout })) {
    answers += 1;
    // The whole group: strace and what it watches.
    if (answers === answersWanted && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }
  await ended;
}

/** Reads what was done to `database` and the files beside it whose names begin with its own. */
export function readTrace(trace: string, database: string): Deed[] {
  const deeds: Deed[] = [];
  const files = new Map<string, string>();
  const opening = new Map<string, string>();
  const syncing = new Map<string, Deed>();
  for (const line of readFileSync(trace, 'latin1').split('\n')) {
    const [, thread = '', call = line] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const opened = /^openat\([^,]*, "([^"]*)"/.exec(call)?.[1];
    if (opened !== undefined) opening.set(thread, bytesOf(opened).toString());
    const [, fd] = /^(?:openat\(.*|<\.\.\. openat resumed>.*)\) = (\d+)/.exec(call) ?? [];
    const path = opening.get(thread) ?? '';
    if (fd !== undefined) {
      files.delete(fd);
      if (path.startsWith(database)) files.set(fd, path);
    } else {
      const deed = deedOf(call, files, database);
      // What another thread does meanwhile stands between the begin of a sync and its end, which counts.
      const isBegun = deed?.kind === 'sync' && call.endsWith('<unfinished ...>');
      if (isBegun) syncing.set(thread, deed);
      else if (deed !== null) deeds.push(deed);
      const ended = /^<\.\.\. f(?:data)?sync resumed>/.test(call) ? syncing.get(thread) : undefined;
      if (ended !== undefined) deeds.push(ended);
    }
  }
  return deeds;
}

function deedOf(call: string, files: Map<string, string>, database: string): Deed | null {
  const [, name = '', first = '', rest = ''] = /^(\w+)\(("[^"]*"|\d+)(.*)$/.exec(call) ?? [];
  if (name === 'unlink') {
    const file = bytesOf(first.slice(1, -1)).toString();
    return file.startsWith(database) ? { kind: 'remove', file } : null;
  }
  if (name === 'write' && first === '1') {
    return { kind: 'answer', text: bytesOf(/"([^"]*)"/.exec(rest)?.[1] ?? '').toString() };
  }
  const file = files.get(first);
  if (file === undefined) return null;
  if (name === 'close') files.delete(first);
  if (name === 'fsync' || name === 'fdatasync') return { kind: 'sync', file };
  if (name === 'ftruncate') return { kind: 'truncate', file, length: Number(/\d+/.exec(rest)?.[0]) };
  if (name !== 'pwrite64') return null;
  const [, text = '', cut = '', length, at] = /^, "([^"]*)"(\.*), (\d+), (\d+)/.exec(rest) ?? [];
  const bytes = bytesOf(text);
  const isWhole = cut === '' && bytes.length === Number(length);
  if (!isWhole) throw new Error(`strace cut a write: ${call.slice(0, 80)}`);
  return { kind: 'write', file, at: Number(at), bytes };
}

/** strace's `\x41\x42`. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

// Maps and archives built to hurt, sent to a real server: what it answers, how long a turn took, how much
// memory it cost.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { renamed, zipOf } from '../support/uploads.ts';
import { type BenchServer, benchKey, startServer } from './servers.ts';

export interface HostileRow {
  readonly name: string;
  /** Status and code, or what was filed. */
  readonly answer: string;
  readonly milliseconds: number;
  /** The longest that the event loop did not turn. */
  readonly longestTurnMs: number;
  /** Memory over what the server held before this case. */
  readonly memoryUpMiB: number;
}

interface Watched {
  readonly generation: number;
  readonly longestTurnMs: number;
  readonly rssMiB: number;
}

interface Sent {
  readonly type: string;
  readonly bytes: () => Promise<Uint8Array>;
}

const root = join(import.meta.dirname, '../..');
const secretKey = 'bench_secret_key_0001';
const release = 'hostile';
/** After a case, for what is cleared away late to be seen. */
const settleMs = 300;

/** Wanted of every case: memory up by less than this, no turn longer than that. */
export const hostileLimits = { memoryUpMiB: 150, longestTurnMs: 100 };

/** Starts a server of its own, sends it every case in turn, and answers a row for each. */
export async function hostileMaps(progress: (text: string) => void = () => {}): Promise<HostileRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-hostile-'));
  const watchFile = join(folder, 'watch.json');
  const server = await startServer(join(root, 'src/server.ts'), {
    BENCH_WATCH_FILE: watchFile,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'watch-process.ts')).href}`,
    NOTIFIER_SECRET_KEY: secretKey,
  });
  try {
    // The first upload starts the worker; that is the price of any upload and of no hostile one.
    await send(server, mapForm('warm-up', map({ mappings: 'AAAA' })));
    const rows: HostileRow[] = [];
    for (const [name, sent] of Object.entries(cases())) {
      rows.push(await measured(server, watchFile, name, sent));
      progress(`${name}: ${rows.at(-1)?.answer}`);
    }
    return rows;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(
  server: BenchServer,
  watchFile: string,
  name: string,
  sent: Sent,
): Promise<HostileRow> {
  const body = { ...sent, bytes: await sent.bytes() };
  const before = await restarted(server, watchFile);
  const startedAt = performance.now();
  const answer = name.startsWith('event')
    ? await sendEvent(server)
    : await send(server, { ...body, bytes: async () => body.bytes });
  const milliseconds = performance.now() - startedAt;
  await sleep(settleMs);
  const after = watched(watchFile);
  return {
    name,
    answer,
    milliseconds: Math.round(milliseconds),
    longestTurnMs: Math.round(after.longestTurnMs),
    memoryUpMiB: Math.round(after.rssMiB - before.rssMiB),
  };
}

/** Starts the measurement anew and waits until the server has said so. */
async function restarted(server: BenchServer, watchFile: string): Promise<Watched> {
  const { generation } = watched(watchFile);
  server.process.kill('SIGUSR2');
  for (;;) {
    await sleep(30);
    const now = watched(watchFile);
    if (now.generation > generation) return now;
  }
}

function watched(file: string): Watched {
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // Caught in the middle of being written.
    }
  }
}

async function send(server: BenchServer, sent: Sent): Promise<string> {
  const response = await fetch(
    `http://127.0.0.1:${server.port}/wp-json/notifier/v1/artifacts?release=${release}`,
    {
      method: 'POST',
      headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': sent.type },
      body: (await sent.bytes()) as Uint8Array<ArrayBuffer>,
    },
  ).catch((error: Error) => ({
    status: 0,
    json: async () => ({ code: error.message, artifacts: undefined }),
  }));
  const body = (await response.json()) as { code?: string; artifacts?: unknown[] };
  return `${response.status} ${body.code ?? `${body.artifacts?.length} filed`}`;
}

/** An event whose fifty frames all lie in the worst map that is taken. */
async function sendEvent(server: BenchServer): Promise<string> {
  const frames = Array.from({ length: 50 }, () => ({
    filename: 'https://x.example/hostile.js',
    lineno: 1,
    colno: 9,
  }));
  const event = {
    message: 'x',
    platform: 'javascript',
    release,
    exception: { values: [{ type: 'E', stacktrace: { frames } }] },
  };
  const response = await fetch(`http://127.0.0.1:${server.port}/wp-json/notifier/v1/store`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': benchKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  });
  return `${response.status} event`;
}

function cases(): Record<string, Sent> {
  const section = (line: number) => ({
    offset: { line, column: 0 },
    map: { version: 3, sources: [], names: [], mappings: '' },
  });
  return {
    '; ten million times': mapForm('a', map({ mappings: ';'.repeat(10_000_000) })),
    'AAAA, two million times': mapForm('hostile', map({ mappings: 'AAAA,'.repeat(2_000_000) })),
    'event through that map': { type: '', bytes: async () => new Uint8Array() },
    '50,000 sections': mapForm('b', () =>
      JSON.stringify({ version: 3, sections: Array.from({ length: 50_000 }, (_, line) => section(line)) }),
    ),
    'sections nested 5,000 deep': mapForm('c', () =>
      '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(5_000),
    ),
    'version 2': mapForm('d', map({ version: 2 })),
    'a negative line': mapForm('e', map({ mappings: 'AADA' })),
    'bad base64': mapForm('f', map({ mappings: 'AA!A' })),
    '49 MB of sources': mapForm('g', map({ mappings: 'AAAA', sourcesContent: ['x'.repeat(49_000_000)] })),
    'a map of 60 MB': mapForm('h', map({ mappings: 'A'.repeat(60_000_000) })),
    'a JSON body of 60 MB': {
      type: 'application/json',
      bytes: async () =>
        Buffer.from(JSON.stringify({ release, files: [{ name: 'i.map', content: 'x'.repeat(60_000_000) }] })),
    },
    'an archive of blanks': archive(() => zipOf({ 'a.js': Buffer.alloc(49_000_000) })),
    'an archive with a name of ..': archive(async () =>
      renamed(await zipOf({ 'aaaa.js': 'a' }), 'aaaa.js', '../a.js'),
    ),
    'an archive of 2,001 files': archive(() =>
      zipOf(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.js`, '']))),
    ),
    'an archive of 1,900 maps': archive(() =>
      zipOf(
        Object.fromEntries(
          Array.from({ length: 1_900 }, (_, index) => [
            `${index}.js.map`,
            map({ mappings: 'AAAA', sources: [`${index}`] })(),
          ]),
        ),
      ),
    ),
  };
}

function map(members: object): () => string {
  return () => JSON.stringify({ version: 3, sources: ['a'], names: [], mappings: '', ...members });
}

function archive(bytes: () => Promise<Buffer>): Sent {
  return { type: 'application/zip', bytes };
}

function mapForm(name: string, text: () => string): Sent {
  const boundary = 'hostile-boundary';
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: async () =>
      Buffer.from(
        `${part('name="release"')}${release}\r\n${part(`name="minified_url"`)}~/${name}.js\r\n` +
          `${part('name="source_map"; filename="a.map"')}${text()}\r\n--${boundary}--\r\n`,
      ),
  };
}

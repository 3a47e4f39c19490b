// The servers that a benchmark compares, each a process of its own, so that memory and time are its own too.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BenchServer {
  readonly port: number;
  readonly process: ChildProcess;
  /** The most memory the process ever held, MiB. */
  peakMemoryMiB(): number;
  /**
   * The processor's time that it took so far, of user and system; Linux counts hundredths of a second. NaN
   * where nobody says.
   */
  processorMs(): number;
  stop(): Promise<void>;
}

const repository = join(import.meta.dirname, '../..');
/** What `npm start` says to Node. */
const asStarted = startWords(readFileSync(join(repository, 'package.json'), 'utf8'));

function startWords(packageJson: string): string[] {
  const [, words] = /^exec node (.+) src\/server\.ts$/.exec(JSON.parse(packageJson).scripts.start) ?? [];
  if (words === undefined) throw new Error('npm start does not start src/server.ts.');
  return words.split(' ');
}

export const benchKey = 'bench_public_key_0001';
/** Of a server that is started with it as `NOTIFIER_SECRET_KEY`. */
export const benchSecret = 'bench_secret_key_0001';

/**
 * Starts `script` with Node and waits until it prints a line with `127.0.0.1:PORT`. Its database is thrown
 * away at the end.
 */
export async function startServer(script: string, env: Record<string, string> = {}): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-bench-'));
  const child = spawn(process.execPath, [...asStarted, script], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: `sqlite:${join(folder, 'bench.db')}`,
      RATE_LIMITS: 'off',
      // What is turned away would be measured as answered.
      OVERLOAD: 'off',
      LOG_LEVEL: 'error',
      NOTIFIER_PUBLIC_KEY: benchKey,
      ...env,
    },
  });
  // A benchmark that fails must not leave its servers behind.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const port = await portOf(child);
  return {
    port,
    process: child,
    peakMemoryMiB: () => peakMemoryMiB(child.pid ?? 0),
    processorMs: () => processorMs(child.pid ?? 0),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Posts to the routes with `benchSecret`, and answers with the body. Throws where it is refused. */
export async function postAsOperator<Answer>(
  { port }: BenchServer,
  path: string,
  body: object,
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}/wp-json/notifier/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${benchSecret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it listened:\n${printed}`)),
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const port = /127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

/** Fields 14 and 15 of its `stat`. */
function processorMs(pid: number): number {
  const tickMs = 10;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return Number.NaN;
  }
}

function peakMemoryMiB(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return Number.NaN;
  }
}

// Asks a running server one question after another, as one client does, and says how long the answers took.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import type { BenchServer } from '../servers.ts';
import type { Case } from './cases.ts';

export interface Measured {
  readonly name: string;
  /** What was wrong with the last answer; null where all were those wanted. */
  readonly problem: string | null;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Of the server's processor, an answer on an average. */
  readonly processorMs: number;
  /** Of the heaviest page, as a browser gets it, in gzip; null for what is no page. */
  readonly gzipBytes: number | null;
  /** What a browser asks for to show it, itself included; null for what is no page. */
  readonly requests: number | null;
}

export interface Client {
  /** Asks until there are enough answers, or enough time has gone. */
  measure(asked: Case): Promise<Measured>;
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
  close(): void;
}

const warmUps = 3;
const answersWanted = 100;
/** Fewer answers than that say nothing of the slowest. */
const answersMin = 20;
const caseMsMax = 5_000;

/** A client with one connection to a server; `cookie` is a session's, `secret` a project's secret key. */
export function clientOf(server: BenchServer, cookie: string, secret: string): Client {
  const { port } = server;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isApi = (path: string): boolean => path.startsWith('/wp-json');
  const ask = (path: string, headers: Record<string, string> = {}) =>
    answerOf(
      { port, path, agent },
      isApi(path) ? { authorization: `Bearer ${secret}` } : { cookie, accept: 'text/html', ...headers },
    );
  return {
    get: ask,
    close: () => agent.destroy(),
    async measure({ name, paths, shows }) {
      const times: number[] = [];
      let problem: string | null = null;
      const pathOf = (turn: number): string => paths[turn % paths.length] ?? '/';
      for (let turn = 0; turn < warmUps; turn += 1) await ask(pathOf(turn));
      const startedMs = performance.now();
      const usedBeforeMs = processorMsOf(server);
      for (let turn = 0; turn < answersWanted; turn += 1) {
        const beganMs = performance.now();
        if (turn >= answersMin && beganMs - startedMs > caseMsMax) break;
        const { status, text } = await ask(pathOf(turn));
        times.push(performance.now() - beganMs);
        if (status !== 200) problem = `answered ${status}`;
        else if (shows !== undefined && !shows.test(text)) problem = 'found nothing';
        if (problem !== null) break;
      }
      const processorMs = (processorMsOf(server) - usedBeforeMs) / times.length;
      times.sort((one, other) => one - other);
      const share = (part: number): number =>
        times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
      return {
        name,
        problem,
        p50Ms: share(0.5),
        p95Ms: share(0.95),
        p99Ms: share(0.99),
        processorMs,
        ...(name === '(healthz)' || isApi(pathOf(0)) || problem !== null
          ? { gzipBytes: null, requests: null }
          : await weigh(paths, (path) => ask(path, { 'accept-encoding': 'gzip' }))),
      };
    },
  };
}

/** What the heaviest of some pages weighs, and what they ask for. */
async function weigh(paths: readonly string[], ask: (path: string) => Promise<{ readonly bytes: Buffer }>) {
  let [gzipBytes, requests] = [0, 0];
  for (const path of paths) {
    const { bytes } = await ask(path);
    gzipBytes = Math.max(gzipBytes, bytes.byteLength);
    const asked = gunzipSync(bytes)
      .toString()
      .matchAll(/<(?:link [^>]*?href|(?:script|img|source|iframe) [^>]*?src)="([^"]*)"/g);
    requests = Math.max(requests, 1 + new Set([...asked].map(([, address]) => address)).size);
  }
  return { gzipBytes, requests };
}

/** Signs in with the token of the workspace and answers the cookie. */
export async function signIn(port: number, token: string): Promise<string> {
  const body = new URLSearchParams({ token }).toString();
  const { status, cookies } = await answerOf(
    { port, path: '/sign-in', method: 'POST' },
    {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
      'sec-fetch-site': 'same-origin',
    },
    body,
  );
  const cookie = cookies[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`Signing in was answered ${status} without a cookie.`);
  return cookie;
}

interface Asked {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly agent?: Agent;
}

function answerOf(asked: Asked, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; bytes: Buffer; text: string; cookies: string[] }>(
    (resolve, reject) => {
      const sent = request({ ...asked, host: '127.0.0.1', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            bytes,
            text: bytes.toString(),
            cookies: response.headers['set-cookie'] ?? [],
          });
        });
      });
      sent.on('error', reject).end(body);
    },
  );
}

/** The time that a server has had of the processor; Linux counts it in hundredths of a second. */
function processorMsOf(server: BenchServer): number {
  const tickMs = 10;
  const fields = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

// Sends events, at a rate that the server cannot keep up with, and writes down what was accepted. Requests
// are made before they are sent; an event gets its id where it stands in its request.
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { eventOfSize } from '../../support/sized-events.ts';
import { eventIdOf, type FloodJob, type FloodResult } from './job.ts';

const smallOnes = 400;
const largeOnes = 10;
const tickMs = 1;
/** After the last request answers have so long. */
const patienceMs = 60_000;

interface Made {
  /** Up to the id, which is written anew for each. */
  readonly head: Buffer;
  readonly rest: Buffer;
}

/** Everything that one flood knows. */
interface Flood {
  readonly job: FloodJob;
  readonly small: readonly Made[];
  readonly large: readonly Made[];
  readonly free: Socket[];
  readonly open: Set<Socket>;
  readonly waiting: Set<() => void>;
  readonly accepted: number[];
  readonly statuses: Record<string, number>;
  readonly acceptedMs: number[];
  readonly shedMs: number[];
  endsAtMs: number;
  acceptedInTime: number;
  serial: number;
  notOffered: number;
  opened: number;
}

/** Runs a job to its end. */
export async function flood(job: FloodJob): Promise<FloodResult> {
  const state: Flood = {
    job,
    small: made(job, 2, smallOnes),
    large: made(job, 900, largeOnes),
    free: [],
    open: new Set(),
    waiting: new Set(),
    accepted: [],
    statuses: {},
    acceptedMs: [],
    shedMs: [],
    endsAtMs: 0,
    acceptedInTime: 0,
    serial: 0,
    notOffered: 0,
    opened: 0,
  };
  if (job.perSecond !== null) await connectAll(state);
  state.endsAtMs = performance.now() + job.milliseconds;
  const used = process.cpuUsage();
  const beganAtMs = performance.now();
  if (job.perSecond === null) await inTurn(state);
  else await atRate(state, job.perSecond);
  const { user, system } = process.cpuUsage(used);
  const lastMs = performance.now() + patienceMs;
  while (state.waiting.size > 0 && performance.now() < lastMs) await pause();
  for (const lost of state.waiting) lost();
  for (const socket of state.open) socket.destroy();
  const { accepted, acceptedInTime, notOffered, statuses, opened, serial } = state;
  return {
    accepted,
    acceptedInTime,
    offered: serial,
    notOffered,
    statuses,
    opened,
    acceptedMs: timesOf(state.acceptedMs),
    shedMs: timesOf(state.shedMs),
    ownShare: (user + system) / 1e3 / (Math.min(state.endsAtMs, performance.now()) - beganAtMs),
  };
}

/** All are there before it begins: what is measured is how a server answers, not how it takes connections. */
async function connectAll(state: Flood): Promise<void> {
  while (state.free.length < state.job.connections) {
    const socket = opened(state);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    state.free.push(socket);
  }
}

/** Steadily, whatever became of those before. */
async function atRate(state: Flood, perSecond: number): Promise<void> {
  const { milliseconds, connections } = state.job;
  const startedMs = state.endsAtMs - milliseconds;
  const total = Math.floor((milliseconds / 1000) * perSecond);
  let due = 0;
  while (due < total) {
    const nowMs = performance.now();
    for (; due < total; due += 1) {
      const dueMs = startedMs + (due * 1000) / perSecond;
      if (dueMs > nowMs) break;
      // In turn: one that is never asked on is closed after ten seconds, maybe just when it is.
      const socket = state.free.shift();
      if (socket !== undefined) ask(state, socket, dueMs, () => void state.free.push(socket));
      else if (state.open.size < connections) openFor(state, dueMs);
      else state.notOffered += 1;
    }
    await pause();
  }
}

function openFor(state: Flood, dueMs: number): void {
  const socket = opened(state);
  ask(state, socket, dueMs, () => void state.free.push(socket));
}

/** Each connection asks again as soon as it is answered, and is opened anew where it was closed. */
async function inTurn(state: Flood): Promise<void> {
  const one = async (): Promise<void> => {
    while (performance.now() < state.endsAtMs) {
      const socket = opened(state);
      while (performance.now() < state.endsAtMs && !socket.destroyed) {
        await new Promise<void>((answered) => {
          socket.once('close', answered);
          ask(state, socket, performance.now(), () => {
            socket.off('close', answered);
            answered();
          });
        });
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: state.job.connections }, one));
}

function opened(state: Flood): Socket {
  const { host, port } = state.job;
  const socket = connect({ host, port, noDelay: true });
  state.opened += 1;
  state.open.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => {
    state.open.delete(socket);
    const at = state.free.indexOf(socket);
    if (at !== -1) state.free.splice(at, 1);
  });
  return socket;
}

/** Sends the next event and hears its answer; `kept` is told where the connection may be asked again. */
function ask(state: Flood, socket: Socket, dueMs: number, kept: () => void): void {
  const serial = state.serial;
  state.serial += 1;
  const { largeEvery } = state.job;
  const isLarge = serial % largeEvery === largeEvery - 1;
  const from = isLarge ? state.large : state.small;
  const { head, rest } = from[serial % from.length] as Made;
  let answer = '';
  const over = (): void => {
    state.waiting.delete(lost);
    socket.off('data', heard);
    socket.off('close', lost);
  };
  const lost = (): void => {
    over();
    state.statuses['lost'] = (state.statuses['lost'] ?? 0) + 1;
  };
  const heard = (bytes: Buffer): void => {
    answer += bytes.toString('latin1');
    const end = answer.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(answer)?.[1] ?? 0);
    if (answer.length < end + 4 + length) return;
    over();
    told(state, serial, Number(answer.slice(9, 12)), performance.now() - dueMs);
    const isLast = /\r\nconnection: *close/i.test(answer.slice(0, end));
    if (isLast) {
      state.open.delete(socket);
      socket.destroy();
    } else {
      kept();
    }
  };
  state.waiting.add(lost);
  socket.on('data', heard);
  socket.once('close', lost);
  socket.cork();
  socket.write(head);
  socket.write(eventIdOf(state.job.idsBegin, serial));
  socket.write(rest);
  socket.uncork();
}

function told(state: Flood, serial: number, status: number, milliseconds: number): void {
  state.statuses[status] = (state.statuses[status] ?? 0) + 1;
  if (status === 201 || status === 200) {
    state.accepted.push(serial);
    state.acceptedMs.push(milliseconds);
    if (performance.now() <= state.endsAtMs) state.acceptedInTime += 1;
  } else if (status === 429 || status === 503) {
    state.shedMs.push(milliseconds);
  }
}

function made({ host, key }: FloodJob, kilobytes: number, count: number): Made[] {
  return Array.from({ length: count }, (_, serial) => {
    const begin = '{"event_id":"';
    const rest = Buffer.from(`",${eventOfSize(kilobytes, serial).slice(1)}`);
    const head = [
      'POST /wp-json/notifier/v1/store HTTP/1.1',
      `Host: ${host}`,
      `X-Notifier-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${begin.length + 32 + rest.length}`,
    ];
    return { head: Buffer.from(`${head.join('\r\n')}\r\n\r\n${begin}`), rest };
  });
}

function timesOf(times: readonly number[]): FloodResult['acceptedMs'] {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, tickMs));
}

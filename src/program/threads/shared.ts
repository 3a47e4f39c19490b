// What threads that answer requests count together, and where each of it stands in the memory that they
// share. One thread alone has none of this.
import { randomBytes } from 'node:crypto';
import { checksPerHostMax, checksPerProjectShare, checksPerServerMax } from '../../core/domains/budget.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { minuteMs } from '../../core/reading/spans.ts';
import { type SharedTurn, sharedTurn } from '../../core/shared/lock.ts';
import { type Places, placesOfKind, placesWords, sharedPlaces } from '../../core/shared/places.ts';
import { type Sum, sharedSum } from '../../core/shared/sum.ts';
import { limitBytes, sharedLimitStore } from '../../http/limits/shared-limit-store.ts';

export interface Shared {
  /** By which these threads are known to other servers, and to no other server. */
  readonly server: string;
  /** Rate limits: one counter each, however many threads ask it. */
  readonly limits: LimitStore;
  /** Connections, of all and of each address. */
  readonly connections: Places;
  /** Followers of the live tail, and of the demo's. */
  readonly streams: (door: 'live' | 'demo') => Places;
  /** See `Deps.underWay`. */
  readonly underWay: Places;
  /** Bytes that bodies hold. */
  readonly bodies: Sum;
  /** Kibibytes that were admitted to the disk. */
  readonly admitted: Sum;
  /** Who hears news of stored events. */
  readonly followers: Sum;
  /** Whose turn it is to write a SQLite file. */
  readonly turn: SharedTurn;
  /** See `Deps.takeCheck`. */
  takeCheck(host: string, projectId: number): number | null;
}

/** Rows of places: some ten times the addresses that 8,192 connections can be of. */
const placesRows = 4_096;
/** Words in a line of the processor's memory: one for each count, so that none waits for another. */
const lineWords = 16;

/** Of what tells a server apart. */
const serverBytes = 8;

/** Offsets in bytes. */
const at = layout({
  seeds: 8,
  /** Apart from the seeds, which are told to nobody. */
  server: serverBytes,
  bodies: lineWords * 4,
  admitted: lineWords * 4,
  followers: lineWords * 4,
  turn: lineWords * 4,
  places: placesWords(placesRows) * 4,
  limits: limitBytes,
});

function layout<Name extends string>(sizes: Readonly<Record<Name, number>>): Record<Name | 'end', number> {
  const offsets: Record<string, number> = {};
  let end = 0;
  for (const [name, size] of Object.entries<number>(sizes)) {
    offsets[name] = end;
    end += Math.ceil(size / 64) * 64;
  }
  return { ...offsets, end } as Record<Name | 'end', number>;
}

/** Memory for all of it. What nobody writes to takes no room. */
export function sharedMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(at.end);
  new Uint8Array(memory, at.seeds, 8).set(randomBytes(8));
  new Uint8Array(memory, at.server, serverBytes).set(randomBytes(serverBytes));
  return memory;
}

/** What one thread has of it. */
export function openShared(memory: SharedArrayBuffer, now: () => number): Shared {
  const words = (offset: number, count: number) => new Int32Array(memory, offset, count);
  const seeds = new Uint32Array(memory, at.seeds, 2);
  const limits = sharedLimitStore(memory, at.limits, seeds, now);
  const places = sharedPlaces(words(at.places, placesWords(placesRows)), seeds);
  return {
    server: Buffer.from(memory, at.server, serverBytes).toString('hex'),
    limits,
    connections: placesOfKind(places, 'http'),
    underWay: placesOfKind(places, 'under way'),
    streams: (door) => placesOfKind(places, door),
    bodies: sharedSum(words(at.bodies, 1)),
    admitted: sharedSum(words(at.admitted, 1)),
    followers: sharedSum(words(at.followers, 1)),
    turn: sharedTurn(words(at.turn, 2), 0),
    takeCheck(host, projectId) {
      const windowMs = minuteMs;
      const [taken] = limits.takeNow([
        {
          cost: 1,
          buckets: [
            { limiter: 'checks-of-host', key: host, limit: checksPerHostMax, windowMs },
            { limiter: 'checks-of-server', key: '', limit: checksPerServerMax, windowMs },
            {
              limiter: 'checks-of-project',
              key: String(projectId),
              limit: checksPerProjectShare,
              windowMs,
              isShare: true,
            },
          ],
        },
      ]);
      if (taken === undefined || taken.admitted) return null;
      return Math.max(...taken.levels.map(({ left, resetMs }) => (left > 0 ? 0 : resetMs)));
    },
  };
}

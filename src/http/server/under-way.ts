// Requests that are being answered, small and large ones by themselves, for the ladder of overload. Whose
// body comes slowly keeps no place: else who sends slowly on purpose would keep out those who do not.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lifeOf } from '../bodies/body-life.ts';

/** Those of one kind. */
interface Kind {
  readonly isLarge: boolean;
  /** From now until its answer is out, or its connection gone. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): void;
  count(): number;
}

export interface UnderWay {
  /** The kind of a request, by what its head says of its body. */
  of(incoming: IncomingMessage): Kind;
  /** Leaves out whose body comes slowly; to be called twice a second or so. */
  look(): void;
}

/** Judged from so long after its head on: a server that reads slowly itself is faster than this. */
const slowMs = 1_000;
const slowBytesPerSecond = 32 * 1024;
/** From here on a thread reads it, which costs as much as a hundred that it does not. */
const smallBytesMax = 48 * 1024;
/** A compressed body becomes some times as long. */
const inflatedTimes = 8;

interface Parts {
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
  /** What of a body has come. */
  readonly receivedBytes: (incoming: IncomingMessage) => number;
}

const ofRequests: Parts = {
  clock: () => performance.now(),
  receivedBytes: (incoming) => lifeOf(incoming).receivedBytes,
};

/** None yet. */
export function createUnderWay(parts: Parts = ofRequests): UnderWay {
  const small = kind(false, parts);
  const large = kind(true, parts);
  return {
    of: (incoming) => (isLarge(incoming) ? large : small),
    look() {
      small.look();
      large.look();
    },
  };
}

function kind(large: boolean, { clock, receivedBytes }: Parts): Kind & Pick<UnderWay, 'look'> {
  const began = new Map<IncomingMessage, number>();
  return {
    isLarge: large,
    add(incoming, outgoing) {
      began.set(incoming, clock());
      outgoing.once('close', () => began.delete(incoming));
    },
    count: () => began.size,
    look() {
      const nowMs = clock();
      for (const [incoming, beganAtMs] of began) {
        const ageMs = nowMs - beganAtMs;
        // The others came later.
        if (ageMs < slowMs) break;
        const isSlow = receivedBytes(incoming) < (ageMs / 1_000) * slowBytesPerSecond;
        if (!incoming.complete && isSlow) began.delete(incoming);
      }
    },
  };
}

/** One that does not say how long it is may be of any length. */
function isLarge({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return length * (headers['content-encoding'] === undefined ? 1 : inflatedTimes) > smallBytesMax;
}

// Who does not take what was answered (DECISIONS.md D-230): a connection that is being answered is never
// idle, so that without an end to it readers who read nothing would hold all places.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Patience } from '../bodies/body-patience.ts';

/** An answer of which the system has not yet taken all. */
interface UnreadAnswer {
  readonly outgoing: ServerResponse;
  /** When that was first seen. */
  readonly sinceMs: number;
  /** Bytes that it has not taken, and when it took some of them last. */
  readonly bytes: number;
  readonly movedAtMs: number;
}

/** A connection, as far as it is read. */
export interface Reader {
  readonly socket: Socket;
  /** The latest; kept-alive connections have many, one after another. */
  request: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | null;
  /** Its answer, where that waited for its reader at the last look. */
  unread: UnreadAnswer | null;
}

/**
 * Notes whether an answer waits for its reader, and closes the connection where nothing was taken of it for
 * `restMs`. Node's own timer of a socket would not do: whatever comes from the reader begins it anew.
 */
export function lookAtReader(
  reader: Reader,
  isIdle: boolean,
  nowMs: number,
  { restMs }: Patience['readers'],
): void {
  const { socket, request, unread } = reader;
  if (isIdle || request === null || socket.writableLength === 0) {
    reader.unread = null;
    return;
  }
  const { outgoing } = request;
  const bytes = waitingBytes(socket);
  const isSame = unread?.outgoing === outgoing;
  if (isSame && unread.bytes === bytes) {
    if (nowMs - unread.movedAtMs >= restMs) socket.destroy();
  } else {
    reader.unread = { outgoing, bytes, sinceMs: isSame ? unread.sinceMs : nowMs, movedAtMs: nowMs };
  }
}

/**
 * What was written and not taken. The stream counts whole pieces, and one may be a page of megabytes; what is
 * left of the piece under way is known to the handle alone, which is Node's own and may be gone.
 */
function waitingBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** Whether its answer has waited for its reader for so long that others come first. */
export function isLeftUnread({ unread }: Reader, nowMs: number, { graceMs }: Patience['readers']): boolean {
  return unread !== null && nowMs - unread.sinceMs >= graceMs;
}

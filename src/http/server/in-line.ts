// Requests that came on a connection before the one ahead was answered (pipelining, RFC 9112, section 9.3.2):
// one after the other, each in a turn of the event loop of its own. What is read at once may hold thousands
// of them, and worked off together they would hold up everybody (DECISIONS.md D-230).
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * More than anybody who pipelines has under way. Nobody is told: answers stand in the order of requests.
 */
const waitingMax = 64;

type Begin = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Waiting {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly begin: Begin;
}

/** Those behind the one that is being answered, by its connection. */
const lines = new WeakMap<IncomingMessage['socket'], Waiting[]>();

/** Calls `begin` at once, or when all before it on the connection are answered; never where that closes. */
export function inLine(incoming: IncomingMessage, outgoing: ServerResponse, begin: Begin): void {
  const { socket } = incoming;
  const line = lines.get(socket);
  if (line === undefined) {
    lines.set(socket, []);
    beginNow({ incoming, outgoing, begin });
  } else if (line.push({ incoming, outgoing, begin }) > waitingMax) {
    socket.destroy();
  }
}

function beginNow({ incoming, outgoing, begin }: Waiting): void {
  const { socket } = incoming;
  outgoing.once('close', () => {
    const next = lines.get(socket)?.shift();
    if (next === undefined || socket.destroyed) lines.delete(socket);
    else setImmediate(beginNow, next);
  });
  begin(incoming, outgoing);
}

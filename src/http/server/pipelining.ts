// Pipelined requests (RFC 9112, section 9.3.2) run one after another, each in its own tick.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** More than any client pipelines. The connection closes, since answers must keep their order. */
const waitingMax = 64;

type Begin = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

interface Waiting {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly begin: Begin;
}

const lines = new WeakMap<IncomingMessage['socket'], Waiting[]>();

/** Calls `begin` now, or when all earlier requests of the connection are answered; never if it closes. */
export function runPipelined(incoming: IncomingMessage, outgoing: ServerResponse, begin: Begin): void {
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

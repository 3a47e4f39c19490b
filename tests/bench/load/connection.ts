// One connection, kept alive, that asks one question after another. Written for speed: what the generator
// takes of the processor, the server beside it has not.
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from './job.ts';

export interface Connection {
  send(request: Buffer): void;
  end(): void;
}

interface Heard {
  /** A whole answer has come. */
  answered(status: number): void;
  /** It is gone; `send` does nothing any more. */
  closed(): void;
}

const readBytes = 65_536;

/** Resolves once it is connected. */
export function openConnection(target: Target, heard: Heard): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const received = answerReader((status) => heard.answered(status));
    const socket = socketOf(target, received);
    socket.setNoDelay(true);
    let isOpen = false;
    socket.once(target.isTls ? 'secureConnect' : 'connect', () => {
      isOpen = true;
      resolve({
        send: (request) => void socket.write(request),
        end: () => socket.destroy(),
      });
    });
    socket.on('error', (error) => {
      if (!isOpen) reject(error);
    });
    socket.on('close', () => heard.closed());
  });
}

function socketOf({ host, port, isTls }: Target, received: (bytes: Buffer) => void): Socket {
  if (isTls) return connectTls({ host, port, servername: host }).on('data', received);
  const callback = (length: number, buffer: Uint8Array): boolean => {
    received((buffer as Buffer).subarray(0, length));
    return true;
  };
  return connect({ host, port, onread: { buffer: Buffer.allocUnsafe(readBytes), callback } });
}

/** Puts answers together; nearly always one read holds a whole one. */
function answerReader(answered: (status: number) => void): (bytes: Buffer) => void {
  let rest: Buffer | null = null;
  return (bytes) => {
    const whole: Buffer = rest === null ? bytes : Buffer.concat([rest, bytes]);
    const status = statusOfWhole(whole);
    // The memory that was read into is used again.
    rest = status === null ? Buffer.from(whole) : null;
    if (status !== null) answered(status);
  };
}

/** The status of a whole answer, by its length or its last chunk; null while more must come. */
function statusOfWhole(bytes: Buffer): number | null {
  const head = bytes.indexOf('\r\n\r\n');
  if (head === -1) return null;
  const text = bytes.toString('latin1', 0, head);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  const isWhole =
    length === undefined
      ? bytes.toString('latin1', bytes.length - 5) === '0\r\n\r\n'
      : bytes.length >= head + 4 + Number(length);
  return isWhole ? Number(text.slice(9, 12)) : null;
}

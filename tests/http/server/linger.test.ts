import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { closeGently } from '../../../src/http/server/lingering-close.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function closing() {
  const socket = Object.assign(new EventEmitter(), {
    bytesRead: 0,
    destroyed: false,
    hasEnded: false,
    end() {
      socket.hasEnded = true;
    },
    destroy() {
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  closeGently(socket as unknown as Socket, null);
  return socket;
}

/** Receives so many bytes each second, for so many seconds. */
async function receive(socket: ReturnType<typeof closing>, bytes: number, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    if (!socket.destroyed) socket.bytesRead += bytes;
    await jest.advanceTimersByTimeAsync(1_000);
  }
}

it('half-closes at once, and closes after five seconds without input', async () => {
  const socket = closing();
  expect(socket.hasEnded).toBe(true);
  await receive(socket, 0, 4);
  expect(socket.destroyed).toBe(false);
  await receive(socket, 0, 2);
  expect(socket.destroyed).toBe(true);
});

it('keeps reading up to 30 seconds while bytes arrive, however slowly', async () => {
  const socket = closing();
  await receive(socket, 100, 29);
  expect(socket.destroyed).toBe(false);
  await receive(socket, 100, 2);
  expect(socket.destroyed).toBe(true);
});

it('reads no more than 16 MiB', async () => {
  const socket = closing();
  await receive(socket, 4 * 1_048_576, 4);
  expect(socket.destroyed).toBe(false);
  await receive(socket, 1, 1);
  expect(socket.destroyed).toBe(true);
});

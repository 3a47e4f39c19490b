import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runPipelined } from '../../../src/http/server/connections.ts';
import { until } from '../../support/until.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(begin: (incoming: IncomingMessage, outgoing: ServerResponse) => void): Promise<number> {
  const made = createServer((incoming, outgoing) => runPipelined(incoming, outgoing, begin));
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return (made.address() as AddressInfo).port;
}

function answersTo(port: number, paths: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const last = paths.length - 1;
  const close = (index: number): string => (index === last ? 'Connection: close\r\n' : '');
  socket.write(paths.map((path, index) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${close(index)}\r\n`).join(''));
  return text(socket).catch(() => '');
}

const paths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/${index}`);

describe('pipelined requests', () => {
  it('are handled one at a time, and answered in order', async () => {
    let [underWay, most] = [0, 0];
    const port = await serve((incoming, outgoing) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        outgoing.end(`[${incoming.url}]`);
      }, 1);
    });
    const answered = await answersTo(port, paths(20));
    expect(answered.match(/\[\/\d+\]/g)).toEqual(paths(20).map((path) => `[${path}]`));
    expect(most).toBe(1);
  });

  it('are each handled in their own turn of the event loop', async () => {
    let turn = 0;
    let isOver = false;
    const next = (): void => {
      turn += 1;
      if (!isOver) setImmediate(next);
    };
    next();
    const turns: number[] = [];
    const port = await serve((_incoming, outgoing) => {
      turns.push(turn);
      outgoing.end('at once');
    });
    await answersTo(port, paths(40));
    isOver = true;
    expect(turns).toHaveLength(40);
    expect(new Set(turns).size).toBe(40);
  });

  it('close the connection when there are hundreds', async () => {
    let begun = 0;
    const port = await serve(() => {
      begun += 1;
    });
    expect(await answersTo(port, paths(500))).toBe('');
    expect(begun).toBe(1);
  });

  it('are not handled after their connection is closed', async () => {
    const begun: string[] = [];
    const port = await serve((incoming, outgoing) => {
      begun.push(incoming.url ?? '');
      if (begun.length === 3) incoming.socket.destroy();
      else outgoing.end('at once');
    });
    await answersTo(port, paths(10));
    await until(() => begun.length >= 3);
    await new Promise(setImmediate);
    expect(begun).toEqual(['/0', '/1', '/2']);
  });
});

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createResponseWatch, type ResponseWatch } from '../../data/drivers/response-watch.ts';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import { until } from '../support/until.ts';

let server: Server;
let peers: Socket[];
let watch: ResponseWatch;
let isAlive: boolean;
let probes: number;
beforeEach(async () => {
  peers = [];
  server = createServer((peer) => void peers.push(peer.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  [isAlive, probes] = [true, 0];
  watch = createResponseWatch({
    checkIntervalMs: 5,
    isAlive: async () => {
      probes += 1;
      return isAlive;
    },
  });
});
afterEach(async () => {
  watch.end();
  for (const peer of peers) peer.destroy();
  server.close();
  await once(server, 'close');
});

async function connected(): Promise<{ readonly broken: Promise<never> }> {
  const socket = watch.socket();
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  const broken = once(socket, 'close').then(() => Promise.reject(new Error('It was ended.')));
  broken.catch(() => {});
  const known = peers.length;
  await once(socket, 'connect');
  await until(() => peers.length > known);
  return { broken };
}

it('no response, and the probe fails: waiting queries fail, and no new ones are sent', async () => {
  const { broken } = await connected();
  isAlive = false;
  await expect(watch.track(() => broken)).rejects.toThrow('It was ended.');
  let asked = false;
  const late = watch.track(async () => {
    asked = true;
  });
  await expect(late).rejects.toThrow(StoreUnavailableError);
  expect(asked).toBe(false);
  isAlive = true;
  await until(async () => (await watch.track(async () => 'well').catch(() => null)) === 'well');
});

it('no response, and the probe succeeds: the query is waited for', async () => {
  const { broken } = await connected();
  const answer = Promise.withResolvers<string>();
  const asked = watch.track(() => Promise.race([broken, answer.promise]));
  await until(() => probes > 5);
  answer.resolve('late');
  expect(await asked).toBe('late');
});

it('data on any connection: no probe is made', async () => {
  const { broken } = await connected();
  await connected();
  const answer = Promise.withResolvers<string>();
  const asked = watch.track(() => Promise.race([broken, answer.promise]));
  isAlive = false;
  let writes = 0;
  const saying = setInterval(() => {
    peers[1]?.write('x');
    writes += 1;
  }, 1);
  await until(() => writes >= 100);
  clearInterval(saying);
  answer.resolve('late');
  expect(await asked).toBe('late');
});

it('no waiting query: no probe is made', async () => {
  await connected();
  isAlive = false;
  // The control looks as often, and somebody waits at it: it has asked many times meanwhile.
  let asked = 0;
  const control = createResponseWatch({
    checkIntervalMs: 5,
    isAlive: async () => {
      asked += 1;
      return true;
    },
  });
  const answer = Promise.withResolvers<void>();
  const waited = control.track(() => answer.promise);
  await until(() => asked > 5);
  control.end();
  answer.resolve();
  await waited;
  expect(probes).toBe(0);
  expect(await watch.track(async () => 'well')).toBe('well');
});

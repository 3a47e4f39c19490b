// How much memory two hundred live streams take, which is as many as there may be.
import { type ClientRequest, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMiB } from '../../support/resident.ts';
import type { BenchServer } from '../servers.ts';

const streams = 200;
/** As many as one address may have open. */
const ofOneAddress = 3;
const listenMs = 10_000;

/** MiB that the server holds more with all streams open for a while than with none. */
export async function streamsMiB(server: BenchServer): Promise<number> {
  const before = residentMiB(server.process.pid);
  const open = await Promise.all(Array.from({ length: streams }, (_, nth) => stream(server.port, nth)));
  await sleep(listenMs);
  const after = residentMiB(server.process.pid);
  for (const each of open) each.destroy();
  return after - before;
}

/** Open once its head has come. Each address of the loopback network counts as a visitor. */
function stream(port: number, nth: number): Promise<ClientRequest> {
  const localAddress = `127.0.0.${1 + Math.floor(nth / ofOneAddress)}`;
  return new Promise((resolve, reject) => {
    const asked = get({ port, host: '127.0.0.1', path: '/demo/live/stream', localAddress }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) resolve(asked);
      else reject(new Error(`stream ${nth} was answered ${answer.statusCode}`));
    });
    // Ended by us, or by the server's end: what it held was measured by then.
    asked.on('error', reject);
  });
}

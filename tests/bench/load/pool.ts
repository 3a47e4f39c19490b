// Requests made before they are sent: making them anew would take more of the processor than sending them.
import { gzipSync } from 'node:zlib';
import { eventOfSize } from '../event.ts';
import type { Requests, Target } from './job.ts';

/** All users and messages of small events; of large ones as many as memory bears. */
const smallOnes = 400;
const largeOnes = 60;
const smallKilobytesMax = 8;

/** A function that answers the requests in turn. */
export function requestsInTurn(target: Target, requests: Requests): () => Buffer {
  const count = requests.kilobytes <= smallKilobytesMax ? smallOnes : largeOnes;
  const pool = Array.from({ length: count }, (_, serial) => requestBytes(target, requests, serial));
  let turn = 0;
  return () => pool[turn++ % count] as Buffer;
}

/** A whole HTTP/1.1 request. */
function requestBytes(target: Target, requests: Requests, serial: number): Buffer {
  const { route, encoding, kilobytes, page, from } = requests;
  if (page !== undefined) {
    return Buffer.from(`GET ${page} HTTP/1.1\r\nHost: ${target.host}\r\nAccept-Encoding: gzip\r\n\r\n`);
  }
  const event = eventOfSize(kilobytes, serial);
  const text = route === 'store' ? event : `{}\n{"type":"event"}\n${event}\n`;
  const body = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
  const head = [
    `POST ${target.base}/${route} HTTP/1.1`,
    `Host: ${target.host}`,
    `X-Notifier-Key: ${target.key}`,
    `Content-Type: application/${route === 'store' ? 'json' : 'x-sentry-envelope'}`,
    ...(encoding === 'gzip' ? ['Content-Encoding: gzip'] : []),
    ...(from === undefined ? [] : [`X-Forwarded-For: ${from}`]),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

// Sends a request over plain HTTP and keeps the order of response headers.
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type Answer, type Exchange, jsonOf, type SentRequest } from './exchange.ts';

// By getBuiltinModule: an ES import loads undici, for each command.
const http = process.getBuiltinModule('node:http');
export const { createServer } = http;

const answerMsMax = 30_000;
const answerBytesMax = 16 * 1024 * 1024;

/** The server is unreachable or does not speak HTTP. */
export class NoResponseError extends Error {}

/** Uses its own connection. @throws {NoResponseError} after `answerMsMax` or `answerBytesMax`. */
export async function sendRequest(name: string, request: SentRequest): Promise<Exchange> {
  const startedAt = performance.now();
  const message = await answerTo(request);
  const body = decoded(await readBody(message), message.headers['content-encoding']);
  const answer: Answer = {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? '',
    headers: pairs(message.rawHeaders),
    body,
    json: jsonOf(body),
    durationMs: performance.now() - startedAt,
  };
  return { name, request, answer };
}

function answerTo(request: SentRequest): Promise<IncomingMessage> {
  const { url } = request;
  const send = url.protocol === 'https:' ? httpsRequest : http.request;
  const options = {
    method: request.method,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: request.target,
    agent: false as const,
    signal: AbortSignal.timeout(answerMsMax),
  };
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) =>
      reject(new NoResponseError(`${url.host} gave no answer: ${messageOf(error)}`));
    const outgoing = send(options, resolve);
    outgoing.on('error', failed);
    for (const [header, value] of request.headers) outgoing.setHeader(header, value);
    if (request.body.length > 0 || request.method === 'POST') {
      outgoing.setHeader('Content-Length', request.body.length);
    }
    outgoing.end(request.body);
  });
}

/** A refused connection to several addresses is an AggregateError. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

function readBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > answerBytesMax) message.destroy(new Error(`the answer is over ${answerBytesMax} bytes`));
    });
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('error', (error) => reject(new NoResponseError(`the answer broke off: ${error.message}`)));
    message.on('aborted', () => reject(new NoResponseError('the answer broke off')));
  });
}

function decoded(bytes: Buffer, encoding: string | undefined): string {
  try {
    if (encoding === 'gzip') return gunzipSync(bytes, { maxOutputLength: answerBytesMax }).toString('utf8');
    if (encoding === 'br') {
      return brotliDecompressSync(bytes, { maxOutputLength: answerBytesMax }).toString('utf8');
    }
    if (encoding === 'deflate') {
      return inflateSync(bytes, { maxOutputLength: answerBytesMax }).toString('utf8');
    }
  } catch {
    throw new NoResponseError(`the answer's ${encoding} body cannot be read`);
  }
  return bytes.toString('utf8');
}

function pairs(raw: readonly string[]): Array<readonly [string, string]> {
  const list: Array<readonly [string, string]> = [];
  for (let index = 0; index + 1 < raw.length; index += 2) list.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return list;
}

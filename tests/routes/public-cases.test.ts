import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { fullOrSome, rows } from '../support/test-level.ts';

interface Sent {
  readonly method: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly body_base64?: string;
  readonly chunked?: boolean;
  readonly note?: string;
}
interface Case {
  readonly id: string;
  readonly kind: string;
  readonly expected: string;
  readonly request?: Sent;
  readonly sequence?: readonly Sent[];
}
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const file = join(import.meta.dirname, '../fixtures/public-cases/ingestion.json');
const stepsOf = (one: Case): readonly Sent[] =>
  one.sequence ?? (one.request === undefined ? [] : [one.request]);
const shortened = new Set(['F-long', 'T-too-large', 'L-too-large-event']);
const cases = (JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]).filter(
  (one) =>
    !shortened.has(one.id) &&
    stepsOf(one).every(({ path, note }) => path !== undefined && note === undefined),
);
const of = (...kinds: string[]) =>
  cases.filter(({ kind }) => kinds.includes(kind)).map((one) => [one.id, one] as const);

let app: TestApp;
beforeAll(async () => {
  // Times in the cases are of that day.
  app = await openTestApp({ domains: ['localhost', 'shop.example'], nowMs: Date.UTC(2026, 10, 28) });
});
afterAll(() => app.close());

const filled = (text: string): string =>
  text.replaceAll('PUBLIC_KEY', app.publicKey).replaceAll('SECRET_KEY', app.secretKey);

function bytesOf({ body, body_base64: base64 }: Sent): Buffer | undefined {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  if (body === undefined) return undefined;
  const written = body as { readonly type?: unknown; readonly data?: readonly number[] };
  if (written.type === 'Buffer') return Buffer.from(written.data ?? []);
  return Buffer.from(filled(typeof body === 'string' ? body : JSON.stringify(body)));
}

function sendOne(sent: Sent): Promise<Answer> {
  const bytes = bytesOf(sent);
  const headers: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers[name] = filled(value);
  if (bytes !== undefined && sent.chunked !== true) headers['Content-Length'] = bytes.length;
  return new Promise((resolve, reject) => {
    const asked = request(
      app.origin + filled(sent.path ?? ''),
      { method: sent.method, headers },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      },
    );
    asked.on('error', reject);
    if (bytes !== undefined) asked.write(bytes);
    asked.end();
  });
}

async function sendAll(one: Case): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const sent of stepsOf(one)) answers.push(await sendOne(sent));
  return answers;
}

function statusesOf({ expected }: Case): number[] {
  const named = [...expected.matchAll(/\b([2-5]\d\d)\b/g)].map(([status]) => Number(status));
  if (named.length === 0) return expected.includes('refused') ? [200, 201, 400] : [200, 201];
  return named.includes(201) ? [200, ...named] : named;
}

const kinds = ['protocol', 'content types', 'credentials', 'items', 'attachments', 'feedback'];
describe('bugs of other products in ingestion', () => {
  it.each(rows(() => fullOrSome(of(...kinds, 'sessions', 'check-ins', 'rate limits'), 8)))(
    '%s',
    async (_id, one) => {
      const answers = await sendAll(one);
      for (const { status, text } of answers) {
        expect({ text, isExpected: statusesOf(one).includes(status) }).toMatchObject({ isExpected: true });
      }
    },
  );

  it.each(of('protocol').filter(([, { expected }]) => /timestamp \d/.test(expected)))(
    '%s has its time',
    async (_id, one) => {
      const [answer] = await sendAll(one);
      const { body } = await app.get(`/events/${JSON.parse(answer?.text ?? '').event_id}`);
      expect(`timestamp ${body.timestamp}`).toBe(one.expected);
    },
  );

  it.each(of('PHP arrays'))('%s is not an error', async (_id, one) => {
    const [answer] = await sendAll(one);
    expect(answer?.status).toBe(201);
    expect(JSON.parse(answer?.text ?? '').errors).toBeUndefined();
  });

  it.each(of('CORS'))('%s is allowed', async (_id, one) => {
    const [answer] = await sendAll(one);
    const { headers = {}, method } = stepsOf(one)[0] ?? { method: '' };
    const allowed = String(answer?.headers['access-control-allow-headers']).toLowerCase().split(', ');
    const asked = headers['Access-Control-Request-Headers']?.split(',') ?? [];
    expect(answer?.headers['access-control-allow-origin']).toBe(headers['Origin']);
    expect(answer?.headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(method === 'OPTIONS' ? asked.filter((name) => !allowed.includes(name)) : []).toEqual([]);
  });
});

describe('bugs of other products in source maps', () => {
  it.each(of('source map').filter(([, one]) => stepsOf(one).length === 2))('%s', async (_id, one) => {
    const [uploaded, kept] = await sendAll(one);
    const { body } = await app.get(`/events/${JSON.parse(kept?.text ?? '').event_id}`);
    const frame = body.exception.values.at(-1).stacktrace.frames.at(-1);
    const isCart = /cart\.js/.test(frame.filename);
    const said = { ...frame, isCart, status: uploaded?.status };
    expect(said).toMatchObject(expectedOf(one.expected));
  });
});

function expectedOf(expected: string): object {
  if (/line 7, (?:function )?inner/.test(expected)) return { lineno: 7, function: 'inner', isCart: true };
  if (expected.includes('not mapped')) return { isCart: false };
  if (expected === 'in_app false') return { in_app: false };
  if (expected.includes('said why not')) return { status: 400, isCart: false };
  return { isCart: true };
}

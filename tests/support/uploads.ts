// Artifact uploads, and sample programs with stacks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import type { TestApp } from './app.ts';

const folder = join(import.meta.dirname, '../fixtures/sourcemaps');

export const smallMapText = JSON.stringify({
  version: 3,
  sources: ['a.ts'],
  names: [],
  mappings: 'AACA',
  sourcesContent: ['1\n2'],
});

export interface ExpectedFrame {
  readonly minified: { readonly function: string | null; readonly line: number; readonly column: number };
  readonly original: {
    readonly source: string;
    readonly line: number;
    readonly column: number;
    readonly name: string | null;
    readonly text: string;
  } | null;
}

export const expectedStacks: Record<string, { frames: ExpectedFrame[] }> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
);

/** `name`: `app.min.js` or `app.min.js.map`. */
export function sampleFile(bundler: string, name: string): Buffer {
  return readFileSync(join(folder, bundler, name));
}

/** Frames are outermost first. */
export function sampleEvent(bundler: string, file: string, more: object = {}): Record<string, unknown> {
  const frames = (expectedStacks[bundler]?.frames ?? []).map(({ minified }) => ({
    filename: file,
    ...(minified.function === null ? {} : { function: minified.function }),
    lineno: minified.line,
    colno: minified.column,
  }));
  const exception = { type: 'Error', value: 'bad operand: x', stacktrace: { frames: frames.toReversed() } };
  return { message: 'bad operand: x', platform: 'javascript', exception: { values: [exception] }, ...more };
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
  readonly body: any;
}

export async function upload(
  app: TestApp,
  body: FormData | Uint8Array | string | ReadableStream,
  headers: Record<string, string> = {},
  query = '',
): Promise<Answer> {
  const response = await fetch(`${app.api}/artifacts${query}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${app.secretKey}`, ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  return { status: response.status, body: await response.json() };
}

export function uploadJson(app: TestApp, body: unknown): Promise<Answer> {
  return upload(app, JSON.stringify(body), { 'Content-Type': 'application/json' });
}

export function uploadZip(app: TestApp, bytes: Uint8Array, query = ''): Promise<Answer> {
  return upload(app, bytes, { 'Content-Type': 'application/zip' }, query);
}

/** `{release: '1', source_map: {name, bytes}}` */
export function form(parts: Record<string, string | { name: string; bytes: Uint8Array | string }>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([Buffer.from(value.bytes as string)]), value.name);
  }
  return data;
}

/** `mode` can make symbolic links. */
export async function zipOf(
  files: Record<string, Uint8Array | string>,
  options: { mode?: number } = {},
): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content as string), name, { mode: options.mode ?? 0o100644 });
  }
  zip.end();
  return buffer(zip.outputStream as unknown as AsyncIterable<Uint8Array>);
}

/** Replaces a name by one of equal length, to make archives that no writer produces. */
export function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

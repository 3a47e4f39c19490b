// A request with its answer, and recordings: JSON lines with masked keys.
import { z } from 'zod';

const headerList = z.array(z.tuple([z.string(), z.string()]));

/** A line of a recording; WordPress's recordings in tests have the same format. */
const recordedExchange = z.object({
  id: z.string(),
  category: z.string().optional(),
  reason: z.string().optional(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    headers: headerList,
    body: z.string().optional(),
    body_base64: z.string().optional(),
  }),
  response: z.object({
    status: z.number().int(),
    status_text: z.string().optional(),
    headers: headerList,
    body: z.string().optional(),
  }),
});

export type RecordedExchange = z.infer<typeof recordedExchange>;

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  /** Path and query as sent; `URL` would normalize them. */
  readonly target: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: string;
  readonly json: unknown;
  readonly durationMs: number;
}

export interface Exchange {
  readonly name: string;
  readonly request: SentRequest;
  readonly answer: Answer;
}

export type Masks = ReadonlyArray<readonly [value: string, word: string]>;

/** The last value of a header, or null. */
export function headerOf(answer: Pick<Answer, 'headers'>, name: string): string | null {
  const lower = name.toLowerCase();
  return answer.headers.findLast(([each]) => each.toLowerCase() === lower)?.[1] ?? null;
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** List items by index; undefined if missing. */
export function valueAt(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path.split('.').reduce<unknown>((value, member) => {
    if (value === null || typeof value !== 'object') return undefined;
    return Object.hasOwn(value, member) ? (value as Record<string, unknown>)[member] : undefined;
  }, json);
}

/** Converts an exchange, with secrets and the server's address masked. */
export function toRecordedExchange(exchange: Exchange, targetMasks: Masks): RecordedExchange {
  const { request, answer } = exchange;
  const masks = [...targetMasks, ...publishedSite(answer)];
  const text = request.body.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(request.body);
  return {
    id: exchange.name,
    request: {
      method: request.method,
      path: maskSecrets(request.target, masks),
      headers: request.headers.map(([name, value]) => [name, maskSecrets(value, masks)]),
      ...(request.body.length === 0
        ? {}
        : isText
          ? { body: maskSecrets(text, masks) }
          : { body_base64: request.body.toString('base64') }),
    },
    response: {
      status: answer.status,
      status_text: answer.statusText,
      headers: answer.headers.map(([name, value]) => [name, maskSecrets(value, masks)]),
      body: maskSecrets(answer.body, masks),
    },
  };
}

/** The site's own URL, from its Link header; it may differ from the requested one. */
function publishedSite(answer: Answer): Masks {
  const site = /<(https?:\/\/[^<>]+)\/wp-json\/>; rel="https:\/\/api\.w\.org\/"/.exec(
    headerOf(answer, 'Link') ?? '',
  )?.[1];
  return site === undefined ? [] : [[site, '{{site}}']];
}

/** @throws {Error} naming the invalid line. */
export function readRecording(text: string): RecordedExchange[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = recordedExchange.safeParse(jsonOf(line));
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw new Error(
        `line ${index + 1} is no recorded exchange: ${issue?.path.join('.')} ${issue?.message}`,
      );
    }
    return [parsed.data];
  });
}

export function writeRecording(exchanges: readonly RecordedExchange[]): string {
  return exchanges.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** Masks values, longest first, also where JSON has escaped slashes. */
export function maskSecrets(text: string, masks: Masks): string {
  return masks
    .filter(([value]) => value !== '')
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce(
      (masked, [value, word]) =>
        masked.replaceAll(value, word).replaceAll(value.replaceAll('/', '\\/'), word.replaceAll('/', '\\/')),
      text,
    );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

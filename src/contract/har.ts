// Reads API requests from a browser's HAR file as a recording.
import { z } from 'zod';
import type { RecordedExchange } from './exchange.ts';

const headers = z.array(z.looseObject({ name: z.string(), value: z.string() }));

const harFile = z.looseObject({
  log: z.looseObject({
    entries: z.array(
      z.looseObject({
        request: z.looseObject({
          method: z.string(),
          url: z.string(),
          headers,
          postData: z.looseObject({ text: z.string().optional(), encoding: z.string().optional() }).nullish(),
        }),
        response: z.looseObject({
          status: z.number().int(),
          statusText: z.string().optional(),
          headers,
          content: z.looseObject({ text: z.string().optional(), encoding: z.string().optional() }).nullish(),
        }),
      }),
    ),
  }),
});

type HarEntry = z.infer<typeof harFile>['log']['entries'][number];

/** Headers that are left out: of the connection, or with other credentials. */
const omittedHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'host',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
]);

/** Requests to `notifier/v1`, keys and site masked, cookies removed. @throws {Error} if it is no HAR file. */
export function readHar(text: string): RecordedExchange[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`the HAR file is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = harFile.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`this is no HAR file: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const entries = parsed.data.log.entries.filter((entry) => siteOf(entry.request.url) !== null);
  return entries.map((entry, index) => exchangeOf(entry, index + 1));
}

function exchangeOf(entry: HarEntry, number: number): RecordedExchange {
  const url = new URL(entry.request.url);
  const site = siteOf(entry.request.url) ?? url.origin;
  const method = entry.request.method.toUpperCase();
  const path = `${url.pathname}${url.search}`;
  const mask = (text: string) => maskedText(text, site, entry);
  return {
    id: `page-${String(number).padStart(3, '0')} ${method} ${url.pathname}`,
    category: 'page',
    request: {
      method,
      path: mask(path),
      headers: withoutPseudoHeaders(entry.request.headers).map(([name, value]) => [name, mask(value)]),
      ...bodyOf(entry.request.postData, mask),
    },
    response: {
      status: entry.response.status,
      status_text: entry.response.statusText ?? '',
      headers: withoutPseudoHeaders(entry.response.headers).map(([name, value]) => [name, mask(value)]),
      ...(entry.response.content?.text === undefined ? {} : { body: mask(textOf(entry.response.content)) }),
    },
  };
}

/** The URL before `/wp-json`; null for other URLs. */
function siteOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const before = /^(.*?)(?:\/index\.php)?\/wp-json\/notifier\/v1(?:\/|$)/i.exec(url.pathname)?.[1];
  if (before !== undefined) return `${url.origin}${before}`;
  const route = url.searchParams.get('rest_route') ?? '';
  return /^\/notifier\/v1(\/|$)/i.test(route) ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : null;
}

function withoutPseudoHeaders(list: z.infer<typeof headers>): Array<[string, string]> {
  return list
    .filter(({ name }) => !name.startsWith(':') && !omittedHeaders.has(name.toLowerCase()))
    .map(({ name, value }): [string, string] => [name, value]);
}

function maskedText(text: string, site: string, entry: HarEntry): string {
  return credentialsOf(entry)
    .reduce((masked, [value, word]) => masked.replaceAll(value, word), text)
    .replaceAll(site, '{{site}}')
    .replaceAll(site.replaceAll('/', '\\/'), '{{site}}');
}

function credentialsOf(entry: HarEntry): Array<[string, string]> {
  const found: Array<[string, string]> = [];
  for (const { name, value } of entry.request.headers) {
    const lower = name.toLowerCase();
    if (lower === 'x-notifier-key') found.push([value.trim(), '{{public_key}}']);
    const bearer = lower === 'authorization' ? /^Bearer\s+(\S+)$/i.exec(value.trim())?.[1] : undefined;
    if (bearer !== undefined) found.push([bearer, '{{secret_key}}']);
    const sentry = /sentry_key=([^,\s]+)/.exec(value)?.[1];
    if (sentry !== undefined) found.push([sentry, '{{public_key}}']);
  }
  const query = new URL(entry.request.url).searchParams.get('sentry_key');
  if (query !== null) found.push([query, '{{public_key}}']);
  return found.filter(([value]) => value !== '');
}

type HarBody = { text?: string | undefined; encoding?: string | undefined } | null | undefined;

function bodyOf(data: HarBody, mask: (text: string) => string): { body?: string; body_base64?: string } {
  if (data?.text === undefined || data.text === '') return {};
  if (data.encoding === 'base64') return { body_base64: data.text };
  return { body: mask(data.text) };
}

function textOf(content: HarBody): string {
  const text = content?.text ?? '';
  return content?.encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

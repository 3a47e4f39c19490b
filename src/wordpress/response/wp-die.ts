// WordPress's wp_die: HTML, JSON, JSONP or XML, by what the request accepts.

import type { PhpHeaders } from '../php/headers.ts';
import { encodeJson } from '../php/json-encode.ts';
import type { PhpValue } from '../php/values.ts';
import { isJsonMediaType } from './json-media-type.ts';

export type DieArguments = {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly title?: string;
  readonly further?: readonly PhpValue[];
};

/** Both arguments are HTML. */
export type RenderDiePage = (title: string, message: string) => string;

/** What the format depends on. `jsonp` is a valid callback name. */
export type DieFormatHints = {
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly jsonp: string | null;
};

/** Changes the headers to those of wp_die and returns the body. */
export function wpDie(
  dieArgs: DieArguments,
  reader: DieFormatHints,
  headers: PhpHeaders,
  page: RenderDiePage = plainPage,
): string {
  const form = formFor(reader);
  headers.set('Content-Type', `${form.type}; charset=UTF-8`);
  if (form.name === 'jsonp') {
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('X-Robots-Tag', 'noindex');
  }
  setNoCache(headers);
  if (form.name === 'html') {
    const message = `<div class="wp-die-message">${htmlMessage(dieArgs)}</div>`;
    return page(dieArgs.title ?? 'WordPress &rsaquo; Error', message);
  }
  if (form.name === 'xml') return xmlBody(dieArgs);
  const body = jsonBody(dieArgs);
  return form.name === 'jsonp' ? `/**/${reader.jsonp}(${body})` : body;
}

export const noCacheHeaders: ReadonlyArray<readonly [string, string]> = [
  ['Expires', 'Wed, 11 Jan 1984 05:00:00 GMT'],
  ['Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private'],
];

/** As WordPress's nocache_headers, which also removes Last-Modified. */
export function setNoCache(headers: PhpHeaders): void {
  for (const [name, value] of noCacheHeaders) headers.set(name, value);
  headers.remove('Last-Modified');
}

type Form = { readonly name: 'json' | 'jsonp' | 'xml' | 'html'; readonly type: string };

const xmlTypes = [
  'text/xml',
  'application/rss+xml',
  'application/atom+xml',
  'application/rdf+xml',
  'text/xml+oembed',
  'application/xml+oembed',
];

function formFor(reader: DieFormatHints): Form {
  if (isJsonMediaType(reader.accept ?? '') || isJsonMediaType(reader.contentType ?? '')) {
    return { name: 'json', type: 'application/json' };
  }
  if (reader.jsonp !== null) return { name: 'jsonp', type: 'application/javascript' };
  const accepts = xmlTypes.some((type) => reader.accept?.includes(type));
  if (accepts || xmlTypes.includes(reader.contentType ?? '')) return { name: 'xml', type: 'text/xml' };
  return { name: 'html', type: 'text/html' };
}

function jsonBody(dieArgs: DieArguments): string {
  const encoded = encodeJson({
    code: dieArgs.code,
    message: dieArgs.message,
    data: { status: dieArgs.status },
    additional_errors: [...(dieArgs.further ?? [])],
  });
  return encoded.ok ? encoded.text : '';
}

function htmlMessage(dieArgs: DieArguments): string {
  const further = (dieArgs.further ?? []).map((each) =>
    String((each as { message?: unknown }).message ?? ''),
  );
  if (further.length === 0) return dieArgs.message;
  const items = [dieArgs.message, ...further].map((message) => `<li>${message}</li>`);
  return `<ul>\n\t\t${items.join('\n\t\t')}\n\t</ul>`;
}

function xmlBody(dieArgs: DieArguments): string {
  const title = escapeHtml(dieArgs.title ?? 'WordPress &rsaquo; Error');
  const message = escapeHtml(dieArgs.message);
  return (
    `<error>\n    <code>${dieArgs.code}</code>\n    <title><![CDATA[${title}]]></title>\n` +
    `    <message><![CDATA[${message}]]></message>\n    <data>\n        <status>${dieArgs.status}</status>\n` +
    '    </data>\n</error>\n'
  );
}

function plainPage(title: string, message: string): string {
  return `<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<title>${title}</title>\n</head>\n<body id="error-page">\n${message}\n</body>\n</html>\n`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}

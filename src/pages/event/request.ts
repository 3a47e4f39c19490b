// What was asked when an event happened: the address, headers and body, and the same as a line for curl.
import type { VNode } from 'preact';
import { addressOf, curlOf } from '../../core/workspace/issue/curl.ts';
import { type Payload, pairsIn, recordOf, textOf } from '../../core/workspace/issue/payload.ts';
import { type Content, el } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { pairs, section } from '../parts/layout.ts';
import { visible } from '../words/visible.ts';
import { code, said, value } from './said.ts';

const plain = new Set(['url', 'method', 'query_string', 'headers', 'data', 'cookies', 'env', 'fragment']);

/** The request; null for an event that names none. */
export function requestPart(payload: Payload): VNode | null {
  const request = recordOf(payload['request']);
  if (request === null) return null;
  const curl = curlOf(payload);
  const headers = named(request['headers']);
  const address = addressOf(request);
  const method = textOf(request['method']);
  const others = pairsIn(request).filter(([name]) => !plain.has(name));
  return section(
    { id: 's-req', title: 'Request' },
    pairs([
      ['Address', address === null ? null : code(`${method} ${address}`.trim())],
      [
        'Query',
        address === null && request['query_string'] !== undefined ? value(request['query_string']) : null,
      ],
      ['Fragment', request['fragment'] === undefined ? null : value(request['fragment'])],
      ...headers,
      ['Cookies', request['cookies'] === undefined ? null : value(request['cookies'])],
      ['Body', request['data'] === undefined ? null : value(request['data'])],
      ['Environment', request['env'] === undefined ? null : value(request['env'])],
      ...others.map(([name, each]) => [said(name), value(each)] as const),
    ]),
    curl === null ? null : curlLine(curl),
  );
}

function named(sent: unknown): ReadonlyArray<readonly [Content, Content]> {
  if (typeof sent === 'string') return [['Headers', value(sent)]];
  return pairsIn(sent).map(([name, each]) => [said(name), value(each)] as const);
}

function curlLine(curl: string): VNode {
  return el(
    'details',
    { id: 'curl' },
    el('summary', null, 'As a curl line'),
    el('pre', { class: 'snip', id: 'curl-line' }, visible(curl)),
    el('p', null, copyButton('curl-line', 'the curl line')),
  );
}

// What was asked when an event happened: the address, headers and body, and the same as a line for curl.
import type { VNode } from 'preact';
import { addressOf, curlOf } from '../../core/workspace/issue/curl.ts';
import { type Payload, pairsIn, recordOf, restOf, textOf } from '../../core/workspace/issue/payload.ts';
import { type Content, html } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { pairs, section } from '../parts/layout.ts';
import { visible } from '../words/visible.ts';
import { type Room, takes, thatFit } from './room.ts';
import { code, said, value } from './said.ts';

const plain = ['url', 'method', 'query_string', 'headers', 'data', 'cookies', 'env', 'fragment'];

/** The request; null for an event that names none. */
export function requestPart(payload: Payload, room: Room): VNode | null {
  const request = recordOf(payload['request']);
  if (request === null) return null;
  const curl = curlOf(payload);
  const headers = named(request['headers'], room);
  const address = addressOf(request);
  const method = textOf(request['method']);
  const others = restOf(request, plain);
  const query = request['query_string'];
  // An address with a query of its own does not take up the other.
  const isInAddress =
    address !== null && (!textOf(request['url']).includes('?') || address.endsWith(`?${textOf(query)}`));
  return section(
    { id: 's-req', title: 'Request' },
    pairs([
      ['Address', address === null ? null : code(`${method} ${address}`.trim())],
      ['Method', address === null && method !== '' ? code(method) : null],
      ['Query', isInAddress || query === undefined ? null : value(query, room)],
      ['Fragment', request['fragment'] === undefined ? null : value(request['fragment'], room)],
      ...headers,
      ['Cookies', request['cookies'] === undefined ? null : value(request['cookies'], room)],
      ['Body', request['data'] === undefined ? null : value(request['data'], room)],
      ['Environment', request['env'] === undefined ? null : value(request['env'], room)],
      ...others.map(([name, each]) => [said(name), value(each, room)] as const),
    ]),
    curl === null || !takes(room, curl.length) ? null : curlLine(curl),
  );
}

function named(sent: unknown, room: Room): ReadonlyArray<readonly [Content, Content]> {
  if (typeof sent === 'string') return [['Headers', value(sent, room)]];
  return thatFit(pairsIn(sent), room, ([name]) => name.length).map(
    ([name, each]) => [said(name), value(each, room)] as const,
  );
}

function curlLine(curl: string): VNode {
  return html`<details id="curl">
    <summary>As a curl line</summary>
    <pre class="snip" id="curl-line">${visible(curl)}</pre>
    <p>${copyButton('curl-line', 'the curl line')}</p>
  </details>`;
}

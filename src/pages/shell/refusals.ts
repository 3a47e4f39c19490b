import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { copyButton, searchField, submit } from '../parts/controls.ts';
import { pairs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { fullTime } from '../parts/time.ts';
import { brand } from './shell.ts';

export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly why: string;
  /** Request id, to find the error in the log. */
  readonly requestId?: string;
}

export function refusalPage(refusal: Refusal, frame: Frame): PageContent {
  const { status, title, why, requestId } = refusal;
  const isKnown = frame.visitor !== null;
  const isMissing = isKnown && status === 404;
  const main: Content[] = [
    isKnown ? null : html`<p>${brand(frame)}</p>`,
    html`<h1>${title}</h1>`,
    html`<p class="bulletin">${why}</p>`,
    requestId === undefined ? null : fault(requestId, frame),
    isMissing ? search(frame) : null,
    isMissing ? ways(frame) : null,
    isMissing || requestId !== undefined
      ? null
      : html`<p>
        ${pageLink(frame, { path: '/' }, null, isKnown ? 'Go to overview' : 'Go to workspace')}
      </p>`,
  ];
  return { title, main: html`<div class="narrow">${main}</div>`, isBare: !isKnown };
}

function fault(requestId: string, frame: Frame): Content[] {
  const again = Object.fromEntries(frame.query);
  return [
    el(
      'p',
      { class: 'acts' },
      pageLink(frame, { path: frame.path, query: again }, { class: 'btn primary' }, 'Try again'),
      ' ',
      pageLink(frame, { path: '/' }, { class: 'btn' }, 'Overview'),
    ),
    html`<div class="sec">${pairs([
      [
        'Request',
        [html`<code id="request">${requestId}</code>`, ' ', copyButton('request', 'the request ID')],
      ],
      ['When', fullTime(new Date(frame.nowMs).toISOString())],
      ['Page', html`<code>${frame.path}</code>`],
    ])}</div>`,
    html`<p class="hint">The operator of this server finds the reason in its log under this request ID.</p>`,
  ];
}

/** Searches for the last path segment: usually an id, a version or a name. */
function search(frame: Frame): Content {
  const asked = frame.path.split('/').at(-1) ?? '';
  return html`<form
    class="filters" method="get" action="${frame.base}/search" aria-label="Everything, from here"
  >
    ${searchField('q', 'Search everything', 'Title, ID, version or host', decoded(asked))}${submit('Search')}
  </form>`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function ways(frame: Frame): Content {
  const way = (path: string, name: string, what: string): Content =>
    html`<li>${pageLink(frame, { path }, null, name)}<span>${what}</span></li>`;
  return html`<ul class="next sec">
    ${way('/issues', 'Issues', 'all unresolved issues')}${way('/', 'Overview', 'current state of everything')}
  </ul>`;
}

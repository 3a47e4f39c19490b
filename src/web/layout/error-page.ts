import { copyButton, searchField, submitButton } from '../components/controls.ts';
import { nameValueList } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { fullTime, timeElement } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { logoLink } from './navigation-layout.ts';

export interface ErrorPageModel {
  readonly status: number;
  readonly title: string;
  readonly why: string;
  readonly requestId?: string;
}

export function errorPage(refusal: ErrorPageModel, context: PageContext): PageContent {
  const { status, title, why, requestId } = refusal;
  const isKnown = context.currentUser !== null;
  const isMissing = isKnown && status === 404;
  const main: Content[] = [
    isKnown ? null : html`<p>${logoLink(context)}</p>`,
    html`<h1>${title}</h1>`,
    html`<p class="bulletin">${why}</p>`,
    requestId === undefined ? null : fault(requestId, context),
    isMissing ? search(context) : null,
    isMissing ? links(context) : null,
    isMissing || requestId !== undefined
      ? null
      : html`<p>
        ${pageLink(context, { path: '/' }, null, isKnown ? 'Go to overview' : 'Go to workspace')}
      </p>`,
  ];
  return { title, main: html`<div class="narrow">${main}</div>`, isBare: !isKnown };
}

function fault(requestId: string, frame: PageContext): Content[] {
  const again = Object.fromEntries(frame.query);
  return [
    el(
      'p',
      { class: 'acts' },
      pageLink(frame, { path: frame.path, query: again }, { class: 'btn primary' }, 'Try again'),
      ' ',
      pageLink(frame, { path: '/' }, { class: 'btn' }, 'Overview'),
    ),
    html`<div class="sec">${nameValueList([
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
function search(frame: PageContext): Content {
  const lastSegment = frame.path.split('/').at(-1) ?? '';
  return html`<form
    class="filters" method="get" action="${frame.base}/search" aria-label="Everything, from here"
  >
    ${searchField('q', 'Search everything', 'Title, ID, version or host', decoded(lastSegment))}${submitButton('Search')}
  </form>`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function links(frame: PageContext): Content {
  const linkItem = (path: string, name: string, what: string): Content =>
    html`<li>${pageLink(frame, { path }, null, name)}<span>${what}</span></li>`;
  return html`<ul class="next sec">
    ${linkItem('/issues', 'Issues', 'all unresolved issues')}${linkItem('/', 'Overview', 'current state of everything')}
  </ul>`;
}

interface RateLimitModel {
  /** Pages per minute. */
  readonly limit: number;
  readonly waitSeconds: number;
}

export function rateLimitPage({ limit, waitSeconds }: RateLimitModel, context: PageContext): PageContent {
  const opensAt = new Date(context.nowMs + waitSeconds * 1000).toISOString();
  const again = Object.fromEntries(context.query);
  return {
    title: 'Too many requests',
    isBare: true,
    main: el(
      'div',
      { class: 'narrow' },
      html`<p>${logoLink(context)}</p>`,
      html`<h1>Too many pages at once</h1>`,
      el(
        'p',
        { class: 'bulletin' },
        `${count(limit)} pages per minute is the limit for one IP address. Try again in `,
        html`<b>${counted(waitSeconds, 'second')}</b>`,
        ', at ',
        timeElement(opensAt, `${opensAt.slice(11, 19)} UTC`, false),
        '.',
      ),
      html`<p class="acts">
        ${pageLink(context, { path: context.path, query: again }, { class: 'btn primary' }, 'Try again')}
      </p>`,
      html`<ul class="next sec">
        <li>
          ${pageLink(context, { path: '/live' }, null, 'Live tail')}
          <span>one page that updates by itself</span>
        </li>
      </ul>`,
      el(
        'p',
        { class: 'small dim sec' },
        'Sending events is not affected. The response was 429, with ',
        html`<code>Retry-After: ${waitSeconds}</code>`,
        '.',
      ),
    ),
  };
}

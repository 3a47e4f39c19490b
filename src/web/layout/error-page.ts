import { copyButton, searchField, submitButton } from '../components/controls.ts';
import { nameValueList, pageHead } from '../components/elements.ts';
import { type Content, html, pageLink } from '../el.ts';
import { count, counted, fullTime, timeElement } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { logoLink } from './navigation-layout.ts';

export interface ErrorPageModel {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  readonly requestId?: string;
}

export function errorPage(refusal: ErrorPageModel, context: PageContext): PageContent {
  const { status, title, message, requestId } = refusal;
  const isKnown = context.currentUser !== null;
  const isMissing = isKnown && status === 404;
  const main: Content[] = [
    isKnown ? null : html`<p>${logoLink(context)}</p>`,
    pageHead({ title }),
    html`<p class="bulletin">${message}</p>`,
    requestId === undefined ? null : retryLinks(requestId, context),
    isMissing ? search(context) : null,
    isMissing ? links(context) : null,
    isMissing || requestId !== undefined
      ? null
      : html`<p>
        ${pageLink(context, '/', null, isKnown ? 'Go to overview' : 'Go to workspace')}
      </p>`,
  ];
  return { title, main: html`<div class="narrow">${main}</div>`, isBare: !isKnown };
}

function retryLinks(requestId: string, context: PageContext): Content[] {
  const query = Object.fromEntries(context.query);
  return [
    html`<p class="acts">
      ${pageLink(context, { path: context.path, query }, { class: 'btn primary' }, 'Try again')}${' '}
      ${pageLink(context, '/', { class: 'btn' }, 'Overview')}
    </p>`,
    html`<div class="sec">${nameValueList([
      [
        'Request',
        [html`<code id="request">${requestId}</code>`, ' ', copyButton('request', 'the request ID')],
      ],
      ['When', fullTime(new Date(context.nowMs).toISOString())],
      ['Page', html`<code>${context.path}</code>`],
    ])}</div>`,
    html`<p class="hint">The operator of this server finds the reason in its log under this request ID.</p>`,
  ];
}

/** Searches for the last path segment: usually an id, a version or a name. */
function search(context: PageContext): Content {
  const lastSegment = context.path.split('/').at(-1) ?? '';
  return html`<form
    class="filters" method="get" action="${context.base}/search" aria-label="Everything, from here"
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

function links(context: PageContext): Content {
  const linkItem = (path: string, name: string, description: string): Content =>
    html`<li>${pageLink(context, path, null, name)}<span>${description}</span></li>`;
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
  const query = Object.fromEntries(context.query);
  return {
    title: 'Too many requests',
    isBare: true,
    main: html`<div class="narrow">
      <p>${logoLink(context)}</p><h1>Too many pages at once</h1>
      <p class="bulletin">
        ${count(limit)} pages per minute is the limit for one IP address. Try again in${' '}
        <b>${counted(waitSeconds, 'second')}</b>
        , at ${timeElement(opensAt, `${opensAt.slice(11, 19)} UTC`, false)}.
      </p>
      <p class="acts">
        ${pageLink(context, { path: context.path, query }, { class: 'btn primary' }, 'Try again')}
      </p>
      <ul class="next sec">
        <li>
          ${pageLink(context, '/live', null, 'Live tail')}
          <span>one page that updates by itself</span>
        </li>
      </ul>
      <p class="small dim sec">
        Sending events is not affected. The response was 429, with <code>Retry-After: ${waitSeconds}</code>.
      </p>
    </div>`,
  };
}

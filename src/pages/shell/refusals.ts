// Pages in place of those that were asked for: not found, not allowed, too many, our fault.
import type { Content } from '../el.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { searchField, submit } from '../parts/controls.ts';
import { pageLink } from '../parts/link.ts';
import { brand } from './shell.ts';

export interface Refusal {
  readonly status: number;
  readonly title: string;
  /** What happened and what to do. */
  readonly why: string;
  /** What finds the fault in the log. */
  readonly requestId?: string;
}

/** A page that says why the one that was asked for is not here. */
export function refusalPage(refusal: Refusal, frame: Frame): PageContent {
  const { title, why, requestId } = refusal;
  const isKnown = frame.visitor !== null;
  const main: Content[] = [
    isKnown ? null : el('p', null, brand(frame)),
    el('h1', null, title),
    el('p', { class: 'bulletin' }, why),
    requestId === undefined ? null : el('p', { class: 'small dim' }, 'Request ', el('code', null, requestId)),
    isKnown && refusal.status === 404 ? search(frame) : null,
    el('p', null, pageLink(frame, { path: '/' }, null, isKnown ? 'To the overview' : 'To the workspace')),
  ];
  return { title, main: el('div', { class: 'narrow' }, ...main), isBare: !isKnown };
}

function search(frame: Frame): Content {
  return el(
    'form',
    {
      class: 'filters',
      method: 'get',
      action: `${frame.base}/search`,
      'aria-label': 'Everything, from here',
    },
    searchField('q', 'Search everything', 'Title, id, version or host', null),
    submit('Search'),
  );
}

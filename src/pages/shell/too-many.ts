// The page for a browser that asked for too many pages in a minute: how long to wait, and what needs no
// waiting.
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { pageLink } from '../parts/link.ts';
import { moment } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { brand } from './shell.ts';

export interface TooMany {
  /** Pages a minute. */
  readonly limit: number;
  readonly waitSeconds: number;
}

/** Where the limit of an address on pages is reached. */
export function tooManyPage({ limit, waitSeconds }: TooMany, frame: Frame): PageContent {
  const opensAt = new Date(frame.nowMs + waitSeconds * 1000).toISOString();
  const again = Object.fromEntries(frame.query);
  return {
    title: 'Too many pages at once',
    isBare: true,
    main: el(
      'div',
      { class: 'narrow' },
      el('p', null, brand(frame)),
      el('h1', null, 'Too many pages at once'),
      el(
        'p',
        { class: 'bulletin' },
        `${count(limit)} pages a minute from one address is the limit, and yours has asked for more. It opens again in `,
        el('b', null, counted(waitSeconds, 'second')),
        ', at ',
        moment(opensAt, `${opensAt.slice(11, 19)} UTC`, false),
        '.',
      ),
      el(
        'p',
        { class: 'acts' },
        pageLink(frame, { path: frame.path, query: again }, { class: 'btn primary' }, 'Look again'),
      ),
      el(
        'ul',
        { class: 'next sec' },
        el(
          'li',
          null,
          pageLink(frame, { path: '/live' }, null, 'Live tail'),
          el('span', null, 'one page that changes by itself, in place of many'),
        ),
      ),
      el(
        'p',
        { class: 'small dim sec' },
        'Events that are sent are counted apart and go on. The answer was 429, with ',
        el('code', null, `Retry-After: ${waitSeconds}`),
        '.',
      ),
    ),
  };
}

// Page for a browser over the page rate limit.
import { el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { pageLink } from '../parts/link.ts';
import { moment } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { brand } from './shell.ts';

export interface TooMany {
  /** Pages per minute. */
  readonly limit: number;
  readonly waitSeconds: number;
}

export function tooManyPage({ limit, waitSeconds }: TooMany, frame: Frame): PageContent {
  const opensAt = new Date(frame.nowMs + waitSeconds * 1000).toISOString();
  const again = Object.fromEntries(frame.query);
  return {
    title: 'Too many requests',
    isBare: true,
    main: el(
      'div',
      { class: 'narrow' },
      html`<p>${brand(frame)}</p>`,
      html`<h1>Too many pages at once</h1>`,
      el(
        'p',
        { class: 'bulletin' },
        `${count(limit)} pages per minute is the limit for one IP address. Try again in `,
        html`<b>${counted(waitSeconds, 'second')}</b>`,
        ', at ',
        moment(opensAt, `${opensAt.slice(11, 19)} UTC`, false),
        '.',
      ),
      html`<p class="acts">
        ${pageLink(frame, { path: frame.path, query: again }, { class: 'btn primary' }, 'Try again')}
      </p>`,
      html`<ul class="next sec">
        <li>
          ${pageLink(frame, { path: '/live' }, null, 'Live tail')}
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

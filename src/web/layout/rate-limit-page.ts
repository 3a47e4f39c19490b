import { pageLink } from '../components/link.ts';
import { timeElement } from '../components/time.ts';
import { el, html } from '../el.ts';
import { count, counted } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { logoLink } from './navigation-layout.ts';

export interface RateLimitModel {
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

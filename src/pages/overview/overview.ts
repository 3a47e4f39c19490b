// The page that says how things are.
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { pageLink } from '../parts/link.ts';

/** The overview. */
export function overviewPage(_model: { readonly waiting: false }, frame: Frame): PageContent {
  const way = pageLink(frame, { path: '/issues' }, null, 'issues');
  return {
    title: 'Overview',
    main: [el('h1', null, 'Overview'), el('p', { class: 'bulletin' }, 'See the ', way, '.')],
  };
}

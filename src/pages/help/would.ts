// In the demo, the page that says what an action would do.
import type { WouldModel } from '../../core/workspace/would/would.ts';
import { el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { pairs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';

const whoMay: Readonly<Record<WouldModel['needs'], string>> = {
  viewer: 'every member',
  member: 'members and admins',
  admin: 'admins',
};

export function wouldPage(model: WouldModel, frame: Frame): PageContent {
  const { act, title, what, needs, back } = model;
  const [path = '/', text = ''] = back.split('?');
  const query = Object.fromEntries(new URLSearchParams(text));
  return {
    title,
    main: el(
      'div',
      { class: 'narrow' },
      html`<h1>${title}</h1>`,
      html`<p class="bulletin">${what}</p>`,
      html`<p>This is a demo: nothing was changed, and your input was not saved.</p>`,
      pairs([
        ['Allowed for', whoMay[needs]],
        ...(act === '' ? [] : [['Request', html`<code>${act}</code>`] as const]),
      ]),
      el(
        'p',
        { class: 'acts' },
        pageLink(frame, { path, query }, { class: 'btn primary' }, 'Back to the page'),
        ' ',
        pageLink(frame, { path: '/help', hash: 'own' }, { class: 'btn' }, 'Run your own'),
      ),
    ),
  };
}

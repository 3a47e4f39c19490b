// Lines to send, one kind of program under the other: each whole, with the real key and address.
import type { VNode } from 'preact';
import type { Snippet } from '../../core/workspace/snippets.ts';
import { el } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { section } from '../parts/layout.ts';

/** The first stands open, the others wait behind their names. */
export function snippetSection(all: readonly Snippet[], id: string): VNode {
  const hint =
    all.length === 0
      ? 'There is no live public key: make one, and the lines stand here.'
      : 'Any Sentry SDK works with this address, on the server, in the browser and on phones.';
  const folded = all.map((each, at) =>
    el(
      'details',
      { open: at === 0, name: id },
      el('summary', null, each.title),
      el(
        'pre',
        { class: 'snip', id: `s-${each.id}`, tabindex: 0, role: 'group', 'aria-label': each.title },
        el('code', null, each.text),
      ),
      el('p', { class: 'under' }, copyButton(`s-${each.id}`, `the lines: ${each.title}`)),
    ),
  );
  return section({ id, title: 'Lines to send' }, ...folded, el('p', { class: 'hint' }, hint));
}

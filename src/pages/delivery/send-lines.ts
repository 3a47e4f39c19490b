import type { VNode } from 'preact';
import type { Snippet } from '../../core/workspace/snippets.ts';
import { type Content, html } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { empty, section } from '../parts/layout.ts';

export function emptyWithLines(title: string, why: Content, lines: readonly Snippet[]): Content[] {
  return [empty(title, why), ...lines.map(snippet)];
}

function snippet({ id, title, text }: Snippet): VNode {
  const place = { class: 'snip', id: `s-${id}`, tabindex: 0, role: 'group', 'aria-label': title };
  return section(
    { id: `t-${id}`, title, beside: copyButton(`s-${id}`, title) },
    html`<pre ...${place}><code>${text}</code></pre>`,
  );
}

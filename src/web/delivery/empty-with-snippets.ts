import type { Snippet } from '../../core/page-models/snippets.ts';
import { copyButton } from '../components/controls.ts';
import { emptyState, section } from '../components/elements.ts';
import { type Content, html, type VNode } from '../el.ts';

export function emptyWithSnippets(title: string, description: Content, lines: readonly Snippet[]): Content[] {
  return [emptyState(title, description), ...lines.map(snippet)];
}

function snippet({ id, title, text }: Snippet): VNode {
  const attributes = { class: 'snip', id: `s-${id}`, tabindex: 0, role: 'group', 'aria-label': title };
  return section(
    { id: `t-${id}`, title, aside: copyButton(`s-${id}`, title) },
    html`<pre ...${attributes}><code>${text}</code></pre>`,
  );
}

import type { Snippet } from '../../core/page-models/snippets.ts';
import { copyButton } from '../components/controls.ts';
import { codeBlock, emptyState, section } from '../components/elements.ts';
import type { Content, VNode } from '../el.ts';

export function emptyWithSnippets(title: string, description: Content, lines: readonly Snippet[]): Content[] {
  return [emptyState(title, description), ...lines.map(snippet)];
}

function snippet({ id, title, text }: Snippet): VNode {
  return section(
    { id: `t-${id}`, title, aside: copyButton(`s-${id}`, title) },
    codeBlock(title, text, 'snip', `s-${id}`),
  );
}

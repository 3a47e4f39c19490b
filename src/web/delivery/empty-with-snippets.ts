import type { Snippet } from '../../core/page-models/snippets.ts';
import { copyButton } from '../components/controls.ts';
import { codeBlock, emptyState, section } from '../components/elements.ts';
import type { VNode } from '../el.ts';

/** `lines` say how to send the first; null where something was sent. */
export function emptyWithSnippets(title: string, description: string, lines: readonly Snippet[] | null) {
  return lines === null ? undefined : [emptyState(title, description), ...lines.map(snippet)];
}

function snippet({ id, title, text }: Snippet): VNode {
  return section(
    { id: `t-${id}`, title, aside: copyButton(`s-${id}`, title) },
    codeBlock(title, text, 'snip', `s-${id}`),
  );
}

import type { VNode } from 'preact';
import type { PageContext } from '../page-context.ts';
import { pageLink } from './link.ts';

export function linkButton(context: PageContext, path: string, word: string, look: string): VNode {
  return pageLink(context, { path }, { class: look }, word);
}

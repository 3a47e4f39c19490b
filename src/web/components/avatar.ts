import type { VNode } from 'preact';
import { el } from '../el.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';

/** The initials of a member or team; null for unassigned. The name must stand beside it as text. */
export function avatar(kind: 'member' | 'team', name: string | null): VNode {
  const look = name === null ? 'av none' : kind === 'team' ? 'av team' : 'av';
  return el('span', { class: look, 'aria-hidden': 'true' }, name === null ? '' : initials(name));
}

/** Of the first and the last word, or of the first two letters. */
function initials(name: string): string {
  const words = replaceInvisible(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = '', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const letters = last === undefined ? [...first].slice(0, 2) : [...first.slice(0, 2), last];
  const two = last === undefined ? letters : [[...first][0] ?? '', [...last][0] ?? ''];
  return two.join('').toUpperCase();
}

import type { VNode } from 'preact';
import { html } from '../el.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { visuallyHidden } from './elements.ts';

const segments = new Intl.Segmenter('en');

function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = (word: string | undefined, count: number): string =>
    [...segments.segment(word ?? '')]
      .slice(0, count)
      .map(({ segment }) => segment)
      .join('');
  const [first, ...others] = words;
  return (
    others.length === 0 ? letters(first, 2) : letters(first, 1) + letters(others.at(-1), 1)
  ).toUpperCase();
}

/** Initials in a circle, of a team in a square; a dashed circle for null. The name is there as text too. */
export function avatar(name: string | null, kind: 'member' | 'team' = 'member'): VNode {
  const shown = name === null ? 'Unassigned' : replaceInvisible(name);
  return html`<span class="who">${avatarMark(name, kind)} ${visuallyHidden(shown)}</span>`;
}

/** The picture alone: the name must stand beside it. */
export function avatarMark(name: string | null, kind: 'member' | 'team' = 'member'): VNode {
  const shown = name === null ? null : replaceInvisible(name);
  const className = shown === null ? 'av none' : kind === 'team' ? 'av team' : 'av';
  return html`<span class=${className} title=${shown ?? 'Unassigned'} aria-hidden="true">${shown === null ? '' : initials(shown)}</span>`;
}

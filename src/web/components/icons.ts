// SVG icons (12 × 12), hatch patterns, marks of states and avatars. document.ts adds what a page uses, once each.
import { h } from 'preact';
import { type Attributes, type Content, html, type VNode } from '../el.ts';
import { replaceInvisible, untrustedText } from '../formatters.ts';
import { visuallyHidden } from './elements.ts';

const shapes = {
  caret: 'M2 4h8L6 8.5z',
  search: 'M5 0a5 5 0 0 1 4 8l3 3-1 1-3-3A5 5 0 1 1 5 0m0 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7',
  key: 'M4 2.5a3.5 3.5 0 0 1 3.3 2.4H12v2.2h-1.2v1.7H8.6V7.1H7.3A3.5 3.5 0 1 1 4 2.5m-.6 2.3a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4',
  clock:
    'M6 .8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 6 .8m0 1.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4m-.7 1.2h1.4v2.2l1.5 1-.8 1.1-2.1-1.5z',
  fatal:
    'M3.6 0h4.8L12 3.6v4.8L8.4 12H3.6L0 8.4V3.6zM3.8 2.7 2.7 3.8 4.9 6 2.7 8.2l1.1 1.1L6 7.1l2.2 2.2 1.1-1.1L7.1 6l2.2-2.2-1.1-1.1L6 4.9z',
  error: 'M6 1.25a4.75 4.75 0 1 1 0 9.5 4.75 4.75 0 0 1 0-9.5',
  warning: 'M6 1l5.6 10H.4z',
  info: 'M6 1.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6m0 1.6a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4',
  debug: 'M4 6a2 2 0 1 1 4 0 2 2 0 0 1-4 0',
  new: 'M6 .4 11.6 6 6 11.6.4 6z',
  regressed: 'M5 1v2.2h2.2a3.9 3.9 0 1 1 0 7.8H2.5V9.4h4.7a2.3 2.3 0 1 0 0-4.6H5V7L1.4 4z',
  ongoing: 'M1 5.2h10v1.6H1z',
  ignored:
    'M2.2 1 11 9.8 9.8 11 1 2.2zM6 2.5c2.6 0 4.4 1.6 5.6 3.5-.5.8-1 1.4-1.7 2L4.6 2.7c.4-.1.9-.2 1.4-.2M.4 6c.5-.8 1-1.5 1.8-2.1l5 5c-.4.1-.8.1-1.2.1C3.4 9.5 1.6 7.9.4 6',
  resolved: 'M10.3 1.8 12 3.3 5 11 .4 6.6l1.5-1.6 3 2.8z',
  passed: 'M10.3 1.8 12 3.3 5 11 .4 6.6l1.5-1.6 3 2.8z',
  failed: 'M2.3.9 6 4.6 9.7.9l1.4 1.4L7.4 6l3.7 3.7-1.4 1.4L6 7.4l-3.7 3.7-1.4-1.4L4.6 6 .9 2.3z',
  flaky: 'M0 6.2C1.4 2.6 3.6 2.6 6 5.1s3.3 2 4.3-.7l1.7.7c-1.6 4-4.3 4-6.9 1.3-1.8-1.8-2.5-1.4-3.4.5z',
  skipped: 'M1 5.2h10v1.6H1z',
  pending: 'M5 1h2v2H5zM5 9h2v2H5zM1 5h2v2H1zM9 5h2v2H9z',
  paused: 'M2.5 1.5h2.5v9H2.5zM7 1.5h2.5v9H7z',
  up: 'M6 1.25a4.75 4.75 0 1 1 0 9.5 4.75 4.75 0 0 1 0-9.5',
  degraded: 'M6 1.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6m0 1.5v6.6a3.3 3.3 0 0 0 0-6.6',
  down: 'M1 1h10v10H1zM4 3 3 4l2 2-2 2 1 1 2-2 2 2 1-1-2-2 2-2-1-1-2 2z',
  maintenance:
    'M1 1h10v10H1zm1.4 1.4v2.2l2.2-2.2zm0 4.4L6.8 2.4h2L2.4 8.8zm0 2.8h.9l6.3-6.3v-.9h-.2L2.4 9.4zM5.4 9.6l4.2-4.2v2L7.4 9.6zm4 0 .2-.2v.2z',
  back: 'M5.5 1v3H8a3 3 0 0 1 3 3v4H9.4V7A1.4 1.4 0 0 0 8 5.6H5.5v3L.8 4.8z',
  out: 'M4 1h7v7H9.4V3.7L2.1 11 1 9.9l7.3-7.3H4z',
  team: 'M3 5V3.5a3 3 0 0 1 6 0V5h1v6H2V5zm1.5 0h3V3.5a1.5 1.5 0 0 0-3 0z',
} as const;

export type IconName = keyof typeof shapes;

const hatches = ['plain', 'error', 'warning', 'info', 'fatal', 'up', 'maintenance'] as const;
export type HatchName = (typeof hatches)[number];

/** Hidden from screen readers: the text beside it is read. */
export function icon(shape: IconName): VNode {
  const svgAttributes = { class: 'i', width: 12, height: 12, 'aria-hidden': 'true' };
  return html`<svg ...${svgAttributes}>${h('use', { href: `#s-${shape}` })}</svg>`;
}

export function iconAt(shape: IconName, attributes: Attributes): VNode {
  const all: Record<string, unknown> = { ...attributes, href: `#s-${shape}` };
  return h('use', all);
}

/** Fill of a bar whose time is not over. */
export function hatchFill(hatch: HatchName): string {
  return `url(#hatch-${hatch})`;
}

/** One SVG with the symbols that `markup` uses; null if there are none. */
export function symbolDefinitions(markup: string): VNode | null {
  const used = usedIn(markup);
  const symbols = Object.entries(shapes)
    .filter(([name]) => used.has(`#s-${name}`))
    .map(([name, path]) => html`<symbol id="s-${name}" viewBox="0 0 12 12"><path d=${path}></path></symbol>`);
  const patterns = hatches.filter((name) => used.has(`#hatch-${name}`)).map(patternOf);
  if (symbols.length + patterns.length === 0) return null;
  const defs = html`<defs>${symbols}${patterns}</defs>`;
  return html`<svg class="defs" width="0" height="0" aria-hidden="true">${defs}</svg>`;
}

/** indexOf is faster here than a regular expression over the whole page. */
function usedIn(markup: string): ReadonlySet<string> {
  const used = new Set<string>();
  for (const [beginning, end] of [
    ['#s-', '"'],
    ['#hatch-', ')'],
  ] as const) {
    for (let at = markup.indexOf(beginning); at !== -1; at = markup.indexOf(beginning, at + 1)) {
      used.add(markup.slice(at, markup.indexOf(end, at)));
    }
  }
  return used;
}

function patternOf(name: HatchName): VNode {
  const patternAttributes = {
    width: 4,
    height: 4,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  };
  return html`<pattern id="hatch-${name}" class="f-${name}" ...${patternAttributes}>
    <path d="M0 0h2v4H0z"></path>
  </pattern>`;
}

export function statusMark(state: IconName, word: Content = capitalize(state)): VNode {
  return html`<span class="mk ${state}">${icon(state)}${word}</span>`;
}

/** The word is for screen readers, and shown where the mouse is over it. */
export function iconMark(state: IconName, word: string = state): VNode {
  return html`<span class="mk ${state}" title=${word}>${icon(state)}${visuallyHidden(word)}</span>`;
}

export function stateChange(from: string, to: IconName): VNode {
  return html`<span class="diff"><del>${from}</del> <ins>${statusMark(to)}</ins></span>`;
}

export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

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

export function avatarWithName(name: string, kind: 'member' | 'team'): VNode {
  return html`<span>${avatarMark(name, kind)} ${untrustedText(name)}</span>`;
}

/** The picture alone: the name must stand beside it. */
export function avatarMark(name: string | null, kind: 'member' | 'team' = 'member'): VNode {
  const shown = name === null ? null : replaceInvisible(name);
  const className = shown === null ? 'av none' : kind === 'team' ? 'av team' : 'av';
  return html`<span class=${className} title=${shown ?? 'Unassigned'} aria-hidden="true">${shown === null ? '' : initials(shown)}</span>`;
}

// Texts are bidi-isolated, invisible characters replaced, and long ones cut with an expander.
import type { VNode } from 'preact';
import { cutText } from '../../core/reading/cut-text.ts';
import { type Pairs, pairsIn, removed, shownValue } from '../../core/workspace/issue/payload.ts';
import { type Content, html } from '../el.ts';
import { pairs } from '../parts/layout.ts';
import { count } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { type Room, roomOf, takes } from './room.ts';

const linesShown = 6;
const charactersShown = 600;
const valueShown = 300;
const briefShown = 80;
/** Larger values are shown as the start of their JSON. */
const briefLooked = 2_000;
const depthMax = 1;
const membersMax = 200;

export function said(text: string): VNode {
  return html`<bdi>${visible(text)}</bdi>`;
}

export function code(text: string): VNode {
  return html`<code>${said(text)}</code>`;
}

export function message(text: string, room: Room): Content {
  if (text === '') return null;
  const shown = visible(text);
  const start = cutText(shown.split('\n').slice(0, linesShown).join('\n'), charactersShown);
  takes(room, start.length);
  if (start === shown) return html`<p class="said"><bdi>${shown}</bdi></p>`;
  const length = count([...shown].length);
  const beginning = html`<p class="said"><bdi>${start}…</bdi></p>`;
  if (!takes(room, shown.length)) {
    return [beginning, html`<p class="hint">${length} characters in all.</p>`];
  }
  return [
    beginning,
    html`<details>
      <summary>All ${length} characters</summary>
      <pre class="snip"><bdi>${shown}</bdi></pre>
    </details>`,
  ];
}

/** A value as code, or "removed before storing". Objects are shown in one line that expands. */
export function value(sent: unknown, room: Room, depth = 0): VNode {
  if (sent === removed) return html`<span class="dim">redacted</span>`;
  const text = typeof sent === 'string' ? sent : brief(sent);
  const start = cutText(text, typeof sent === 'string' ? valueShown : briefShown);
  if (!takes(room, start.length)) return html`<span class="dim">omitted</span>`;
  if (start === text) return code(text);
  const whole = shownValue(sent);
  if (!takes(room, whole.length)) return code(`${start}…`);
  return html`<details><summary>${code(`${start}…`)}</summary>${opened(sent, whole, depth)}</details>`;
}

export function members(all: Pairs, room: Room, depth = 0): VNode {
  return pairs(all.map(([name, each]) => [said(name), value(each, room, depth)] as const));
}

/** An object or array as a list; deeper levels as JSON. */
function opened(sent: unknown, whole: string, depth: number): VNode {
  const all = Array.isArray(sent) ? sent.map((each, at) => [String(at), each] as const) : pairsIn(sent);
  const isTree = typeof sent === 'object' && depth < depthMax && all.length <= membersMax;
  if (!isTree) return html`<pre class="snip">${said(indented(sent, whole))}</pre>`;
  // The budget was already checked for the whole value.
  return members(all, roomOf(true), depth + 1);
}

/** `{ lines: 3, zone: "IE-D" }`. */
function brief(sent: unknown): string {
  const text = shownValue(sent);
  if (typeof sent !== 'object' || sent === null || text.length > briefLooked) return text;
  if (Array.isArray(sent)) return `[${sent.map(quoted).join(', ')}]`;
  const all = Object.entries(sent).map(([name, each]) => `${name}: ${quoted(each)}`);
  return all.length === 0 ? '{}' : `{ ${all.join(', ')} }`;
}

function quoted(sent: unknown): string {
  return typeof sent === 'string' ? JSON.stringify(sent) : brief(sent);
}

function indented(sent: unknown, text: string): string {
  return typeof sent === 'string' ? text : (JSON.stringify(sent, null, 2) ?? text);
}

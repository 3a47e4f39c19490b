// Texts are bidi-isolated, invisible characters replaced, and long ones cut with an expander.
import { displayValue, filteredText, type Pairs, toPairs } from '../../core/page-models/issue/parse-event.ts';
import { cutText } from '../../core/parsing/cut-text.ts';
import { nameValueList } from '../components/elements.ts';
import { type Content, html, type VNode } from '../el.ts';
import { count, replaceInvisible, untrustedCode, untrustedText } from '../formatters.ts';
import { createRenderBudget, type RenderBudget, takeCharacters } from './render-budget.ts';

const linesShown = 6;
const charactersShown = 600;
const valueShown = 300;
const briefShown = 80;
/** Larger values are shown as the start of their JSON. */
const briefCharactersMax = 2_000;
const depthMax = 1;
const membersMax = 200;

export function expandableMessage(text: string, budget: RenderBudget): Content {
  if (text === '') return null;
  const shown = replaceInvisible(text);
  const start = cutText(shown.split('\n').slice(0, linesShown).join('\n'), charactersShown);
  takeCharacters(budget, start.length);
  if (start === shown) return html`<p class="said"><bdi>${shown}</bdi></p>`;
  const length = count([...shown].length);
  const beginning = html`<p class="said"><bdi>${start}…</bdi></p>`;
  if (!takeCharacters(budget, shown.length)) {
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
export function valueCode(sent: unknown, budget: RenderBudget, depth = 0): VNode {
  if (sent === filteredText) return html`<span class="dim">redacted</span>`;
  const text = typeof sent === 'string' ? sent : abbreviated(sent);
  const start = cutText(text, typeof sent === 'string' ? valueShown : briefShown);
  if (!takeCharacters(budget, start.length)) return html`<span class="dim">omitted</span>`;
  if (start === text) return untrustedCode(text);
  const fullText = displayValue(sent);
  if (!takeCharacters(budget, fullText.length)) return untrustedCode(`${start}…`);
  return html`<details><summary>${untrustedCode(`${start}…`)}</summary>${expandedValue(sent, fullText, depth)}</details>`;
}

export function memberList(all: Pairs, budget: RenderBudget, depth = 0): VNode {
  return nameValueList(memberRows(all, budget, depth));
}

export function memberRows(all: Pairs, budget: RenderBudget, depth = 0) {
  return all.map(([name, each]) => [untrustedText(name), valueCode(each, budget, depth)] as const);
}

/** An object or array as a list; deeper levels as JSON. */
function expandedValue(sent: unknown, fullText: string, depth: number): VNode {
  const all = Array.isArray(sent) ? sent.map((each, at) => [String(at), each] as const) : toPairs(sent);
  const isTree = typeof sent === 'object' && depth < depthMax && all.length <= membersMax;
  if (!isTree) return html`<pre class="snip">${untrustedText(indented(sent, fullText))}</pre>`;
  // The budget was already checked for the whole value.
  return memberList(all, createRenderBudget(true), depth + 1);
}

/** `{ lines: 3, zone: "IE-D" }`. */
function abbreviated(sent: unknown): string {
  const text = displayValue(sent);
  if (typeof sent !== 'object' || sent === null || text.length > briefCharactersMax) return text;
  if (Array.isArray(sent)) return `[${sent.map(quoted).join(', ')}]`;
  const all = Object.entries(sent).map(([name, each]) => `${name}: ${quoted(each)}`);
  return all.length === 0 ? '{}' : `{ ${all.join(', ')} }`;
}

function quoted(sent: unknown): string {
  return typeof sent === 'string' ? JSON.stringify(sent) : abbreviated(sent);
}

function indented(sent: unknown, text: string): string {
  return typeof sent === 'string' ? text : (JSON.stringify(sent, null, 2) ?? text);
}

// Grouping parts are shown from their data, not parsed from their text: source may contain the separators.
import type { ShownEvent } from '../../core/page-models/issue/event.ts';
import { copyButton } from '../components/controls.ts';
import { section } from '../components/elements.ts';
import { capitalize } from '../components/icons.ts';
import { type Content, html, type VNode } from '../el.ts';
import { untrustedText } from '../formatters.ts';

type Part = NonNullable<ShownEvent['grouping_parts']>[number];
type Frame = Extract<Part, { kind: 'frames' }>['frames'][number];

const partsShown = 12;
const textShown = 160;

const sentences: Readonly<Record<string, string>> = {
  stacktrace: 'Same exception type and same location:',
  exception: 'Same type and same message, because no stack trace could be used:',
  message: 'Same message without its variable parts:',
  template: 'Same message template:',
  thread: 'Same thread stack trace:',
  fingerprint: 'Fingerprint set by the SDK, which overrides every rule:',
  'fingerprint+default': 'Fingerprint set by the SDK, combined with the default grouping:',
  empty: 'Nothing to tell them apart: one issue per platform.',
};

export function groupingSection({ event, hash, grouping_parts: known }: ShownEvent, split: Content): VNode {
  const { algorithm, source, parts, notes } = event.grouping;
  // Grouping starts with the cause; the page shows it last.
  const all = known ?? parts.map((text): Part => ({ kind: 'text', text }));
  const chain = source === 'stacktrace' ? all.toReversed() : all;
  const first = chain.slice(0, partsShown);
  return section(
    { id: 's-why', title: 'Why these events are grouped' },
    html`<div class="why">
      <p>${sentenceOf(source, parts.length)}</p>
      ${source === 'empty' ? null : html`<ol>${first.map((part) => partOf(part, source))}</ol>`}
      <ul>
        ${notes.map((note) => html`<li>${untrustedText(capitalize(note))}</li>`)}
        <li>Line numbers, release, IP address and user are never used</li>
      </ul>
      <p class="small">
        <code id="why-hash">${algorithm} ${hash.slice(0, 12)}</code> ${copyButton('why-hash', 'the hash')}
      </p>
      ${split === null ? null : html`<p class="small">${split}</p>`}
    </div>`,
  );
}

function sentenceOf(source: string, partCount: number): string {
  if (source === 'stacktrace' && partCount > 1) return 'Same chain of exceptions with the same locations:';
  return sentences[source] ?? 'Grouped by the rules of this project:';
}

function partOf(part: Part, source: string): VNode {
  if (part.kind === 'text') {
    const text = untrustedText(cut(part.text));
    return html`<li>
      ${source === 'stacktrace' ? html`<strong>${text}</strong>` : html`<code>${text}</code>`}
    </li>`;
  }
  const details = [part.message, part.codes.join(' ')].filter((text) => text !== '');
  return html`<li>
    ${part.type === null ? null : html`<strong>${untrustedText(part.type)}</strong>`}
    <ol>${part.frames.map(frameOf)}</ol>
    ${details.map((text) => html`<code class="dim">${untrustedText(cut(text))}</code>`)}
  </li>`;
}

function frameOf({ file, function: name, lines }: Frame): VNode {
  return html`<li>
    <code>${untrustedText(name || '(anonymous)')}</code> <code class="dim">${untrustedText(file || '(no file)')}</code>
    ${lines.flatMap((line) => [html`<br />`, html`<code class="dim">${untrustedText(cut(line))}</code>`])}
  </li>`;
}

function cut(text: string): string {
  return text.length <= textShown ? text : `${text.slice(0, textShown).toWellFormed()}…`;
}

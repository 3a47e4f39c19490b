import type { JsonObject } from '../parsing/unknown-values.ts';
import { alternatives, joinPattern } from './table/patterns.ts';
import type { TextKind } from './table/rules.ts';
import { type ScrubState, scrubString } from './text.ts';

/** Kept, except known token forms and secrets in links. */
export const keptFrameFields: ReadonlySet<string> = new Set([
  'filename',
  'abs_path',
  'function',
  'raw_function',
  'module',
  'package',
  'platform',
  'symbol',
]);
export const sourceLineFields: ReadonlySet<string> = new Set(['pre_context', 'context_line', 'post_context']);

/** Files with unquoted values: settings, shell scripts, markup, SQL. */
const plainFile = joinPattern(
  'i',
  String.raw`(?:\.${alternatives(String.raw`
    env[\w.]{0,16} ya?ml ini conf cfg properties toml tf tfvars sh bash zsh
    ps1 bat cmd sql xml html? json csv tsv txt log md`)}`,
  String.raw`|(?:^|[/\\])(?:\.env|\.npmrc|\.netrc|\.pgpass|Dockerfile|Makefile)[\w.]{0,16})$`,
);

/** Reads the lines together, since a key or a call may span several lines. Changes `frame`. */
export function scrubSourceLines(frame: JsonObject, state: ScrubState): void {
  const before = linesOf(frame['pre_context']);
  const after = linesOf(frame['post_context']);
  const own = typeof frame['context_line'] === 'string' ? [frame['context_line']] : [];
  const lines = [...before, ...own, ...after];
  if (lines.length === 0) return;
  const clean = scrubLines(lines, state, kindOfFile(frame));
  const isAsSent = (keptFields: readonly string[], name: string) =>
    keptFields.length === 0 || keptFields === frame[name];
  if (clean === lines && isAsSent(before, 'pre_context') && isAsSent(after, 'post_context')) return;
  if (before.length > 0) frame['pre_context'] = clean.slice(0, before.length);
  if (own.length > 0) frame['context_line'] = clean[before.length];
  if (after.length > 0) frame['post_context'] = clean.slice(-after.length);
}

function linesOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return noLines;
  return value.every(isText) ? value : value.map((line: unknown) => (isText(line) ? line : ''));
}

const noLines: readonly string[] = [];

function isText(line: unknown): line is string {
  return typeof line === 'string';
}

function kindOfFile(frame: JsonObject): TextKind {
  const file = frame['abs_path'] ?? frame['filename'];
  return typeof file === 'string' && plainFile.test(file.slice(-128).split(/[?#]/, 1)[0] ?? '')
    ? 'settings'
    : 'source';
}

/** One by one where scrubbing them together would change the number of lines. */
function scrubLines(lines: readonly string[], state: ScrubState, kind: TextKind): readonly string[] {
  const before = state.count;
  const clean = scrubString(lines.join('\n'), state, kind);
  if (state.count === before) return lines;
  const parts = clean.split('\n');
  return parts.length === lines.length ? parts : lines.map((line) => scrubString(line, state, kind));
}

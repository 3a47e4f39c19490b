// WordPress's cleaning of text (`sanitize_text_field`, `sanitize_textarea_field`): tags, blanks, percent
// escapes.

import { toText } from '../php/casts.ts';
import { stripTags } from '../php/strip-tags.ts';
import { lowerAscii, removeDeep, trimBlanks } from '../php/text.ts';
import { isPhpArray, PhpObject, type PhpValue } from '../php/values.ts';
import { escapeHtml } from './escape-html.ts';

/**
 * One line of plain text: tags stripped, a lone `<` written `&lt;`, blanks collapsed, `%XX` dropped, ends
 * trimmed; arrays are `""`.
 */
export function sanitizeTextField(value: PhpValue): string {
  return sanitize(textOf(value), false);
}

/** The same, but newlines, tabs and runs of blanks stay. */
export function sanitizeTextareaField(value: PhpValue): string {
  return sanitize(textOf(value), true);
}

function textOf(value: PhpValue): string {
  return isPhpArray(value) || value instanceof PhpObject ? '' : toText(value);
}

function sanitize(text: string, keepNewlines: boolean): string {
  // Text that is not valid UTF-8 is dropped as a whole.
  let clean = text.isWellFormed() ? text : '';
  if (clean.includes('<')) {
    clean = stripAllTags(escapeLoneLessThan(clean));
    // A newline that is taken out later must not leave a tag behind.
    clean = clean.replaceAll('<\n', '&lt;\n');
  }
  if (!keepNewlines) clean = clean.replace(/[\r\n\t ]+/g, ' ');
  return dropPercentEscapes(trimBlanks(clean));
}

/** Each `<` that no `>` closes before the next `<` or the end is text, and is written so. */
function escapeLoneLessThan(text: string): string {
  const [head = '', ...pieces] = text.split('<');
  return (
    head + pieces.map((piece) => (piece.includes('>') ? `<${piece}` : `&lt;${escapeHtml(piece)}`)).join('')
  );
}

/** Drops scripts and styles with what they hold, then every tag (`wp_strip_all_tags`). */
function stripAllTags(text: string): string {
  return trimBlanks(stripTags(dropElements(text)));
}

function dropElements(text: string): string {
  const lower = lowerAscii(text);
  const opening = /<(script|style)/g;
  const unclosed = new Set<string>();
  let kept = '';
  let start = 0;
  for (let match = opening.exec(lower); match !== null; match = opening.exec(lower)) {
    const name = match[1] ?? '';
    const end = lower.indexOf('>', opening.lastIndex);
    if (end < 0) break;
    // Once there is no closing tag ahead, there is none for any later one either.
    const close = unclosed.has(name) ? -1 : lower.indexOf(`</${name}>`, end + 1);
    if (close < 0) {
      unclosed.add(name);
      continue;
    }
    kept += text.slice(start, match.index);
    start = close + name.length + 3;
    opening.lastIndex = start;
  }
  return kept + text.slice(start);
}

/** Takes percent escapes out until none is left, also those that only arise by taking others out. */
function dropPercentEscapes(text: string): string {
  const clean = removeDeep(text, /^%[a-fA-F0-9]{2}$/);
  return clean === text ? text : trimBlanks(clean.replace(/ +/g, ' '));
}

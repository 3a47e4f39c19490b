// The form of a search text: types, messages, functions and files follow each other, each part ends with its
// delimiter, and types, functions and files are between delimiters too, so that a search can ask for one of them.

/** Control characters, which no searched value has. */
const delimiters = { type: '\u0001', function: '\u0003', file: '\u0004' } as const;
const ends = { type: '\u0005', message: '\u0002', function: '\u0006', file: '' } as const;

/** Texts have it, unless they were stored before they had delimiters. */
export const endOfMessages = ends.message;

type SearchTextParts = Readonly<Record<'types' | 'messages' | 'functions' | 'files', readonly string[]>>;

const charsMax = 1_990;
const saidCharsMax = 1_000;

/** At most 2,000 characters; what is left of messages is shared by functions and files. */
export function buildSearchText({ types, messages, functions, files }: SearchTextParts): string {
  const typed = fitting(
    types.map((each) => marked(each, 'type')),
    saidCharsMax / 2,
  );
  const messageText = messages
    .join('\n')
    .slice(0, saidCharsMax - typed.length)
    .toWellFormed();
  const remaining = charsMax - typed.length - messageText.length;
  const named = fitting(
    functions.map((each) => marked(each, 'function')),
    remaining / 2,
  );
  const filed = fitting(
    files.map((each) => marked(each, 'file')),
    remaining - named.length,
  );
  if (`${typed}${messageText}${named}${filed}` === '') return '';
  return [typed, ends.type, messageText, ends.message, named, ends.function, filed]
    .filter((part) => part !== '')
    .join('\n');
}

function marked(text: string, kind: keyof typeof delimiters): string {
  return `${delimiters[kind]}${text}${delimiters[kind]}`;
}

/** Whole lines, so that every mark is closed. */
function fitting(lines: readonly string[], unitsMax: number): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length >= unitsMax) break;
    text += text === '' ? line : `\n${line}`;
  }
  return text;
}

export type SearchTextField = 'text' | 'message' | 'type' | 'file' | 'function';

/** What a text with delimiters contains, in this order, where the pattern holds for the field. */
export function listSearchedParts(field: SearchTextField, pattern: readonly string[]): readonly string[] {
  if (field === 'text') return pattern;
  const [first = ''] = pattern;
  const last = pattern.at(-1) ?? '';
  if (field === 'message') return [...pattern.slice(0, -1), last, ends.message, ''];
  const delimiter = delimiters[field];
  if (pattern.length === 1) return ['', `${delimiter}${first}${delimiter}`, ''];
  const end = last === '' ? ends[field] : `${last}${delimiter}`;
  return ['', `${delimiter}${first}`, ...pattern.slice(1, -1), ...(end === '' ? [] : [end]), ''];
}

/** Whether the parts are all of the text, with anything between them. */
export function matchesPattern(text: string, pattern: readonly string[]): boolean {
  const [first = '', ...others] = pattern;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

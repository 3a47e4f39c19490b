// Secrets in sentences, statements and command lines, where no "=" or ":" tells them: "the password is hunter2",
// `INSERT INTO users (name, password) VALUES (…)`, `curl -u ann:hunter2`. Assignments are in scrub-assignments.ts.
import { quotedEnd } from './scrub-assignments.ts';
import { type ExtraFields, judgeKey } from './scrub-keys.ts';

const filtered = '[Filtered]';

/** Text without what is called a secret in words. `isSource` is for lines of code: there words are names, and are left. */
export function scrubProse(text: string, extra: ExtraFields, isSource: boolean, hit: () => void): string {
  // Every form of it has a blank: most text of an event is a name or an address, and has none.
  if (isSource || text.length < 8 || !hasBlank(text) || !mayHoldSecret.test(text)) return text;
  let clean = scrubSaid(text, hit);
  if (/\binsert\b/i.test(clean)) clean = scrubInserted(clean, extra, hit);
  if (/name\s{0,2}=/i.test(clean)) clean = scrubInputs(clean, extra, hit);
  return clean.includes(' -u') || clean.includes('user') ? scrubUserOption(clean, hit) : clean;
}

function hasBlank(text: string): boolean {
  return text.includes(' ') || text.includes('\t') || text.includes('\n');
}

const mayHoldSecret =
  /pass|pwd|secret|token|[ -]key|session|\botp|\bpin|\bcv[vc]|\bssn|identified|insert\s|name\s?=|\s-u|--(?:proxy-)?user/i;
const said =
  /\b(pass(?:word|phrase|code|wd)|pwd|(?:api|access|private|secret|license|encryption)[ -]?key|secret|token|session(?:[ _-]?id)?|otp|pin|cvv2?|cvc2?|ssn|identified by)((?:\s{1,4}(?:for|of|from)\s{1,4}[^\n:=]{1,64}?(?=\s{1,4}(?:is|was)\s|\s{0,4}[:=]))?(?:\s{1,4}(?:is|was|provided|given|used|supplied|set to|value|code|number)){0,2}\s{0,2}[:=]?\s{1,4})("[^"\n]{1,256}"|'[^'\n]{1,256}'|[^\s"'<>,;()]{3,256})/gi;

function scrubSaid(text: string, hit: () => void): string {
  return text.replace(said, (whole: string, name: string, between: string, value: string, at: number) => {
    if (/(?:unexpected|unrecognized|illegal)\s{1,4}$/i.test(text.slice(Math.max(0, at - 16), at)))
      return whole;
    if (!looksSecret(name.toLowerCase(), value)) return whole;
    hit();
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const end = quote === '' ? (/[.!?)]+$/.exec(value)?.[0] ?? '') : '';
    return `${name}${between}${quote}${filtered}${quote}${end}`;
  });
}

/** A word of a sentence is no secret; what mixes letters with digits or signs is, and so is what is quoted as a password. */
function looksSecret(name: string, value: string): boolean {
  const isQuoted = /^["']/.test(value);
  const bare = value.replace(/^["']|["'.!?]+$/g, '');
  if (bare === '' || bare.startsWith('[') || bare.startsWith('-')) return false;
  if (/^(?:otp|pin|cv|ssn)/.test(name))
    return /^\d[\d-]{2,11}$/.test(bare) && !(name === 'pin' && bare.length < 4);
  const mixed = /\d/.test(bare) && /[a-z]/i.test(bare);
  if (!/^(?:pass|pwd|identified)/.test(name)) return bare.length >= 8 && mixed && /^[\w.+/=~:-]+$/.test(bare);
  if (isQuoted) return bare.length >= 3;
  return mixed || /[a-z][A-Z]|[!@#$%^&*+~]/.test(bare) || /^\d{4,}$/.test(bare);
}

/** Where one of the columns is a secret's, no literal of the values is kept. */
function scrubInserted(text: string, extra: ExtraFields, hit: () => void): string {
  const head =
    /\binsert\s{1,4}(?:ignore\s{1,4})?into\s{1,4}[^\s(]{1,128}\s{0,4}\(([^()]{1,2048})\)\s{0,4}values\b/i.exec(
      text,
    );
  if (head === null) return text;
  const columns = (head[1] ?? '').split(',');
  if (!columns.some((column) => ['secret', 'counted'].includes(judgeKey(column.trim(), extra)))) return text;
  let position = head.index + head[0].length;
  let clean = text.slice(0, position);
  for (let at = nextQuote(text, position); at !== -1; at = nextQuote(text, position)) {
    const quote = text[at] ?? '';
    const end = quotedEnd(text, at, quote);
    const isEmpty = end === at + 2 || text.startsWith(filtered, at + 1);
    if (!isEmpty) hit();
    clean += text.slice(position, at) + (isEmpty ? text.slice(at, end) : `${quote}${filtered}${quote}`);
    position = end;
  }
  return clean + text.slice(position);
}

const quoteSign = /["']/g;

function nextQuote(text: string, from: number): number {
  quoteSign.lastIndex = from;
  return quoteSign.exec(text)?.index ?? -1;
}

/** `<input name="password" value="hunter2">`. */
function scrubInputs(text: string, extra: ExtraFields, hit: () => void): string {
  return text.replace(
    /(\bname\s{0,2}=\s{0,2}["']([\w.[\]-]{1,128})["'][^<>]{0,256}?\bvalue\s{0,2}=\s{0,2})("[^"]*"|'[^']*')/gi,
    (whole: string, before: string, name: string, value: string) => {
      const verdict = judgeKey(name, extra);
      if ((verdict !== 'secret' && verdict !== 'counted') || value.length < 3 || value.includes(filtered))
        return whole;
      hit();
      return `${before}"${filtered}"`;
    },
  );
}

/** `-u ann:hunter2`, as curl takes it; `-u 1000:1000` names a user and a group. */
function scrubUserOption(text: string, hit: () => void): string {
  return text.replace(
    /(\s(?:-u|--user|--proxy-user)[ =]?["']?(?!\d+:)[^\s:"']{1,64}:)([^\s"']{1,128})/g,
    (whole: string, before: string, secret: string) => {
      if (secret.startsWith('[')) return whole;
      hit();
      return `${before}${filtered}`;
    },
  );
}

// A message without what varies between occurrences, with the codes and places that name the fault. Part of
// `ng2` (docs/grouping.md, "Messages"). Every pattern is linear, and looks at one line of at most 2,048
// characters.
import { cutText } from '../reading/cut-text.ts';
import { hideCodes } from './codes.ts';
import { revealed } from './hidden.ts';
import { keyCharsMax, withoutFullStop, withoutPrefix, withoutVariables } from './ng1/messages.ts';
import { engineWording } from './ng1/wordings.ts';
import { hidePlaces, looksGenerated } from './places.ts';
import { plainLine } from './plain-line.ts';
import { namedCodes, namedPlaces } from './telling.ts';

export interface CanonicalValue {
  /** At most 300 characters. */
  readonly text: string;
  /** The numbers of it that were kept, as they are written. */
  readonly codes: readonly string[];
}

/**
 * Tools write the code of a fault below what they say of it: so many lines are looked at, of so much text.
 */
const linesMax = 12;
const valueCharsMax = 2048;
const tellingMax = 8;

/**
 * The part of a message that stays the same between occurrences: of its first line. Of the lines below it the
 * codes are kept. `type` is the exception's type (to drop it where the message repeats it); `isJavaScript`
 * turns on the wordings of engines.
 */
export function canonicalValue(value: string, type: string, isJavaScript: boolean): CanonicalValue {
  const line = withoutPrefix(plainLine(value), type);
  const wording = isJavaScript ? engineWording(line) : null;
  if (wording !== null) return { text: cutText(withHost(wording, line), keyCharsMax), codes: [] };
  const { text, codes } = hideCodes(hidePlaces(withoutValues(withoutVersion(line))).text);
  const below = linesBelow(value).flatMap((one) => hideCodes(hidePlaces(plainLine(one)).text).codes);
  const more = [...new Set(below)].filter((code) => !codes.includes(code)).slice(0, tellingMax);
  const clean = withoutCounts(withoutFullStop(withoutVariables(withoutGenerated(text))));
  const whole = more.length === 0 ? revealed(clean) : `${revealed(clean)} [${more.join(' ')}]`;
  return { text: cutText(whole, keyCharsMax).toWellFormed(), codes: [...codes, ...more] };
}

/**
 * What of a message counts beside a stack: its codes, and the places where something is missing or cannot be
 * reached. Of its other words nothing is asked.
 */
export function tellingOf(value: string | undefined): readonly string[] {
  if (value === undefined || value === '') return [];
  const found = new Set<string>();
  for (const one of [value, ...linesBelow(value)]) {
    const line = plainLine(one);
    const { text, places } = hidePlaces(line);
    for (const name of [...hideCodes(text).codes, ...namedCodes(line), ...places, ...namedPlaces(line)]) {
      if (name !== '*') found.add(name);
    }
  }
  return [...found].slice(0, tellingMax);
}

/** The lines below the first, without those of a stack that was printed. */
function linesBelow(value: string): readonly string[] {
  const text = value.trimStart();
  const end = text.search(/[\r\n]/);
  if (end === -1) return [];
  return text
    .slice(end, end + valueCharsMax)
    .split(/[\r\n]+/, linesMax)
    .filter(
      (line) => line !== '' && !/^\s*(?:at |#\d|File "|from |in |\.{3} |Stack trace|Traceback)/.test(line),
    );
}

/** `Version=1.4.0.0` of an assembly goes up with each build. */
function withoutVersion(line: string): string {
  return line.replace(/(\bversion[ =:]{1,2}"?)v?\d{1,6}(?:\.\d{1,10}){1,3}/gi, '$1<number>');
}

/** Sentences about reading what somebody typed: what they quote is that. */
const reading =
  /\b(?:convert(?:ing)?|parse\w*|parsing|for input string|invalid literal|illegal character|unparsable|not a number|invalid (?:number|date|format|value)|can(?:not|'t) (?:be )?(?:parsed|converted)|strconv\.)/i;

/** Sentences about letters that cannot be written: which one it was is the text's. */
const coding = /\b(?:encode|decode|codec|charmap|byte sequence|from ASCII-8BIT|to UTF-8|invalid byte)\b/i;

/** `'7 Jahre'` of what was typed; of a name in quotes in front of its id. */
function withoutValues(line: string): string {
  const text = line
    .replace(/(\bat index \d{1,9}: ).{1,2048}$/, '$1<text>')
    .replace(/(["'])[^"']{1,256}\1(?= \((?:ID|Id|id|#)\b)/g, '<text>');
  if (coding.test(text)) {
    return text.replace(/(["'])(?:\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})|.){1,2}\1/giu, '<text>');
  }
  return reading.test(text) ? text.replace(/(["'])(?=[^"']{0,256}\d)[^"']{1,256}\1/g, '<text>') : text;
}

/** Words that a machine drew, such as `01HV8Q5Z3N`; addresses, before a part of one passes for a date. */
function withoutGenerated(text: string): string {
  return text
    .replace(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\w)/g, '<ip>')
    .replace(/(?<![\w.@:/\\-])[A-Za-z0-9]{8,40}(?![\w.@/\\-])/g, (word) =>
      /\d.*\d/.test(word) && looksGenerated(word) && !/^(?:[0-9a-f]+|0x.*|\d+x\d+)$/i.test(word)
        ? '<id>'
        : word,
    );
}

/**
 * One word for all that a machine drew. `3 out of 5` is how far something came. PHP 8 quotes with `"` what
 * PHP 7 quoted with `'`.
 */
function withoutCounts(text: string): string {
  return (
    text
      .replace(/<(?:token|hex|uuid)>/g, '<id>')
      // The name of a pod: deployment, replica set, pod, the last two drawn.
      .replace(/-<id>-[bcdfghjklmnpqrstvwxz2456789]{5}(?!\w)/g, '-<id>')
      .replace(/<(?:number|quantity)>(?: out)? of (<(?:number|quantity)>)/g, '$1')
      .replaceAll('"', "'")
      .replace(/^(action <number> failed) via [A-Za-z ]{3,32}(?=:)/, '$1')
  );
}

/** Which host could not be fetched, where the SDK has put it behind the engine's words. */
function withHost(wording: string, line: string): string {
  const host =
    wording === 'fetch failed'
      ? /\(((?=[\w.-]{0,253}[a-z])[\w.-]{3,253}(?::\d{1,5})?)\)$/i.exec(line)?.[1]
      : undefined;
  return host === undefined ? wording : `${wording} (${host.toLowerCase()})`;
}

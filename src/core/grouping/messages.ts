// A message without what varies between occurrences, with the codes and places that name the fault. Part of
// `ng2` (docs/grouping.md, "Messages"). Every pattern is linear, and looks at one line of at most 2,048
// characters.

import type { ExceptionValue } from '../../../schemas/event.ts';
import { cutText } from '../reading/cut-text.ts';
import { ownCopy, remembered } from '../reading/remembered.ts';
import { type Coded, hideCodes } from './codes.ts';
import { hidden, revealed } from './hidden.ts';
import { cleanFile } from './names/file-names.ts';
import { cleanFunction } from './names/function-names.ts';
import { hidePlaces, looksGenerated } from './places.ts';
import { firstLine, plainLine } from './plain-line.ts';
import { isJavaScript } from './stacks/frame.ts';
import { namedCodes, namedPlaces } from './telling.ts';
import { engineWording } from './wordings/engine-wordings.ts';
import { withoutVariables } from './wordings/variables.ts';

const link = /\bhttps?:\/\/[^\s"'<>()[\]{}/?#]{1,253}([^\s"'<>()]{0,1024})/gi;

/** Folders of documentation that hold a page for each error. */
const errorFolder =
  /\/(?:e|err|errors?|error-(?:reference|decoder|codes?|messages?|index)|messages|problems|diagnostics|troubleshooting|c\/err)\/([\w.-]{1,64})\/?$/i;
/** Files of documentation that list errors; the part of the page is the code. */
const errorPage =
  /(?:\/|^)(?:[\w-]{0,32}errors?[\w-]{0,32}|error-(?:reference|decoder)|messages)(?:\.(?:md|html?|mdx))?\/?$/i;

/** Words in front of a link that only says where to read more of the fault. */
const pointing =
  /\b(?:visit|see|here|read|docs?|info|information|details|help|documentation|(?:more|error|text|message)(?: at)?)[:,]? ?\(?$/i;

/** A number that a message gives its fault, where a link says what the number means. */
const numberedError =
  /(\b(?:error|err|code|invariant|violation|warning)(?: (?:nr|no|number|code))?[.:]? ?[#:]? ?|^)(\d{1,5})(?=[\s.;:,)(]|$)/gi;

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
/** How much of a message goes into the key. */
const keyCharsMax = 300;
const tellingMax = 8;
/** Messages come again, word for word, with nearly every event of an issue. */
const rememberedTexts = { textsMax: 2048, charactersMax: 600 };

/**
 * The part of a message that stays the same between occurrences: of its first line. Of the lines below it the
 * codes are kept. `type` is the exception's type (to drop it where the message repeats it); `language` says
 * whose wordings are brought to one form (`languageOfMessage`).
 */
export function canonicalValue(value: string, type: string, language: string): CanonicalValue {
  const text = `${language.length} ${language}${type.length} ${type}${value}`;
  return (
    values.recall(text) ?? values.keep(text, valueWithoutWhatVaries(ownCopy(value), ownCopy(type), language))
  );
}

const values = remembered<CanonicalValue>(rememberedTexts);

/** Whose words a message is in: a script's also where only the type says so. */
export function languageOfMessage(exception: ExceptionValue, platform: string): string {
  return speaksScript(exception, platform) ? 'javascript' : platform;
}

function valueWithoutWhatVaries(value: string, type: string, language: string): CanonicalValue {
  const line = withoutGeneratedClasses(withRubyValues(withoutPrefix(plainLine(value), type), language));
  const wording = isJavaScript(language) ? engineWording(line, type) : null;
  if (wording !== null) return { text: cutText(withHost(wording, line), keyCharsMax), codes: [] };
  const documented = hideDocumentedCodes(isJavaScript(language) ? withScriptNames(line) : line);
  const found = hideCodes(hidePlaces(withoutValues(withoutVersion(documented.text))).text);
  const { text } = found;
  const codes = [...new Set([...documented.codes, ...found.codes])];
  const below = linesBelow(value).flatMap((one) => hideCodes(hidePlaces(plainLine(one)).text).codes);
  const more = [...new Set(below)].filter((code) => !codes.includes(code)).slice(0, tellingMax);
  const clean = withoutCounts(withoutFullStop(withoutVariables(withoutGenerated(withStandards(text)))));
  const whole = more.length === 0 ? revealed(clean) : `${revealed(clean)} [${more.join(' ')}]`;
  return { text: cutText(whole, keyCharsMax).toWellFormed(), codes: [...codes, ...more] };
}

/** Names of scripts without the hashes of a build: `./cart.js` of `./cart-DbQ2xY9p.js`. */
function withScriptNames(line: string): string {
  if (!/\.(?:[cm]?js|css|wasm)\b/i.test(line)) return line;
  return line.replace(/(?<![\w@~%-])[\w@~.%-]{1,128}\.(?:[cm]?js|css|wasm)\b(?![\w.-])/gi, (base) => {
    const clean = cleanFile(base);
    return clean === base.toLowerCase() ? base : clean;
  });
}

/**
 * Values as Ruby writes them since 3.4: `{id: 1, "a" => 2}` of `{:id=>1, "a"=>2}`, and an object as an
 * instance of its class.
 */
function withRubyValues(line: string, language: string): string {
  if (language !== 'ruby') return line;
  const text = line.replace(
    /#<([A-Z]\w{0,127}(?:::[A-Z]\w{0,127}){0,16}):0x[0-9a-f]{1,16}[^<>]{0,512}>/g,
    'an instance of $1',
  );
  if (!text.includes('=>')) return text;
  return text
    .replace(/(?<=[{,]\s{0,2}):(\w{1,64}[?!]?|"[^"]{1,64}")\s?=>\s?/g, '$1: ')
    .replace(/(?<=\S)\s{0,2}=>\s{0,2}/g, ' => ');
}

/**
 * Classes of the JVM that a program made while it ran: `jdk.proxy2.$Proxy65`, `Cart$$SpringCGLIB$$0`. Their
 * numbers say in which order.
 */
function withoutGeneratedClasses(line: string): string {
  if (!line.includes('$') && !/jdk[./]proxy/.test(line)) return line;
  return line
    .replace(
      /(?<![\w.$/])(?:[A-Za-z][\w./]{0,255})?\$(?:Proxy\d|[\w$]{0,255}\$|\$)[\w.$]{0,255}(?:\/(?:0x)?[0-9a-f]{1,16})?(?:@[0-9a-f]{1,8}(?!\w))?/g,
      (name) => (generatedClass.test(name) ? cleanFunction(plainClass(name), 'java') : name),
    )
    .replace(/\bjdk([./])proxy\d{1,9}\b/g, 'jdk$1proxy');
}

/** The name with dots, as a stack has it, without the address of what it was read from or of an object. */
function plainClass(name: string): string {
  const at = name.indexOf('$');
  return name.slice(0, at).replaceAll('/', '.') + name.slice(at).replace(/[/@].*$/, '');
}

const generatedClass =
  /\$Proxy\d|\$\$(?:\w{0,64}CGLIB|Lambda|EnhancerBy|FastClassBy)|_\$\$_|\$(?:ByteBuddy|MockitoMock|HibernateProxy|Accessor)\$/;

/**
 * What of a message counts beside a stack: its codes, and the places where something is missing or cannot be
 * reached. Of its other words nothing is asked.
 */
export function tellingOf(value: string | undefined): readonly string[] {
  if (value === undefined || value === '') return [];
  return tellings.recall(value) ?? tellings.keep(value, toldBy(ownCopy(value)));
}

const tellings = remembered<readonly string[]>(rememberedTexts);

function toldBy(value: string): readonly string[] {
  const found = new Set<string>();
  for (const one of [value, ...linesBelow(value)]) {
    const { text: line, codes } = hideDocumentedCodes(plainLine(one));
    const { text, places } = hidePlaces(line);
    for (const name of [
      ...codes,
      ...hideCodes(text).codes,
      ...namedCodes(line),
      ...places,
      ...namedPlaces(line),
    ]) {
      if (name !== '*') found.add(name);
    }
  }
  return [...found].slice(0, tellingMax);
}

/** The one form of what an engine says in its first line, or null. */
export function wordingOf(value: string): string | null {
  const known =
    wordings.recall(value) ?? wordings.keep(value, engineWording(firstLine(ownCopy(value)), '') ?? '');
  return known === '' ? null : known;
}

const wordings = remembered<string>(rememberedTexts);

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

/**
 * The number of a standard is a part of its name: UTF-16, SHA-256, IPv6. Not those of HTTP and TLS, which two
 * programs agree upon anew each time.
 */
function withStandards(line: string): string {
  if (!/\d/.test(line)) return line;
  return line.replace(
    /(?<![\w.-])(?:utf[-_]?\d{1,2}|ucs-?\d|iso-?\d{4,5}-\d{1,2}|cp\d{3,4}|windows-\d{4}|sha-?\d{1,3}|md\d|aes-?\d{3}|rsa-?\d{4}|base\d{2}|ipv\d)(?![\w]|-\w|\.\d)/gi,
    hidden,
  );
}

/** `api2.shop.example`: which of a service's machines it was. */
const numberedHost =
  /(?<![\w@/.\\-])([a-z][a-z-]{0,30}[a-z])\d{1,4}(?=\.[\w-]{1,63}\.(?!js|css|map|min|php|py|pdf|zip|gz|log|json|xml|txt|png|jpe?g|html?)[a-z]{2,24}\b)/gi;

/**
 * Words that a machine drew, such as `01HV8Q5Z3N`; addresses and dates, before a part of one passes for
 * another's. Values of keys such as `order_id`.
 */
function withoutGenerated(text: string): string {
  const known = /[iI]d["']?\s?[:=]/.test(text)
    ? text.replace(
        /((?:(?<![A-Za-z])id|Id)["']?\s?(?::|=>?)\s?)(["'])(?=\D{0,64}\d)[^"']{1,128}\2/g,
        '$1<id>',
      )
    : text;
  if (!/\d/.test(known)) return known.replace(/(?<![\w-])[a-f]{8,40}(?![\w-])/gi, '<id>');
  return known
    .replace(numberedHost, '$1#')
    .replace(/(?<![\w.])(?:::ffff:)?\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\w)/gi, '<ip>')
    .replace(/(?<![A-Za-z0-9])[A-Za-z0-9]{8,64}(?![A-Za-z0-9])/g, (word, at: number, whole: string) =>
      isGenerated(word, whole.charAt(at - 1), whole.charAt(at + word.length)) ? '<id>' : word,
    );
}

/** Whether a machine drew a word that stands between two signs. */
function isGenerated(word: string, before: string, after: string): boolean {
  if (/^[a-f]{8,40}$/i.test(word)) return !/[\w-]/.test(before + after);
  if (!/\d.*\d/.test(word)) return false;
  if (word.length <= 40 && !/[\w.@:/\\-]/.test(before) && !/[\w@/\\-]/.test(after)) {
    return isMixed(word) || (looksGenerated(word) && !/^(?:[0-9a-f]+|0x.*|\d+x\d+)$/i.test(word));
  }
  if (word.length < 16 || /[A-Z]/.test(word) || /^[0-9a-f]+$/.test(word)) return false;
  return /(?:\d\D*){4}/.test(word) && looksGenerated(word);
}

/** Letters of both cases and digits in an order that nobody says, as in the ids of videos. */
function isMixed(word: string): boolean {
  if (word.length < 10 || word.length > 24 || !/[a-z]/.test(word)) return false;
  const tokens = word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  return tokens.length >= 5 && word.length < tokens.length * 2;
}

/**
 * One word for all that a machine drew. `3 out of 5` is how far something came. PHP 8 quotes with `"` what
 * PHP 7 quoted with `'`.
 */
function withoutCounts(text: string): string {
  return (
    text
      .replace(/<(?:token|hex|uuid)>/g, '<id>')
      .replace(/(\b(?:commit|revision|changeset) )<number>/gi, '$1<id>')
      .replace(/(?<=\w=)(?:true|false)\b/gi, '<bool>')
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

const scriptErrors =
  /^(?:Type|Reference|Range|Syntax|URI|Internal|Eval|Aggregate)?Error$|^(?:Abort|Network|QuotaExceeded|ChunkLoad|Security)Error$/;

/**
 * Engine wordings are looked for in scripts only, or where the platform was not said and the type is a
 * script's.
 */
function speaksScript(exception: ExceptionValue, platform: string): boolean {
  return isJavaScript(platform) || (platform === 'other' && scriptErrors.test(exception.type ?? ''));
}

/** Engines and versions disagree about the full stop at the end; an ellipsis is part of what is said. */
function withoutFullStop(line: string): string {
  return line.replace(/(?<=[^.\s])\.$/, '');
}

/** Without "Uncaught", "Unhandled Promise Rejection:" and the type that window.onerror puts in front. */
function withoutPrefix(line: string, type: string): string {
  let rest = line.replace(
    /^(?:uncaught(?: exception:?)?|unhandled (?:promise )?rejection:?|error:(?= \w*Error:))\s+/i,
    '',
  );
  rest = rest.replace(/^\(in promise\)\s+/i, '');
  const named = /^([A-Z]\w{0,60}(?:Error|Exception)): +/.exec(rest);
  if (named !== null && (type === '' || type === 'Error' || named[1] === type)) {
    return rest.slice(named[0].length);
  }
  return type !== '' && rest.startsWith(`${type}: `) ? rest.slice(type.length + 2) : rest;
}

/**
 * Hides the codes of links to documentation, and the numbers that such a link explains, from what replaces
 * numbers and addresses. Nothing is thrown; a line without a link costs nothing.
 */
function hideDocumentedCodes(line: string): Coded {
  if (!line.includes('://')) return { text: line, codes: [] };
  const codes = new Set<string>();
  let isExplained = false;
  const text = line.replace(link, (whole: string, rest: string, at: number) => {
    const isPointed = pointing.test(line.slice(Math.max(0, at - 32), at)) || whole === line;
    const code = documentedCode(rest.replace(/[.,;:!]+$/, ''));
    if (code === null || !(isPointed || /\/error-(?:reference|decoder)\b/i.test(rest))) {
      isExplained ||= isPointed;
      return whole;
    }
    codes.add(code);
    return hidden(`<docs ${code}>`);
  });
  if (codes.size > 0 || !isExplained) return { text, codes: [...codes] };
  const numbered = text.replace(numberedError, (_whole, before: string, code: string) => {
    codes.add(code);
    return before + hidden(code);
  });
  return { text: numbered, codes: [...codes] };
}

/** The code of an address, null where it holds none. */
function documentedCode(rest: string): string | null {
  const [address = '', fragment = ''] = rest.split('#', 2);
  const [path = '', query = ''] = address.split('?', 2);
  const asked = /(?:^|&)(?:code|invariant|error|err)=([\w.-]{1,64})(?:&|$)/i.exec(query);
  if (asked !== null) return asked[1] ?? null;
  // Apollo puts a record with the number of the message into the part of the page.
  const recorded = /"message":\s?(\d{1,6})/.exec(plainFragment(fragment))?.[1];
  if (recorded !== undefined) return recorded;
  const isShort = /^\/[\w-]{1,32}\/?$/.test(path);
  if ((isShort || errorPage.test(path)) && /^(?:[a-z]{1,32}-)?\d{1,6}$/i.test(fragment)) {
    return fragment.toLowerCase();
  }
  if (errorPage.test(path) && /^[\w.-]{2,64}$/.test(fragment)) return fragment.toLowerCase();
  const page = errorFolder.exec(path)?.[1];
  return page === undefined || isIdentifier(page) ? null : page;
}

function plainFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** An id of something that somebody made, and no name of an error. */
function isIdentifier(page: string): boolean {
  return /^\d{5,}$/.test(page) || /^(?=.{0,64}\d)[0-9a-f-]{12,}$/i.test(page);
}

// Removes what varies from a message, keeps codes and resources. Every pattern must be linear.

import type { ExceptionValue } from '../../../schemas/event.ts';
import { cutText } from '../parsing/cut-text.ts';
import { copyText, createMemoCache } from '../parsing/memo-cache.ts';
import { protectCodes, type TextWithCodes } from './error-codes.ts';
import { looksGenerated, protectResources } from './message-resources.ts';
import { findNamedCodes, findNamedResources } from './named-codes.ts';
import { normalizeFileName } from './names/file-names.ts';
import { normalizeFunctionName } from './names/function-names.ts';
import { firstLine, normalizeLine } from './normalize-line.ts';
import { protectText, unprotectText } from './protected-text.ts';
import { isJavaScript } from './stacks/frame.ts';
import { canonicalEngineMessage } from './wordings/engine-wordings.ts';
import { replaceVariables } from './wordings/placeholders.ts';

const link = /\bhttps?:\/\/([^\s"'<>()[\]{}/?#]{1,253})([^\s"'<>()]{0,1024})/gi;

/** Documentation folders with one page for each error. */
const errorFolder =
  /\/(?:e|err|errors?|error[-_](?:reference|decoder|codes?|messages?|index)|messages|problems|diagnostics|troubleshooting|c\/err)\/([\w.-]{1,64}?)(?:\.html?)?\/?$/i;
/** Last path segment, for hosts that only document errors, such as errors.pydantic.dev. */
const lastFolder = /\/([\w.-]{1,64})\/?$/;
/** Documentation pages that list errors; the code is in the fragment. */
const errorPage =
  /(?:\/|^)(?:[\w-]{0,32}errors?[\w-]{0,32}|error-(?:reference|decoder)|messages)(?:\.(?:md|html?|mdx))?\/?$/i;

/** Words before a link to more information. */
const beforeLink =
  /\b(?:visit|see|here|read|docs?|info|information|details|help|documentation|(?:more|error|text|message)(?: at)?)[:,]? ?\(?$/i;

/** The number of an error, where a link explains it. */
const numberedError =
  /(\b(?:error|err|code|invariant|violation|warning)(?: (?:nr|no|number|code))?[.:]? ?[#:]? ?|^)(\d{1,5})(?=[\s.;:,)(]|$)/gi;

interface ParameterizedMessage {
  readonly text: string;
  readonly codes: readonly string[];
}

const linesMax = 12;
const valueCharsMax = 2048;
const keyCharsMax = 300;
const placeholderSamplesMax = 8;
/** Cache: messages repeat with nearly every event of an issue. */
const rememberedTexts = { textsMax: 2048, charactersMax: 600 };

/** `type` is removed where the message repeats it; `language` selects wordings (`languageOfMessage`). */
export function parameterizeMessage(value: string, type: string, language: string): ParameterizedMessage {
  const text = `${language.length} ${language}${type.length} ${type}${value}`;
  return values.find(text) ?? values.set(text, parameterizeValue(copyText(value), copyText(type), language));
}

const values = createMemoCache<ParameterizedMessage>(rememberedTexts);

/** JavaScript also where only the exception type says so. */
export function languageOfMessage(exception: ExceptionValue, platform: string): string {
  return isScriptError(exception, platform) ? 'javascript' : platform;
}

function parameterizeValue(value: string, type: string, language: string): ParameterizedMessage {
  const line = withoutGeneratedClasses(currentWording(withoutPrefix(normalizeLine(value), type), language));
  const wording = isJavaScript(language) ? canonicalEngineMessage(line, type) : null;
  if (wording !== null) return { text: cutText(withHost(wording, line), keyCharsMax), codes: [] };
  const documented = hideDocumentedCodes(isJavaScript(language) ? withScriptNames(line) : line);
  const found = protectCodes(protectResources(withoutValues(withoutVersion(documented.text))).text);
  const { text } = found;
  const codes = [...new Set([...documented.codes, ...found.codes])];
  const below = followingLines(value).flatMap(
    (one) => protectCodes(protectResources(normalizeLine(one)).text).codes,
  );
  const more = [...new Set(below)].filter((code) => !codes.includes(code)).slice(0, placeholderSamplesMax);
  const clean = withoutCounts(withoutFullStop(replaceVariables(withoutGenerated(withStandards(text)))));
  const withCodes = more.length === 0 ? unprotectText(clean) : `${unprotectText(clean)} [${more.join(' ')}]`;
  return { text: cutText(withCodes, keyCharsMax).toWellFormed(), codes: [...codes, ...more] };
}

/** `./cart.js` for `./cart-DbQ2xY9p.js`. */
function withScriptNames(line: string): string {
  if (!/\.(?:[cm]?js|css|wasm)\b/i.test(line)) return line;
  return line.replace(/(?<![\w@~%-])[\w@~.%-]{1,128}\.(?:[cm]?js|css|wasm)\b(?![\w.-])/gi, (base) => {
    const clean = normalizeFileName(base);
    return clean === base.toLowerCase() ? base : clean;
  });
}

/** JVM classes made at run time (`jdk.proxy2.$Proxy65`, `Cart$$SpringCGLIB$$0`): their numbers say in which order. */
function withoutGeneratedClasses(line: string): string {
  if (!line.includes('$') && !/jdk[./]proxy/.test(line)) return line;
  return line
    .replace(
      /(?<![\w.$/])(?:[A-Za-z][\w./]{0,255})?\$(?:Proxy\d|[\w$]{0,255}\$|\$)[\w.$]{0,255}(?:\/(?:0x)?[0-9a-f]{1,16})?(?:@[0-9a-f]{1,8}(?!\w))?/g,
      (name) => (generatedClass.test(name) ? normalizeFunctionName(plainClass(name), 'java') : name),
    )
    .replace(/\bjdk([./])proxy\d{1,9}\b/g, 'jdk$1proxy');
}

function plainClass(name: string): string {
  const at = name.indexOf('$');
  return name.slice(0, at).replaceAll('/', '.') + name.slice(at).replace(/[/@].*$/, '');
}

const generatedClass =
  /\$Proxy\d|\$\$(?:\w{0,64}CGLIB|Lambda|EnhancerBy|FastClassBy)|_\$\$_|\$(?:ByteBuddy|MockitoMock|HibernateProxy|Accessor)\$/;

/** Codes and resources that count in addition to a stack. */
export function distinctiveTexts(value: string | undefined): readonly string[] {
  if (value === undefined || value === '') return [];
  return (
    distinctiveTextsCache.find(value) ??
    distinctiveTextsCache.set(value, findDistinctiveTexts(copyText(value)))
  );
}

const distinctiveTextsCache = createMemoCache<readonly string[]>(rememberedTexts);

function findDistinctiveTexts(value: string): readonly string[] {
  const found = new Set<string>();
  for (const one of [value, ...followingLines(value)]) {
    const { text: line, codes } = hideDocumentedCodes(normalizeLine(one));
    const { text, resources } = protectResources(line);
    for (const name of [
      ...codes,
      ...protectCodes(text).codes,
      ...findNamedCodes(line),
      ...resources,
      ...findNamedResources(line),
    ]) {
      if (name !== '*') found.add(name);
    }
  }
  return [...found].slice(0, placeholderSamplesMax);
}

export function canonicalWording(value: string): string | null {
  const known =
    wordings.find(value) ?? wordings.set(value, canonicalEngineMessage(firstLine(copyText(value)), '') ?? '');
  return known === '' ? null : known;
}

const wordings = createMemoCache<string>(rememberedTexts);

function followingLines(value: string): readonly string[] {
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

/** `Version=1.4.0.0` of an assembly changes with each build. */
function withoutVersion(line: string): string {
  return line.replace(/(\bversion[ =:]{1,2}"?)v?\d{1,6}(?:\.\d{1,10}){1,3}/gi, '$1<number>');
}

/** Messages about parsing: quoted text is user input. */
const aboutParsing =
  /\b(?:convert(?:ing)?|parse\w*|parsing|for input string|invalid literal|illegal character|unparsable|not a number|invalid (?:number|date|format|value)|can(?:not|'t) (?:be )?(?:parsed|converted)|strconv\.)/i;

/** Messages about encoding: the character is from user input. */
const aboutEncoding =
  /\b(?:encode|decode|codec|charmap|byte sequence|from ASCII-8BIT|to UTF-8|invalid byte)\b/i;

function withoutValues(line: string): string {
  const text = line
    .replace(/(\bat index \d{1,9}: ).{1,2048}$/, '$1<text>')
    .replace(/(["'])[^"']{1,256}\1(?= \((?:ID|Id|id|#)\b)/g, '<text>');
  if (aboutEncoding.test(text)) {
    return text.replace(/(["'])(?:\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})|.){1,2}\1/giu, '<text>');
  }
  return aboutParsing.test(text) ? text.replace(/(["'])(?=[^"']{0,256}\d)[^"']{1,256}\1/g, '<text>') : text;
}

/** The number is part of the name: UTF-16, SHA-256, IPv6. Not the negotiated versions of HTTP and TLS. */
function withStandards(line: string): string {
  if (!/\d/.test(line)) return line;
  return line.replace(
    /(?<![\w.-])(?:utf[-_]?\d{1,2}|ucs-?\d|iso-?\d{4,5}-\d{1,2}|cp\d{3,4}|windows-\d{4}|sha-?\d{1,3}|md\d|aes-?\d{3}|rsa-?\d{4}|base\d{2}|ipv\d)(?![\w]|-\w|\.\d)/gi,
    protectText,
  );
}

/** Numbered servers: `api2.shop.example`. */
const numberedHost =
  /(?<![\w@/.\\-])([a-z][a-z-]{0,30}[a-z])\d{1,4}(?=\.[\w-]{1,63}\.(?!js|css|map|min|php|py|pdf|zip|gz|log|json|xml|txt|png|jpe?g|html?)[a-z]{2,24}\b)/gi;

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
    .replace(/(?<![A-Za-z0-9])[A-Za-z0-9]{8,64}(?![A-Za-z0-9])/g, (word, at: number, input: string) =>
      isGenerated(word, input.charAt(at - 1), input.charAt(at + word.length)) ? '<id>' : word,
    );
}

function isGenerated(word: string, before: string, after: string): boolean {
  if (/^[a-f]{8,40}$/i.test(word)) return !/[\w-]/.test(before + after);
  if (!/\d.*\d/.test(word)) return false;
  if (word.length <= 40 && !/[\w.@:/\\-]/.test(before) && !/[\w@/\\-]/.test(after)) {
    return isMixed(word) || (looksGenerated(word) && !/^(?:[0-9a-f]+|0x.*|\d+x\d+)$/i.test(word));
  }
  if (word.length < 16 || /[A-Z]/.test(word) || /^[0-9a-f]+$/.test(word)) return false;
  return /(?:\d\D*){4}/.test(word) && looksGenerated(word);
}

/** Mixed case and digits without words, as in video ids. */
function isMixed(word: string): boolean {
  if (word.length < 10 || word.length > 24 || !/[a-z]/.test(word)) return false;
  const tokens = word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  return tokens.length >= 5 && word.length < tokens.length * 2;
}

/** `3 out of 5` is progress. PHP 8 quotes with `"`, PHP 7 with `'`. */
function withoutCounts(text: string): string {
  return (
    text
      .replace(/<(?:token|hex|uuid)>/g, '<id>')
      .replace(/(\b(?:commit|revision|changeset) )<number>/gi, '$1<id>')
      .replace(/(?<=\w=)(?:true|false)\b/gi, '<bool>')
      // Kubernetes pods: deployment, replica set, pod.
      .replace(/-<id>-[bcdfghjklmnpqrstvwxz2456789]{5}(?!\w)/g, '-<id>')
      .replace(/<(?:number|quantity)>(?: out)? of (<(?:number|quantity)>)/g, '$1')
      .replaceAll('"', "'")
      .replace(/^(action <number> failed) via [A-Za-z ]{3,32}(?=:)/, '$1')
  );
}

/** The SDK adds the host to messages about failed requests. */
function withHost(wording: string, line: string): string {
  const host =
    wording === 'fetch failed'
      ? /\(((?=[\w.-]{0,253}[a-z])[\w.-]{3,253}(?::\d{1,5})?)\)$/i.exec(line)?.[1]
      : undefined;
  return host === undefined ? wording : `${wording} (${host.toLowerCase()})`;
}

const scriptErrors =
  /^(?:Type|Reference|Range|Syntax|URI|Internal|Eval|Aggregate)?Error$|^(?:Abort|Network|QuotaExceeded|ChunkLoad|Security)Error$/;

function isScriptError(exception: ExceptionValue, platform: string): boolean {
  return isJavaScript(platform) || (platform === 'other' && scriptErrors.test(exception.type ?? ''));
}

/** Engines differ in the final full stop; an ellipsis is kept. */
function withoutFullStop(line: string): string {
  return line.replace(/(?<=[^.\s])\.$/, '');
}

/** Such as "Uncaught", "Unhandled Promise Rejection:" and the type that window.onerror adds. */
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

/** Keeps codes in links to documentation, and numbers that such a link explains. */
function hideDocumentedCodes(line: string): TextWithCodes {
  if (!line.includes('://')) return { text: line, codes: [] };
  const codes = new Set<string>();
  let isExplained = false;
  const text = line.replace(link, (match: string, host: string, rest: string, at: number) => {
    const isPointed = beforeLink.test(line.slice(Math.max(0, at - 32), at)) || match === line;
    const code = documentedCode(host, rest.replace(/[.,;:!]+$/, ''));
    if (code === null || !(isPointed || /\/error-(?:reference|decoder)\b/i.test(rest))) {
      isExplained ||= isPointed;
      return match;
    }
    codes.add(code);
    return protectText(`<docs ${code}>`);
  });
  if (codes.size > 0 || !isExplained) return { text, codes: [...codes] };
  const numbered = text.replace(numberedError, (_whole, before: string, code: string) => {
    codes.add(code);
    return before + protectText(code);
  });
  return { text: numbered, codes: [...codes] };
}

function documentedCode(host: string, rest: string): string | null {
  const [address = '', fragment = ''] = rest.split('#', 2);
  const [path = '', query = ''] = address.split('?', 2);
  const match = /(?:^|&)(?:code|invariant|error|err)=([\w.-]{1,64})(?:&|$)/i.exec(query);
  if (match !== null) return match[1] ?? null;
  // Apollo puts JSON with the message number into the fragment.
  const recorded = /"message":\s?(\d{1,6})/.exec(plainFragment(fragment))?.[1];
  if (recorded !== undefined) return recorded;
  const isShort = /^\/[\w-]{1,32}\/?$/.test(path);
  if ((isShort || errorPage.test(path)) && /^(?:[a-z]{1,32}-)?\d{1,6}$/i.test(fragment)) {
    return fragment.toLowerCase();
  }
  if (errorPage.test(path) && /^[\w.-]{2,64}$/.test(fragment)) return fragment.toLowerCase();
  const page = (/^errors?\./i.test(host) ? lastFolder : errorFolder).exec(path)?.[1];
  return page === undefined || isIdentifier(page) ? null : page;
}

function plainFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function isIdentifier(page: string): boolean {
  return /^\d{5,}$/.test(page) || /^(?=.{0,64}\d)[0-9a-f-]{12,}$/i.test(page);
}

// Messages in the words of the newest version of a language, so that an upgrade makes no new issues. Part of `ng2`
// (docs/grouping.md, "Messages"). Patterns are linear; they see one line of at most 2,048 characters.

type Rule = readonly [pattern: RegExp, current: string];

const rules = new Map<string, readonly Rule[]>([
  [
    // PHP 8.
    'php',
    [
      [/\bUndefined index: ([^\s'"]{1,200})/g, "Undefined array key '$1'"],
      [/\bUndefined offset: (-?\d{1,20})/g, 'Undefined array key $1'],
      [/\bUndefined variable: (?=\w)/g, 'Undefined variable $$'],
      [/\bTrying to get property '([^']{1,200})' of non-object/g, "Attempt to read property '$1' on null"],
    ],
  ],
  [
    // Python 3.10 guesses what was meant, 3.11 has other words for a name that has no value yet.
    'python',
    [
      [/[.?] Did you mean: '[^']{1,200}'\?$/, ''],
      [
        /^local variable ('[^']{1,200}') referenced before assignment/,
        'cannot access local variable $1 where it is not associated with a value',
      ],
    ],
  ],
  [
    // Ruby 3.4: an object is an instance of its class, and hashes are `{id: 1, 'a' => 2}`.
    'ruby',
    [
      [/#<([A-Z]\w{0,127}(?:::[A-Z]\w{0,127}){0,16}):0x[0-9a-f]{1,16}[^<>]{0,512}>/g, 'an instance of $1'],
      [/\bfor ([A-Z][\w:]{0,254}):Class\b/g, 'for class $1'],
      [/\bfor ([A-Z][\w:]{0,254}):Module\b/g, 'for module $1'],
      [/(?<=[{,]\s{0,2}):(\w{1,64}[?!]?|"[^"]{1,64}")\s?=>\s?/g, '$1: '],
      [/(?<=\S)\s{0,2}=>\s{0,2}/g, ' => '],
    ],
  ],
]);

function currentWording(line: string, language: string): string {
  let text = line;
  for (const [pattern, current] of rules.get(language) ?? []) text = text.replace(pattern, current);
  return text;
}

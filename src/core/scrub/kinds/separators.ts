// What stands between the name of a secret and the secret itself: signs, arrows, columns, cells, tags, the
// marks of formats. Each way has one form here; where the value ends is found by readers.ts.

import { anyOf, codedSign, openQuoteNext, patternOf } from './patterns.ts';

/** How a name leads to its value. */
export type Way =
  /** `=`, `=>`, `:=`, an arrow, a sign that is coded as in URLs. */
  | 'sign'
  /** `: `. */
  | 'colon'
  /** `:` with the value right behind it. */
  | 'glued'
  /** `"name", "value"`. */
  | 'pair'
  /** `--name value`. */
  | 'option'
  /** `<name>value</name>`, `<entry key="name">value</entry>`. */
  | 'element'
  /** `s:4:"name";s:5:"value";` */
  | 'serial'
  /** A part of a form: the value after a blank line. */
  | 'part'
  /** `IN ('a', 'b')`: all up to the bracket. */
  | 'list'
  /** A column of a dump, a cell of a table, a dash between blanks. */
  | 'column'
  /** Beside the name, in brackets, in a comparison: a secret only where it looks made by a machine. */
  | 'hint';

export interface Follower {
  readonly way: Way;
  /** Where the value, or what is written in front of it, begins. */
  readonly start: number;
  readonly isQuotedName: boolean;
}

const blanks = String.raw`[ \t\u00a0]{0,40}`;
const lineBreak = String.raw`(?:\r?\n|(?:\\r)?\\n)`;
/** `=`, `:` and `=>` between the words of a dump. */
const assigns = String.raw`\s{0,2}(?:=>|[:=]|>)\s{0,2}`;

/** Quotes, brackets and marks that close a name, in each coding that they come in. */
const closers = patternOf(
  'iy',
  anyOf([
    String.raw`\\{0,15}["'${'`'}]`,
    String.raw`\]|\[\d{0,5}\]|\*\*|[?!](?=:)|>>(?=\s?(?:=>|,))`,
    `${codedSign}(?:22|27|5D)`,
    '&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);',
    // PHP tells beside a property who may see it.
    String.raw`:(?:[\w\\]{1,128}:)?(?:protected|private)(?=\])`,
    String.raw`:\\{0,4}"[\w\\]{1,128}\\{0,4}":(?:private|protected)(?=\])`,
    // Colours of a terminal.
    String.raw`\u001b?\[[\d;]{1,16}m`,
  ]),
  '{0,6}',
);

interface Form {
  readonly way: Way;
  readonly pattern: RegExp;
  /** Which names the form is for; all of them where it is undefined. */
  readonly when: ((text: string, start: number, end: number) => boolean) | undefined;
}

const form = (way: Way, parts: readonly string[], when?: Form['when']): Form => ({
  way,
  pattern: patternOf('iy', ...parts),
  when,
});

/** Between a name and its sign: `password (temporary): …`, `Unseal Key 1: …`. */
const note = String.raw`(?: (?:\([^()\n]{1,40}\)|#?\d{1,2}(?=:)))?`;
const signs = [
  String.raw`={1,3}>?|!={1,2}|<>|:=|~>|-{1,3}>|<-|＝|\|\|=|\?\?=`,
  String.raw`[→⇒➜➔➙➝➞⟶⟹↦⇨▶►❯➡»]\uFE0F?`,
].join('|');
const typeName = String.raw`[\w.<>[\]]{1,32}`;
const isSeveralWords = (text: string, start: number, end: number): boolean =>
  /[a-z0-9][_-][a-z]|^[A-Z]{3,}$|[a-z][A-Z]/.test(text.slice(start, end));
const isBehind =
  (before: RegExp) =>
  (text: string, start: number): boolean =>
    before.test(text.slice(Math.max(0, start - 64), start));

/** The forms in the order they are tried, behind the name and what closes it. */
const forms: readonly Form[] = [
  // `Key (tenant_id, token)=(3, …)`, as PostgreSQL tells what is there already.
  form('list', [String.raw`(?:, [\w", ]{1,128})?\)=\(`], isBehind(/\bKey \([\w", ]{0,60}$/)),
  // `[Symbol(password)]: …`
  form('colon', [String.raw`\)\]?\s?:\s{1,4}`], isBehind(/\bSymbol\($/)),
  // `::set-output name=token::…`, `##vso[task.setvariable variable=token;issecret=true]…`
  form(
    'sign',
    [String.raw`(?:;[\w=;]{0,64})?(?:::|\])(?=\S)`],
    isBehind(/::[\w-]{1,32} name=$|task\.setvariable variable=$/),
  ),
  // On the next line only where PHP dumps a value, or a text in quotes goes on.
  form('sign', [`${note}${blanks}(?:${signs})`, String.raw`(?:\s{0,4}(?=string\(|\\?")|${blanks})`]),
  // `password: string = "…"`: a type stands between.
  form('sign', [String.raw`[?!]?\s?:\s?${typeName}(?:\s?\|\s?${typeName}){0,3}\s?=\s?`, openQuoteNext]),
  // `get_option('api_key') => "…"`: what a call answered.
  form('sign', [String.raw`\)\s{1,4}(?:#\s?)?=>\s{1,4}`, openQuoteNext]),
  // `token || "…"`: what is taken where the name has no value.
  form('sign', [String.raw`\s{0,4}(?:\|\||\?\?)\s{1,4}`, openQuoteNext]),
  form('sign', [
    `(?:${codedSign}3[AD]|&(?:equals|colon|#0{0,4}(?:58|61)|#x0{0,4}3[ad]);)`,
    `(?:[+ ]|${codedSign}20){0,4}`,
  ]),
  // On the next line only where that is further in, as YAML has it.
  form('colon', [
    String.raw`${note}${blanks}(?::(?![:/])|：)\*{0,2}`,
    String.raw`(?:\r?\n[ \t]{1,32}(?=\S)|[ \t\u00a0]{1,40}|(?<=：))`,
  ]),
  form('colon', [String.raw`${note}${blanks}:\*{0,2}\s{0,4}(?=string\()`]),
  // `password ........ …`
  form('colon', [String.raw`[ ]?\.{3,80}:?[ ]{0,2}(?=\S)`], beginsLine),
  form('colon', [String.raw`\.{6,80}(?=[^\s.])`]),
  form('glued', [String.raw`:(?![:/\s])`]),
  // `<td>password</td><td>…</td>`
  form('column', [String.raw`\s{0,4}<\/(?:td|th|dt)>\s{0,32}<(?:td|dd)(?:\s[^<>]{0,128})?>\s{0,8}`]),
  // `| password | … |`, `password<tab>…`, `password — …`, `password,…` alone on its line.
  form('column', [String.raw`(?:\t[ \t]{0,40}| {2,40}|${blanks}\|${blanks}| [–—-] )(?=[^\s|])`], beginsLine),
  form('column', [String.raw`[,;](?=[^\s,;]{3,256}(?:[\r\n]|$))`], beginsLine),
  // `token IN ('a', 'b')`, `api_key LIKE 'a%'`, `SET PASSWORD FOR 'ann' = 'a'`.
  form('list', [String.raw`\s{1,4}(?:not\s{1,4})?in\s{0,4}\(\s{0,4}`, openQuoteNext]),
  form('sign', [
    String.raw`\s{1,4}(?:(?:not\s{1,4})?like|for\s{1,4}[^\s=;]{1,128}\s{0,4}=)\s{0,4}`,
    openQuoteNext,
  ]),
  // `{password, "…"}`, `{:password, <<"…">>}` of Erlang and Elixir, `(password . "…")` of Lisp.
  form('pair', [String.raw`\s?,\s?(?:<<)?`, openQuoteNext], (text, start) =>
    /\{:?$/.test(text.slice(Math.max(0, start - 2), start)),
  ),
  form('sign', [String.raw`\s\.\s`, openQuoteNext], (text, start) => text[start - 1] === '('),
  // `password (…)`, `password […]`, `password <…>`.
  form('hint', [String.raw`\s?[([<{]\s?(?=[^\s)\]>}])`]),
  // `user.password).toBe("…")`, `password.equals("…")`, `expect(password).to eq("…")`, `strcmp($password,
  // "…")`.
  form('hint', [
    String.raw`\){0,2}\s?\.(?:[a-z]{1,12}\.){0,3}`,
    String.raw`[a-z_]{0,16}(?:be|eq|is|equals?\w{0,12}|match\w{0,8}|compare\w{0,8})\(\s{0,4}`,
    openQuoteNext,
  ]),
  form('hint', [
    String.raw`\){0,2}[.\s](?:not[_ ])?to\s(?:eq|be|equal|match|include)\w{0,8}\s?\(?\s{0,4}`,
    openQuoteNext,
  ]),
  form('hint', [String.raw`\s{0,4},\s{0,16}`, openQuoteNext]),
  // `set aws_secret_access_key …`: a name of several words, which no sentence has.
  form('hint', [String.raw`[ \t](?=[^\s-])`], isSeveralWords),
];

/** All of them in one pattern, a group each: what no form follows, as most names, is asked once. */
const anyForm = patternOf('iy', forms.map(({ pattern }) => `(${pattern.source})`).join('|'));

const comma = patternOf('iy', String.raw`\s{0,4},\s{0,16}`, openQuoteNext);
const nextKey = patternOf(
  'y',
  String.raw`[bBuUrRN@]{0,2}\\{0,15}["'${'`'}][^"'${'`'}\n]{0,64}["'${'`'}]\s{0,2}(?::(?!:)|=>)`,
);
/** `;s:9:`, `;a:1:`, `;O:4:"User":1:`, `;i:`, as PHP serializes what comes next. */
const serialNext = patternOf(
  'iy',
  String.raw`;(?:s:\d{1,9}:|[aO]:\d{1,9}:(?:"[\w\\]{1,128}":\d{1,9}:)?|[id]:)`,
);
/** From the name of a part of a form to its value, its other headers between. */
const partEnd = patternOf(
  'iy',
  String.raw`(?:; ?filename="[^"\r\n]{0,256}")?`,
  String.raw`(?:${lineBreak}[\w-]{1,40}: ?[^\r\n\\]{0,200}){0,4}`,
  `${lineBreak}${lineBreak}`,
);
const elementEnd = patternOf('iy', String.raw`(?:\s[^<>]{0,256})?(?:>|&gt;)`);
const attributeElementEnd = patternOf('iy', String.raw`\\{0,4}["'][^<>]{0,256}>`);
/** From the name of a field to the value in the field beside it. */
const valueField = patternOf(
  'iy',
  String.raw`\s{0,4}[,;]?\s{0,64}(?:-\s)?\[?(?:`,
  String.raw`(?:<\/[\w:-]{1,32}>\s{0,32}<)?["'\\]{0,4}`,
  String.raw`(?:\w{0,24}value|val|content|data|default|input|received)`,
  String.raw`["'\\]{0,4}${assigns}`,
  String.raw`(?:<\w{1,16}>)?`,
  // A property list of Apple's.
  String.raw`|<\/key>\s{0,32}<(?:string|data)>)`,
);
/** Commands and statements that set what is named next. */
const settingCommand = patternOf(
  'y',
  String.raw`(?<=(?:^|[\s>$])(?:ENV|ARG|setx|setenv|SetEnv|#define|set -[a-zA-Z]{1,3}|`,
  '(?:CONFIG|config) (?:SET|set)) )',
);
const openTag = /(?<=(?:<|&lt;)(?:[\w.-]{1,32}:)?)/y;
const optionGap = /[ \t]{1,40}(?=[^\s-])/y;

/** What leads from the name between `start` and `end` to a value; null where nothing does. */
export function followerOf(text: string, start: number, end: number): Follower | null {
  if (text[start] === '-' || behind(settingCommand, text, start) !== -1) {
    const at = behind(optionGap, text, end);
    if (at !== -1) return { way: 'option', start: at, isQuotedName: false };
  }
  const element = behind(openTag, text, start) === -1 ? -1 : behind(elementEnd, text, end);
  const closed = Math.max(end, behind(closers, text, end));
  const isQuotedName = /["'`]|22|27|quot|apos|#/.test(text.slice(end, closed));
  const isHeld = behind(holdsName, text, start) !== -1;
  if (isQuotedName || isHeld) {
    const named = namedFollower(text, start, end, closed, isHeld);
    if (named !== null) return named;
  }
  if (element !== -1) return { way: 'element', start: element, isQuotedName: false };
  for (let index = firstForm(text, closed); index < forms.length; index += 1) {
    const { way, pattern, when } = forms[index] as Form;
    const at = behind(pattern, text, closed);
    if (at !== -1 && (when === undefined || when(text, start, end))) return { way, start: at, isQuotedName };
  }
  return null;
}

/** The place in the list of the first form that stands at `at`; behind its end where none does. */
function firstForm(text: string, at: number): number {
  anyForm.lastIndex = at;
  const groups = anyForm.exec(text);
  return groups === null
    ? forms.length
    : groups.findIndex((group, index) => index > 0 && group !== undefined) - 1;
}

/** `name: ` or `key="` in front of a name: the secret is in the field beside it. */
const holdsName = patternOf(
  'iy',
  `(?<=${anyOf('name key field header param parameter variable attribute setting')}`,
  String.raw`["'\\]{0,4}${assigns}["'\\]{0,4})`,
);
/** `<entry key="`: the secret is what the element holds. */
const dataTag = patternOf(
  'i',
  `<${anyOf(`entry string param parameter property add item field attribute data var variable env setting
    value header constant arg config`)}`,
  String.raw`\s[^<>]{0,48}(?:name|key)\s?=\s?\\{0,4}["']$`,
);

/** Followers of a name that stands in quotes, or is itself the value of a field called "name". */
function namedFollower(
  text: string,
  start: number,
  end: number,
  closed: number,
  isHeld: boolean,
): Follower | null {
  const found = (way: Way, at: number): Follower | null =>
    at === -1 ? null : { way, start: at, isQuotedName: true };
  if (isHeld) {
    const value =
      found('sign', behind(valueField, text, closed)) ?? found('part', behind(partEnd, text, closed));
    if (value !== null) return value;
    const element = dataTag.test(text.slice(Math.max(0, start - 64), start))
      ? behind(attributeElementEnd, text, end)
      : -1;
    if (element !== -1) return found('element', element);
  }
  const serial = behind(serialNext, text, closed);
  if (serial !== -1) return found('serial', serial);
  const pair = behind(comma, text, closed);
  return pair === -1 || behind(nextKey, text, pair) !== -1 ? null : found('pair', pair);
}

/** Nothing but blanks and the edge of a table stands before the name on its line. */
function beginsLine(text: string, start: number): boolean {
  return /(?:^|[\n\r|])[\s"'`*$@+#.-]{0,40}$/.test(text.slice(Math.max(0, start - 41), start)) || start === 0;
}

/** The place behind a sticky pattern that matches at `at`; -1 where it does not. */
export function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

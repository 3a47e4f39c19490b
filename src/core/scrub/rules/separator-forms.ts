import {
  characterClasses,
  codedSign,
  endOfMatchAt,
  isBlank,
  joinPattern,
  openQuoteNext,
  textBefore,
} from '../table/patterns.ts';

export type SeparatorKind =
  /** `=`, `=>`, `:=`, an arrow, or a percent-encoded sign. */
  | 'sign'
  | 'colon'
  /** `:` directly before the value. */
  | 'glued'
  | 'pair'
  /** `--name value`. */
  | 'option'
  /** `<name>value</name>`, `<entry key="name">value</entry>`. */
  | 'element'
  /** PHP serialize: `s:4:"name";s:5:"value";` */
  | 'serial'
  /** Multipart form data: the value after an empty line. */
  | 'part'
  /** `IN ('a', 'b')`: everything up to the bracket. */
  | 'list'
  /** A column of a dump, a table cell, or a dash between spaces. */
  | 'column'
  /** Next to the name, in brackets, or in a comparison: a secret only where it looks random. */
  | 'hint';

export interface Separator {
  readonly way: SeparatorKind;
  readonly start: number;
  readonly isQuotedName: boolean;
}

const blanks = String.raw`[ \t\u00a0]{0,40}`;

export interface SeparatorForm {
  readonly way: SeparatorKind;
  readonly pattern: RegExp;
  /** First characters after spaces; `any` for all. */
  readonly leads: string;
  readonly when: ((text: string, start: number, end: number) => boolean) | undefined;
  /** Cheap check before the pattern. */
  readonly mayBe?: (text: string, at: number) => boolean;
}

const form = (
  kind: SeparatorKind,
  leads: string,
  patternParts: readonly string[],
  when?: SeparatorForm['when'],
): SeparatorForm => ({
  way: kind,
  leads,
  pattern: joinPattern('iy', ...patternParts),
  when,
});

/** `password (temporary): …`, `Unseal Key 1: …`. */
const note = String.raw`(?: (?:\([^()\n]{1,40}\)|#?\d{1,2}(?=:)))?`;
const signs = [
  String.raw`={1,3}>?|!={1,2}|<>|:=|~>|-{1,3}>|<-|＝|\|\|=|\?\?=`,
  String.raw`[→⇒➜➔➙➝➞⟶⟹↦⇨▶►❯➡»]\uFE0F?`,
].join('|');
const typeName = String.raw`(?:&(?:'\w{1,16} )?)?[\w.<>[\]]{1,32}`;
const isSeveralWords = (text: string, start: number, end: number): boolean =>
  /[a-z0-9][_-][a-z]|^[A-Z]{3,}$|[a-z][A-Z]/.test(text.slice(start, end));
const isBehind =
  (before: RegExp) =>
  (text: string, start: number): boolean =>
    before.test(textBefore(text, start, 64));

const any = 'any';
/** A colon without a space after it, and one before a sign or letter that a form may have there. */
const gluedColon = '\0';
const signColon = '\u0001';
const noted = '(#0123456789';
const arrows = '→⇒➜➔➙➝➞⟶⟹↦⇨▶►❯➡»';

/** In the order they are tried. */
const forms: readonly SeparatorForm[] = [
  // PostgreSQL: `Key (tenant_id, token)=(3, …)`.
  form('list', ',)', [String.raw`(?:, [\w", ]{1,128})?\)=\(`], isBehind(/\bKey \([\w", ]{0,60}$/)),
  form('colon', ')', [String.raw`\)\]?\s?:\s{1,4}`], isBehind(/\bSymbol\($/)),
  // GitHub and Azure: `::set-output name=token::…`, `##vso[task.setvariable variable=token;issecret=true]…`
  form(
    'sign',
    `;]${signColon}`,
    [String.raw`(?:;[\w=;]{0,64})?(?:::|\])(?=\S)`],
    isBehind(/::[\w-]{1,32} name=$|task\.setvariable variable=$/),
  ),
  // The value is on the next line only in PHP dumps and continued quoted text.
  form('sign', `=!<~-|?＝${signColon}${arrows}${noted}`, [
    `${note}${blanks}(?:${signs})`,
    String.raw`(?:\s{0,4}(?=string\(|\\?")|${blanks})`,
  ]),
  // A type between name and value: `password: string = "…"`.
  {
    ...form('sign', `?!:${gluedColon}${signColon}`, [
      String.raw`[?!]?\s?:\s?${typeName}(?:\s?\|\s?${typeName}){0,3}\s?=\s?`,
      openQuoteNext,
    ]),
    mayBe: (text, at) => isTyped(text, text.indexOf(':', at)),
  },
  // Visual Basic: `Dim password As String = "…"`.
  form('sign', 'aA', [String.raw`\s{1,4}As\s{1,4}[\w.]{1,32}\s{1,4}=\s{1,4}`, openQuoteNext]),
  // Clojure: `{:password "…"}` and `(def password "…")`.
  form(
    'sign',
    '"',
    [String.raw`\s{1,16}`, openQuoteNext],
    isBehind(/(?:^|[\s{(,]):$|\((?:def|defonce|define) $/),
  ),
  // The result of a call: `get_option('api_key') => "…"`.
  form('sign', ')', [String.raw`\)\s{1,4}(?:#\s?)?=>\s{1,4}`, openQuoteNext]),
  // A default value: `token || "…"`.
  form('sign', '|?', [String.raw`\s{0,4}(?:\|\||\?\?)\s{1,4}`, openQuoteNext]),
  form('sign', '%&', [
    `(?:${codedSign}3[AD]|&(?:equals|colon|#0{0,4}(?:58|61)|#x0{0,4}3[ad]);)`,
    `(?:[+ ]|${codedSign}20){0,4}`,
  ]),
  // The value is on the next line only where that is indented, as in YAML.
  form('colon', `:：${signColon}${noted}`, [
    String.raw`${note}${blanks}(?::(?![:/])|：)\*{0,2}`,
    String.raw`(?:\r?\n[ \t]{1,32}(?=\S)|[ \t\u00a0]{1,40}|(?<=：))`,
  ]),
  form('colon', `:${signColon}${noted}`, [String.raw`${note}${blanks}:\*{0,2}\s{0,4}(?=string\()`]),
  form('colon', '.', [String.raw`[ ]?\.{3,80}:?[ ]{0,2}(?=\S)`], beginsLine),
  form('colon', '.', [String.raw`\.{6,80}(?=[^\s.])`]),
  form('glued', gluedColon + signColon, [String.raw`:(?![:/\s])`]),
  form('column', '<', [String.raw`\s{0,4}<\/(?:td|th|dt)>\s{0,32}<(?:td|dd)(?:\s[^<>]{0,128})?>\s{0,8}`]),
  // `| password | … |`, `password<tab>…`, `password — …`, `password,…` at the start of a line.
  form(
    'column',
    any,
    [String.raw`(?:\t[ \t]{0,40}| {2,40}|${blanks}\|${blanks}| [–—-] )(?=[^\s|])`],
    beginsLine,
  ),
  form('column', ',;', [String.raw`[,;](?=[^\s,;]{3,256}(?:[\r\n]|$))`], beginsLine),
  // `token IN ('a', 'b')`, `api_key LIKE 'a%'`, `SET PASSWORD FOR 'ann' = 'a'`.
  form('list', 'nNiI', [String.raw`\s{1,4}(?:not\s{1,4})?in\s{0,4}\(\s{0,4}`, openQuoteNext]),
  form('sign', 'nNlLfF', [
    String.raw`\s{1,4}(?:(?:not\s{1,4})?like|for\s{1,4}[^\s=;]{1,128}\s{0,4}=)\s{0,4}`,
    openQuoteNext,
  ]),
  // Erlang and Elixir: `{password, "…"}`, `{:password, <<"…">>}`; Lisp: `(password . "…")`.
  form('pair', ',', [String.raw`\s?,\s?(?:<<)?`, openQuoteNext], (text, start) =>
    /\{:?$/.test(text.slice(Math.max(0, start - 2), start)),
  ),
  form('sign', '.', [String.raw`\s\.\s`, openQuoteNext], (text, start) => text[start - 1] === '('),
  // `password (…)`, `password […]`, `password <…>`.
  form('hint', '([<{', [String.raw`\s?[([<{]\s?(?=[^\s)\]>}])`]),
  // `user.password).toBe("…")`, `password.equals("…")`, `expect(password).to eq("…")`, `strcmp($password, "…")`.
  form('hint', ').', [
    String.raw`\){0,2}\s?\.(?:[a-z]{1,12}\.){0,3}`,
    String.raw`[a-z_]{0,16}(?:be|eq|is|equals?\w{0,12}|match\w{0,8}|compare\w{0,8})\(\s{0,4}`,
    openQuoteNext,
  ]),
  form('hint', ').nNtT', [
    String.raw`\){0,2}[.\s](?:not[_ ])?to\s(?:eq|be|equal|match|include)\w{0,8}\s?\(?\s{0,4}`,
    openQuoteNext,
  ]),
  form('hint', ',', [String.raw`\s{0,4},\s{0,16}`, openQuoteNext]),
  // `set aws_secret_access_key …`: a name of several words does not occur in prose.
  form('hint', any, [String.raw`[ \t](?=[^\s-])`], isSeveralWords),
];

const otherPrefix = 128;
const formsByPrefix: ReadonlyArray<readonly SeparatorForm[]> = Array.from(
  { length: otherPrefix + 1 },
  (_, code) => {
    const sign = String.fromCharCode(code);
    const leads = ({ leads }: SeparatorForm): boolean =>
      leads === any || (code === otherPrefix ? /[^\0-\x7f]/.test(leads) : leads.includes(sign));
    return forms.filter(leads);
  },
);
const blanksMax = 41;

export function separatorFormsAt(text: string, at: number): readonly SeparatorForm[] {
  let start = at;
  while (start < at + blanksMax && isBlank(text.charCodeAt(start))) start += 1;
  if (start >= text.length) return [];
  const code = text.charCodeAt(start);
  return formsByPrefix[
    code === 58 ? colonAt(text, start) : Math.min(code, otherPrefix)
  ] as readonly SeparatorForm[];
}

/** A word after the colon at `at`, then `=` or `|`. */
function isTyped(text: string, at: number): boolean {
  let end = isBlank(text.charCodeAt(at + 1)) ? at + 2 : at + 1;
  if (text[end] === '&') end = endOfMatchAt(reference, text, end);
  const stop = end + typeCharsMax;
  while (end <= stop && typeCodes[text.charCodeAt(end)] === 1) end += 1;
  if (isBlank(text.charCodeAt(end))) end += 1;
  return text[end] === '=' || text[end] === '|';
}

/** Rust: `&str` and `&'static str`. */
const reference = joinPattern('y', String.raw`&(?:'\w{1,16} )?`);
const typeCharsMax = 32;

const typeCodes = characterClasses(/[\w.<>[\]]/);

function colonAt(text: string, at: number): number {
  if (isBlank(text.charCodeAt(at + 1))) return 58;
  return (':=*sS'.includes(text[at + 1] ?? '?') ? signColon : gluedColon).charCodeAt(0);
}

function beginsLine(text: string, start: number): boolean {
  for (let at = start; at >= start - linePrefixMax; at -= 1) {
    const code = text.charCodeAt(at - 1);
    if (at === 0 || code === 10 || code === 13 || code === 124) return true;
    if (!isBlank(code) && leadsLine[code] !== 1) return false;
  }
  return false;
}

const linePrefixMax = 40;
const leadsLine = characterClasses(/["'`*$@+#.-]/);

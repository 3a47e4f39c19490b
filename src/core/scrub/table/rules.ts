import type { ExtraFields } from './names.ts';
import { filteredText } from './patterns.ts';
import { type CharacterScan, signsOf } from './prefilter.ts';

/** `source`: only literals can be secrets. `settings`: the number of lines is kept. `version`: dotted numbers are not
 * IP addresses. `name`: only known token forms and links, for grouping and source maps. */
export type TextKind = 'text' | 'source' | 'settings' | 'version' | 'name';

/** `cut`: only the network is kept. */
export type AddressRule = 'drop' | 'cut';

export interface TextSearch {
  readonly kind: TextKind;
  readonly extra: ExtraFields;
  readonly addresses: AddressRule;
  readonly scan: CharacterScan;
  /** Whether a secret name was found, which some rules require. */
  sawName: boolean;
  hits: number;
}

export interface ScrubMatch {
  readonly secret: string;
  readonly isQuoted: boolean;
  readonly match: string;
  readonly at: number;
  readonly text: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly extra: ExtraFields;
}

interface Prefilter {
  readonly signs?: readonly string[];
  readonly families?: number;
  /** At least this many. */
  readonly digits?: number;
  readonly longestRun?: number;
  readonly isNamed?: true;
  readonly noSource?: true;
  readonly applies?: (search: TextSearch) => boolean;
  readonly words?: RegExp;
}

interface PatternRule extends Prefilter {
  /** Global and linear. Filters the group `secret`, which ends the match, or else the whole match; keeps quotes. */
  readonly pattern: RegExp;
  readonly isSecret?: (found: ScrubMatch) => boolean;
}

interface FunctionRule extends Prefilter {
  readonly scrub: (text: string, search: TextSearch) => string;
}

interface RuleGroup extends Prefilter {
  readonly rules: TextRules;
}

export type TextRule = PatternRule | FunctionRule | RuleGroup;

/** By what they find, in the order in which they run. */
export type TextRules = Readonly<Record<string, TextRule>>;

/** Objects of one shape are much faster to check than rules with different members. */
export interface TableRow extends Required<Pick<Prefilter, 'families' | 'digits' | 'longestRun'>> {
  readonly masks: readonly number[];
  readonly isNamed: boolean;
  readonly noSource: boolean;
  readonly applies: ((search: TextSearch) => boolean) | undefined;
  readonly words: RegExp | undefined;
  readonly scrub: FunctionRule['scrub'];
}

export function compileRules(rules: TextRules): readonly TableRow[] {
  return Object.values(rules).map((rule) => ({
    masks: (rule.signs ?? []).map(signsOf),
    families: rule.families ?? 0,
    digits: rule.digits ?? 0,
    longestRun: rule.longestRun ?? 0,
    isNamed: rule.isNamed === true,
    noSource: rule.noSource === true,
    applies: rule.applies,
    words: rule.words,
    scrub: scrubOf(rule),
  }));
}

function scrubOf(rule: TextRule): FunctionRule['scrub'] {
  if ('scrub' in rule) return rule.scrub;
  if ('pattern' in rule) return (text, search) => scrubByPattern(text, rule, search);
  const table = compileRules(rule.rules);
  return (text, search) => scrubByRules(text, table, search);
}

/** Runs the rules in order. Linear in the length of the text. */
export function scrubByRules(text: string, table: readonly TableRow[], search: TextSearch): string {
  let clean = text;
  for (const row of table) {
    if (mayApply(row, search) && row.words?.test(clean) !== false) clean = row.scrub(clean, search);
  }
  return clean;
}

function mayApply(row: TableRow, search: TextSearch): boolean {
  const { scan } = search;
  for (const mask of row.masks) if ((scan.signs & mask) === 0) return false;
  if (row.families !== 0 && (scan.families & row.families) === 0) return false;
  if (scan.digits < row.digits || scan.longestRun < row.longestRun) return false;
  if ((row.isNamed && !search.sawName) || (row.noSource && search.kind === 'source')) return false;
  return row.applies === undefined || row.applies(search);
}

function scrubByPattern(text: string, rule: PatternRule, search: TextSearch): string {
  const { extra } = search;
  return text.replace(rule.pattern, (match: string, ...rest: unknown[]) => {
    const last = rest.at(-1);
    const groups = (typeof last === 'object' ? last : noGroups) as ScrubMatch['groups'];
    const at = (typeof last === 'object' ? rest.at(-3) : rest.at(-2)) as number;
    const sent = 'secret' in groups ? groups['secret'] : match;
    if (sent === undefined) return match;
    const quote = sent.length > 1 && isQuote(sent[0]) && sent.at(-1) === sent[0] ? (sent[0] as string) : '';
    const secret = quote === '' ? sent : sent.slice(1, -1);
    const isQuoted = quote !== '';
    if (rule.isSecret?.({ secret, isQuoted, match, at, text, groups, extra }) === false) return match;
    search.hits += 1;
    const head = match.slice(0, match.length - sent.length);
    return `${head}${quote}${keepsLines(search) ? filteredLines(secret) : filteredText}${quote}`;
  });
}

const noGroups: ScrubMatch['groups'] = {};

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

export function keepsLines({ kind }: TextSearch): boolean {
  return kind === 'source' || kind === 'settings';
}

export function filteredLines(secret: string): string {
  return secret.includes('\n') ? secret.replaceAll(/[^\n]+/g, filteredText) : filteredText;
}

// What a rule about text is, and the one way in which a table of them is used (docs/scrubbing.md). The table
// is in rules.ts; a rule that no pattern can be brings a function of its own.
import type { ExtraFields } from './names.ts';
import { filtered } from './patterns.ts';
import { type Look, signsOf } from './prefilter.ts';

/**
 * `text`: everything. `source`: code, where only literals can be secrets. `settings`: lines of a file that is
 * no code; as many stay as there were. `version`: dotted numbers are no addresses. `name`: what grouping and
 * maps need as it is; only what its own form tells and what a link holds goes.
 */
export type TextKind = 'text' | 'source' | 'settings' | 'version' | 'name';

/** `drop`: no address is kept. `cut`: the network is kept, the host is not. */
export type AddressRule = 'drop' | 'cut';

/** One search of a text: what is asked of every rule. */
export interface Search {
  readonly kind: TextKind;
  readonly extra: ExtraFields;
  readonly addresses: AddressRule;
  readonly look: Look;
  /** Whether any name was found that promises a secret: other rules need not be asked without one. */
  sawName: boolean;
  hits: number;
}

/** What a rule found, for its false-positive filter. */
export interface Found {
  /** Without quotes around it. */
  readonly secret: string;
  readonly isQuoted: boolean;
  /** All that matched, where, and in which text. */
  readonly whole: string;
  readonly at: number;
  readonly text: string;
  /** The other groups of the pattern. */
  readonly groups: Readonly<Record<string, string | undefined>>;
  readonly extra: ExtraFields;
}

/** What must stand in a text, or else the rule is not asked. */
interface Prefilter {
  /** One character of each of these. */
  readonly signs?: readonly string[];
  /** A word of one of these families. */
  readonly families?: number;
  /** So many digits, and so long a run of letters, digits, "_" and "-". */
  readonly digits?: number;
  readonly longestRun?: number;
  /** A name that promises a secret. */
  readonly isNamed?: true;
  /** Source code is not searched. */
  readonly noSource?: true;
  /** Whatever else it needs of the look at the text, or of what was found before. */
  readonly applies?: (search: Search) => boolean;
  /** One of these words. */
  readonly words?: RegExp;
}

interface PatternRule extends Prefilter {
  readonly id: string;
  /**
   * Global and linear. Its group `secret`, at the end of the match, or else the whole match is what goes;
   * quotes around it stay.
   */
  readonly pattern: RegExp;
  /** False-positive filter: whether what was found is a secret. */
  readonly isSecret?: (found: Found) => boolean;
}

/** A rule that brings its own walk over the text, and answers the text without its secrets. */
interface FunctionRule extends Prefilter {
  readonly id: string;
  readonly scrub: (text: string, search: Search) => string;
}

/** Rules that need the same; they are asked in turn where that stands in a text. */
interface RuleGroup extends Prefilter {
  readonly rules: readonly TextRule[];
}

export type TextRule = PatternRule | FunctionRule | RuleGroup;

/** A rule made ready: rows of one form are asked much faster than rules, of which each has other members. */
export interface TableRow extends Required<Pick<Prefilter, 'families' | 'digits' | 'longestRun'>> {
  readonly masks: readonly number[];
  readonly isNamed: boolean;
  readonly noSource: boolean;
  readonly applies: ((search: Search) => boolean) | undefined;
  readonly words: RegExp | undefined;
  readonly scrub: FunctionRule['scrub'];
}

/** The rules in the order in which they are asked. */
export function tableOf(rules: readonly TextRule[]): readonly TableRow[] {
  return rules.map((rule) => ({
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
  const table = tableOf(rule.rules);
  return (text, search) => scrubByRules(text, table, search);
}

/** Text without what the rules find, each asked in turn. Linear in the length of the text. */
export function scrubByRules(text: string, table: readonly TableRow[], search: Search): string {
  let clean = text;
  for (const row of table) {
    if (mayApply(row, search) && row.words?.test(clean) !== false) clean = row.scrub(clean, search);
  }
  return clean;
}

function mayApply(row: TableRow, search: Search): boolean {
  const { look } = search;
  for (const mask of row.masks) if ((look.signs & mask) === 0) return false;
  if (row.families !== 0 && (look.families & row.families) === 0) return false;
  if (look.digits < row.digits || look.longestRun < row.longestRun) return false;
  if ((row.isNamed && !search.sawName) || (row.noSource && search.kind === 'source')) return false;
  return row.applies === undefined || row.applies(search);
}

function scrubByPattern(text: string, rule: PatternRule, search: Search): string {
  const { extra } = search;
  return text.replace(rule.pattern, (whole: string, ...rest: unknown[]) => {
    const last = rest.at(-1);
    const groups = (typeof last === 'object' ? last : noGroups) as Found['groups'];
    const at = (typeof last === 'object' ? rest.at(-3) : rest.at(-2)) as number;
    const sent = 'secret' in groups ? groups['secret'] : whole;
    if (sent === undefined) return whole;
    const quote = sent.length > 1 && isQuote(sent[0]) && sent.at(-1) === sent[0] ? (sent[0] as string) : '';
    const secret = quote === '' ? sent : sent.slice(1, -1);
    const isQuoted = quote !== '';
    if (rule.isSecret?.({ secret, isQuoted, whole, at, text, groups, extra }) === false) return whole;
    search.hits += 1;
    const head = whole.slice(0, whole.length - sent.length);
    return `${head}${quote}${keepsLines(search) ? filteredLines(secret) : filtered}${quote}`;
  });
}

const noGroups: Found['groups'] = {};

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

/** Whether as many lines must be left as there were. */
export function keepsLines({ kind }: Search): boolean {
  return kind === 'source' || kind === 'settings';
}

/** A secret of several lines, none of which is kept. */
export function filteredLines(secret: string): string {
  return secret.includes('\n') ? secret.replaceAll(/[^\n]+/g, filtered) : filtered;
}

// Secrets inside of text: what is told apart before any rule is asked (docs/scrubbing.md). Every search is
// linear in the length of the text.
import type { ScrubbedProject } from '../store/projects.ts';
import { formRules, textRules } from './rules/text-rules.ts';
import { type ExtraFields, extraFieldsOf } from './table/names.ts';
import { codedSign, patternOf } from './table/patterns.ts';
import {
  type CleanTexts,
  isKnownClean,
  type Look,
  lookAt,
  markOf,
  noCleanTexts,
  rememberClean,
  signsOf,
} from './table/prefilter.ts';
import { type AddressRule, scrubByRules, type TextKind } from './table/rules.ts';

export interface ScrubState {
  readonly extra: ExtraFields;
  readonly addresses: AddressRule;
  /** Hits so far. */
  count: number;
  /** Texts so far that begin and end like JSON and are none. */
  refusedJson: number;
}

/** The state before a search: no hits, and the project's own names and address rule; null is no project. */
export function stateOf(project: ScrubbedProject | null): ScrubState {
  return {
    extra: extraFieldsOf(project?.scrubFields ?? []),
    addresses: project?.storeIpAddresses === true ? 'cut' : 'drop',
    count: 0,
    refusedJson: 0,
  };
}

/** Text from anywhere (a bug report, a file name, a line for the log) without secrets and addresses. */
export function scrubText(text: string): string {
  return scrubString(text, stateOf(null), 'text');
}

/** The address of a file without what is secret in it, as names of files and frames are kept. */
export function scrubFileAddress(address: string): string {
  return scrubString(address, stateOf(null), 'name');
}

/** The same with a state that counts hits and knows the project's own names. */
export function scrubString(text: string, state: ScrubState, kind: TextKind): string {
  if (text.length < 5) return text;
  if (state.extra.pattern !== '') return searched(text, state, kind);
  if (isMoment(text)) return text;
  const mark = markOf(text);
  if (mark === 0) return searched(text, state, kind);
  const known = cleanTexts[kind];
  if (isKnownClean(known, text, mark)) return text;
  const before = state.count;
  const clean = searched(text, state, kind);
  if (state.count === before && clean === text) rememberClean(known, text, mark);
  return clean;
}

/** Of projects without names of their own. */
const cleanTexts: Readonly<Record<TextKind, CleanTexts>> = {
  text: noCleanTexts(),
  source: noCleanTexts(),
  settings: noCleanTexts(),
  version: noCleanTexts(),
  name: noCleanTexts(),
};

/** `2026-11-21T12:00:00Z`, as every time of an event is written: nothing is ever found in it. */
function isMoment(text: string): boolean {
  const { length } = text;
  return (length === 20 || length === 27) && text.charCodeAt(10) === 84 && moment.test(text);
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/;
const codedLetters = signsOf('\\%&é');
const telling = codedLetters | signsOf('@:$');
const dash = signsOf('-');

function searched(text: string, state: ScrubState, kind: TextKind): string {
  const look = lookAt(text);
  if (isHarmless(look) && state.extra.pattern === '') return text;
  if ((look.signs & codedLetters) !== 0) {
    const plain = withPlainLetters(text);
    if (plain !== text) {
      const before = state.count;
      const clean = scrubPlain(plain, lookAt(plain), state, kind);
      // Where nothing was found the text stays as it was written.
      return state.count === before ? text : clean;
    }
  }
  return scrubPlain(text, look, state, kind);
}

/** No rule can find anything: most names, times and addresses of an event are so. */
function isHarmless(look: Look): boolean {
  return (
    look.families === 0 &&
    look.digits < 4 &&
    look.longestMixedRun < 16 &&
    (look.signs & telling) === 0 &&
    (look.longestRun < 5 || (look.signs & dash) === 0)
  );
}

function scrubPlain(text: string, look: Look, state: ScrubState, kind: TextKind): string {
  const { extra, addresses } = state;
  const search = { kind, extra, addresses, look, sawName: false, hits: 0 };
  const clean = scrubByRules(text, kind === 'name' ? formRules : textRules, search);
  state.count += search.hits;
  return clean;
}

/** `pass\u0077ord`, `%70assword`, `pass\167ord`, `pass&#119;ord`: 1 to 5 in hex, 6 in octal, 7 in digits. */
const coded = patternOf(
  'gi',
  String.raw`\\{1,15}u00([2-7][0-9a-f])|\\{1,15}x([2-7][0-9a-f])|${codedSign}([2-7][0-9a-f])`,
  String.raw`|&#x0{0,4}([2-7][0-9a-f]);|\\{1,15}u\{0{0,4}([2-7][0-9a-f])\}`,
  String.raw`|\\{1,15}(0?[0-1][0-7]{2})(?!\d)|&#0{0,4}(\d{2,3});`,
);
/** Signs of no width between letters, and letters of the width of Chinese ones. */
const unseen = /(?<=[A-Za-z])[\u00ad\u200b-\u200d\u2060\ufeff]+(?=[A-Za-z])/g;
const wideLetters = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g;

/** Letters, digits, "_" and "-" that are coded written plainly; signs that mean something stay coded. */
function withPlainLetters(text: string): string {
  const seen = text
    .replace(unseen, '')
    .replace(wideLetters, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));
  return seen.replace(coded, (whole: string, ...groups: Array<string | undefined>) => {
    const hex = groups.slice(0, 5).find((group) => group !== undefined);
    const [octal, digits] = groups.slice(5);
    const code =
      hex === undefined
        ? Number.parseInt(octal ?? digits ?? '', octal === undefined ? 10 : 8)
        : Number(`0x${hex}`);
    const character = String.fromCharCode(code);
    return /[\w-]/.test(character) ? character : whole;
  });
}

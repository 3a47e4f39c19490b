// Secrets inside of text: which searches there are, in which order, and which of them a text needs
// (docs/scrubbing.md). Every search is linear in the length of the text.
import type { ScrubbedProject } from '../store/projects.ts';
import { type AddressRule, scrubAddresses } from './addresses.ts';
import { scrubAssignments } from './assignments.ts';
import { scrubCards } from './cards.ts';
import { type CleanTexts, isKnownClean, markOf, noCleanTexts, rememberClean } from './clean-texts.ts';
import { scrubCalls } from './kinds/calls.ts';
import { scrubCommands } from './kinds/commands.ts';
import { withPlainLetters } from './kinds/escapes.ts';
import { scrubLinks } from './kinds/links.ts';
import { family, type Look, lookAt, sign } from './kinds/look.ts';
import { scrubManifests } from './kinds/manifests.ts';
import { scrubMarkup, scrubRemoteCalls } from './kinds/markup.ts';
import { type ExtraFields, extraFieldsOf } from './kinds/names.ts';
import { scrubPem } from './kinds/pem.ts';
import { scrubBound } from './kinds/statements.ts';
import { scrubTables } from './kinds/tables.ts';
import {
  scrubCodedUsers,
  scrubHooks,
  scrubMailUsers,
  scrubPasswordFile,
  scrubSchemes,
  scrubTokens,
  scrubUrlUsers,
} from './kinds/tokens.ts';
import { scrubForeign, scrubProse } from './prose.ts';

export const filtered = '[Filtered]';

export interface ScrubState {
  readonly extra: ExtraFields;
  readonly addresses: AddressRule;
  /** Hits so far. */
  count: number;
  /** Texts so far that begin and end like JSON and are none. */
  refusedJson: number;
}

/**
 * `text`: everything. `source`: code, where only literals can be secrets. `settings`: lines of a file that is
 * no code; as many stay as there were. `version`: dotted numbers are no addresses. `name`: what grouping and
 * maps need as it is; only what its own form tells and what a link holds goes.
 */
export type TextKind = 'text' | 'source' | 'settings' | 'version' | 'name';

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

function searched(text: string, state: ScrubState, kind: TextKind): string {
  const look = lookAt(text);
  if (isHarmless(look) && state.extra.pattern === '') return text;
  const before = state.count;
  if ((look.signs & (sign.backslash | sign.percent | sign.ampersand | sign.wide)) !== 0) {
    const plain = withPlainLetters(text);
    if (plain !== text) {
      const clean = scrubPlain(plain, lookAt(plain), state, kind);
      // Where nothing was found the text stays as it was written.
      return state.count === before ? text : clean;
    }
  }
  return scrubPlain(text, look, state, kind);
}

/** No search can find anything: most names, times and addresses of an event are so. */
function isHarmless(look: Look): boolean {
  const telling = sign.at | sign.colon | sign.dollar | sign.backslash | sign.percent | sign.ampersand;
  return (
    look.families === 0 &&
    look.digits < 4 &&
    look.longestMixedRun < 16 &&
    (look.signs & telling) === 0 &&
    (look.longestRun < 5 || (look.signs & sign.dash) === 0)
  );
}

/** Signs that may stand between a name and its value. */
const separating =
  sign.equals |
  sign.colon |
  sign.greater |
  sign.comma |
  sign.percent |
  sign.pipe |
  sign.space |
  sign.tab |
  sign.line |
  sign.wide |
  sign.semicolon |
  sign.ampersand |
  sign.less |
  sign.paren |
  sign.quote;

function scrubPlain(text: string, look: Look, state: ScrubState, kind: TextKind): string {
  const hit = () => {
    state.count += 1;
  };
  const isSource = kind === 'source';
  const keepLines = isSource || kind === 'settings';
  const has = (signs: number): boolean => (look.signs & signs) !== 0;
  const mayBe = (families: number): boolean => (look.families & families) !== 0;
  let clean = look.longestRun >= 5 && has(sign.dash) ? scrubPem(text, keepLines, hit) : text;
  // Tokens known by their own form go first: what stands right beside them could not be read otherwise.
  if (look.longestMixedRun >= 16 || (look.digits >= 2 && has(sign.dollar))) clean = scrubTokens(clean, hit);
  if (kind !== 'name') {
    clean = scrubWords(clean, look, state, { isSource, keepLines }, hit);
  } else if (has(sign.equals) && mayBe(family.name)) {
    clean = scrubAssignments(
      clean,
      { extra: state.extra, isSource: false, keepLines, isForeign: false, sawName: false },
      hit,
    );
  }
  const mayBeFragment = has(sign.hash) && has(sign.slash) && look.longestMixedRun >= 16;
  if ((has(sign.slash | sign.equals) && mayBe(family.link)) || mayBeFragment) {
    clean = scrubLinks(clean, state.extra, hit);
  }
  if (has(sign.slash) && mayBe(family.link)) clean = scrubHooks(clean, hit);
  if (has(sign.at) && has(sign.colon | sign.slash)) clean = scrubUrlUsers(clean, kind === 'name', hit);
  if (has(sign.percent) && clean.includes('40')) clean = scrubCodedUsers(clean, hit);
  if (look.digits >= 13) clean = scrubCards(clean, hit);
  const mayHoldAddress = look.digits >= 4 || has(sign.colon);
  return kind === 'text' && mayHoldAddress ? scrubAddresses(clean, state.addresses, hit) : clean;
}

/** What names, statements, commands and calls tell. */
function scrubWords(
  text: string,
  look: Look,
  state: ScrubState,
  { isSource, keepLines }: { isSource: boolean; keepLines: boolean },
  hit: () => void,
): string {
  const { extra } = state;
  const has = (signs: number): boolean => (look.signs & signs) !== 0;
  const mayBe = (families: number): boolean => (look.families & families) !== 0;
  const isNamed = mayBe(family.name) || extra.pattern !== '';
  const hasBlank = has(sign.space | sign.tab | sign.line);
  const isForeign = has(sign.wide);
  const scope = { extra, isSource, keepLines, isForeign, sawName: false };
  let clean = text;
  if (hasBlank && (mayBe(family.command) || (look.digits > 0 && isUnlettered(text)))) {
    clean = scrubCommands(clean, isSource, hit);
  }
  if (isNamed && has(separating)) clean = scrubAssignments(clean, scope, hit);
  if (scope.sawName && hasBlank && !isSource) clean = scrubBound(clean, extra, hit);
  if (scope.sawName && has(sign.colon) && !isSource) clean = scrubManifests(clean, hit);
  if (scope.sawName && has(sign.line) && !isSource) clean = scrubTables(clean, extra, hit);
  if (scope.sawName && has(sign.quote) && has(sign.equals | sign.colon)) {
    clean = scrubMarkup(clean, extra, hit);
  }
  if (mayBe(family.call) && has(sign.less) && clean.includes('<methodName>')) {
    clean = scrubRemoteCalls(clean, hit);
  }
  if (mayBe(family.call | family.name) && has(sign.paren) && has(sign.quote)) {
    clean = scrubCalls(clean, extra, hit);
  }
  if ((scope.sawName || mayBe(family.said)) && hasBlank && !isSource) {
    clean = scrubProse(clean, extra, scope.sawName, hit);
  }
  if (scope.sawName && !isSource && (isForeign || /mot de passe|senha|parola|wachtwoord/i.test(clean))) {
    clean = scrubForeign(clean, hit);
  }
  if (has(sign.colon) && look.digits >= 4 && text.includes(':5432:')) clean = scrubPasswordFile(clean, hit);
  if (has(sign.colon) && has(sign.at)) clean = scrubMailUsers(clean, hit);
  return mayBe(family.scheme) ? scrubSchemes(clean, hit) : clean;
}

/** `7z`, whose name is too short for `lookAt` to see. */
function isUnlettered(text: string): boolean {
  return text.includes('7z ');
}

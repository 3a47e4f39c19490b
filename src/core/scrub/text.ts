// Scrubs text with all rules (docs/scrubbing.md). Linear in the length of the text.
import type { ProjectScrubSettings } from '../store/projects.ts';
import { assignmentRule, nameAssignmentRule } from './rules/assignments.ts';
import { boundParametersRule, insertRule } from './rules/bound-parameters.ts';
import { callRules } from './rules/call-arguments.ts';
import { commandRules } from './rules/command-lines.ts';
import { foreignLanguageRule, proseRules } from './rules/prose-rules.ts';
import { keyRules, linkRules, userRules } from './rules/token-rules.ts';
import { isPublicValue } from './table/false-positives.ts';
import { classifyFieldName, compileExtraFields, type ExtraFields, isSecretVerdict } from './table/names.ts';
import { codedSign, filteredText, joinPattern } from './table/patterns.ts';
import {
  type CharacterScan,
  type CleanTextCache,
  cacheClean,
  createCleanTextCache,
  hashOfText,
  isCachedClean,
  registerWords,
  scanCharacters,
  signsOf,
  wordFamilies,
} from './table/prefilter.ts';
import {
  type AddressRule,
  compileRules,
  scrubByRules,
  type TextKind,
  type TextRules,
  type TextSearch,
} from './table/rules.ts';

const columnsMax = 100;

/** Table formats: the separator, and what a heading cell may have. */
const tableFormats: ReadonlyArray<{ sign: string; split: RegExp; cell: RegExp }> = [
  { sign: '|', split: /(\|)/, cell: /^[\w .:-]{1,64}$/ },
  { sign: '\t', split: /(\t+)/, cell: /^[\w .:-]{1,64}$/ },
  { sign: ',', split: /(,)/, cell: /^["']?[\w.:-]{1,64}["']?$/ },
  { sign: ';', split: /(;)/, cell: /^["']?[\w.:-]{1,64}["']?$/ },
  // Without a final colon, which a YAML key has.
  { sign: '  ', split: /( {2,64})/, cell: /^[\w.:-]{0,63}[\w.-]$/ },
];

/** Filters cells below a heading with a secret name. Reads each line once. */
function scrubTables(text: string, search: TextSearch): string {
  const lines = text.split('\n');
  let heading: Heading | null = null;
  let isChanged = false;
  for (const [index, line] of lines.entries()) {
    if (/^[\s+|=:-]*$/.test(line)) continue;
    const cells: string[] | null = heading === null ? null : cellsOf(line, heading);
    if (heading !== null && cells !== null) {
      const clean = cleanRow(cells, heading, search);
      if (clean !== null) {
        lines[index] = clean + line.slice(line.trimEnd().length);
        isChanged = true;
      }
    } else {
      heading = headingOf(line, search.extra);
    }
  }
  return isChanged ? lines.join('\n') : text;
}

interface Heading {
  readonly sign: string;
  readonly split: RegExp;
  /** For each column and separator, whether it holds secrets. */
  readonly secrets: readonly boolean[];
}

function headingOf(line: string, extra: ExtraFields): Heading | null {
  if (line.length > 2048) return null;
  for (const { sign, split, cell } of tableFormats) {
    if (!line.includes(sign)) continue;
    const cells = line.trimEnd().split(split, columnsMax);
    if (cells.length < 3 || cells.length >= columnsMax) continue;
    const names = cells.map((each, index) => (index % 2 === 0 ? each.trim() : ''));
    if (!names.every((name) => name === '' || cell.test(name))) continue;
    const secrets = names.map((name) => isSecretVerdict(classifyFieldName(name, extra)));
    if (secrets.includes(true)) return { sign, split, secrets };
  }
  return null;
}

function cellsOf(line: string, heading: Heading): string[] | null {
  if (!line.includes(heading.sign)) return null;
  const cells = line.trimEnd().split(heading.split, columnsMax);
  return cells.length === heading.secrets.length ? cells : null;
}

function cleanRow(cells: readonly string[], heading: Heading, search: TextSearch): string | null {
  const before = search.hits;
  const clean = cells.map((cell, column) => {
    const unquoted = cell.trim().replace(/^["']|["']$/g, '');
    if (heading.secrets[column] !== true || isPublicValue(unquoted, false)) return cell;
    if (/^\d{1,3}$|^`[a-z]{1,16}`$/.test(unquoted)) return cell;
    search.hits += 1;
    return cell.replace(unquoted, () => filteredText);
  });
  return search.hits === before ? null : clean.join('');
}

const isSecretKind = /\bkind\\{0,4}["']?\s{0,2}:\s{0,2}\\{0,4}["']?Secret\b/;
const block =
  /^([ \t]{0,32}(?:data|stringData):[ \t]{0,8}\r?\n)((?:[ \t]{1,64}\S[^\n]{0,65536}(?:\n|$)){1,256})/gm;
const members = /(\\{0,4}"(?:data|stringData)\\{0,4}":\s{0,4}\{)([^{}]{1,65536})(?=\}|$)/g;

/** Kubernetes: filters `data` in documents of kind Secret, separated by `---`. */
function scrubManifests(text: string, search: TextSearch): string {
  const filter =
    (value: RegExp) =>
    (_whole: string, head: string, body: string): string => {
      search.hits += 1;
      return head + body.replaceAll(value, `$1${filteredText}`);
    };
  return text
    .split(/(?<=\n)(?=---)/)
    .map((document) =>
      !isSecretKind.test(document)
        ? document
        : document
            .replaceAll(block, filter(/^([ \t]+(?:["']?[\w.-]{1,253}["']?:[ \t]*)?)(?=[^\s|>])[^\r\n]*/gm))
            .replaceAll(members, filter(/(:\s{0,4}\\{0,4}")[^"\\]{1,65536}/g)),
    )
    .join('');
}

registerWords(wordFamilies.call, 'start', ['methodname']);
const tag = /<[A-Za-z][^<>]{8,1024}>/g;
const nameAttribute = /\b(?:name|key|id|property)\s{0,2}=\s{0,2}\\{0,4}["']([\w.[\]:-]{1,128})\\{0,4}["']/gi;
const valueAttribute = /(\b(?:value|content|data-value)\s{0,2}=\s{0,2})("[^"]*"|'[^']*')/i;

function isOfField(name: string, value: string, extra: ExtraFields): boolean {
  return (
    isSecretVerdict(classifyFieldName(name, extra)) && !isPublicValue(value, true) && !/^\d{1,3}$/.test(value)
  );
}

/** Filters a tag's value attribute when another attribute has a secret name. */
function scrubTags(text: string, search: TextSearch): string {
  return text.replace(tag, (tagText: string) => {
    const value = valueAttribute.exec(tagText)?.[2]?.slice(1, -1);
    if (value === undefined) return tagText;
    const names = [...tagText.matchAll(nameAttribute)].map((match) => match[1] ?? '');
    if (!names.some((name) => isOfField(name, value, search.extra))) return tagText;
    search.hits += 1;
    return tagText.replace(valueAttribute, (_all, head: string) => `${head}"${filteredText}"`);
  });
}

/** XML-RPC methods of blogs: the login is among the first arguments, which have no names. */
const blogMethod = /<methodName>\s{0,8}(?:wp|metaWeblog|mt|blogger|demo)\.\w{1,64}\s{0,8}<\/methodName>/;
const argument = /(<param>\s{0,16}<value>\s{0,16}(?:<string>)?)([^<>]{1,1024})(?=<\/(?:string|value)>)/g;
const signInArguments = 4;

function scrubRemoteCalls(text: string, search: TextSearch): string {
  if (!blogMethod.test(text)) return text;
  let argumentIndex = 0;
  return text.replace(argument, (match: string, head: string, value: string) => {
    argumentIndex += 1;
    if (argumentIndex > signInArguments || /^\s*\d*\s*$/.test(value) || isPublicValue(value, true))
      return match;
    search.hits += 1;
    return `${head}${filteredText}`;
  });
}

const quote = String.raw`\\{0,4}["']`;
const assigns = String.raw`\s{0,2}(?:=>|[:=])\s{0,2}`;

const namedRules: TextRules = {
  'manifest of Kubernetes': { noSource: true, words: isSecretKind, scrub: scrubManifests },
  table: { signs: ['\n'], noSource: true, scrub: scrubTables },
  tag: { signs: ['"', '=', '<'], scrub: scrubTags },
  'value in front of its name': {
    signs: ['"', '=:'],
    words: /name|key|field/i,
    pattern: joinPattern(
      'gi',
      String.raw`["']?\b(?:value|val|content)\b\\{0,4}["']?${assigns}${quote}(?<secret>[^"'\\\n]{1,1024})`,
      String.raw`(?=${quote}\s{0,2},\s{0,16}\\{0,4}["']?(?:name|key|field)\\{0,4}["']?${assigns}${quote}`,
      String.raw`(?<name>[\w.[\] -]{1,64}))`,
    ),
    isSecret: ({ secret, groups: { name = '' }, extra }) => isOfField(name, secret, extra),
  },
};

const documentRules: TextRules = {
  'with a name': { isNamed: true, rules: namedRules },
  'remote call': {
    signs: ['<'],
    families: wordFamilies.call,
    words: /<methodName>/,
    scrub: scrubRemoteCalls,
  },
};

const textRules = compileRules({
  ...keyRules,
  ...commandRules,
  assignmentRule,
  boundParametersRule,
  ...documentRules,
  ...callRules,
  proseRules,
  insertRule,
  foreignLanguageRule,
  ...userRules,
  ...linkRules,
});

/** For file and function names, which grouping and source maps need. */
const formRules = compileRules({ ...keyRules, nameAssignmentRule, ...linkRules });

export interface ScrubState {
  readonly extra: ExtraFields;
  readonly addresses: AddressRule;
  count: number;
  refusedJson: number;
}

export function createScrubState(project: ProjectScrubSettings | null): ScrubState {
  return {
    extra: compileExtraFields(project?.scrubFields ?? []),
    addresses: project?.storeIpAddresses === true ? 'cut' : 'drop',
    count: 0,
    refusedJson: 0,
  };
}

/** For text without a project. Also removes IP addresses. */
export function scrubText(text: string): string {
  return scrubString(text, createScrubState(null), 'text');
}

export function scrubFilePath(address: string): string {
  return scrubString(address, createScrubState(null), 'name');
}

/** Adds hits to `state.count` and uses the project's field names. */
export function scrubString(text: string, state: ScrubState, kind: TextKind): string {
  if (text.length < 5) return text;
  if (state.extra.pattern !== '') return searched(text, state, kind);
  if (isMoment(text)) return text;
  const hash = hashOfText(text);
  if (hash === 0) return searched(text, state, kind);
  const known = cleanTexts[kind];
  if (isCachedClean(known, text, hash)) return text;
  const before = state.count;
  const clean = searched(text, state, kind);
  if (state.count === before && clean === text) cacheClean(known, text, hash);
  return clean;
}

/** Only for projects without their own field names. */
const cleanTexts: Readonly<Record<TextKind, CleanTextCache>> = {
  text: createCleanTextCache(),
  source: createCleanTextCache(),
  settings: createCleanTextCache(),
  version: createCleanTextCache(),
  name: createCleanTextCache(),
};

function isMoment(text: string): boolean {
  const { length } = text;
  return (length === 20 || length === 27) && text.charCodeAt(10) === 84 && moment.test(text);
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/;
const codedLetters = signsOf('\\%&é');
const suspiciousSigns = codedLetters | signsOf('@:$');
const dash = signsOf('-');

function searched(text: string, state: ScrubState, kind: TextKind): string {
  const scan = scanCharacters(text);
  if (isHarmless(scan) && state.extra.pattern === '') return text;
  if ((scan.signs & codedLetters) !== 0) {
    const plain = withPlainLetters(text);
    if (plain !== text) {
      const before = state.count;
      const clean = scrubPlain(plain, scanCharacters(plain), state, kind);
      // Return the original where nothing was found.
      return state.count === before ? text : clean;
    }
  }
  return scrubPlain(text, scan, state, kind);
}

/** No rule can match, as for most names, times and URLs of an event. */
function isHarmless(scan: CharacterScan): boolean {
  return (
    scan.families === 0 &&
    scan.digits < 4 &&
    scan.longestMixedRun < 16 &&
    (scan.signs & suspiciousSigns) === 0 &&
    (scan.longestRun < 5 || (scan.signs & dash) === 0)
  );
}

function scrubPlain(text: string, scan: CharacterScan, state: ScrubState, kind: TextKind): string {
  const { extra, addresses } = state;
  const search = { kind, extra, addresses, scan, sawName: false, hits: 0 };
  const clean = scrubByRules(text, kind === 'name' ? formRules : textRules, search);
  state.count += search.hits;
  return clean;
}

/** Groups 1 to 5: hex; 6: octal; 7: decimal. */
const coded = joinPattern(
  'gi',
  String.raw`\\{1,15}u00([2-7][0-9a-f])|\\{1,15}x([2-7][0-9a-f])|${codedSign}([2-7][0-9a-f])`,
  String.raw`|&#x0{0,4}([2-7][0-9a-f]);|\\{1,15}u\{0{0,4}([2-7][0-9a-f])\}`,
  String.raw`|\\{1,15}(0?[0-1][0-7]{2})(?!\d)|&#0{0,4}(\d{2,3});`,
);
/** Zero-width characters between letters, and full-width letters. */
const unseen = /(?<=[A-Za-z])[\u00ad\u200b-\u200d\u2060\ufeff]+(?=[A-Za-z])/g;
const wideLetters = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g;

/** Decodes letters, digits, "_" and "-". Other encoded characters have a meaning and stay. */
function withPlainLetters(text: string): string {
  const seen = text
    .replace(unseen, '')
    .replace(wideLetters, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));
  return seen.replace(coded, (match: string, ...groups: Array<string | undefined>) => {
    const hex = groups.slice(0, 5).find((group) => group !== undefined);
    const [octal, digits] = groups.slice(5);
    const code =
      hex === undefined
        ? Number.parseInt(octal ?? digits ?? '', octal === undefined ? 10 : 8)
        : Number(`0x${hex}`);
    const character = String.fromCharCode(code);
    return /[\w-]/.test(character) ? character : match;
  });
}

// Forms of documents in which a name and its secret stand apart: tables, manifests of Kubernetes, tags, calls
// of XML-RPC.
import { hidesNothing } from '../table/false-positives.ts';
import { type ExtraFields, judgeKey, promisesSecret } from '../table/names.ts';
import { filtered, patternOf } from '../table/patterns.ts';
import { announceWords, family } from '../table/prefilter.ts';
import type { Search, TextRule } from '../table/rules.ts';

const columnsMax = 100;

/** Ways to draw a table: what stands between the cells, and what else may stand in one. */
const drawings: ReadonlyArray<{ sign: string; split: RegExp; cell: RegExp }> = [
  { sign: '|', split: /(\|)/, cell: /^[\w .:-]{1,64}$/ },
  { sign: '\t', split: /(\t+)/, cell: /^[\w .:-]{1,64}$/ },
  { sign: ',', split: /(,)/, cell: /^["']?[\w.:-]{1,64}["']?$/ },
  { sign: ';', split: /(;)/, cell: /^["']?[\w.:-]{1,64}["']?$/ },
  // Without a colon at its end, which a name in YAML has.
  { sign: '  ', split: /( {2,64})/, cell: /^[\w.:-]{0,63}[\w.-]$/ },
];

/** Text whose tables keep nothing below a heading that names a secret. Each line is looked at once. */
function scrubTables(text: string, search: Search): string {
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
  /** For each column whether it holds secrets; what stands between columns counts as one that holds none. */
  readonly secrets: readonly boolean[];
}

function headingOf(line: string, extra: ExtraFields): Heading | null {
  if (line.length > 2048) return null;
  for (const { sign, split, cell } of drawings) {
    if (!line.includes(sign)) continue;
    const cells = line.trimEnd().split(split, columnsMax);
    if (cells.length < 3 || cells.length >= columnsMax) continue;
    const names = cells.map((each, index) => (index % 2 === 0 ? each.trim() : ''));
    if (!names.every((name) => name === '' || cell.test(name))) continue;
    const secrets = names.map((name) => promisesSecret(judgeKey(name, extra)));
    if (secrets.includes(true)) return { sign, split, secrets };
  }
  return null;
}

/** The cells of a row of that table, or null where the line is none. */
function cellsOf(line: string, heading: Heading): string[] | null {
  if (!line.includes(heading.sign)) return null;
  const cells = line.trimEnd().split(heading.split, columnsMax);
  return cells.length === heading.secrets.length ? cells : null;
}

/** The row without its secrets; null where it holds none. */
function cleanRow(cells: readonly string[], heading: Heading, search: Search): string | null {
  const before = search.hits;
  const clean = cells.map((cell, column) => {
    const bare = cell.trim().replace(/^["']|["']$/g, '');
    if (heading.secrets[column] !== true || hidesNothing(bare, false)) return cell;
    // A small number, and a word as a manual writes it.
    if (/^\d{1,3}$|^`[a-z]{1,16}`$/.test(bare)) return cell;
    search.hits += 1;
    return cell.replace(bare, () => filtered);
  });
  return search.hits === before ? null : clean.join('');
}

const isSecretKind = /\bkind\\{0,4}["']?\s{0,2}:\s{0,2}\\{0,4}["']?Secret\b/;
/** 1: the head, 2: the lines further in. */
const block =
  /^([ \t]{0,32}(?:data|stringData):[ \t]{0,8}\r?\n)((?:[ \t]{1,64}\S[^\n]{0,65536}(?:\n|$)){1,256})/gm;
/** 1: the head, 2: the members. */
const members = /(\\{0,4}"(?:data|stringData)\\{0,4}":\s{0,4}\{)([^{}]{1,65536})(?=\}|$)/g;

/** Text without what stands below `data` of documents whose kind is Secret, parted by lines of `---`. */
function scrubManifests(text: string, search: Search): string {
  const filter =
    (value: RegExp) =>
    (_whole: string, head: string, held: string): string => {
      search.hits += 1;
      return head + held.replaceAll(value, `$1${filtered}`);
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

announceWords(family.call, 'start', ['methodname']);
const tag = /<[A-Za-z][^<>]{8,1024}>/g;
const nameAttribute = /\b(?:name|key|id|property)\s{0,2}=\s{0,2}\\{0,4}["']([\w.[\]:-]{1,128})\\{0,4}["']/gi;
const valueAttribute = /(\b(?:value|content|data-value)\s{0,2}=\s{0,2})("[^"]*"|'[^']*')/i;

function isOfField(name: string, value: string, extra: ExtraFields): boolean {
  return promisesSecret(judgeKey(name, extra)) && !hidesNothing(value, true) && !/^\d{1,3}$/.test(value);
}

/** Tags whose attributes name a secret in one and hold it in another, in either order. */
function scrubTags(text: string, search: Search): string {
  return text.replace(tag, (whole: string) => {
    const value = valueAttribute.exec(whole)?.[2]?.slice(1, -1);
    if (value === undefined) return whole;
    const names = [...whole.matchAll(nameAttribute)].map((match) => match[1] ?? '');
    if (!names.some((name) => isOfField(name, value, search.extra))) return whole;
    search.hits += 1;
    return whole.replace(valueAttribute, (_all, head: string) => `${head}"${filtered}"`);
  });
}

/** Methods of blogs: who signs in stands among the first arguments, and none has a name. */
const blogMethod = /<methodName>\s{0,8}(?:wp|metaWeblog|mt|blogger|demo)\.\w{1,64}\s{0,8}<\/methodName>/;
const argument = /(<param>\s{0,16}<value>\s{0,16}(?:<string>)?)([^<>]{1,1024})(?=<\/(?:string|value)>)/g;
const signInArguments = 4;

/** A call of XML-RPC without its first arguments that are text. */
function scrubRemoteCalls(text: string, search: Search): string {
  if (!blogMethod.test(text)) return text;
  let place = 0;
  return text.replace(argument, (whole: string, head: string, value: string) => {
    place += 1;
    if (place > signInArguments || /^\s*\d*\s*$/.test(value) || hidesNothing(value, true)) return whole;
    search.hits += 1;
    return `${head}${filtered}`;
  });
}

const quote = String.raw`\\{0,4}["']`;
const assigns = String.raw`\s{0,2}(?:=>|[:=])\s{0,2}`;

const namedRules: readonly TextRule[] = [
  { id: 'manifest of Kubernetes', noSource: true, words: isSecretKind, scrub: scrubManifests },
  { id: 'table', signs: ['\n'], noSource: true, scrub: scrubTables },
  // `<input name="csrf_token" value="…">`
  { id: 'tag', signs: ['"', '=', '<'], scrub: scrubTags },
  // `{'value': '…', 'name': 'password'}`
  {
    id: 'value in front of its name',
    signs: ['"', '=:'],
    words: /name|key|field/i,
    pattern: patternOf(
      'gi',
      String.raw`["']?\b(?:value|val|content)\b\\{0,4}["']?${assigns}${quote}(?<secret>[^"'\\\n]{1,1024})`,
      String.raw`(?=${quote}\s{0,2},\s{0,16}\\{0,4}["']?(?:name|key|field)\\{0,4}["']?${assigns}${quote}`,
      String.raw`(?<name>[\w.[\] -]{1,64}))`,
    ),
    isSecret: ({ secret, groups: { name = '' }, extra }) => isOfField(name, secret, extra),
  },
];

export const documentRules: readonly TextRule[] = [
  { isNamed: true, rules: namedRules },
  { id: 'remote call', signs: ['<'], families: family.call, words: /<methodName>/, scrub: scrubRemoteCalls },
];

// Options with a telling name (`--password x`) are in assignments.ts. Works on words, for lists of arguments.
import { isPublicValue, looksRandom } from '../table/false-positives.ts';
import { classifyFieldName, isSecretVerdict, noExtraFields } from '../table/names.ts';
import { alternatives, filteredText, joinPattern, splitBySpaces, textBefore } from '../table/patterns.ts';
import { registerWords, wordFamilies } from '../table/prefilter.ts';
import type { TextRules, TextSearch } from '../table/rules.ts';

interface Program {
  readonly names: string;
  /** Options with a secret after a space or, for one dash, directly after them. */
  readonly options?: string;
  /** Options with a secret only directly after them: `-phunter2`. */
  readonly glued?: string;
  /** Options with `user:secret`, and the delimiter. */
  readonly users?: string;
  readonly userSign?: string;
  /** Without this character the value is something else, such as a file name. */
  readonly mustHold?: string;
  /** Required word on the line. */
  readonly requiredWord?: string;
  /** A word, and the index of the secret among the non-option words after it. */
  readonly positions?: Readonly<Record<string, number>>;
  /** Words before a setting and its value: `config set`. */
  readonly settings?: string;
}

const programs: readonly Program[] = [
  {
    names: `mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlsh mysqlbinlog mariadb
      mariadb-dump mariadb-admin mycli`,
    glued: '-p',
  },
  {
    names: `mydumper myloader sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat
      beeline impala-shell rdesktop xfreerdp wfreerdp vncviewer psexec rabbitmqadmin ncftp ftp mycli`,
    options: '-p',
  },
  { names: 'redis-cli valkey-cli', options: '-a --pass' },
  { names: 'knife sqlcmd bcp osql isql mosquitto_pub mosquitto_sub ipmitool zip unzip', options: '-P' },
  { names: 'docker podman nerdctl helm buildah skopeo oras az crane', options: '-p', requiredWord: 'login' },
  { names: 'docker podman helm skopeo oras', users: '--creds' },
  { names: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare', options: '-w' },
  { names: 'ldappasswd', options: '-w -s -a' },
  { names: '7z 7za 7zr rar unrar', glued: '-p' },
  { names: 'cqlsh nodetool dsetool plink pscp psftp putty', options: '-pw -p' },
  { names: 'snmpwalk snmpget snmpset snmpbulkwalk snmptrap', options: '-c -A -X' },
  { names: 'curl wget xh httpie aria2c', users: '-u --user -U --proxy-user -a --auth --cert -E' },
  { names: 'curl', options: '-b --cookie', mustHold: '=' },
  { names: 'aws', options: '--value', requiredWord: 'SecureString' },
  { names: 'ab', users: '-A -P' },
  { names: 'etcdctl influx', users: '--user -u' },
  { names: 'smbclient rpcclient net', users: '-U --user', userSign: '%' },
  { names: 'lftp', users: '-u', userSign: ',' },
  { names: 'sqlplus rman expdp impdp sqlldr', users: '', userSign: '/' },
  { names: 'htpasswd', positions: { htpasswd: 3 } },
  { names: 'net', positions: { user: 2, use: 3 } },
  { names: 'rabbitmqctl', positions: { add_user: 2, change_password: 2, authenticate_user: 2 } },
  { names: 'vault', positions: { login: 1, unseal: 1 } },
  { names: 'mc', positions: { set: 4, add: 4 } },
  { names: 'ssh-keygen', options: '-N -P' },
  { names: 'schtasks', options: '/rp /p' },
  { names: 'openssl', options: '-k -K -passin -passout -pass -passwd' },
  { names: 'npm pnpm yarn git composer pip pip3 poetry wp gcloud', settings: 'config option set update' },
  { names: 'ConvertTo-SecureString', positions: { 'ConvertTo-SecureString': 1 } },
];

const byName = new Map<string, Program[]>();
for (const program of programs) {
  for (const name of splitBySpaces(program.names.toLowerCase())) {
    byName.set(name, [...(byName.get(name) ?? []), program]);
  }
}
registerWords(wordFamilies.command, 'start', [...byName.keys(), 'echo', 'printf']);

type TextRange = readonly [start: number, end: number];

interface Word {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const programName = joinPattern(
  'gi',
  String.raw`(?<![\w.-])`,
  alternatives([...byName.keys()].toSorted((one, other) => other.length - one.length)),
  String.raw`(?:\.exe)?(?=["']?[ \t,])`,
);
/** An opening quote, then variables, `sudo` and the program's folder. */
const beginsLiteral = /["'`](?:\w{1,32}=[^\s"'`]{0,32} ){0,2}(?:sudo )?(?:[\w.-]{0,32}\/){0,6}$/;
const lineCharsMax = 2048;
const wordsMax = 128;
const wordCharsMax = 1e7;

function scrubCommands(text: string, search: TextSearch): string {
  // `7z` is too short for the prefilter.
  if ((search.scan.families & wordFamilies.command) === 0 && !text.includes('7z ')) return text;
  let clean = '';
  let position = 0;
  programName.lastIndex = 0;
  for (let match = programName.exec(text); match !== null; match = programName.exec(text)) {
    if (search.kind === 'source' && !beginsLiteral.test(textBefore(text, match.index, 80))) continue;
    const words = wordsFrom(text, match.index);
    for (const [start, end] of secretsOf(words)) {
      if (start < position) continue;
      search.hits += 1;
      clean += text.slice(position, start) + filteredText;
      position = end;
    }
    const last = words.at(-1);
    if (last !== undefined && words.length > 1) {
      programName.lastIndex = Math.max(programName.lastIndex, last.end);
    }
  }
  return clean + text.slice(position);
}

/** Index of each secret, with the prefix of that argument to keep. */
export function findSecretArguments(list: readonly string[]): Map<number, string> {
  const found = new Map<number, string>();
  if (!byName.has(programOf(list[0] ?? ''))) return found;
  const words = list.slice(0, wordsMax).map((text, index) => {
    const start = index * wordCharsMax;
    return { start, end: start + text.length, text };
  });
  for (const [start] of secretsOf(words)) {
    const index = Math.floor(start / wordCharsMax);
    found.set(index, (list[index] ?? '').slice(0, start % wordCharsMax));
  }
  return found;
}

const word = joinPattern(
  'y',
  String.raw`[ \t,[\](){}]*(?:"((?:[^"\\\n]|\\.){0,1024})"|'([^'\n]{0,1024})'`,
  String.raw`|(-[^\s"',|;&<>()[\]]{0,256}(?:"[^"\n]{0,512}"|'[^'\n]{0,512}')`,
  String.raw`|[^\s"',|;&<>()[\]]{1,1024}))`,
);

function wordsFrom(text: string, start: number): Word[] {
  const words: Word[] = [];
  const stop = Math.min(text.length, start + lineCharsMax);
  const quote = text[start - 1] ?? '';
  const closes = text.slice(start, start + 66).search(/["']/);
  let at =
    /["']/.test(quote) && text[start + closes] === quote && !/\s/.test(text.slice(start, start + closes))
      ? start - 1
      : start;
  while (at < stop && words.length < wordsMax) {
    if (/^[ \t]*(?:\r?\n|[|;&]|\\n)/.test(text.slice(at, at + 8))) break;
    word.lastIndex = at;
    const match = word.exec(text);
    if (match === null) break;
    const inner = match[1] ?? match[2] ?? match[3] ?? '';
    const end = word.lastIndex - (match[3] === undefined ? 1 : 0);
    words.push({ start: end - inner.length, end, text: inner });
    at = word.lastIndex;
  }
  return words;
}

/** `/usr/bin/mysql` and `mysql.exe` are `mysql`. */
function programOf(path: string): string {
  return path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .toLowerCase()
    .replace(/\.exe$/, '');
}

function secretsOf(words: readonly Word[]): TextRange[] {
  const ranges: Array<TextRange | null> = [];
  for (const program of byName.get(programOf(words[0]?.text ?? '')) ?? []) {
    if (program.requiredWord !== undefined && !words.some((one) => one.text === program.requiredWord))
      continue;
    for (let at = 1; at < words.length; at += 1) ranges.push(...optionSecrets(words, at, program));
    ranges.push(...positionSecrets(words, program), ...settingSecrets(words, program));
  }
  return ranges.filter((range) => range !== null).toSorted(([one], [other]) => one - other);
}

function optionSecrets(words: readonly Word[], at: number, program: Program): Array<TextRange | null> {
  const [one, next, last] = words.slice(at) as [Word, Word | undefined, Word | undefined];
  const { options = '', glued = '', users = '', userSign, mustHold = '' } = program;
  const isOne = (list: string): boolean => splitBySpaces(list).includes(one.text);
  const isUser = isOne(users);
  const ranges: Array<TextRange | null> = [];
  if (isOne(options) && next?.text.includes(mustHold)) {
    ranges.push(secretIn(next, 0));
  } else if (isUser && next !== undefined) {
    // `-u ann,hunter2`: the comma separated two words.
    const isParted = userSign === ',' && last?.start === next.end + 1;
    ranges.push(userSecret(next, program, 0) ?? (isParted ? secretIn(last, 0) : null));
  }
  const option = splitBySpaces(`${options} ${glued}`).find((each) => isGlued(one.text, each));
  if (option !== undefined) {
    ranges.push(secretIn(one, option.length + (one.text[option.length] === '=' ? 1 : 0)));
  } else if (isOne(glued) && next !== undefined && looksRandom(next.text)) {
    ranges.push(secretIn(next, 0));
  }
  const user = splitBySpaces(users).find((each) => each.startsWith('-') && isGlued(one.text, each));
  if (user !== undefined) ranges.push(userSecret(one, program, user.length));
  if (program.users === '' && at === 1 && !one.text.startsWith('-')) ranges.push(userSecret(one, program, 0));
  return ranges;
}

/** `-phunter2` and `--pass=hunter2`, but not `-port` nor `--passive`. */
function isGlued(text: string, option: string): boolean {
  if (!text.startsWith(option) || text.length === option.length) return false;
  return option.startsWith('--') || option.length > 2
    ? text[option.length] === '='
    : !/^-[A-Za-z](?:[a-z]{1,3}$|ort\b|-)/.test(text) || looksRandom(text);
}

function secretIn(one: Word, from: number): TextRange | null {
  const text = one.text.slice(from).replace(/^["']|["']$/g, '');
  const prefix = /^(?:pass|env|file):/.exec(text)?.[0] ?? '';
  if (text.startsWith('-') || prefix === 'env:' || prefix === 'file:') return null;
  if (isPublicValue(text.slice(prefix.length), false)) return null;
  const isQuoted = /^["'].*["']$/.test(one.text.slice(from));
  const start = one.start + from + prefix.length;
  return isQuoted ? [start + 1, one.end - 1] : [start, one.end];
}

/** Not `uid:gid` and not `host:port`. */
function userSecret(one: Word, program: Program, from: number): TextRange | null {
  const sign = program.userSign ?? ':';
  const at = one.text.indexOf(sign, from);
  if (at === -1) return null;
  const secret = one.text.slice(at + 1);
  const stop = sign === '/' ? secret.indexOf('@') : -1;
  const text = stop === -1 ? secret : secret.slice(0, stop);
  if (/^\d+$/.test(one.text.slice(from, at)) || text.startsWith('//') || isPublicValue(text, false)) {
    return null;
  }
  const start = one.start + at + 1;
  return [start, stop === -1 ? one.end : start + stop];
}

function positionSecrets(words: readonly Word[], program: Program): Array<TextRange | null> {
  return Object.entries(program.positions ?? {}).map(([name, count]) => {
    const from = words.findIndex((one) => one.text.toLowerCase() === name.toLowerCase());
    if (from === -1) return null;
    const plain = words.slice(from + 1).filter(({ text }) => !/^-|^\/[a-z]+(?::|$)/i.test(text));
    const found = plain[count - 1];
    return found === undefined ? null : secretIn(found, 0);
  });
}

/** `npm config set //registry.example/:_authToken x`, `wp config set DB_PASSWORD x`. */
function settingSecrets(words: readonly Word[], { settings = '' }: Program): Array<TextRange | null> {
  const from = words.findIndex(({ text }) => splitBySpaces(settings).includes(text));
  if (from === -1) return [];
  return words.slice(from + 1).map(({ text }, index) => {
    const value = words[from + index + 2];
    const names = text.split(/[:/.]/);
    const isSecret = names.some((name) => isSecretVerdict(classifyFieldName(name, noExtraFields)));
    return isSecret && value !== undefined && !text.startsWith('-') ? secretIn(value, 0) : null;
  });
}

const piped = [
  String.raw`(?:\S{0,64}\/)?(?:sudo\s(?:-\w+\s){0,4}-S|passwd\b|chpasswd\b)`,
  String.raw`[^\n|]{1,256}(?:--?\w{0,12}-?stdin\b|\sstdin\b|\s--with-token\b)`,
].join('|');

export const commandRules: TextRules = {
  // `echo hunter2 | sudo -S …`, `echo 'ann:hunter2' | chpasswd`.
  'printed into a command': {
    signs: [' \t\n', '|'],
    families: wordFamilies.command,
    noSource: true,
    pattern: joinPattern(
      'g',
      String.raw`\b(?:echo|printf)\s{1,4}(?:-[a-z]{1,3}\s{1,4}){0,2}`,
      String.raw`(?<secret>"[^"\n]{1,512}"|'[^'\n]{1,512}'|[^\s"'|]{1,512})`,
      String.raw`(?=\s{0,8}\|\s{0,8}(?:${piped}))`,
    ),
    isSecret: ({ secret }) => !isPublicValue(secret, false),
  },
  'command line': {
    signs: [' \t\n'],
    applies: ({ scan }) => (scan.families & wordFamilies.command) !== 0 || scan.digits > 0,
    scrub: scrubCommands,
  },
};

import type { Level } from '../../../schemas/event.ts';
import { decodeHtmlEntities } from '../parsing/html-entities.ts';

/** UTF-16 units. */
const textCharsMax = 8192;
const headCharsMax = 2048;

export interface PhpMessage {
  /** Without tags, paths, line numbers and PHP's prefix. */
  readonly title: string;
  /** As Sentry's PHP SDK maps it; null if the text has none. */
  readonly level: Level | null;
}

interface Severity {
  readonly label: string;
  readonly level: Level;
}

const fatal: Severity = { label: 'Fatal error', level: 'fatal' };
const recoverable: Severity = { label: 'Recoverable fatal error', level: 'error' };
const warning: Severity = { label: 'Warning', level: 'warning' };
const notice: Severity = { label: 'Notice', level: 'info' };
const deprecated: Severity = { label: 'Deprecated', level: 'warning' };

/** Lower-case names in PHP's log and in ErrorExceptions of Sentry's PHP SDK. */
const severities = new Map<string, Severity>([
  ['fatal error', fatal],
  ['parse error', { label: 'Parse error', level: 'fatal' }],
  ['parse', { label: 'Parse error', level: 'fatal' }],
  ['compile error', fatal],
  ['core error', fatal],
  ['error', fatal],
  ['user error', { label: 'Fatal error', level: 'error' }],
  ['recoverable fatal error', recoverable],
  ['catchable fatal error', recoverable],
  ['recoverable error', recoverable],
  ['warning', warning],
  ['core warning', warning],
  ['compile warning', warning],
  ['user warning', warning],
  ['notice', notice],
  ['user notice', notice],
  ['strict standards', notice],
  ['strict', notice],
  ['runtime notice', notice],
  ['deprecated', deprecated],
  ['user deprecated', deprecated],
]);

const stamp = /^\[\d{1,2}-[A-Z][a-z]{2}-\d{4} [^\]]{1,60}\] /;
const levelPrefix = /^(?:PHP message: )?(PHP )?([A-Z][a-z]+(?: [a-zA-Z]+){0,2}|E_[A-Z_]{1,30}):\s{1,4}(?=\S)/;
/** For these the SDK puts the severity before PHP's text. */
const errorException = /(?:^|\\)(?:Fatal|Silenced)?ErrorException$/;
/** ` in /path/file.php:12`, ` in C:\file.php on line 12`, ` at /path/file.php:12`. */
const fileLocations =
  / (?:in|at) ((?:[A-Za-z]:|phar:\/)?[\\/][^\n:]{1,400}?)(?:\(\d{1,9}\) : [^\n:]{1,60}?)?(?: on line |:)\d{1,9}/g;
const callerLocation = /, called in (?:[A-Za-z]:)?[\\/][^\n:]{1,400}? on line \d{1,9}(?: and defined)?/;
/** Without PHP's prefix; JavaScript also says `Uncaught`, but without a .php file. */
const bareUncaught = /^Uncaught [^\n]{1,1500} in [^\n:]{1,400}\.php:\d{1,9}$/;
const stackMark = /(?:PHP )?Stack trace:/;

/** Null if the text is not from PHP or WordPress. */
export function parsePhpMessage(text: string): PhpMessage | null {
  if (!mayBeSiteText(text)) return null;
  const plain = plainText((extractNginxPhpMessage(text) ?? text).slice(0, headCharsMax))
    .trim()
    .replace(stamp, '');
  if (bareUncaught.test(lineOf(plain))) return titled(fatal, plain);
  const [prefix, php, word = ''] = levelPrefix.exec(plain) ?? [];
  const severity = prefix === undefined ? undefined : severityOf(word);
  if (prefix === undefined || severity === undefined) return wordPressText(plain);
  // React also logs `Warning: …`; without `PHP` in front there must be a file and line.
  const body = plain.slice(prefix.length);
  if (php === undefined && !/ in (?:[A-Za-z]:)?[\\/][^\n]{1,400} on line \d/.test(body)) return null;
  return titled(severity, body);
}

/** The same for exceptions of PHP's SDK that wrap a PHP error; null for real exceptions. */
export function parseErrorException(type: string, value: string): PhpMessage | null {
  if (!type.endsWith('ErrorException') || !errorException.test(type)) return null;
  const plain = plainText(value.slice(0, headCharsMax)).trim();
  const [prefix, , word = ''] = levelPrefix.exec(plain) ?? [];
  const severity = prefix === undefined ? undefined : severityOf(word);
  return prefix === undefined || severity === undefined ? null : titled(severity, plain.slice(prefix.length));
}

/** Where it was thrown first, then the stack trace, innermost call first. */
export function findFilePaths(text: string): string[] {
  const plain = plainText(text.slice(0, textCharsMax));
  const match = stackMark.exec(plain);
  const head = match === null ? plain : plain.slice(0, match.index);
  const stack = match === null ? '' : plain.slice(match.index);
  const thrown = [...head.matchAll(fileLocations)].map(([, file = '']) => file).reverse();
  // Xdebug writes the outermost call first, PHP the innermost.
  const called = pathsIn(stack);
  return [...thrown, ...(stack.startsWith('PHP ') ? called.reverse() : called), ...pathsIn(head)];
}

function severityOf(word: string): Severity | undefined {
  return severities.get(word.replace(/^E_/, '').replaceAll('_', ' ').toLowerCase());
}

/** The PHP message quoted in nginx's error log, or null. */
export function extractNginxPhpMessage(text: string): string | null {
  const match = /FastCGI sent in stderr: "(?:PHP message: )?/.exec(text.slice(0, 256));
  if (match === null) return null;
  const quoted = text.slice(match.index + match[0].length);
  const end = quoted.indexOf('" while ');
  return end === -1 ? quoted : quoted.slice(0, end);
}

/** A quick check that excludes most texts. */
function mayBeSiteText(text: string): boolean {
  return /^(?:\s*<|\[\d|\s*(?:PHP |Fatal|Parse|Warn|Noti|Depr|Strict|Recov|Catch|Function |Hook |File |Class |WordPress d|Cron |action |[Ss]cheduled a|Action S|Uncaught |E_|\d{4}\/|\{"code":"rest_))/.test(
    text,
  );
}

function titled(severity: Severity, body: string): PhpMessage {
  const head = body.split(stackMark, 1)[0] ?? '';
  const uncaught = /^Uncaught (?:exception ')?([A-Za-z_\\][\w\\]{0,200})'?(?:: | with message ')/.exec(head);
  const words = withoutLocations(uncaught === null ? head : head.slice(uncaught[0].length));
  if (uncaught !== null) {
    const message = uncaught[0].endsWith("'") ? words.replace(/'$/, '') : words;
    return { title: `${uncaught[1]}: ${message}`, level: severity.level };
  }
  const isIncorrectCall = /^Function \S{1,200} was called incorrectly\./.test(words);
  return {
    title: `${isIncorrectCall ? '_doing_it_wrong' : severity.label}: ${words}`,
    level: severity.level,
  };
}

function wordPressText(plain: string): PhpMessage | null {
  const words = withoutLocations(plain);
  if (/^Function \S{1,200} was called incorrectly\./.test(words)) {
    return { title: `_doing_it_wrong: ${words}`, level: notice.level };
  }
  if (
    /^(?:Function|Hook|File|Class) \S{1,200} (?:is|was called with an argument that is) deprecated /.test(
      words,
    )
  ) {
    return { title: `Deprecated: ${words}`, level: deprecated.level };
  }
  const database = /^WordPress database error:? ?(.+)$/s.exec(plain)?.[1];
  if (database !== undefined) return { title: `WordPress database error: ${faultOf(database)}`, level: null };
  if (/^Cron (?:re|un)schedule event error for hook: /.test(plain)) {
    return { title: lineOf(plain.split(', Data: ', 1)[0] ?? ''), level: null };
  }
  const failed =
    /^(?:Action Scheduler: |action failed via [^:\n]{1,60}: |(?=[Ss]cheduled action ))(.+)$/s.exec(words);
  if (failed !== null) {
    const action = (failed[1] ?? '')
      .replace(/^scheduled action/, 'Scheduled action')
      .replace(/ action \d+ /, ' action ');
    return { title: `Action Scheduler: ${action}`, level: null };
  }
  return restText(plain);
}

/** Without the query, which can be long. */
function faultOf(text: string): string {
  const bracketed = /^\[([^\n]{1,600})\](?:\s|$)/.exec(text)?.[1];
  return lineOf((bracketed ?? text).split(' for query ', 1)[0] ?? '');
}

function restText(plain: string): PhpMessage | null {
  const [, code, message] =
    /^\{"code":"(rest_\w{1,80})","message":"((?:[^"\\]|\\.){0,600})"/.exec(plain) ?? [];
  return code === undefined ? null : { title: `REST error ${code}: ${message ?? ''}`, level: null };
}

/** Without file names and WordPress's debugging hints. */
function withoutLocations(text: string): string {
  const stripped = text.replace(callerLocation, '').replaceAll(fileLocations, '');
  return lineOf(stripped)
    .replace(/ Please see Debugging in WordPress for more information\./, '')
    .replace(/ \(This message was added in version [^)]{1,20}\)/, '')
    .trim();
}

function lineOf(text: string): string {
  return (text.trim().split(/[\r\n]/, 1)[0] ?? '').trim();
}

/** Removes the tags of PHP's `html_errors` and WordPress, and decodes entities. */
function plainText(text: string): string {
  const stripped =
    text.indexOf('<') === -1
      ? text
      : text.replaceAll(/<\/?([a-z]{1,12})[^<>]{0,300}>/gi, (_tag, name) => (name === 'br' ? '\n' : ''));
  return decodeHtmlEntities(stripped);
}

const around = 400;
const edge = /[\s"'`()<>,;=[\]{}|]/;

function pathsIn(text: string): string[] {
  const found: string[] = [];
  const folders = /(?:plugins|themes)[\\/]/g;
  for (let hit = folders.exec(text); hit !== null; hit = folders.exec(text)) {
    let [start, end] = [hit.index, folders.lastIndex];
    while (start > 0 && hit.index - start < around && !edge.test(text[start - 1] ?? '')) start -= 1;
    while (end < text.length && end - hit.index < around && !edge.test(text[end] ?? '')) end += 1;
    found.push(text.slice(start, end).replace(/(?::\d{1,9}){0,2}[.:]{0,3}$/, ''));
    folders.lastIndex = Math.max(end, folders.lastIndex);
  }
  return found;
}

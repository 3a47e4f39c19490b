// Names in a message that distinguish errors with the same stack. Every pattern must be linear.
import { looksGenerated, normalizeHost } from './message-resources.ts';

/** Each with a text that a matching line must contain, which saves most searches. */
const namedCode: ReadonlyArray<readonly [sign: string, pattern: RegExp]> = [
  // POSIX names, and messages of the C library.
  [
    'E',
    /\b(E(?:ACCES|PERM|NOENT|EXIST|ISDIR|NOTDIR|NOTEMPTY|MFILE|NFILE|NOSPC|DQUOT|ROFS|BUSY|INVAL|IO|AGAIN|LOOP|NAMETOOLONG|XDEV|CANCELED|PROTO|NOMEM|STALE|PIPE|BADF|INTR|DESTADDRREQ|MSGSIZE|CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|ADDR(?:INUSE|NOTAVAIL|INFO)|HOST(?:UNREACH|DOWN)|NET(?:UNREACH|DOWN)|AI_\w{2,12}|NOTFOUND|SOCKETTIMEDOUT|RR_[A-Z_]{3,40}))\b/g,
  ],
  [
    '',
    /\b(no such file or directory|permission denied|operation not permitted|connection refused|connection reset by peer|connection timed out|operation timed out|i\/o timeout|broken pipe|no space left on device|disk quota exceeded|too many open files|no such host|network is unreachable|no route to host|address already in use|file exists|is a directory|not a directory|directory not empty|read-only file system|device or resource busy|cannot allocate memory|resource temporarily unavailable|name or service not known|temporary failure in name resolution|host is down|socket is not connected)\b/gi,
  ],
  ['code = ', /\bcode = ([A-Z]\w{2,40})/g],
  ['error occurred (', /\berror occurred \(([A-Z]\w{2,60})\)/g],
  [
    '',
    /(?<!\b(?:coupon|promo|promotion|discount|voucher|gift|zip|postal|country|area|invite|referral|tracking|bar|qr|product)[ _-]?)\b(?:error|fault|exception|status|reason)?[ _-]?code["']?\s?(?:=>|[:=])\s?["']?([A-Za-z][\w./-]{2,60})/gi,
  ],
  ['(', /\((auth|storage|firestore|functions|messaging|database|app)\/([\w-]{3,60})\)/g],
  ['rest_', /(?<![\w./-])((?:[a-z]{2,24}_){0,3}rest_[a-z_]{3,60})(?![\w/-])/g],
  ['[', /^\[([a-z]+(?:_[a-z]+){1,6})\]/g],
  ['error ', /\berror ([A-Z]{3,}(?:_[A-Z]+){1,8})\b/g],
  [
    '_',
    /\b(ERR_[A-Z_]{3,60}|NS_ERROR_[A-Z_]{3,60}|PR_[A-Z_]+_ERROR|SEC_ERROR_[A-Z_]{3,60}|CERT_[A-Z_]{3,60}|UNABLE_TO_[A-Z_]{3,60}|SELF_SIGNED_[A-Z_]{3,60}|DEPTH_ZERO_[A-Z_]{3,60}|E_[A-Z]{4,20})\b/g,
  ],
];

/** Named things that are missing, refused or broken. */
const namedThing =
  /\b(table|relation|view|column|collection|topic|queue|bucket|database|schema|sequence|keyspace|constraint|foreign key|for key|exchange|stream|plugin|theme|extension|(?:module|package)(?: named)?|assembly|file or assembly|library|object name|hook|operation|operation:|such index|alias|secrets?|config ?maps?|namespace|subscription|container|image|volume|policy|vhost|setting|option|environment variable|env var|block type|post type|taxonomy|shortcode)(?: name)?(?:[\s:=,'"[\]]{1,4}(?:update|install|activate|deactivate))?(?:\s{0,2}[:=]\s{0,2}|\s{1,2}|["'\s,]{1,4})(["'([]{0,2})(?!(?:of|is|for|not|was|were|does|do|has|had|with|in|to|and|or|from|on|at|must|can|cannot|could|already|exists?|by|as|if|that|which|the|a|an|name|named|full|empty|failed|error|update|install|activate|deactivate|returned|when|while|it|than|then|after|before)\b)([A-Za-z_][\w.$-]{1,127})/gi;
/** Rails and Laravel: the model of a missing record. */
const missingModel =
  /\b(?:couldn't find (?:all )?|no query results for model \[(?:[\w\\]{1,200}\\)?|no enum constant )([A-Z][\w.:]{1,127})/gi;
const calledOperation = /\bcalling the (\w{2,60}) operation\b/g;

const aboutHost =
  /refused|connect|unreachable|no route|timed? ?out|\bfetch|load failed|network|\blookup\b|resol|getaddrinfo|ENOTFOUND|EAI_AGAIN|ECONN|EHOST|no such host|unknown ?host|name or service|handshake|certificate|\bdial\b|could not reach|\bdns\b/i;
const hosts: readonly RegExp[] = [
  // A fixed list: keys must not change with a library's public suffix list.
  /(?<![\w@/.\\-])((?:[a-z0-9](?:[\w-]{0,62})\.){1,8}(?:com|net|org|io|dev|app|co|internal|local|localdomain|lan|example|test|cloud|ai|info|biz|site|shop|online|store|tech|xyz|corp|intranet|home|svc|cluster|eu|uk|de|fr|nl|ch|at|it|es|pl|se|no|dk|fi|jp|cn|in|br|ca|au|us|ru|be|cz|ie|nz|za|mx|tv|me|gg|fm))(?![\w(.]\w|[\w(])/gi,
  /(?:ENOTFOUND|EAI_AGAIN|getaddrinfo(?: for)?|lookup|resolve host(?:name)?:?|host(?:name)?:?|unknown host:?|connect to(?: server(?: on)?)?|to host|dial tcp) ["']?((?=[\w.-]{0,253}[a-z])[\w.-]{2,253})/gi,
  /(?<![\w.:/@-])((?=[\w-]{0,63}[a-z])[\w-]{2,63})(?=:\d{2,5}(?![\w:.]))/gi,
];
const noHost =
  /^(?:failed|error|host|hostname|server|tcp|udp|the|a|an|port|address|to|on|at|for|is|was|database|timeout|timed|refused|line|via|proxy|peer|remote)$/i;

export function findNamedCodes(line: string): readonly string[] {
  const found: string[] = [];
  for (const [sign, pattern] of namedCode) {
    if (!line.includes(sign)) continue;
    for (const match of line.matchAll(pattern)) found.push(match.slice(1).join('/'));
  }
  return found.map((code) => (/^[a-z]+ /i.test(code) ? code.toLowerCase() : code));
}

export function findNamedResources(line: string): readonly string[] {
  const found: string[] = [];
  for (const [, , , name = ''] of line.matchAll(namedThing)) found.push(nameShape(name));
  for (const pattern of [missingModel, calledOperation]) {
    for (const [, name = ''] of line.matchAll(pattern)) found.push(name);
  }
  if (aboutHost.test(line)) {
    for (const pattern of hosts) {
      for (const [, host = ''] of line.matchAll(pattern)) {
        if (!noHost.test(host)) found.push(normalizeHost(host.replace(/[.-]+$/, '')));
      }
    }
  }
  return found;
}

function nameShape(name: string): string {
  const trimmed = name.replace(/[.-]+$/, '');
  return looksGenerated(trimmed) ? '*' : trimmed.replace(/\d+/g, '#');
}

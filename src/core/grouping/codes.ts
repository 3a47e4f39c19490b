// Numbers of a message that name the fault: statuses, error numbers, exit codes, ports that refuse. They are
// told from counts, sizes and ids by their place in the sentence. Part of `ng2` (docs/grouping.md, "Codes").
// Every pattern is linear, and sees one line of at most 2,048 characters.
import { hidden } from './hidden.ts';

/** Behind a status or a code that stands by itself; a noun behind it would make it a count: `404 rows`. */
const nothingCounted =
  '(?=$|\\s*[)\\]}:;,."\'|>\\\\/!?]|\\s+[-\\u2013\\u2014(\\[{<"\']|\\s+(?:[A-Z]|from|while|during|on|at|in|for|when|with|by|and|but|after|of url|received|returned|is not|was|to)(?![a-z]))';
/** What is counted, where a word such as `code` has said already that a code follows. */
const noUnit =
  '(?![\\w%]|[.,]\\d|-\\d| ?(?:of \\d|items?|bytes?|[kmg]b|ms|s|secs?|seconds?|minutes?|hours?|times|errors?|rows?|records?|users?|files?|retries|attempts?|lines?)\\b)';
const httpStatus = '[1-5]\\d\\d';
const separator = '(?:(?: (?:was|is|of|no\\.?|number))?\\s?(?:=>|[:=#([])?\\s?["\'#(]?)';

const reasons =
  "Bad Request|Unauthori[sz]ed|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Auth|Request Time-?out|Conflict|Gone|Length Required|Precondition|Payload Too|Content Too|Request Entity|Request Header|U[Rr][Ii] Too|Unsupported Media|Range Not|Expectation|I'm a teapot|Misdirected|Unprocessable|Locked|Failed Dependency|Too Early|Upgrade Required|Too Many Requests|Unavailable For|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|HTTP Version|Insufficient|Loop Detected|Network Auth|Client Error|Server Error|Moved Permanently|See Other|Temporary Redirect|Permanent Redirect|No Content";

/** Words in front of `code` with which it is a fault's, not a coupon's. */
const codeOf =
  'error|err|exit|exited|status|response|reply|result|return|returned|reason|close|closed|fault|failure|abort|vendor|native|sql|http|rpc|grpc|api|server|curl|exception|termination|signal|stop|disconnect|windows|win32|system|socket|mysql|oracle|with|got|received|and|the|unexpected|os';

const patterns: readonly RegExp[] = [
  // HTTP/1.1 404, HTTP status: 503, HTTP error 500.
  new RegExp(
    `(\\bHTTPS?(?:/\\d(?:\\.\\d)?)?(?:[ _-](?:error|status|response))?(?:[ _-]code)?!?${separator}(?:status)?${separator})(${httpStatus})${noUnit}`,
    'gi',
  ),
  // status code 404, "statusCode": 502, status=503, answered with a status of 500.
  new RegExp(`(\\bstatus[ _-]?code["']?${separator})(\\d{1,5})${noUnit}`, 'gi'),
  new RegExp(`(\\bstatus["']?${separator})(${httpStatus})${nothingCounted}`, 'gi'),
  // exit code 137, error code: -1009, with code 1006, ErrorCode=1400; a code of five digits at most, in hex
  // of eight.
  new RegExp(
    `((?:^|[^\\w\\s]\\s{0,2}|\\b(?:${codeOf})[ _-]?)codes?["']?${separator})(-?\\d{1,5}|-?\\d{9,10}|0x[0-9a-f]{1,8})${noUnit}`,
    'gi',
  ),
  // The same in other languages.
  /((?:エラーコード|错误代码|错误码|오류 코드|код ошибки|fehlercode|fehler(?:-| )code|fehlernummer|statuscode|code d'erreur|código de error|codice (?:di )?errore|código de erro|foutcode|felkod|kod błędu|hata kodu)\s?[:=]?\s?)(-?\d{1,5}|0x[0-9a-f]{1,8})(?![\w.])/giu,
  /(\bcode=["']?)(-?\d{1,5}|0x[0-9a-f]{1,8})(?![\w.])/gi,
  /(\bSQL error:? ?)(-?\d{1,6})(?![\w.])/gi,
  // Which argument of a function is wrong: Argument #1, parameter 2.
  /(\b(?:argument|parameter|arg) ?#?)(\d{1,2})(?![\w.%])/gi,
  // errno 111, [Errno 13], os error 2, WinError 10061, alert number 40, Error Number:1205, SQLCODE=-803.
  new RegExp(
    `(\\b(?:errno|os error|winerror|wsaerror|win32(?:exception| error)?|hresult|osstatus(?: error)?|sqlcode|error number|error no\\.?|alert number|os errno|ret(?:val|urn value)|rc|msg|ddl error|ssl_error|gl error)\\]?${separator})(-?\\d{1,5}|-?\\d{9,10}|0x[0-9a-f]{1,8})${noUnit}`,
    'gi',
  ),
  // exit status 2, exited with 1, non-zero exit status 127, killed by signal 9, status=1/FAILURE.
  new RegExp(
    `(\\b(?:exit(?:ed|s)?(?: with)?(?: status| value)?|terminated with(?: exit)?(?: status)?|signal|SIG)${separator})(-?\\d{1,3}|-?\\d{9,10})${noUnit}`,
    'gi',
  ),
  /(\bstatus=)(\d{1,3})(?=\/[A-Z])/g,
  // error 28: …, error #418, Error (7), ERROR 1062, error -1001.
  new RegExp(
    `(\\b(?:err(?:or)?|fault) ?(?:#|\\(|\\[|nr\\.? )?)(-?\\d{1,5}|0x[0-9a-f]{1,8})${nothingCounted}`,
    'gi',
  ),
  // Error: 404 alone, or said in words behind it.
  new RegExp(`(\\berror: )(${httpStatus})(?=$|[)\\].,;]|:? [A-Z(-])`, 'gi'),
  // GET /api/orders 500, POST https://… - 502.
  new RegExp(
    `(\\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\\b["']? \\S{1,512}(?: [-:=\\u2192>]{1,2})?:? (?:HTTP/[\\d.]{1,3}["']? )?)(${httpStatus})(?!\\d|[.,]\\d)`,
    'g',
  ),
  // 404 Not Found, 503 (Service Unavailable), 404 Client Error: as a title; a number of ours "is not found".
  new RegExp(`(\\b)(${httpStatus})(?=:? \\(?(?:${reasons}))`, 'g'),
  new RegExp(
    `(^|[:([,-]\\s?|\\b(?:error|status|http|got|returned|with|code) )(${httpStatus})(?=:? \\(?(?:${reasons}))`,
    'gi',
  ),
  /(^)(404)(?= page not found)/g,
  // Not found (404), [503].
  /(\()([45]\d\d)(?=\)(?:$|[.:,;]))/g,
  /(\b(?:error|status|response|failed|server|http|request|refused)\b[^()\d]{0,24}\()([1-5]\d\d)(?=\))/gi,
  /(^\[)([45]\d\d)(?=\])/g,
  // SQLSTATE[23000], (SQLSTATE 42P01), SQLState: 08006; the vendor's number behind it.
  /(\bSQL ?STATE ?(?:\[|[:=(] ?|)["']?)((?=\w{0,4}\d)[0-9A-Z]{5})\b/gi,
  /(\bSQLSTATE\[[^\]\s]{1,5}\]:? ?(?:[A-Za-z ]{1,60}: ?)?\[?)(\d{1,5})\b/g,
  // ERROR 1045 (28000), (2006, 'MySQL server has gone away'), (HY000/2002), (13: Permission denied).
  /(\(\s?)((?=\w{0,4}\d)[0-9A-Z]{5}(?:\/\d{1,5})?)(?=\))/g,
  /(\()(\d{3,5})(?=, ?[bu]?["'])/g,
  /(\()(\d{1,3})(?=: [A-Z])/g,
  // ORA-00942, TNS-12541; NG0100:, TS2304:, E11000 at the beginning or behind "error".
  /(\b(?:ORA|PLS|TNS|SP2|RMAN|LRM|KUP|OCI|IMP|EXP|DRG|UDE|UDI|CRS|SQL|DB2|CLSN|JBO|NSS|AADSTS|KB|TF|MSB|LNK|NETSDK)-?)(\d{3,6}[A-Z]?)(?![\w-])/g,
  /(^|\b(?:error|code|warning|fatal|exception|failure)[: (]{1,2}["'([]?|\[)([A-Z]{1,3}\d{3,5})(?=:|\]|\)| [a-z])/gi,
  /(\b(?:error|code)[: (]{1,2}["'([]?)([A-Z]{1,8}[-_]\d{2,6})(?![\w-])/gi,
  // What Windows and Apple's watchdogs put in hex: 0x80070005, 0xC0000005, 0x8badf00d.
  /(?<!\b(?:at|addr|address|pointer|ptr|object|ref|handle|to|from|@|=) ?)()(0x(?:8[0-9a-f]{7}|c0[0-9a-f]{6}|e06d7363|dead10cc|c00010ff|bad22222|baadca11|d00d2bad))(?![0-9a-f])/gi,
  // JSON-RPC -32603, HRESULT as a number.
  /((?:^|[^\w.-]))(-32\d{3}|-214\d{7})(?![\w.])/g,
  // SMTP: 550 5.1.1; gRPC: 14 UNAVAILABLE: …
  /(\b)([245]\d\d[ -][245]\.\d{1,3}\.\d{1,3})(?![\w.])/g,
  /(\b)(\d{1,2})(?= [A-Z]{4,24}(?:_[A-Z]{2,24}){0,3}: )/g,
  // "code": 1062 inside JSON.
  /(["'](?:code|errno|error_?code|status_?code|status|err)["']\s?(?::|=>)\s?["']?)(-?\d{1,5})(?=["',}\s]|$)/gi,
];

/** Sentences in which something answers: there what was returned or got is a status. */
const answering =
  /\b(?:https?|status|response|respond\w*|answer\w*|repl(?:y|ies|ied)|requests?|requested|server|upstream|api|url|fetch\w*|webhook|endpoint|gateway|proxy|get|post|put|delete|patch|download\w*|upload\w*|host|origin|service|backend)\b/i;
const answers: readonly RegExp[] = [
  // returned 404, responded with 500, got a 503 from.
  new RegExp(
    `(\\b(?:returned|returns|responded|responds|answered|answers|replied|replies|got|received|gave|failed|fails|failed with|unexpected(?: response| status| answer| result)?|response|reply)(?: with)?(?: an?)?(?: http)?[: ([]{1,3})([2-5]\\d\\d)${nothingCounted}`,
    'gi',
  ),
];

/** Sentences about connections: only there a port is more than a number. */
const connecting =
  /refused|connect|ECONN|EADDR|EHOST|ENET|ETIMEDOUT|EACCES|unreachable|\bdial\b|listen|\bbind|\bport\b|no route|timed? ?out|\blookup\b|socket|\bhost/i;
const ports: readonly RegExp[] = [
  // Dart says the port of its own side, behind the address of the other.
  /((?<!address = [^,]{1,253}, |\bfrom [^()]{1,253} \()\bport["']?(?: number)?(?: ?[:=#] ?| ))["']?(\d{1,5})(?![\w.])/gi,
  // The other end, not ours: in `a:49152->b:5432` and `from a:49152` the first is anybody's.
  /(?<!\b(?:from|client|by|local|peer):? {1,2}[^\s:]{0,128})((?<![\w.:-])(?:[\w.-]{0,128}[a-z][\w-]{0,63}(?<!\.(?:[cm]?[jt]sx?|php|py|go|rb|java|kt|cpp|[chm]|mm|rs|cs|swift|vue|svelte|html?|pl|ex|exs|scala|dart|sql))|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\]|::1|::|\*):)(\d{2,5})(?![\w.]|:\w|->)/gi,
  /((?<=->)(?:[\w.-]{1,128}|\[[0-9a-f:.]{2,45}\]):)(\d{2,5})(?![\w.]|:\w)/gi,
];

export interface Coded {
  /** The text with its codes hidden from what replaces numbers. */
  readonly text: string;
  /** The codes as they are written, each once, in the order in which they were found. */
  readonly codes: readonly string[];
}

/** Looks for the codes of one line. Nothing is thrown; a line without digits costs nothing. */
export function hideCodes(line: string): Coded {
  if (!/\d/.test(line)) return { text: line, codes: [] };
  const codes = new Set<string>();
  const hide = (_whole: string, before: string, code: string) => {
    codes.add(code.toUpperCase());
    return before + hidden(code.toUpperCase());
  };
  let text = line;
  for (const pattern of patterns) text = text.replace(pattern, hide);
  if (answering.test(line)) for (const pattern of answers) text = text.replace(pattern, hide);
  if (connecting.test(line)) for (const pattern of ports) text = text.replace(pattern, hide);
  return { text, codes: [...codes] };
}

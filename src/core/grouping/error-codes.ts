// Keeps error codes of a message; other numbers are replaced. Every pattern must be linear.
import { protectText } from './protected-text.ts';

const httpStatus = '[1-5]\\d\\d';
/** Failures named by IANA, nginx and Cloudflare, for texts that are less clearly about HTTP. */
const failureStatus =
  '(?:40\\d|41[0-8]|42[1-689]|431|44[049]|45[01]|46[03]|49[4-9]|50[0-8]|51[01]|52[0-7]|530|59[89])';
/** Operating systems, including Windows Sockets. */
const systemCode = '(?:\\d{1,4}|1[0-5]\\d{3})';
/** POSIX, MySQL and its storage engines, libuv, Windows Sockets. */
const errnoCode = '(?:\\d{1,3}|[1-3]0\\d\\d|1[1-9]\\d\\d|40\\d\\d|1[01]\\d{3})';
/** Codes of unknown origin: HTTP, POSIX, Windows, WebSockets, databases. Ids never have a minus sign. */
const anyCode = '(?:-\\d{1,5}|\\d{1,3}|[13]\\d{3}|20\\d\\d|4[01]\\d\\d|1[0-2]\\d{3})';
const byte = '(?:\\d{1,2}|1\\d\\d|2[0-4]\\d|25[0-5])';
/** Decimal Windows statuses, signed or not: NTSTATUS, HRESULT, .NET, DirectX. */
const windowsStatus = '(?:-?(?:1073|2005|214[67])\\d{6}|-?5324[56]\\d{4}|322\\d{7}|376\\d{7})';
/** A byte, or on Windows a status, an unsigned -1, or a code of msiexec or cmd.exe. */
const exitStatus = `(?:-?${byte}|${windowsStatus}|42949\\d{5}|16(?:0[1-9]|1\\d|38|41)|3010|9009|0x(?:[0-9a-f]{8}|[0-9a-f]{1,2}))`;
const sqlState = '(?:0\\w|2[0-9BDF]|3[0-9BDF]|4[0-9A-Z]|5[3-8]|72|F0|H[VWYZ]|IM|P0|S[01]|XX)[0-9A-Z]{3}';
/** Prefixes of compilers, linters and frameworks. After other letters a number is an id unless called a code. */
const toolPrefix = 'E|W|F|TS|CS|BC|FS|NG|NU|CA|IDE|SA|RZ|AL|XA|AH|RC|DEP|LNK|MSB|PGRST';
const codeInOtherLanguages =
  "エラーコード|错误代码|错误码|오류 코드|код ошибки|fehlercode|fehler(?:-| )code|fehlernummer|statuscode|code d'erreur|código de error|codice (?:di )?errore|código de erro|foutcode|felkod|kod błędu|hata kodu";
const reasons =
  "Bad Request|Unauthori[sz]ed|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Auth|Request Time-?out|Conflict|Gone|Length Required|Precondition|Payload Too|Content Too|Request Entity|Request Header|U[Rr][Ii] Too|Unsupported Media|Range Not|Expectation|I'm a teapot|Misdirected|Unprocessable|Locked|Failed Dependency|Too Early|Upgrade Required|Too Many Requests|Unavailable For|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|HTTP Version|Insufficient|Loop Detected|Network Auth|Client Error|Server Error|Moved Permanently|See Other|Temporary Redirect|Permanent Redirect|No Content";
/** Words before `code` that make it an error code, not a coupon code. */
const codeOf =
  'error|err|response|reply|result|return|returned|reason|close|closed|fault|failure|abort|http|rpc|grpc|api|server|curl|exception|termination|signal|stop|disconnect|socket|(?<!\\bexit(?:ed|s)? )with|got|received|unexpected';
/** These may have five-digit codes. */
const codeOfSystem = 'vendor|native|sql|mysql|oracle|windows|win32|system|os';
/** Text after a code: a noun would make the number a count, as in `404 rows`. */
const nothingCounted =
  '(?=$|\\s*[)\\]}:;,."\'|>\\\\/!?]|\\s+[-\\u2013\\u2014(\\[{<"\']|\\s+(?:[A-Z]|from|while|during|on|at|in|for|when|with|by|and|but|after|of url|received|returned|is not|was|to)(?![a-z]))';
/** No unit after a number that a word such as `code` introduces. */
const noUnit =
  '(?![\\w%]|[.,]\\d|-\\d| ?(?:of \\d|items?|bytes?|[kmg]b|ms|s|secs?|seconds?|minutes?|hours?|times|errors?|rows?|records?|users?|files?|retries|attempts?|lines?)\\b)';
const separator = '(?:(?: (?:was|is|of|no\\.?|number))?\\s?(?:=>|[:=#([])?\\s?["\'#(]?)';

type CodePattern = readonly [sign: string, pattern: RegExp];

const codePattern = (sign: string, source: string, flags = 'gi'): CodePattern => [
  sign,
  new RegExp(source, flags),
];

/** Each with a lower-case text that a matching line must contain, which saves most searches. */
const patterns: readonly CodePattern[] = [
  codePattern(
    'http',
    `(\\bHTTPS?(?:/\\d(?:\\.\\d)?)?(?:[ _-](?:error|status|response))?(?:[ _-]code)?!?${separator}(?:status)?${separator})(${httpStatus})${noUnit}`,
  ),
  // status code 404, "statusCode": 502, status=503; 1006 of a WebSocket.
  codePattern('status', `(\\bstatus[ _-]?code["']?${separator})(\\d{1,3}|10[01]\\d|[34]\\d{3})${noUnit}`),
  codePattern('status', `(\\b(?<!\\bexit[ _-])status["']?${separator})(${httpStatus})${nothingCounted}`),
  codePattern('exit', `(\\bexit(?:ed|s)?(?: with)?[ _-]?codes?["']?${separator})(${exitStatus})${noUnit}`),
  // error code: -1009, with code 1006, ErrorCode=1400; vendor code 17002.
  codePattern(
    'code',
    `((?:^|(?:[^\\w\\s-]|\\s-)\\s{0,2}|\\b(?:${codeOf})[ _-]?)codes?["']?${separator})(${anyCode}|${windowsStatus}|0x[0-9a-f]{1,8})${noUnit}`,
  ),
  codePattern(
    'code',
    `(\\b(?:${codeOfSystem})[ _-]?(?:error[ _-]?)?codes?["']?${separator})(-?\\d{1,5})${noUnit}`,
  ),
  codePattern('', `((?:${codeInOtherLanguages})\\s?[:=]?\\s?)(${anyCode}|0x[0-9a-f]{1,8})(?![\\w.])`, 'giu'),
  codePattern('code=', `(\\bcode=["']?)(${anyCode}|0x[0-9a-f]{1,8})(?![\\w.])`),
  ['', /(\b(?:argument|parameter|arg) ?#?)(\d{1,2})(?![\w.%])/gi],
  codePattern(
    'error',
    `(\\b(?:os error|winerror|wsaerror)\\]?${separator})(-?${systemCode}|0x[0-9a-f]{1,8})${noUnit}`,
  ),
  codePattern('errno', `(\\b(?:os )?errno\\]?${separator})(-?${errnoCode}|0x[0-9a-f]{1,8})${noUnit}`),
  codePattern(
    '',
    `(\\b(?:win32(?:exception| error)?|hresult|osstatus(?: error)?|sqlcode|error number|error no\\.?|ddl error|ssl_error|gl error)\\]?${separator})(-?\\d{1,5}|-?\\d{9,10}|0x[0-9a-f]{1,8})${noUnit}`,
  ),
  codePattern(
    'ret',
    `(\\bret(?:val|urn value)${separator})(${anyCode}|-?\\d{9,10}|0x[0-9a-f]{1,8})${noUnit}`,
  ),
  codePattern('', `(\\b(?:rc|alert number)${separator})(-?${byte})${noUnit}`),
  ['msg ', /(\bMsg )(\d{1,5})(?=, Level\b)/gi],
  // exit status 2, exited with 1, killed by signal 9, status=1/FAILURE.
  codePattern(
    '',
    `(\\b(?:exit(?:ed|s)?(?: with(?: exit)?)?(?: status| value)|exit(?:ed|s)? with|terminated with(?: exit)?(?: status)?)${separator})(${exitStatus})${noUnit}`,
  ),
  codePattern('exit', `(\\bexit(?:ed|s)?${separator})(${exitStatus})${nothingCounted}`),
  codePattern('sig', `(\\b(?:signal|SIG)${separator})([1-5]?\\d|6[0-4])${nothingCounted}`),
  ['status=', /(\bstatus=)(\d{1,3})(?=\/[A-Z])/g],
  // cURL error 28, socket error 10061, minified React error #418.
  codePattern('curl error', `(\\bcurl error:? ?[#(]?)(\\d{1,2})${noUnit}`),
  codePattern(
    ' error',
    `(\\b(?:os|system|socket|winsock|windows|win32|posix|libuv|kernel) error:? ?[#(]?)(-?${systemCode})${noUnit}`,
  ),
  codePattern(
    'error',
    `(\\b(?:(?:my|ms|maria|postgre|pl/|t-)?sql(?: server)?|sqlite|mariadb|postgres|oracle|db2|odbc|firebird|db-lib|mongo(?:db)?) (?:general )?error:? ?[#(]?)(-?\\d{1,5})${noUnit}`,
  ),
  codePattern(
    ' error',
    `(\\b(?:minified(?: [\\w-]{1,24}){0,3}|react) error:? ?(?:nr[.:]? ?|#)?)(\\d{1,3})${nothingCounted}`,
  ),
  codePattern(
    ' error',
    `(\\b(?:server|client|response|api|gateway|upstream|status|request|fetch|googleapi) error:? ?[#(]?)(${failureStatus})${nothingCounted}`,
  ),
  codePattern('fault ', `(\\bfault )(${failureStatus}|\\d{1,2}|-32\\d{3})(?=:)`),
  // Error 1062 (23000): …, ERROR: 23505: …, Error 1722: The RPC server.
  codePattern('error ', `((?:^|[:;\\]] )(?:ERROR|Error|error) )(${failureStatus})(?=$|:| [A-Z(-])`, 'g'),
  codePattern(
    'error ',
    `((?:^|[:;\\]] )(?:ERROR|Error|error) )(${systemCode}(?=:? \\(${sqlState}\\))|${anyCode}(?=: [A-Z]))`,
    'g',
  ),
  codePattern('error', `(\\b(?:ERROR|Error|error):? \\S{1,5}:? \\()(${sqlState})(?=\\))`, 'g'),
  codePattern(': ', `(\\b(?:ERROR|FATAL|PANIC): {1,2})(${sqlState})(?=: )`, 'g'),
  codePattern('', `(\\b(?:pq|pgx|postgres(?:ql)?|psql):? (?:error:? )?)(${sqlState})(?!\\w)`, 'g'),
  codePattern('pq: ', `(\\bpq: .{1,1024} \\()(${sqlState})(?=\\)$)`, 'g'),
  [' error ', /(\([\w.-]{1,128} error )(-?\d{1,10})(?=\.?\))/g],
  codePattern('err', `(\\berr(?:or)?:? ?[#([]?)(-\\d{1,5}|0x[0-9a-f]{1,8})${nothingCounted}`),
  codePattern('error: ', `(\\b(?:ERROR|[Ee]rror): )(${failureStatus})(?=$|[)\\].,;]|:? [A-Z(-])`, 'g'),
  // GET /api/orders 500, POST https://… - 502.
  codePattern(
    '',
    `(\\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\\b["']? \\S{1,512}(?: [-:=\\u2192>]{1,2})?:? (?:HTTP/[\\d.]{1,3}["']? )?)(${httpStatus})(?!\\d|[.,]\\d)`,
    'g',
  ),
  // 404 Not Found, 503 (Service Unavailable); not an id that "is not found".
  codePattern('', `(\\b)(${httpStatus})(?=:? \\(?(?:${reasons}))`, 'g'),
  codePattern(
    '',
    `(^|[:([,-]\\s?|\\b(?:error|status|http|got|returned|with|code) )(${httpStatus})(?=:? \\(?(?:${reasons}))`,
  ),
  ['page not found', /(^)(404)(?= page not found)/g],
  codePattern('(', `(\\()(${failureStatus})(?=\\)(?:$|[.:,;]))`, 'g'),
  ['(', /(\b(?:status|response|http)\b[^()\d]{0,24}\()([1-5]\d\d)(?=\))/gi],
  codePattern(
    '(',
    `(\\b(?:error|failed|server|request|refused)\\b[^()\\d]{0,24}\\()(${failureStatus})(?=\\))`,
  ),
  ['[', /(^\[)([45]\d\d)(?=\])/g],
  // SQLSTATE[23000], (SQLSTATE 42P01), SQLState: 08006, and the vendor's number after it.
  ['sql', /(\bSQL ?STATE ?(?:\[|[:=(] ?|)["']?)((?=\w{0,4}\d)[0-9A-Z]{5})\b/gi],
  ['sqlstate[', /(\bSQLSTATE\[[^\]\s]{1,5}\]:? ?(?:[A-Za-z ]{1,60}: ?)?\[?)(\d{1,5})\b/g],
  // ERROR 1045 (28000), (2006, 'MySQL server has gone away'), (HY000/2002), (13: Permission denied).
  codePattern(
    '(',
    `(\\(\\s?)(${sqlState}/\\d{1,5}|(?:HY|IM|HV|P0|XX)[0-9A-Z]{3}|42[A-Z]\\d\\d|0A000)(?=\\))`,
    'g',
  ),
  [
    '(',
    /(\()(\d{3}|[1-3]\d{3}|4[01]\d\d|8[01]\d\d|18\d{3}|200\d\d|40\d{3})(?=, ?[bu]?(?:"[^"\s]{1,64}|'[^'\s]{1,64})\s)/g,
  ],
  ['(', /(\()(\d{1,2}|1[0-3]\d|10\d{3}|110[0-3]\d)(?=: [A-Z])/g],
  // ORA-00942, TNS-12541, SQL0803N, AADSTS50011.
  ['-', /(\b(?:ORA|PLS|TNS|RMAN|LRM|KUP|OCI|UDE|UDI|JBO|NSS)-)(\d{5})(?![\w-])/g],
  ['-', /(\b(?:EXP|IMP|DRG)-)(00\d{3}|1\d{4}(?=:))(?![\w-])/g],
  ['-', /(\b(?:SP2|CRS|CLSN|DPY|DPI)-)(\d{4,5})(?![\w-])/g],
  [
    '',
    /(\b(?:SQL(?=\d{4,5}[A-Z])|AADSTS(?=\d{5,7}\b)|KB(?=\d{6,7}\b)|TF(?=\d{5,6}\b)|(?:LNK|MSB|NETSDK)(?=\d{4}\b)))(\d{4,7}[A-Z]?)(?![\w-])/g,
  ],
  // NG0100:, [DEP0005], TS2304:, E11000.
  codePattern(
    '',
    `(^|\\b(?:[Ee]rror|ERROR|[Cc]ode|[Ww]arning|WARNING|[Ff]atal|FATAL|[Ee]xception|[Ff]ailure)(?:[: (]{1,2}["'([]?|\\[)|^\\[|[:;] \\[?)((?:${toolPrefix})\\d{3,5})(?=:|\\]|\\)|$)`,
    'g',
  ),
  codePattern(
    '',
    `(^|\\b(?:[Ee]rror|ERROR|[Cc]ode|[Ww]arning|[Ff]atal)[: (]{1,2})(E\\d{3,5}|(?<=\\w[: (]{1,2})(?:${toolPrefix})\\d{3,5})(?= [a-z])`,
    'g',
  ),
  [
    '',
    /(\b(?:[Cc]ode[:=]? ?["'([]?|(?:[Ee]rror|ERROR|[Ww]arning)\[))([A-Z]{1,8}[-_]?\d{2,5})(?=:|\]|\)|["',;]|$)/g,
  ],
  ['', /(\b(?:error|warning) )([CDPR]\d{4})(?=: )/g],
  // Hexadecimal codes of Windows and Apple watchdogs: 0x80070005, 0xC0000005, 0x8badf00d.
  [
    '0x',
    /(?<!\b(?:at|addr|address|pointer|ptr|object|ref|handle|to|from|@|=) ?)()(0x(?:8[0-9a-f]{7}|c0[0-9a-f]{6}|e06d7363|dead10cc|c00010ff|bad22222|baadca11|d00d2bad))(?![0-9a-f])/gi,
  ],
  ['-', /((?:^|[^\w.-]))(-32\d{3}|-214\d{7})(?![\w.])/g],
  // SMTP: 550 5.1.1; gRPC: 14 UNAVAILABLE: …
  ['.', /(\b)([245]\d\d[ -][245]\.\d{1,3}\.\d{1,3})(?![\w.])/g],
  [
    ': ',
    /(\b)(\d{1,2})(?= (?:CANCELLED|UNKNOWN|INVALID_ARGUMENT|DEADLINE_EXCEEDED|NOT_FOUND|ALREADY_EXISTS|PERMISSION_DENIED|RESOURCE_EXHAUSTED|FAILED_PRECONDITION|ABORTED|OUT_OF_RANGE|UNIMPLEMENTED|INTERNAL|UNAVAILABLE|DATA_LOSS|UNAUTHENTICATED): )/g,
  ],
  codePattern('', `(["'](?:code|errno|error_?code|err)["']\\s?(?::|=>)\\s?["']?)(${anyCode})(?=["',}\\s]|$)`),
  ['status', /(["']status(?:_?code)?["']\s?(?::|=>)\s?["']?)(-?\d{1,3})(?=["',}\s]|$)/gi],
];

/** In a sentence about a response, a number that was returned or received is a status. */
const answering =
  /\b(?:https?|status|response|respond\w*|answer\w*|repl(?:y|ies|ied)|requests?|requested|server|upstream|api|url|fetch\w*|webhook|endpoint|gateway|proxy|get|post|put|delete|patch|download\w*|upload\w*|host|origin|service|backend)\b/i;
const answers: readonly RegExp[] = [
  new RegExp(
    `(\\b(?:returned|returns|responded|responds|answered|answers|replied|replies|got|received|gave|failed|fails|failed with|unexpected(?: response| status| answer| result)?|response|reply)(?: with)?(?: an?)?(?: http)?[: ([]{1,3})(${failureStatus}|20[0-8]|30[0-8]|45[0-5]|53[05]|55[0-4])${nothingCounted}`,
    'gi',
  ),
];

/** Only in a sentence about connections is a port kept. */
const connecting =
  /refused|connect|ECONN|EADDR|EHOST|ENET|ETIMEDOUT|EACCES|unreachable|\bdial\b|listen|\bbind|\bport\b|no route|timed? ?out|\blookup\b|socket|\bhost/i;
const ports: readonly RegExp[] = [
  // Dart puts the local port after the remote address.
  /((?<!address = [^,]{1,253}, |\bfrom [^()]{1,253} \()\bport["']?(?: number)?(?: ?[:=#] ?| ))["']?(\d{1,5})(?![\w.])/gi,
  // The remote port; the local port in `a:49152->b:5432` and `from a:49152` is random.
  /(?<!\b(?:from|client|by|local|peer):? {1,2}[^\s:]{0,128})((?<![\w.:-])(?:[\w.-]{0,128}[a-z][\w-]{0,63}(?<!\.(?:[cm]?[jt]sx?|php|py|go|rb|java|kt|cpp|[chm]|mm|rs|cs|swift|vue|svelte|html?|pl|ex|exs|scala|dart|sql))|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]{2,45}\]|::1|::|\*):)(\d{2,5})(?![\w.]|:\w|->)/gi,
  /((?<=->)(?:[\w.-]{1,128}|\[[0-9a-f:.]{2,45}\]):)(\d{2,5})(?![\w.]|:\w)/gi,
];

export interface TextWithCodes {
  /** The codes are encoded, so that later replacements of numbers skip them. */
  readonly text: string;
  readonly codes: readonly string[];
}

export function protectCodes(line: string): TextWithCodes {
  if (!/\d/.test(line)) return { text: line, codes: [] };
  const codes = new Set<string>();
  const hide = (_whole: string, before: string, code: string) => {
    codes.add(code.toUpperCase());
    return before + protectText(code.toUpperCase());
  };
  let text = line;
  const small = line.toLowerCase();
  for (const [sign, pattern] of patterns) if (small.includes(sign)) text = text.replace(pattern, hide);
  if (answering.test(line)) for (const pattern of answers) text = text.replace(pattern, hide);
  if (connecting.test(line)) for (const pattern of ports) text = text.replace(pattern, hide);
  return { text, codes: [...codes] };
}

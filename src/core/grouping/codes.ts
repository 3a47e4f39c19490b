// Numbers of a message that name the fault: statuses, error numbers, exit codes, ports that refuse. They are
// told from counts, sizes and ids by how they are written, and by the range of the codes that are written so.
// Part of `ng2` (docs/grouping.md, "Codes").
// Every pattern is linear, and sees one line of at most 2,048 characters.
import { hidden } from './hidden.ts';

/** Any status of HTTP. */
const httpStatus = '[1-5]\\d\\d';
/** Failures that IANA, nginx and Cloudflare have named: asked for where less says that it is a status. */
const failureStatus =
  '(?:40\\d|41[0-8]|42[1-689]|431|44[049]|45[01]|46[03]|49[4-9]|50[0-8]|51[01]|52[0-7]|530|59[89])';
/** Error numbers of operating systems, Windows Sockets among them. */
const systemCode = '(?:\\d{1,4}|1[0-5]\\d{3})';
/** POSIX, storage engines of MySQL, MySQL itself, libuv, Windows Sockets. */
const errnoCode = '(?:\\d{1,3}|[1-3]0\\d\\d|1[1-9]\\d\\d|40\\d\\d|1[01]\\d{3})';
/**
 * Where nothing says whose code it is: the numbers of HTTP, POSIX, Windows, WebSockets and databases. No id
 * has a sign.
 */
const anyCode = '(?:-\\d{1,5}|\\d{1,3}|[13]\\d{3}|20\\d\\d|4[01]\\d\\d|1[0-2]\\d{3})';
/** 0 to 255. */
const byte = '(?:\\d{1,2}|1\\d\\d|2[0-4]\\d|25[0-5])';
/** How Windows writes statuses in decimals, with and without a sign: NTSTATUS, HRESULT, .NET, DirectX. */
const windowsStatus = '(?:-?(?:1073|2005|214[67])\\d{6}|-?5324[56]\\d{4}|322\\d{7}|376\\d{7})';
/** A byte; on Windows a status, -1 without its sign, or what msiexec and cmd.exe end with. */
const exitStatus = `(?:-?${byte}|${windowsStatus}|42949\\d{5}|16(?:0[1-9]|1\\d|38|41)|3010|9009|0x(?:[0-9a-f]{8}|[0-9a-f]{1,2}))`;
/** SQLSTATE, by the classes that SQL and databases have. */
const sqlState = '(?:0\\w|2[0-9BDF]|3[0-9BDF]|4[0-9A-Z]|5[3-8]|72|F0|H[VWYZ]|IM|P0|S[01]|XX)[0-9A-Z]{3}';
/**
 * Letters that compilers, linters and frameworks put in front of their numbers: of any other letters a number
 * is an id, unless it is said to be a code.
 */
const toolPrefix = 'E|W|F|TS|CS|BC|FS|NG|NU|CA|IDE|SA|RZ|AL|XA|AH|RC|DEP|LNK|MSB|PGRST';
/** "error code" in other languages. */
const codeInOtherLanguages =
  "エラーコード|错误代码|错误码|오류 코드|код ошибки|fehlercode|fehler(?:-| )code|fehlernummer|statuscode|code d'erreur|código de error|codice (?:di )?errore|código de erro|foutcode|felkod|kod błędu|hata kodu";
/** What HTTP says behind its statuses, by the first words. */
const reasons =
  "Bad Request|Unauthori[sz]ed|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Auth|Request Time-?out|Conflict|Gone|Length Required|Precondition|Payload Too|Content Too|Request Entity|Request Header|U[Rr][Ii] Too|Unsupported Media|Range Not|Expectation|I'm a teapot|Misdirected|Unprocessable|Locked|Failed Dependency|Too Early|Upgrade Required|Too Many Requests|Unavailable For|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|HTTP Version|Insufficient|Loop Detected|Network Auth|Client Error|Server Error|Moved Permanently|See Other|Temporary Redirect|Permanent Redirect|No Content";
/** Words in front of `code` with which it is a fault's, not a coupon's. */
const codeOf =
  'error|err|response|reply|result|return|returned|reason|close|closed|fault|failure|abort|http|rpc|grpc|api|server|curl|exception|termination|signal|stop|disconnect|socket|(?<!\\bexit(?:ed|s)? )with|got|received|unexpected';
/** Whose codes may have five digits. */
const codeOfSystem = 'vendor|native|sql|mysql|oracle|windows|win32|system|os';
/** Behind a status or a code that stands by itself; a noun behind it would make it a count: `404 rows`. */
const nothingCounted =
  '(?=$|\\s*[)\\]}:;,."\'|>\\\\/!?]|\\s+[-\\u2013\\u2014(\\[{<"\']|\\s+(?:[A-Z]|from|while|during|on|at|in|for|when|with|by|and|but|after|of url|received|returned|is not|was|to)(?![a-z]))';
/** What is counted, where a word such as `code` has said already that a code follows. */
const noUnit =
  '(?![\\w%]|[.,]\\d|-\\d| ?(?:of \\d|items?|bytes?|[kmg]b|ms|s|secs?|seconds?|minutes?|hours?|times|errors?|rows?|records?|users?|files?|retries|attempts?|lines?)\\b)';
/** Between a word and its code: `: `, ` was `, `="`. */
const separator = '(?:(?: (?:was|is|of|no\\.?|number))?\\s?(?:=>|[:=#([])?\\s?["\'#(]?)';

/** Each with what a line in small letters holds where it can match: most lines spare most of the searches. */
const patterns: ReadonlyArray<readonly [sign: string, pattern: RegExp]> = [
  // HTTP/1.1 404, HTTP status: 503, HTTP error 500.
  [
    'http',
    new RegExp(
      `(\\bHTTPS?(?:/\\d(?:\\.\\d)?)?(?:[ _-](?:error|status|response))?(?:[ _-]code)?!?${separator}(?:status)?${separator})(${httpStatus})${noUnit}`,
      'gi',
    ),
  ],
  // status code 404, "statusCode": 502, status=503, answered with a status of 500; 1006 of a WebSocket.
  [
    'status',
    new RegExp(`(\\bstatus[ _-]?code["']?${separator})(\\d{1,3}|10[01]\\d|[34]\\d{3})${noUnit}`, 'gi'),
  ],
  [
    'status',
    new RegExp(`(\\b(?<!\\bexit[ _-])status["']?${separator})(${httpStatus})${nothingCounted}`, 'gi'),
  ],
  // exit code 137.
  [
    'exit',
    new RegExp(`(\\bexit(?:ed|s)?(?: with)?[ _-]?codes?["']?${separator})(${exitStatus})${noUnit}`, 'gi'),
  ],
  // error code: -1009, with code 1006, ErrorCode=1400; vendor code 17002.
  [
    'code',
    new RegExp(
      `((?:^|(?:[^\\w\\s-]|\\s-)\\s{0,2}|\\b(?:${codeOf})[ _-]?)codes?["']?${separator})(${anyCode}|${windowsStatus}|0x[0-9a-f]{1,8})${noUnit}`,
      'gi',
    ),
  ],
  [
    'code',
    new RegExp(
      `(\\b(?:${codeOfSystem})[ _-]?(?:error[ _-]?)?codes?["']?${separator})(-?\\d{1,5})${noUnit}`,
      'gi',
    ),
  ],
  // The same in other languages.
  ['', new RegExp(`((?:${codeInOtherLanguages})\\s?[:=]?\\s?)(${anyCode}|0x[0-9a-f]{1,8})(?![\\w.])`, 'giu')],
  ['code=', new RegExp(`(\\bcode=["']?)(${anyCode}|0x[0-9a-f]{1,8})(?![\\w.])`, 'gi')],
  // Which argument of a function is wrong: Argument #1, parameter 2.
  ['', /(\b(?:argument|parameter|arg) ?#?)(\d{1,2})(?![\w.%])/gi],
  // errno 111, [Errno 13], os error 2, WinError 10061, alert number 40, Error Number:1205, SQLCODE=-803.
  [
    'error',
    new RegExp(
      `(\\b(?:os error|winerror|wsaerror)\\]?${separator})(-?${systemCode}|0x[0-9a-f]{1,8})${noUnit}`,
      'gi',
    ),
  ],
  ['errno', new RegExp(`(\\b(?:os )?errno\\]?${separator})(-?${errnoCode}|0x[0-9a-f]{1,8})${noUnit}`, 'gi')],
  [
    '',
    new RegExp(
      `(\\b(?:win32(?:exception| error)?|hresult|osstatus(?: error)?|sqlcode|error number|error no\\.?|ddl error|ssl_error|gl error)\\]?${separator})(-?\\d{1,5}|-?\\d{9,10}|0x[0-9a-f]{1,8})${noUnit}`,
      'gi',
    ),
  ],
  [
    'ret',
    new RegExp(
      `(\\bret(?:val|urn value)${separator})(${anyCode}|-?\\d{9,10}|0x[0-9a-f]{1,8})${noUnit}`,
      'gi',
    ),
  ],
  ['', new RegExp(`(\\b(?:rc|alert number)${separator})(-?${byte})${noUnit}`, 'gi')],
  // SQL Server: Msg 547, Level 16, State 0.
  ['msg ', /(\bMsg )(\d{1,5})(?=, Level\b)/gi],
  // exit status 2, exited with 1, non-zero exit status 127, killed by signal 9, status=1/FAILURE.
  [
    '',
    new RegExp(
      `(\\b(?:exit(?:ed|s)?(?: with(?: exit)?)?(?: status| value)|exit(?:ed|s)? with|terminated with(?: exit)?(?: status)?)${separator})(${exitStatus})${noUnit}`,
      'gi',
    ),
  ],
  ['exit', new RegExp(`(\\bexit(?:ed|s)?${separator})(${exitStatus})${nothingCounted}`, 'gi')],
  ['sig', new RegExp(`(\\b(?:signal|SIG)${separator})([1-5]?\\d|6[0-4])${nothingCounted}`, 'gi')],
  ['status=', /(\bstatus=)(\d{1,3})(?=\/[A-Z])/g],
  // Whose number it is stands in front: cURL error 28, socket error 10061, minified React error #418.
  ['curl error', new RegExp(`(\\bcurl error:? ?[#(]?)(\\d{1,2})${noUnit}`, 'gi')],
  [
    ' error',
    new RegExp(
      `(\\b(?:os|system|socket|winsock|windows|win32|posix|libuv|kernel) error:? ?[#(]?)(-?${systemCode})${noUnit}`,
      'gi',
    ),
  ],
  [
    'error',
    new RegExp(
      `(\\b(?:(?:my|ms|maria|postgre|pl/|t-)?sql(?: server)?|sqlite|mariadb|postgres|oracle|db2|odbc|firebird|db-lib|mongo(?:db)?) (?:general )?error:? ?[#(]?)(-?\\d{1,5})${noUnit}`,
      'gi',
    ),
  ],
  [
    ' error',
    new RegExp(
      `(\\b(?:minified(?: [\\w-]{1,24}){0,3}|react) error:? ?(?:nr[.:]? ?|#)?)(\\d{1,3})${nothingCounted}`,
      'gi',
    ),
  ],
  [
    ' error',
    new RegExp(
      `(\\b(?:server|client|response|api|gateway|upstream|status|request|fetch|googleapi) error:? ?[#(]?)(${failureStatus})${nothingCounted}`,
      'gi',
    ),
  ],
  ['fault ', new RegExp(`(\\bfault )(${failureStatus}|\\d{1,2}|-32\\d{3})(?=:)`, 'gi')],
  // As the title of a sentence: Error 1062 (23000): …, ERROR: 23505: …, Error 1722: The RPC server.
  ['error ', new RegExp(`((?:^|[:;\\]] )(?:ERROR|Error|error) )(${failureStatus})(?=$|:| [A-Z(-])`, 'g')],
  [
    'error ',
    new RegExp(
      `((?:^|[:;\\]] )(?:ERROR|Error|error) )(${systemCode}(?=:? \\(${sqlState}\\))|${anyCode}(?=: [A-Z]))`,
      'g',
    ),
  ],
  ['error', new RegExp(`(\\b(?:ERROR|Error|error):? \\S{1,5}:? \\()(${sqlState})(?=\\))`, 'g')],
  [': ', new RegExp(`(\\b(?:ERROR|FATAL|PANIC): {1,2})(${sqlState})(?=: )`, 'g')],
  ['', new RegExp(`(\\b(?:pq|pgx|postgres(?:ql)?|psql):? (?:error:? )?)(${sqlState})(?!\\w)`, 'g')],
  ['pq: ', new RegExp(`(\\bpq: .{1,1024} \\()(${sqlState})(?=\\)$)`, 'g')],
  // An NSError is "(its domain error 1.)"; no id has a sign or is in hex.
  [' error ', /(\([\w.-]{1,128} error )(-?\d{1,10})(?=\.?\))/g],
  ['err', new RegExp(`(\\berr(?:or)?:? ?[#([]?)(-\\d{1,5}|0x[0-9a-f]{1,8})${nothingCounted}`, 'gi')],
  // Error: 404 alone, or said in words behind it.
  ['error: ', new RegExp(`(\\b(?:ERROR|[Ee]rror): )(${failureStatus})(?=$|[)\\].,;]|:? [A-Z(-])`, 'g')],
  // GET /api/orders 500, POST https://… - 502.
  [
    '',
    new RegExp(
      `(\\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\\b["']? \\S{1,512}(?: [-:=\\u2192>]{1,2})?:? (?:HTTP/[\\d.]{1,3}["']? )?)(${httpStatus})(?!\\d|[.,]\\d)`,
      'g',
    ),
  ],
  // 404 Not Found, 503 (Service Unavailable), 404 Client Error: as a title; a number of ours "is not found".
  ['', new RegExp(`(\\b)(${httpStatus})(?=:? \\(?(?:${reasons}))`, 'g')],
  [
    '',
    new RegExp(
      `(^|[:([,-]\\s?|\\b(?:error|status|http|got|returned|with|code) )(${httpStatus})(?=:? \\(?(?:${reasons}))`,
      'gi',
    ),
  ],
  ['page not found', /(^)(404)(?= page not found)/g],
  // Not found (404), [503].
  ['(', new RegExp(`(\\()(${failureStatus})(?=\\)(?:$|[.:,;]))`, 'g')],
  ['(', /(\b(?:status|response|http)\b[^()\d]{0,24}\()([1-5]\d\d)(?=\))/gi],
  [
    '(',
    new RegExp(
      `(\\b(?:error|failed|server|request|refused)\\b[^()\\d]{0,24}\\()(${failureStatus})(?=\\))`,
      'gi',
    ),
  ],
  ['[', /(^\[)([45]\d\d)(?=\])/g],
  // SQLSTATE[23000], (SQLSTATE 42P01), SQLState: 08006; the vendor's number behind it.
  ['sql', /(\bSQL ?STATE ?(?:\[|[:=(] ?|)["']?)((?=\w{0,4}\d)[0-9A-Z]{5})\b/gi],
  ['sqlstate[', /(\bSQLSTATE\[[^\]\s]{1,5}\]:? ?(?:[A-Za-z ]{1,60}: ?)?\[?)(\d{1,5})\b/g],
  // ERROR 1045 (28000), (2006, 'MySQL server has gone away'), (HY000/2002), (13: Permission denied).
  [
    '(',
    new RegExp(
      `(\\(\\s?)(${sqlState}/\\d{1,5}|(?:HY|IM|HV|P0|XX)[0-9A-Z]{3}|42[A-Z]\\d\\d|0A000)(?=\\))`,
      'g',
    ),
  ],
  [
    '(',
    /(\()(\d{3}|[1-3]\d{3}|4[01]\d\d|8[01]\d\d|18\d{3}|200\d\d|40\d{3})(?=, ?[bu]?(?:"[^"\s]{1,64}|'[^'\s]{1,64})\s)/g,
  ],
  ['(', /(\()(\d{1,2}|1[0-3]\d|10\d{3}|110[0-3]\d)(?=: [A-Z])/g],
  // ORA-00942, TNS-12541, SQL0803N, AADSTS50011, wherever they stand, with as many digits as these have.
  ['-', /(\b(?:ORA|PLS|TNS|RMAN|LRM|KUP|OCI|UDE|UDI|JBO|NSS)-)(\d{5})(?![\w-])/g],
  ['-', /(\b(?:EXP|IMP|DRG)-)(00\d{3}|1\d{4}(?=:))(?![\w-])/g],
  ['-', /(\b(?:SP2|CRS|CLSN|DPY|DPI)-)(\d{4,5})(?![\w-])/g],
  [
    '',
    /(\b(?:SQL(?=\d{4,5}[A-Z])|AADSTS(?=\d{5,7}\b)|KB(?=\d{6,7}\b)|TF(?=\d{5,6}\b)|(?:LNK|MSB|NETSDK)(?=\d{4}\b)))(\d{4,7}[A-Z]?)(?![\w-])/g,
  ],
  // NG0100:, [DEP0005], TS2304:, E11000 at the beginning or behind "error".
  [
    '',
    new RegExp(
      `(^|\\b(?:[Ee]rror|ERROR|[Cc]ode|[Ww]arning|WARNING|[Ff]atal|FATAL|[Ee]xception|[Ff]ailure)(?:[: (]{1,2}["'([]?|\\[)|^\\[|[:;] \\[?)((?:${toolPrefix})\\d{3,5})(?=:|\\]|\\)|$)`,
      'g',
    ),
  ],
  [
    '',
    new RegExp(
      `(^|\\b(?:[Ee]rror|ERROR|[Cc]ode|[Ww]arning|[Ff]atal)[: (]{1,2})(E\\d{3,5}|(?<=\\w[: (]{1,2})(?:${toolPrefix})\\d{3,5})(?= [a-z])`,
      'g',
    ),
  ],
  // Any letters where it is said: error code: QX1234, error[AB123], error C2065: of a compiler.
  [
    '',
    /(\b(?:[Cc]ode[:=]? ?["'([]?|(?:[Ee]rror|ERROR|[Ww]arning)\[))([A-Z]{1,8}[-_]?\d{2,5})(?=:|\]|\)|["',;]|$)/g,
  ],
  ['', /(\b(?:error|warning) )([CDPR]\d{4})(?=: )/g],
  // What Windows and Apple's watchdogs put in hex: 0x80070005, 0xC0000005, 0x8badf00d.
  [
    '0x',
    /(?<!\b(?:at|addr|address|pointer|ptr|object|ref|handle|to|from|@|=) ?)()(0x(?:8[0-9a-f]{7}|c0[0-9a-f]{6}|e06d7363|dead10cc|c00010ff|bad22222|baadca11|d00d2bad))(?![0-9a-f])/gi,
  ],
  // JSON-RPC -32603, HRESULT as a number.
  ['-', /((?:^|[^\w.-]))(-32\d{3}|-214\d{7})(?![\w.])/g],
  // SMTP: 550 5.1.1; gRPC: 14 UNAVAILABLE: …
  ['.', /(\b)([245]\d\d[ -][245]\.\d{1,3}\.\d{1,3})(?![\w.])/g],
  [
    ': ',
    /(\b)(\d{1,2})(?= (?:CANCELLED|UNKNOWN|INVALID_ARGUMENT|DEADLINE_EXCEEDED|NOT_FOUND|ALREADY_EXISTS|PERMISSION_DENIED|RESOURCE_EXHAUSTED|FAILED_PRECONDITION|ABORTED|OUT_OF_RANGE|UNIMPLEMENTED|INTERNAL|UNAVAILABLE|DATA_LOSS|UNAUTHENTICATED): )/g,
  ],
  // "code": 1062 inside JSON.
  [
    '',
    new RegExp(
      `(["'](?:code|errno|error_?code|err)["']\\s?(?::|=>)\\s?["']?)(${anyCode})(?=["',}\\s]|$)`,
      'gi',
    ),
  ],
  ['status', /(["']status(?:_?code)?["']\s?(?::|=>)\s?["']?)(-?\d{1,3})(?=["',}\s]|$)/gi],
];

/** Sentences in which something answers: there what was returned or got is a status. */
const answering =
  /\b(?:https?|status|response|respond\w*|answer\w*|repl(?:y|ies|ied)|requests?|requested|server|upstream|api|url|fetch\w*|webhook|endpoint|gateway|proxy|get|post|put|delete|patch|download\w*|upload\w*|host|origin|service|backend)\b/i;
const answers: readonly RegExp[] = [
  // returned 404, responded with 500, got a 503 from.
  new RegExp(
    `(\\b(?:returned|returns|responded|responds|answered|answers|replied|replies|got|received|gave|failed|fails|failed with|unexpected(?: response| status| answer| result)?|response|reply)(?: with)?(?: an?)?(?: http)?[: ([]{1,3})(${failureStatus}|20[0-8]|30[0-8]|45[0-5]|53[05]|55[0-4])${nothingCounted}`,
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
  const small = line.toLowerCase();
  for (const [sign, pattern] of patterns) if (small.includes(sign)) text = text.replace(pattern, hide);
  if (answering.test(line)) for (const pattern of answers) text = text.replace(pattern, hide);
  if (connecting.test(line)) for (const pattern of ports) text = text.replace(pattern, hide);
  return { text, codes: [...codes] };
}

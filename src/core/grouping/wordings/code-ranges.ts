// Where the numbers of codes lie, and the words around them, as parts of the patterns of ../codes.ts. Part of
// `ng2` (docs/grouping.md, "Codes").

/** Any status of HTTP. */
export const httpStatus = '[1-5]\\d\\d';
/** Failures that IANA, nginx and Cloudflare have named: asked for where less says that it is a status. */
export const failureStatus =
  '(?:40\\d|41[0-8]|42[1-689]|431|44[049]|45[01]|46[03]|49[4-9]|50[0-8]|51[01]|52[0-7]|530|59[89])';
/** Error numbers of operating systems, Windows Sockets among them. */
export const systemCode = '(?:\\d{1,4}|1[0-5]\\d{3})';
/** POSIX, storage engines of MySQL, MySQL itself, libuv, Windows Sockets. */
export const errnoCode = '(?:\\d{1,3}|[1-3]0\\d\\d|1[1-9]\\d\\d|40\\d\\d|1[01]\\d{3})';
/**
 * Where nothing says whose code it is: the numbers of HTTP, POSIX, Windows, WebSockets and databases. No id
 * has a sign.
 */
export const anyCode = '(?:-\\d{1,5}|\\d{1,3}|[13]\\d{3}|20\\d\\d|4[01]\\d\\d|1[0-2]\\d{3})';
/** 0 to 255. */
export const byte = '(?:\\d{1,2}|1\\d\\d|2[0-4]\\d|25[0-5])';
/** How Windows writes statuses in decimals, with and without a sign: NTSTATUS, HRESULT, .NET, DirectX. */
export const windowsStatus = '(?:-?(?:1073|2005|214[67])\\d{6}|-?5324[56]\\d{4}|322\\d{7}|376\\d{7})';
/** A byte; on Windows a status, -1 without its sign, or what msiexec and cmd.exe end with. */
export const exitStatus = `(?:-?${byte}|${windowsStatus}|42949\\d{5}|16(?:0[1-9]|1\\d|38|41)|3010|9009|0x(?:[0-9a-f]{8}|[0-9a-f]{1,2}))`;
/** SQLSTATE, by the classes that SQL and databases have. */
export const sqlState =
  '(?:0\\w|2[0-9BDF]|3[0-9BDF]|4[0-9A-Z]|5[3-8]|72|F0|H[VWYZ]|IM|P0|S[01]|XX)[0-9A-Z]{3}';
/**
 * Letters that compilers, linters and frameworks put in front of their numbers: of any other letters a number
 * is an id, unless it is said to be a code.
 */
export const toolPrefix = 'E|W|F|TS|CS|BC|FS|NG|NU|CA|IDE|SA|RZ|AL|XA|AH|RC|DEP|LNK|MSB|PGRST';
/** "error code" in other languages. */
export const codeInOtherLanguages =
  "エラーコード|错误代码|错误码|오류 코드|код ошибки|fehlercode|fehler(?:-| )code|fehlernummer|statuscode|code d'erreur|código de error|codice (?:di )?errore|código de erro|foutcode|felkod|kod błędu|hata kodu";
/** What HTTP says behind its statuses, by the first words. */
export const reasons =
  "Bad Request|Unauthori[sz]ed|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Auth|Request Time-?out|Conflict|Gone|Length Required|Precondition|Payload Too|Content Too|Request Entity|Request Header|U[Rr][Ii] Too|Unsupported Media|Range Not|Expectation|I'm a teapot|Misdirected|Unprocessable|Locked|Failed Dependency|Too Early|Upgrade Required|Too Many Requests|Unavailable For|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|HTTP Version|Insufficient|Loop Detected|Network Auth|Client Error|Server Error|Moved Permanently|See Other|Temporary Redirect|Permanent Redirect|No Content";
/** Words in front of `code` with which it is a fault's, not a coupon's. */
export const codeOf =
  'error|err|response|reply|result|return|returned|reason|close|closed|fault|failure|abort|http|rpc|grpc|api|server|curl|exception|termination|signal|stop|disconnect|socket|(?<!\\bexit(?:ed|s)? )with|got|received|unexpected';
/** Whose codes may have five digits. */
export const codeOfSystem = 'vendor|native|sql|mysql|oracle|windows|win32|system|os';
/** Behind a status or a code that stands by itself; a noun behind it would make it a count: `404 rows`. */
export const nothingCounted =
  '(?=$|\\s*[)\\]}:;,."\'|>\\\\/!?]|\\s+[-\\u2013\\u2014(\\[{<"\']|\\s+(?:[A-Z]|from|while|during|on|at|in|for|when|with|by|and|but|after|of url|received|returned|is not|was|to)(?![a-z]))';
/** What is counted, where a word such as `code` has said already that a code follows. */
export const noUnit =
  '(?![\\w%]|[.,]\\d|-\\d| ?(?:of \\d|items?|bytes?|[kmg]b|ms|s|secs?|seconds?|minutes?|hours?|times|errors?|rows?|records?|users?|files?|retries|attempts?|lines?)\\b)';
/** Between a word and its code: `: `, ` was `, `="`. */
export const separator = '(?:(?: (?:was|is|of|no\\.?|number))?\\s?(?:=>|[:=#([])?\\s?["\'#(]?)';

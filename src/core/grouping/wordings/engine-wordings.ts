// After MDN's JavaScript error reference (V8, SpiderMonkey, JavaScriptCore). Patterns are anchored, bounded.
import { runtimeWordings } from './runtime-wordings.ts';
import { sourceWordings } from './source-wordings.ts';

const domMembers: ReadonlyArray<readonly [RegExp, (of: string, member: string) => string]> = [
  [/^failed to execute '([\w$]{1,64})' on '([\w$]{1,64})': /i, (member, of) => `${of}.${member}`],
  [/^failed to construct '([\w$]{1,64})': /i, (of) => `new ${of}`],
  [
    /^failed to set the '([\w$]{1,64})' property on '([\w$]{1,64})': /i,
    (member, of) => `set ${of}.${member}`,
  ],
  [
    /^failed to read the '([\w$]{1,64})' property from '([\w$]{1,64})': /i,
    (member, of) => `get ${of}.${member}`,
  ],
  [/^([A-Z][\w$]{1,64}) constructor: /, (of) => `new ${of}`],
  [/^([A-Z][\w$]{1,64})\.([\w$]{1,64}) setter: /, (of, member) => `set ${of}.${member}`],
  [/^([A-Z][\w$]{1,64})\.([\w$]{1,64}) getter: /, (of, member) => `get ${of}.${member}`],
  [/^([A-Z][\w$]{1,64})\.([a-z][\w$]{1,64}): /, (of, member) => `${of}.${member}`],
  [
    /^(?=argument \d{1,2} )argument \d{1,2} of ([A-Z][\w$]{1,64})\.([\w$]{1,64}) /i,
    (of, member) => `${of}.${member}`,
  ],
  [
    /^argument \d{1,2} \(.{1,128}\) to ([A-Z][\w$]{1,64})\.([\w$]{1,64}) /i,
    (of, member) => `${of}.${member}`,
  ],
];

const domReasons: ReadonlyArray<readonly [RegExp, string]> = [
  [/illegal invocation/i, 'called on another object'],
  [
    /parameter \d{1,2} is not |argument \d{1,2} (?:is not|does not implement|\(.{1,128}\) to|could not be converted|can't be converted)|argument \d{1,2} of [\w.]{1,128} (?:is not|does not)|must be an instance of/i,
    'argument of another type',
  ],
  [/arguments? required|not enough arguments/i, 'too few arguments'],
  [/invalid url|valid url|parse url|url is invalid|be parsed as a url/i, 'invalid url'],
  [/overload resolution failed|valid for any of the \d{1,2}-argument overloads/i, 'argument of another type'],
  [/is not a valid selector/i, 'invalid selector'],
  [/state must be opened/i, 'state is not opened'],
  [/already been (?:used with this registry|defined as a custom element)/i, 'defined twice'],
  [/is not correctly encoded|contains (?:an )?invalid characters?/i, 'invalid character'],
  [/could not be cloned|can ?not be cloned/i, 'not cloneable'],
  [/not a child of this node|is not a child/i, 'not a child of this node'],
  [/contains the parent|hierarchy/i, 'parent inside its child'],
];

/** DOMException types that say the reason, so that the message does not count. */
const selfExplanatoryTypes =
  /^(?:Constraint|Data|HierarchyRequest|IndexSize|InUseAttribute|InvalidAccess|InvalidCharacter|InvalidModification|InvalidNodeType|InvalidState|Namespace|NoModificationAllowed|NotFound|NotReadable|NotSupported|Operation|ReadOnly|Security|TransactionInactive|Version|WrongDocument)Error$/;

const wordings = [...runtimeWordings, ...sourceWordings];

/** Null for other messages. Property names are kept where engines include them. `type` may be empty. */
export function canonicalEngineMessage(line: string, type: string): string | null {
  const found = domWording(line, type) ?? languageWording(line);
  return found ?? scriptWording(line);
}

function languageWording(line: string): string | null {
  for (const [pattern, form] of wordings) {
    const match = pattern.exec(line);
    if (match === null) continue;
    if (typeof form === 'string') return form;
    const [first = '', second = ''] = match.slice(1).filter((group) => group !== undefined);
    return form(first, second).trim();
  }
  return null;
}

/** `$1` is the name in the message. */
const scriptWordings: ReadonlyArray<readonly [RegExp, (name: string) => string]> = [
  // V8 and Hermes.
  [
    /^cannot read propert(?:y|ies) (?:of|'(.{0,200}?)' of) (?:undefined|null)(?: \(reading '(.{0,200})'\))?/i,
    read,
  ],
  [
    /^cannot set propert(?:y|ies) (?:of|'(.{0,200}?)' of) (?:undefined|null)(?: \(setting '(.{0,200})'\))?/i,
    write,
  ],
  [/^cannot destructure property '(.{0,200}?)' of /i, read],
  // SpiderMonkey.
  [
    /^can't access (?:property|dead object)(?: ['"]?(.{0,200}?)['"]?)?(?:, .{0,400} is (?:undefined|null)| of (?:undefined|null))/i,
    read,
  ],
  [/^.{1,200} is (?:undefined|null); can't access (?:its )?['"]?(.{0,200}?)['"]? property/i, read],
  [
    /^can't (?:assign to|set) property ['"]?(.{0,200}?)['"]?(?: on|, | of) .{0,300}(?:undefined|null)/i,
    write,
  ],
  // JavaScriptCore.
  [/^'?(?:undefined|null)'? is not an object \(evaluating '(.{1,800})'\)/i, evaluated],
  [
    /^(?:undefined|null|.{1,100}) is not a function \(near '\.\.\.[^.']{1,200}\.\.\.'\)/i,
    () => 'not iterable',
  ],
  [
    /^'?(?:undefined|null)'? is not a function \((?:evaluating|near) '(?:\.\.\.)?(.{1,800}?)(?:\.\.\.)?'\)/i,
    (text) => call(lastMember(text)),
  ],
  [/^'?(?:undefined|null)'? is not a constructor \(evaluating '(.{1,800})'\)/i, construct],
  // Internet Explorer and old Edge.
  [
    /^unable to get (?:value of the )?property '(.{0,200})'(?: of undefined or null reference|: object is null or undefined)/i,
    read,
  ],
  [
    /^unable to set (?:value of the )?property '(.{0,200})'(?: of undefined or null reference|: object is null or undefined)/i,
    write,
  ],
  [/^object doesn't support (?:this )?(?:property or method|action)(?: '(.{0,200})')?/i, call],
  [/^'(.{1,200})' is null or not an object/i, (text) => read(lastMember(text))],
  // Several engines.
  [/^(?:name )?['"]?([\w$.]{1,200})['"]? is not defined$/i, notDefined],
  [/^can't find variable: ([\w$]{1,200})/i, notDefined],
  [/^property '([\w$]{1,200})' doesn't exist/i, notDefined],
  [/^undefined variable: ([\w$]{1,200})/i, notDefined],
  [/^'([\w$]{1,200})' is undefined$/i, notDefined],
  [/^(.{1,400}?) is not (?:a function or its return value is not )?iterable/i, () => 'not iterable'],
  [/^(?:spread syntax requires|.{0,200}symbol\.iterator)/i, () => 'not iterable'],
  [/^(.{1,300}?) is not a function\.?(?: \(.{0,1000}\))?\.?$/i, (text) => call(lastMember(text))],
  [/^(.{1,300}?) is not a constructor\.?(?: \(.{0,1000}\))?\.?$/i, construct],
  [/^[^\s]{1,200} is (?:undefined|null|not an object)$/i, () => read('')],
  // The chunk only shows which part of a page was loading.
  [/^loading chunk .{1,200} failed/i, () => 'chunk load failed'],
  [/^loading css chunk .{1,200} failed/i, () => 'css chunk load failed'],
  [
    /^(?:failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed|'?text\/html'? is not a valid javascript mime type|unable to preload css)/i,
    () => 'module load failed',
  ],
  [
    /^(?:failed to fetch|fetch failed|load failed|networkerror when attempting to fetch resource|network request failed|network error|cancelled|the network connection was lost|the internet connection appears to be offline|a server with the specified hostname could not be found|could not connect to the server)\.?(?: \([^)]{0,256}\))?\.?$/i,
    () => 'fetch failed',
  ],
  [
    /^(?:the user aborted a request|signal is aborted without reason|the operation was aborted|fetch is aborted|request aborted|this operation was aborted)/i,
    () => 'aborted',
  ],
  [
    /^(?:maximum call stack size exceeded|too much recursion|out of stack space|stack overflow)/i,
    () => 'stack overflow',
  ],
  [/^resizeobserver loop/i, () => 'ResizeObserver loop'],
  [
    /quota(?:_reached| has been exceeded| exceeded)|exceeded the quota|persistent storage maximum size reached/i,
    () => 'quota exceeded',
  ],
  [
    /^(?:unexpected end of json input|json\.parse: unexpected end of data|json parse error: unexpected (?:eof|end of input)|unterminated string in json|json\.parse: unterminated string|json parse error: unterminated string)/i,
    () => 'json ends early',
  ],
  [
    /^(?:json\.parse: |json parse error: |unexpected (?:token|non-whitespace character|number|string).{0,400}(?:in json|is not valid json)|"undefined" is not valid json|expected .{0,200} in json|bad control character in string literal in json|invalid character$)/i,
    () => 'json malformed',
  ],
  [
    /^(?:converting circular structure to json|cyclic object value|json\.stringify cannot serialize cyclic structures|circular reference in value argument not supported)/i,
    () => 'json cyclic',
  ],
  [
    /^(?:assignment to constant variable|invalid assignment to const|attempted to assign to readonly property|cannot assign to read only property|assignment to read-only properties|"?[\w$.]{1,200}"? is read-only|const '.{1,200}' is read-only)/i,
    () => 'read-only write',
  ],
  [
    /^(?:cannot access '.{1,200}' before initialization|can't access lexical declaration '.{1,200}' before initialization|cannot access uninitialized variable|use before declaration)/i,
    () => 'used before initialization',
  ],
  [
    /^(?:cannot convert undefined or null to object|can't convert (?:undefined|null) to object|.{0,100}requires that input parameter not be null or undefined)/i,
    () => 'nullish to object',
  ],
  [
    /^(?:cannot use 'in' operator|right-hand side of 'in' should be an object|invalid 'in' operand|.{1,200} is not an object\. \(evaluating)/i,
    () => 'in operator',
  ],
  [
    /^(?:right[- ]hand side of '?instanceof'? is not|invalid 'instanceof' operand)/i,
    () => 'instanceof operand',
  ],
  [
    /^(?:class constructor .{1,200} cannot be invoked without 'new'|class constructors must be invoked with 'new'|cannot call a class constructor (?:[\w$]{1,200} )?without \|new\|)/i,
    () => 'class constructor without new',
  ],
  [/^(?:invalid time value|invalid date)\.?$/i, () => 'invalid date'],
  [/^(?:invalid regular expression|invalid regexp)/i, () => 'invalid regular expression'],
  [/^(?:permission denied to access property|blocked a frame with origin)/i, () => 'cross-origin access'],
  [
    /^(?:the string to be decoded is not correctly encoded|malformed uri sequence|uri malformed|uri error|string contained an illegal utf-16 sequence)/i,
    () => 'malformed uri',
  ],
  [
    /^(?:invalid array length|array (?:size|length) (?:is not a small enough positive integer|must be a (?:finite )?positive integer).{0,100})\.?$/i,
    () => 'invalid array length',
  ],
  [/^(?:invalid string length|out of memory|allocation size overflow)/i, () => 'out of memory'],
  [
    /^(?:unexpected (?:end of (?:input|script)|eof$)|unterminated template(?: literal)?$|.{0,4}literal not terminated before end of script|expected expression, got end of script|missing } .{0,60}|syntax error: unexpected end)/i,
    () => 'source ends early',
  ],
  [
    /^(?:unexpected token|expected expression, got|invalid or unexpected token|illegal character|unexpected identifier|syntax error$)/i,
    () => 'source malformed',
  ],
];

function scriptWording(line: string): string | null {
  for (const [pattern, form] of scriptWordings) {
    const match = pattern.exec(line);
    if (match !== null) return form(match[2] ?? match[1] ?? '');
  }
  return null;
}

function read(name: string): string {
  return `nullish read ${propertyName(name)}`.trim();
}

function write(name: string): string {
  return `nullish write ${propertyName(name)}`.trim();
}

function call(name: string): string {
  return `not a function ${propertyName(name)}`.trim();
}

/** JavaScriptCore quotes the expression: an assignment is a write, anything else a read. */
function evaluated(expression: string): string {
  if (/^Object\.\w{1,32}\(/.test(expression)) return 'nullish to object';
  const cleaned = withoutCalls(expression.trim());
  const assigned = /^([^=]{1,800}?)\s?[-+*/|&^%?]{0,3}=(?![=>])/.exec(cleaned);
  if (assigned !== null && !/[!<>]$/.test(assigned[1] ?? '')) return write(lastMember(assigned[1] ?? ''));
  return read(lastMember(cleaned.split(/ (?:[=!]==?|[<>]=?|&&|\|\||[-+*/?]) /, 1)[0] ?? ''));
}

function construct(expression: string): string {
  return `not a constructor ${lastMember(expression)}`.trim();
}

function notDefined(name: string): string {
  return `not defined ${name}`;
}

/** `.name`; all numbers and computed names become `.[]`. */
function propertyName(name: string): string {
  const unquoted = name.replace(/^["']|["']$/g, '');
  if (unquoted === '' || unquoted === 'undefined' || unquoted === 'null' || unquoted === 'it') return '';
  return /^(?:\d+|\[\])$/.test(unquoted) || unquoted.startsWith('Symbol(') ? '.[]' : `.${unquoted}`;
}

/** `id` of `a.b().id`, `pay` of `this.cart.pay(x)`. */
function lastMember(expression: string): string {
  let text = withoutCalls(expression.replace(/^\s*(?:new |delete |typeof |await )+/, ''));
  const quoted = /\[["']([^"'\]]{1,200})["']\]$/.exec(text);
  if (quoted !== null) return quoted[1] ?? '';
  if (text.endsWith(']')) return '[]';
  const dot = text.lastIndexOf('.');
  text = dot === -1 ? text : text.slice(dot + 1);
  return /^[\w$#]{1,200}$/.test(text) ? text : '';
}

function withoutCalls(text: string): string {
  let depth = 0;
  let result = '';
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) result += char;
  }
  return result.trim();
}

/** Such as `dom Node.appendChild: argument of another type`; null where it is not about a DOM member. */
function domWording(line: string, type: string): string | null {
  const called =
    /^'([\w$]{1,64})' called on an object that does not implement interface ([\w$]{1,64})/i.exec(line) ??
    /^can only call ()([\w$]{1,64}\.[\w$]{1,64}) on instances of /i.exec(line);
  if (called !== null) {
    const [, member = '', of = ''] = called;
    return `dom ${member === '' ? of : `${of}.${member}`}: called on another object`;
  }
  if (!/^[A-Z]|^failed to|^argument/i.test(line)) return null;
  for (const [pattern, form] of domMembers) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const member = form(match[1] ?? '', match[2] ?? '');
    const reason = domReasons.find(([sign]) => sign.test(line))?.[1];
    if (member === 'new URL' && reason === 'invalid url') return 'invalid url';
    if (reason === 'not cloneable') return 'not cloneable';
    if (selfExplanatoryTypes.test(type)) return `dom ${member}`;
    return reason === undefined ? null : `dom ${member}: ${reason}`;
  }
  return null;
}

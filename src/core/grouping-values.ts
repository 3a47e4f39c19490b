// A message without what varies between occurrences, and the wordings of JavaScript engines brought to one form.
// Part of `ng1` (ingestion.md section 3). Every pattern is linear, and looks at no more than `valueCharsMax` characters.

/** How much of a message is looked at, and how much of it goes into the key. */
export const valueCharsMax = 2048;
const keyCharsMax = 300;

/** The first line that is not blank, at most 2,048 characters of it. */
export function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return '';
  const end = text.slice(start, start + valueCharsMax).search(/[\r\n]/);
  return text.slice(start, end === -1 ? start + valueCharsMax : start + end).trimEnd();
}

/**
 * The part of a message that stays the same between occurrences: `canon` of section 3. `type` is the exception's type
 * (to drop it where the message repeats it); `isJavaScript` turns on the wordings of engines. At most 300 characters.
 */
export function canonicalValue(value: string, type: string, isJavaScript: boolean): string {
  const line = withoutPrefix(plainQuotes(firstLine(value)), type);
  const wording = isJavaScript ? engineWording(line) : null;
  return (wording ?? withoutVariables(line)).slice(0, keyCharsMax).toWellFormed();
}

/** Quotation marks of any language, as one. */
function plainQuotes(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019\u201a\u201b\u2039\u203a\u0060\u00b4]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f\u00ab\u00bb]/g, '"');
}

/** Without "Uncaught", "Unhandled Promise Rejection:" and the type that window.onerror puts in front. */
function withoutPrefix(line: string, type: string): string {
  let rest = line.replace(
    /^(?:uncaught(?: exception:?)?|unhandled (?:promise )?rejection:?|error:(?= \w*Error:))\s+/i,
    '',
  );
  rest = rest.replace(/^\(in promise\)\s+/i, '');
  const named = /^([A-Z]\w{0,60}(?:Error|Exception)): +/.exec(rest);
  if (named !== null && (type === '' || type === 'Error' || named[1] === type))
    return rest.slice(named[0].length);
  return type !== '' && rest.startsWith(`${type}: `) ? rest.slice(type.length + 2) : rest;
}

/** Replacements in their order: what is matched early can not be mistaken by what comes later. */
const variables: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]}]+/gi, '<url>'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi, '<uuid>'],
  [
    /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?\b/gi,
    '<date>',
  ],
  [
    /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}|\d{1,2}[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})(?![a-z])(?:,? ?-?\d{4}\b(?!:))?(?:,? (?:at )?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m)?)?(?: \d{4}\b)?(?: (?:GMT|UTC|Z)?(?:[+-]\d{4})?(?: \([a-z ]{3,40}\))?)?/gi,
    '<date> ',
  ],
  [/\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/g, '<date>'],
  [/\b\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d\d)\b(?!\.\d)/g, '<date>'],
  [/(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m\b)?(?![\w:])/gi, '<time>'],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\w)/g, '<ip>'],
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, '<ip>'],
  [
    /(?<![\w:])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi,
    '<ip>',
  ],
  [/\[ip\]/g, '<ip>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,128}(?![0-9a-z])/gi, '<hex>'],
  [
    /(?<![\w+/-])(?=[A-Za-z_-]*\d)(?=[0-9a-z_-]*[A-Z])(?=[0-9A-Z_-]*[a-z])[A-Za-z0-9_-]{20,512}={0,2}(?![\w+/-])/g,
    '<token>',
  ],
  [/(?<![\w<])[a-z]:[\\/][^\s"'<>|:*?]+/gi, '<path>'],
  [/\\\\[\w.$-]{1,64}\\[^\s"'<>|:*?]+/g, '<path>'],
  [/(?<![\w<>./~])~?\/[\w.@%+~-]+(?:\/[\w.@%+~-]*)*/g, '<path>'],
  [/(?<![\w<>/.])(?:\.{1,2}|[\w@%+~-][\w.@%+~-]{0,127})(?:\/[\w.@%+~-]+){2,}\/?/g, '<path>'],
  [
    /(?<![\w<.])[-+]?\d+(?:[.,]\d+)*\s?(?:(?:[kmgt]i?)?b(?:ytes?)?|[mun\u00b5]?s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|msecs?|milliseconds?|%)(?![\w])/gi,
    '<quantity>',
  ],
  [/(?<![A-Za-z0-9<.])[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d{1,3})?(?![A-Za-z0-9])/g, '<number>'],
  [/(?<=[A-Za-z])\d{4,}\b/g, '<number>'],
  [/=\s?"[^"]{0,256}"/g, '=<text>'],
  [/=\s?'[^']{0,256}'/g, '=<text>'],
  [/(<number>|<hex>|<uuid>)(?:, ?\1)+/g, '$1'],
];

/** Placeholders for what differs from one occurrence to the next. */
export function withoutVariables(line: string): string {
  let text = line;
  for (const [pattern, placeholder] of variables) {
    if (text.length > 0) text = text.replace(pattern, placeholder);
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

const member = '([\\w$#.[\\]()\'" <>*+-]{1,200}?)';

/** What an engine says, and the one form it is brought to; `$1` is the name that the wording holds. */
const wordings: ReadonlyArray<readonly [RegExp, (name: string) => string]> = [
  // V8 and Hermes, new and old.
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
  // JavaScriptCore: the expression holds the name.
  [
    /^'?(?:undefined|null)'? is not an object \(evaluating '(.{1,400}?)\s?[-+*/|&^%?]{0,3}=(?!=).{0,400}'\)/i,
    (text) => write(lastMember(text)),
  ],
  [
    /^'?(?:undefined|null)'? is not an object \(evaluating '(?:new |delete |typeof )?(.{1,800})'\)/i,
    (text) => read(lastMember(text)),
  ],
  [
    /^'?(?:undefined|null)'? is not (?:a function|a constructor) \((?:evaluating|near) '(?:\.\.\.)?(?:new )?(.{1,800}?)(?:\.\.\.)?'\)/i,
    (text) => call(lastMember(text)),
  ],
  // Internet Explorer and the old Edge.
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
  // Everybody's.
  [/^(?:name )?['"]?([\w$.]{1,200})['"]? is not defined$/i, notDefined],
  [/^can't find variable: ([\w$]{1,200})/i, notDefined],
  [/^property '([\w$]{1,200})' doesn't exist/i, notDefined],
  [/^undefined variable: ([\w$]{1,200})/i, notDefined],
  [/^'([\w$]{1,200})' is undefined$/i, notDefined],
  [/^(.{1,400}?) is not (?:a function or its return value is not )?iterable/i, () => 'not iterable'],
  [/^(?:spread syntax requires|.{0,200}symbol\.iterator)/i, () => 'not iterable'],
  [
    new RegExp(`^${member} is not a function(?: \\(.{0,800}\\))?\\.?$`, 'i'),
    (text) => call(lastMember(text)),
  ],
  [
    new RegExp(`^${member} is not a constructor(?: \\(.{0,800}\\))?\\.?$`, 'i'),
    (text) => `not a constructor ${lastMember(text)}`.trim(),
  ],
  [/^(?:undefined|null|[\w$.]{1,200}) is (?:undefined|null|not an object)$/i, () => read('')],
  // One cause, other words altogether.
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
    /^(?:class constructor .{1,200} cannot be invoked without 'new'|class constructors must be invoked with 'new'|cannot call a class constructor without \|new\|)/i,
    () => 'class constructor without new',
  ],
  [/^(?:invalid time value|invalid date)\.?$/i, () => 'invalid date'],
  [/^(?:invalid regular expression|invalid regexp)/i, () => 'invalid regular expression'],
  [/^(?:permission denied to access property|blocked a frame with origin)/i, () => 'cross-origin access'],
  [
    /^(?:the string to be decoded is not correctly encoded|malformed uri sequence|uri malformed|uri error)/i,
    () => 'malformed uri',
  ],
  [
    /^(?:invalid array length|array (?:size|length) (?:is not a small enough positive integer|must be a (?:finite )?positive integer).{0,100})\.?$/i,
    () => 'invalid array length',
  ],
  [/^(?:invalid string length|out of memory|allocation size overflow)/i, () => 'out of memory'],
  [
    /^(?:unexpected end of (?:input|script)|expected expression, got end of script|missing } .{0,60}|syntax error: unexpected end)/i,
    () => 'source ends early',
  ],
  [
    /^(?:unexpected token|expected expression, got|invalid or unexpected token|illegal character|unexpected identifier|syntax error$)/i,
    () => 'source malformed',
  ],
];

function engineWording(line: string): string | null {
  for (const [pattern, form] of wordings) {
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

function notDefined(name: string): string {
  return `not defined ${name}`;
}

/** `.name`; a number or a computed name is an index, whichever it was. */
function propertyName(name: string): string {
  const bare = name.replace(/^["']|["']$/g, '');
  if (bare === '' || bare === 'undefined' || bare === 'null' || bare === 'it') return '';
  return /^(?:\d+|\[\])$/.test(bare) || bare.startsWith('Symbol(') ? '.[]' : `.${bare}`;
}

/** The member that an expression asks for: `id` of `a.b().id`, `pay` of `this.cart.pay(x)`. */
function lastMember(expression: string): string {
  let text = withoutCalls(expression.trim());
  const quoted = /\[["']([^"'\]]{1,200})["']\]$/.exec(text);
  if (quoted !== null) return quoted[1] ?? '';
  if (text.endsWith(']')) return '[]';
  const dot = text.lastIndexOf('.');
  text = dot === -1 ? text : text.slice(dot + 1);
  return /^[\w$#]{1,200}$/.test(text) ? text : '';
}

/** Without the argument lists, and without what follows the last of them only where nothing is asked of it. */
function withoutCalls(text: string): string {
  let depth = 0;
  let kept = '';
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += char;
  }
  return kept.trim();
}

// What browsers say of a member of the DOM, each in its own words, brought to one form. Part of `ng2`
// (docs/grouping.md, "Messages"). Patterns are anchored and bounded; they see one line of at most 2,048
// characters.

/** How each browser names a member of the DOM in front of what went wrong with it. */
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

/** What went wrong with a member of the DOM, where its type does not say so. */
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

/** Types of DOMException that say what went wrong: of these the words do not count. */
const speakingTypes =
  /^(?:Constraint|Data|HierarchyRequest|IndexSize|InUseAttribute|InvalidAccess|InvalidCharacter|InvalidModification|InvalidNodeType|InvalidState|Namespace|NoModificationAllowed|NotFound|NotReadable|NotSupported|Operation|ReadOnly|Security|TransactionInactive|Version|WrongDocument)Error$/;

/**
 * `dom Node.appendChild: argument of another type`, or `dom Node.insertBefore` of a type that says more than
 * the words; null for what is not said of a member of the DOM.
 */
export function domWording(line: string, type: string): string | null {
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
    if (speakingTypes.test(type)) return `dom ${member}`;
    return reason === undefined ? null : `dom ${member}: ${reason}`;
  }
  return null;
}

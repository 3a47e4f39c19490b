// What browsers say of one fault, each in its own words, brought to one form: faults of the DOM and of the
// language. The rows of `wordings` are those of MDN's JavaScript error reference (V8, SpiderMonkey,
// JavaScriptCore). Part of `ng2` (docs/grouping.md, "Messages"). Patterns are anchored and bounded; they see
// one line of at most 2,048 characters.
import { cleanFile } from './file-names.ts';
import { engineWording as wordingBefore } from './ng1/wordings.ts';

/** Names that a pattern has found, the first of them first; empty where a group took no part. */
type Form = string | ((first: string, second: string) => string);

/**
 * The one form of what browsers say in their own words each, null for any other message. Names of
 * properties stay where the engines say them, so that two properties are two faults.
 */
export function engineWording(line: string): string | null {
  const found = domWording(line) ?? languageWording(line);
  return found ?? wordingBefore(line);
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

const name = `['"]?([\\w$#.]{1,200}?)['"]?`;

function named(form: string): Form {
  return (property) => {
    const bare = property.replace(/^.*\./s, '');
    if (bare === '') return form;
    return `${form} ${/^(?:\d+|\[\])$/.test(bare) ? '.[]' : `.${bare}`}`;
  };
}

function row(form: Form, ...patterns: readonly string[]): readonly [RegExp, Form] {
  return [new RegExp(`^(?:${patterns.join('|')})`, 'i'), form];
}

const wordings: ReadonlyArray<readonly [RegExp, Form]> = [
  // Writing to properties.
  row(
    named('read-only write'),
    `cannot assign to read only property ${name} of `,
    `${name} is read-only$`,
    `assignment to read-only propert(?:y|ies) ?${name}?$`,
  ),
  row(
    'read-only write',
    'attempted to assign to readonly property',
    'assignment to constant variable',
    'invalid assignment to const',
    "const '.{1,200}' is read-only",
  ),
  row(
    named('getter alone, write'),
    `cannot set property ${name} of .{1,200} which has only a getter`,
    `setting getter-only property ${name}\\.?$`,
  ),
  row(
    named('write to a primitive'),
    `cannot create property ${name} on `,
    `can't assign to property ${name} on .{1,300}: not an object`,
  ),
  row(
    named('not extensible'),
    `cannot (?:add|define) property ${name}, object is not extensible`,
    `can't define property ${name}: .{1,200} is not extensible`,
    'attempting to define property on object that is not extensible',
  ),
  row(
    named('redefined property'),
    `cannot redefine property: ${name}\\.?$`,
    `can't redefine non-configurable property ${name}\\.?$`,
    'attempting to change (?:value|configurable attribute|enumerable attribute|access mechanism|the getter|the setter|writable attribute) (?:of|for) an? (?:readonly|unconfigurable) property',
  ),
  row(
    named('undeletable property'),
    `cannot delete property ${name} of `,
    `property ${name} is non-configurable and can't be deleted`,
    'unable to delete property',
  ),
  row('undeletable property .[]', "can't delete non-configurable array element"),
  row(
    'prototype cycle',
    "(?:can't set prototype: it would cause a prototype chain cycle|cyclic __proto__ value)",
  ),
  row(
    'prototype of this object',
    "can't set prototype of this object",
    'immutable prototype object',
    '#<\\w{1,64}> is not extensible',
    'cannot set prototype of (?:immutable prototype|this) object',
  ),
  row(
    'class heritage',
    'class extends value .{1,300} is not a constructor or null',
    'class heritage .{1,200} is not an object or null',
    'the superclass is not (?:a constructor|an object)',
    "the value of the superclass's prototype property is not an object",
  ),
  row(
    'prototype not an object',
    'object prototype may only be an object or null',
    'object\\.setprototypeof: expected an object or null',
    '.{1,200} is not an object or null$',
    'prototype value can only be an object or null',
  ),
  row(
    'descriptor not an object',
    'property description must be an object',
    '.{1,200} is not a non-null object$',
  ),
  row(
    'weak key not an object',
    'invalid value used (?:as weak map key|in weak ?set)',
    'weak(?:map|set) (?:key|value) .{1,200} must be an object',
    'weak(?:map keys|set values) must be objects',
    'attempted to (?:set a non-object key in a weakmap|add a non-object (?:key|value) to a weak(?:map|set))',
    'invalid value used as weak',
  ),
  // Reading what is not there.
  row(
    (property) => `nullish read${property === '' ? '' : ` .${property}`}`,
    `cannot call method ${name} of (?:undefined|null)`,
    "cannot destructure '.{1,200}' as it is (?:undefined|null)",
    'right side of assignment cannot be destructured',
    '.{1,200} has no properties$',
    '\\((?:destructured parameter|intermediate value)\\) is (?:undefined|null)$',
  ),
  row((variable) => `not defined ${variable}`, `assignment to undeclared variable ${name}$`),
  // Calling and making.
  row(named('not a constructor'), `super constructor ${name} of `),
  row(
    (type) => `constructor without new ${type}`,
    `constructor ${name} requires 'new'`,
    `calling a builtin ${name} constructor without new is forbidden`,
    `calling ${name} constructor without new is invalid`,
    `failed to construct ${name}: please use the 'new' operator`,
    `${name} constructor: 'new' is required`,
  ),
  row(
    'derived constructor returned no object',
    'derived constructors may only return object or undefined',
    'derived class constructor returned invalid value',
    'cannot return a non-object type in the constructor of a derived class',
  ),
  row('super not called', 'must call super constructor', "'super\\(\\)' must be called in derived class"),
  row(
    'super called twice',
    'super constructor may only be called once',
    'super\\(\\) called twice in derived class constructor',
    "'super\\(\\)' can't be called more than once",
  ),
  row(
    named('incompatible receiver'),
    `method ${name} called on incompatible receiver`,
    `${name} (?:method )?called on incompatible`,
    `${name} requires that (?:'this'|\\|this\\|) be a`,
    `${name} called on an object that is not a`,
  ),
  row(
    'private member of another class',
    'cannot (?:read|write) private member',
    'receiver must be (?:an instance of )?class',
    "can't (?:access|set) private (?:field|setter|method)",
    'cannot access (?:invalid )?private (?:field|method)',
    'object must be an instance of class',
  ),
  row(
    'private member twice',
    'cannot initialize .{1,200} twice on the same object',
    'initializing an object twice is an error with private',
    'cannot redefine existing private field',
    'cannot install same private methods on object more than once',
  ),
  row(
    'generator is running',
    'generator is already running',
    'already executing generator',
    'generator is executing',
  ),
  row(
    'promise resolver',
    'promise resolver .{1,200} is not a function',
    'promise constructor takes a function argument',
    'promise constructor: argument 1 is not a function',
  ),
  row(
    'promise cycle',
    'chaining cycle detected for promise',
    'a promise cannot be resolved with itself',
    'cannot resolve a promise with itself',
  ),
  row('no promise fulfilled', 'all promises were rejected', 'no promise in promise\\.any was resolved'),
  row('not async iterable', '.{1,300} is not (?:a function or its return value is not )?async iterable'),
  row(
    'restricted caller',
    "'caller', 'callee', and 'arguments' properties may not be accessed",
    'access to strict mode caller function is censored',
    "'?arguments'?, '?callee'?, and '?caller'? cannot be accessed in",
  ),
  // Operators.
  row(
    'in operator',
    "cannot use 'in' operator to search for .{1,300} in (?:undefined|null|true|false|-?\\d[\\d.]{0,40})$",
    "right-hand side of 'in' should be an object",
    "invalid 'in' operand",
    '(?:undefined|null) is not an object\\. \\(evaluating .{1,300} in ',
  ),
  row(
    named('in operator'),
    `cannot use 'in' operator to search for ${name} in `,
    `.{1,200} is not an object\\. \\(evaluating ['"]{1,2}${name}['"]? in `,
  ),
  row(
    'instanceof operand',
    "function has non-object prototype '.{1,200}' in instanceof check",
    "'prototype' property of .{1,200} is not an object",
    'instanceof called on an object with an invalid prototype property',
  ),
  // Numbers.
  row(
    'precision out of range',
    'to(?:fixed|exponential|precision)\\(\\) (?:digits )?argument must be between',
    'precision -?[\\w.+-]{1,40} out of range',
  ),
  row(
    'radix out of range',
    'tostring\\(\\) radix (?:argument )?must be between',
    'radix must be an integer at least 2',
  ),
  row(
    'repeat count',
    'invalid count value: ',
    'repeat count must be ',
    'string\\.prototype\\.repeat argument must be ',
  ),
  row(
    'invalid array length',
    'invalid (?:typed )?array (?:buffer )?length',
    'array buffer allocation failed',
    'length (?:too large|out of range of buffer)',
  ),
  row(
    'invalid code point',
    'invalid code point ',
    '-?[\\w.+]{1,60} is not a valid code point',
    'arguments contain a value that is out of range of code points',
  ),
  row(
    'normalization form',
    'the normalization form should be one of',
    "form must be one of '?NFC",
    'argument does not match any normalization form',
  ),
  row('invalid date', 'date value is not finite in ', 'provided date is not in valid range'),
  row('bigint division by zero', '(?:bigint )?division by zero$', '0 is an invalid divisor value'),
  row(
    'bigint negative exponent',
    'exponent must be non-negative',
    'bigint negative exponent',
    'negative exponent is not allowed',
  ),
  row(
    'bigint of a fraction',
    'the number .{1,60} cannot be converted to a bigint because it is not an integer',
    ".{1,60} can't be converted to bigint because it isn't an integer",
    'not an integer$',
  ),
  row(
    'bigint in json',
    'do not know how to serialize a bigint',
    "bigint value can't be serialized in json",
    'json\\.stringify cannot serialize bigint',
  ),
  row(
    'bigint as number',
    'cannot convert a bigint value to a number',
    "can't convert bigint to number",
    "conversion from 'bigint' to 'number' is not allowed",
    'cannot mix bigint and other types',
    'invalid mix of bigint and other type',
  ),
  row(
    'bigint of another value',
    'cannot convert .{1,200} to a bigint',
    "can't convert .{1,200} to bigint",
    'invalid argument type in tobigint operation',
    'invalid bigint syntax',
    'failed to parse string to bigint',
  ),
  row(
    'symbol converted',
    'cannot convert a symbol (?:value )?to a (?:string|number)',
    "can't convert symbol to (?:string|number)",
  ),
  row(
    'no primitive value',
    'cannot convert object to primitive value',
    "can't convert .{1,200} to primitive type",
    'no default value$',
  ),
  // Arrays and texts.
  row(
    (what) => `reduce of empty ${what.toLowerCase()}`,
    'reduce of empty (array|iterator) with no initial value',
  ),
  row(
    'comparator not a function',
    'the comparison function must be either a function or undefined',
    'invalid array\\.prototype\\.(?:to)?sort(?:ed)? argument',
    '(?:array|%typedarray%)\\.prototype\\.(?:to)?sort(?:ed)? requires that the comparator',
    'non-function passed to array\\.prototype\\.(?:to)?sort',
    'the comparator (?:function )?must be (?:either )?a function',
  ),
  row(
    (method) => `non-global regular expression ${method}`,
    '(?:string\\.prototype\\.)?(matchall|replaceall) (?:must be called with a global regexp|called with a non-global regexp|argument must not be a non-global)',
  ),
  // Modules.
  [
    /^the requested module ['"](.{1,512}?)['"] (?:does not|doesn't) provide an export named:? ['"]?([\w$]{1,200})['"]?/i,
    missingExport,
  ],
  [
    /^importing binding name ['"]([\w$]{1,200})['"] (?:is not found|cannot be resolved)/i,
    (binding) => missingExport('', binding),
  ],
  [
    /^(?:import|indirectly exported binding name|export) ['"]?([\w$]{1,200})['"]? (?:is not found|not found|is ambiguous)/i,
    (binding) => missingExport('', binding),
  ],
  [/^ambiguous (?:import|indirect export): ([\w$]{1,200})/i, (binding) => missingExport('', binding)],
  row(
    'import outside a module',
    'cannot use import statement outside a module',
    'import declarations may only appear at top level of a module',
    'unexpected (?:identifier|token|string literal|keyword) .{0,200}import call expects',
  ),
  row(
    'export outside a module',
    "unexpected (?:token|keyword) '?export'?",
    'export declarations may only appear at top level of a module',
  ),
  row(
    'import.meta outside a module',
    "cannot use 'import\\.meta' outside a module",
    'import\\.meta may only appear in a module',
    'import\\.meta is only valid inside modules',
  ),
  // Sources.
  row(
    (variable) => `declared twice ${variable}`,
    `identifier ${name} has already been declared`,
    `redeclaration of (?:let|const|var|function|class|import|formal parameter|catch parameter|label) ${name}$`,
    `can't create duplicate variable: ${name}\\.?$`,
    `cannot declare an? (?:let|const|var|function|class|imported binding)(?: variable| name)? twice: ${name}\\.?$`,
  ),
  row(
    (variable) => `undeclared private ${variable}`,
    `private field ${name} must be declared in an enclosing class`,
    `reference to undeclared private field or method ${name}$`,
    `cannot reference undeclared private names: ${name}$`,
  ),
  row(
    'return outside a function',
    'illegal return statement',
    'return not in function',
    'return statements are only valid inside functions',
  ),
  row(
    'break outside a loop',
    'illegal break statement',
    'unlabeled break must be inside loop or switch',
    "'break' is only valid inside a switch or loop statement",
  ),
  row(
    'continue outside a loop',
    'illegal continue statement',
    'continue must be inside loop',
    "'continue' is only valid inside a loop statement",
  ),
  row('undefined label', 'undefined label', 'label not found$', 'cannot use the undeclared label'),
  row(
    'await outside an async function',
    'await is only valid in async functions',
    'await is only valid in async function',
    "unexpected reserved word 'await'",
  ),
  row(
    'invalid assignment target',
    'invalid left-hand side',
    'invalid assignment left-hand side',
    'invalid (?:increment|decrement|increment/decrement) operand',
    'left (?:hand )?side of (?:operator|assignment) ?.{0,20} ?(?:must be|is not) a reference',
    '(?:postfix|prefix) (?:\\+\\+|--) operator applied to value that is not a reference',
    'invalid destructuring assignment target',
  ),
  row(
    'const without a value',
    'missing initializer in (?:const|destructuring) declaration',
    'missing = in (?:const|destructuring) declaration',
    'unexpected .{1,60}(?:const declared variable|destructuring) .{0,200}must have an initializer',
  ),
  row(
    'try without catch',
    'missing catch or finally after try',
    'unexpected .{1,60}try statements must have at least a catch or finally block',
  ),
  row(
    'parameter behind a rest parameter',
    'rest parameter must be last formal parameter',
    'parameter after rest parameter',
    'unexpected .{1,60}rest parameter should be the last parameter',
  ),
  row(
    'parameter named twice',
    'duplicate parameter name not allowed',
    'duplicate formal argument',
    '(?:cannot declare a parameter named|duplicate parameter) [\'"]?.{1,200}(?:already been declared|not allowed)',
  ),
  row(
    'reserved word',
    'unexpected (?:strict mode |eval or arguments in strict mode|)reserved word',
    '[\\w$]{1,64} is a reserved (?:identifier|word)',
    "cannot use the (?:reserved word|keyword) '.{1,64}' as a",
  ),
  row(
    'octal literal',
    'octal (?:literals|escape sequences) are not allowed',
    "octal escape sequences (?:are not allowed|can't be used)",
    'decimals with leading zeros are not allowed',
    '"0"-prefixed octal literals',
    'decimal integer literals with a leading zero are forbidden',
    'the only valid numeric escape in strict mode',
  ),
  row(
    'use strict with such parameters',
    "illegal 'use strict' directive in function",
    '[\'"]use strict[\'"] (?:directive )?not allowed in',
  ),
  row(
    'delete of a name',
    'delete of an unqualified identifier',
    "applying the 'delete' operator to an unqualified name",
    'cannot delete unqualified property',
  ),
  row(
    'loop variable with a value',
    'for-(?:of|in|await) loop variable declaration may not have an initializer',
    'a declaration in the head of a for-(?:of|in) loop can',
    'for-(?:of|in) loop head declarations may not have initializers',
    'cannot assign to the loop variable inside a for-(?:of|in) loop header',
  ),
  row(
    'arguments in a class field',
    "'?arguments'? is not (?:allowed|valid) in (?:class )?field",
    "unexpected identifier 'arguments'\\. cannot reference 'arguments' in class field",
  ),
  row(
    'super outside a method',
    "'super' keyword unexpected here",
    'super\\(\\) is only valid in',
    'use of super (?:property|member) accesses only valid within',
    'super is not valid in this context',
  ),
  row(
    'optional chain with new',
    'invalid optional chain from new expression',
    'new keyword cannot be used with an optional chain',
    'cannot call constructor in an optional chain',
  ),
  row(
    'optional chain with a template',
    'invalid tagged template on optional chain',
    'tagged template cannot be used with optional chain',
    'cannot use tagged templates in an optional chain',
  ),
  row(
    'coalescing without brackets',
    "unexpected token '\\?\\?'",
    "cannot use `?'?\\?\\?'?`? unparenthesized within",
  ),
  row(
    'unary operand of a power',
    'unary operator used immediately before exponentiation expression',
    "unparenthesized unary expression can't appear on the left-hand side of '\\*\\*'",
    "unexpected token '\\*\\*'",
  ),
  row(
    'getter with arguments',
    'getter must not have any formal parameters',
    'getter functions must have no arguments',
    'unexpected .{1,60}getter functions must have no parameters',
  ),
  row(
    'setter without its argument',
    'setter must have exactly one formal parameter',
    'setter functions must have (?:one|exactly one) argument',
    'unexpected .{1,60}setter functions must have one parameter',
  ),
  row(
    '__proto__ twice',
    'duplicate __proto__ fields are not allowed',
    'property name __proto__ appears more than once',
    'attempted to redefine __proto__ property',
  ),
  row(
    'declaration as a statement',
    "lexical declarations? (?:cannot|can't) appear in (?:a )?single-statement context",
  ),
  row(
    'bracket not closed',
    'missing \\) (?:after argument list|after condition|in parenthetical)',
    "unexpected .{1,80}expected '\\)' to end",
  ),
  // Regular expressions.
  row(
    'regular expression flags',
    'invalid flags supplied to regexp constructor',
    'invalid regular expression flags?',
  ),
  row(
    'invalid regular expression',
    'invalid (?:capture group name|named capture|named reference|unicode escape|identity escape|class escape|character class|decimal escape|escape sequence|unicode property name|property name|class set operation|range in character class|regexp group|character in character class).{0,80}',
    'nothing to repeat$',
    'unterminated (?:parenthetical|character class|regular expression literal|regexp literal)',
    'numbers out of order in \\{\\} quantifier',
    '(?:duplicate|missing) capture group name',
    'unmatched \\) in regular expression',
    '(?:raw|lone quantifier|incomplete quantifier) .{1,40}in regular expression',
    'back reference out of range',
    'regexp too big',
    'character class (?:range out of order|escape cannot be used)',
    'incomplete quantifier',
  ),
  row(
    'source malformed',
    'identifier starts immediately after numeric literal',
    'no identifiers allowed directly after numeric literal',
    'string literal contains an unescaped line break',
    "(?:'' )?string literal contains",
    'missing (?:;|:|]|formal parameter|variable name|name after \\.|\\( before|} after|= in|\\) after)',
  ),
  // What the page may not do, and what it cannot read.
  row(
    'play not allowed',
    "play\\(\\) failed because the user didn't interact",
    'the play method is not allowed by the user agent',
    'the request is not allowed by the user agent',
  ),
  row('not cloneable', 'the object can ?not be cloned', 'the object could not be cloned'),
  row(
    'invalid url',
    'invalid url(?:: .{1,2048})?$',
    '.{1,2048} cannot be parsed as a url',
    '.{1,2048} is not a valid url\\.?$',
  ),
];

/** A minified name is another in each build; `default` is in every module. */
function missingExport(module: string, binding: string): string {
  if (binding.length > 2 && binding !== 'default') return `missing export .${binding}`;
  const file = cleanFile(module.split(/[/\\]/).at(-1) ?? '');
  return `missing export${binding === 'default' ? ' default' : ''}${file === '' ? '' : ` of ${file}`}`;
}

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

/** `dom Node.insertBefore: not a child of this node`; null for what is not said of a member of the DOM. */
function domWording(line: string): string | null {
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
    return reason === undefined ? null : `dom ${member}: ${reason}`;
  }
  return null;
}

// Run-time errors, after MDN's JavaScript error reference (V8, SpiderMonkey, JavaScriptCore).
import { namePattern, type WordingRow, withProperty, wordingRow, wordingRows } from './wording-row.ts';

export const runtimeWordings: readonly WordingRow[] = [
  wordingRow(
    withProperty('read-only write'),
    `cannot assign to read only property ${namePattern} of `,
    `${namePattern} is read-only$`,
    `assignment to read-only propert(?:y|ies) ?${namePattern}?$`,
  ),
  wordingRow(
    'read-only write',
    'attempted to assign to readonly property',
    'assignment to constant variable',
    'invalid assignment to const',
    "const '.{1,200}' is read-only",
  ),
  wordingRow(
    withProperty('getter alone, write'),
    `cannot set property ${namePattern} of .{1,200} which has only a getter`,
    `setting getter-only property ${namePattern}\\.?$`,
  ),
  wordingRow(
    withProperty('write to a primitive'),
    `cannot create property ${namePattern} on `,
    `can't assign to property ${namePattern} on .{1,300}: not an object`,
  ),
  wordingRow(
    withProperty('not extensible'),
    `cannot (?:add|define) property ${namePattern}, object is not extensible`,
    `can't define property ${namePattern}: .{1,200} is not extensible`,
    'attempting to define property on object that is not extensible',
  ),
  wordingRow(
    withProperty('redefined property'),
    `cannot redefine property: ${namePattern}\\.?$`,
    `can't redefine non-configurable property ${namePattern}\\.?$`,
    'attempting to change (?:value|configurable attribute|enumerable attribute|access mechanism|the getter|the setter|writable attribute) (?:of|for) an? (?:readonly|unconfigurable) property',
  ),
  wordingRow(
    withProperty('undeletable property'),
    `cannot delete property ${namePattern} of `,
    `property ${namePattern} is non-configurable and can't be deleted`,
    'unable to delete property',
  ),
  ...wordingRows({
    'undeletable property .[]': ["can't delete non-configurable array element"],
    'prototype cycle': [
      "(?:can't set prototype: it would cause a prototype chain cycle|cyclic __proto__ value)",
    ],
    'prototype of this object': [
      "can't set prototype of this object",
      'immutable prototype object',
      '#<\\w{1,64}> is not extensible',
      'cannot set prototype of (?:immutable prototype|this) object',
    ],
    'class heritage': [
      'class extends value .{1,300} is not a constructor or null',
      'class heritage .{1,200} is not an object or null',
      'the superclass is not (?:a constructor|an object)',
      "the value of the superclass's prototype property is not an object",
    ],
    'prototype not an object': [
      'object prototype may only be an object or null',
      'object\\.setprototypeof: expected an object or null',
      '.{1,200} is not an object or null$',
      'prototype value can only be an object or null',
    ],
    'descriptor not an object': [
      'property description must be an object',
      '.{1,200} is not a non-null object$',
    ],
    'weak key not an object': [
      'invalid value used (?:as weak map key|in weak ?set)',
      'weak(?:map|set) (?:key (?:.{1,200} )?|value (?:.{1,200} )?)must be an object',
      'weak(?:map keys|set values) must be objects',
      'attempted to (?:set a non-object key in a weakmap|add a non-object (?:key|value) to a weak(?:map|set))',
      'invalid value used as weak',
    ],
  }),
  wordingRow(
    (property) => `nullish read${property === '' ? '' : ` .${property}`}`,
    `cannot call method ${namePattern} of (?:undefined|null)`,
    "cannot destructure '.{1,200}' as it is (?:undefined|null)",
    'right side of assignment cannot be destructured',
    '.{1,200} has no properties$',
    '\\((?:destructured parameter|intermediate value)\\) is (?:undefined|null)$',
  ),
  wordingRow((variable) => `not defined ${variable}`, `assignment to undeclared variable ${namePattern}$`),
  wordingRow(withProperty('not a constructor'), `super constructor ${namePattern} of `),
  wordingRow(
    (type) => `constructor without new ${type}`,
    `constructor ${namePattern} requires 'new'`,
    `calling a builtin ${namePattern} constructor without new is forbidden`,
    `calling ${namePattern} constructor without new is invalid`,
    `failed to construct ${namePattern}: please use the 'new' operator`,
    `${namePattern} constructor: 'new' is required`,
  ),
  ...wordingRows({
    'derived constructor returned no object': [
      'derived constructors may only return object or undefined',
      'derived class constructor returned invalid value',
      'cannot return a non-object type in the constructor of a derived class',
    ],
    'super not called': ['must call super constructor', "'super\\(\\)' must be called in derived class"],
    'super called twice': [
      'super constructor may only be called once',
      'super\\(\\) called twice in derived class constructor',
      "'super\\(\\)' can't be called more than once",
    ],
  }),
  wordingRow(
    withProperty('incompatible receiver'),
    `method ${namePattern} called on incompatible receiver`,
    `${namePattern} (?:method )?called on incompatible`,
    `${namePattern} requires that (?:'this'|\\|this\\|) be a`,
    `${namePattern} called on an object that is not a`,
  ),
  ...wordingRows({
    'private member of another class': [
      'cannot (?:read|write) private member',
      'receiver must be (?:an instance of )?class',
      "can't (?:access|set) private (?:field|setter|method)",
      'cannot access (?:invalid )?private (?:field|method)',
      'object must be an instance of class',
    ],
    'private member twice': [
      'cannot initialize .{1,200} twice on the same object',
      'initializing an object twice is an error with private',
      'cannot redefine existing private field',
      'cannot install same private methods on object more than once',
    ],
    'iterator result not an object': [
      'iterator result .{1,200} is not an object',
      'iterator\\.(?:next|return|throw)\\(\\) returned a non-object value',
    ],
    'search for a regular expression': [
      'first argument to string\\.prototype\\.\\w{1,20} must not be a regular expression',
      "invalid type: first can't be a regular expression",
      'argument to string\\.prototype\\.\\w{1,20} cannot be a regexp',
    ],
    'generator is running': [
      'generator is already running',
      'already executing generator',
      'generator is executing',
    ],
    'promise resolver': [
      'promise resolver .{1,200} is not a function',
      'promise constructor takes a function argument',
      'promise constructor: argument 1 is not a function',
    ],
    'promise cycle': [
      'chaining cycle detected for promise',
      'a promise cannot be resolved with itself',
      'cannot resolve a promise with itself',
    ],
    'no promise fulfilled': ['all promises were rejected', 'no promise in promise\\.any was resolved'],
    'not async iterable': ['.{1,300} is not (?:a function or its return value is not )?async iterable'],
    'restricted caller': [
      "'caller', 'callee', and 'arguments' properties may not be accessed",
      'access to strict mode caller function is censored',
      "'?arguments'?, '?callee'?, and '?caller'? cannot be accessed in",
    ],
    'in operator': [
      "cannot use 'in' operator to search for .{1,300} in (?:undefined|null|true|false|-?\\d[\\d.]{0,40})$",
      "right-hand side of 'in' should be an object",
      "invalid 'in' operand",
      '(?:undefined|null) is not an object\\. \\(evaluating .{1,300} in ',
    ],
  }),
  wordingRow(
    withProperty('in operator'),
    `cannot use 'in' operator to search for ${namePattern} in `,
    `.{1,200} is not an object\\. \\(evaluating ['"]{1,2}${namePattern}['"]? in `,
  ),
  ...wordingRows({
    'instanceof operand': [
      "function has non-object prototype '.{1,200}' in instanceof check",
      "'prototype' property of .{1,200} is not an object",
      'instanceof called on an object with an invalid prototype property',
    ],
    'precision out of range': [
      'to(?:fixed|exponential|precision)\\(\\) (?:digits )?argument must be between',
      'precision -?[\\w.+-]{1,40} out of range',
    ],
    'radix out of range': [
      'tostring\\(\\) radix (?:argument )?must be between',
      'radix must be an integer at least 2',
    ],
    'repeat count': [
      'invalid count value: ',
      'repeat count must be ',
      'string\\.prototype\\.repeat argument must be ',
    ],
    'invalid array length': [
      'invalid (?:typed )?array (?:buffer )?length',
      'array buffer allocation failed',
      'length (?:too large|out of range of buffer)',
    ],
    'invalid code point': [
      'invalid code point ',
      '-?[\\w.+]{1,60} is not a valid code point',
      'arguments contain a value that is out of range of code points',
    ],
    'normalization form': [
      'the normalization form should be one of',
      "form must be one of '?NFC",
      'argument does not match any normalization form',
    ],
    'invalid date': ['date value is not finite in ', 'provided date is not in valid range'],
    'bigint division by zero': ['(?:bigint )?division by zero$', '0 is an invalid divisor value'],
    'bigint negative exponent': [
      'exponent must be non-negative',
      'bigint negative exponent',
      'negative exponent is not allowed',
    ],
    'bigint of a fraction': [
      'the number .{1,60} cannot be converted to a bigint because it is not an integer',
      ".{1,60} can't be converted to bigint because it isn't an integer",
      'not an integer$',
    ],
    'bigint in json': [
      'do not know how to serialize a bigint',
      "bigint value can't be serialized in json",
      'json\\.stringify cannot serialize bigint',
    ],
    'bigint as number': [
      'cannot convert a bigint value to a number',
      "can't convert bigint to number",
      "conversion from 'bigint' to 'number' is not allowed",
      'cannot mix bigint and other types',
      'invalid mix of bigint and other type',
    ],
    'bigint of another value': [
      'cannot convert .{1,200} to a bigint',
      "can't convert .{1,200} to bigint",
      'invalid argument type in tobigint operation',
      'invalid bigint syntax',
      'failed to parse string to bigint',
    ],
    'symbol converted': [
      'cannot convert a symbol (?:value )?to a (?:string|number)',
      "can't convert symbol to (?:string|number)",
    ],
    'not a symbol': [
      '.{1,200} is not a symbol$',
      'symbol\\.keyfor requires that the first argument be a symbol',
    ],
    'no primitive value': [
      'cannot convert object to primitive value',
      "can't convert .{1,200} to primitive type",
      'no default value$',
    ],
  }),
  wordingRow(
    (kind) => `reduce of empty ${kind.toLowerCase()}`,
    'reduce of empty (array|iterator) with no initial value',
  ),
  wordingRow(
    'comparator not a function',
    'the comparison function must be either a function or undefined',
    'invalid array\\.prototype\\.(?:to)?sort(?:ed)? argument',
    '(?:array|%typedarray%)\\.prototype\\.(?:to)?sort(?:ed)? requires that the comparator',
    'non-function passed to array\\.prototype\\.(?:to)?sort',
    'the comparator (?:function )?must be (?:either )?a function',
  ),
  wordingRow(
    (method) => `non-global regular expression ${method}`,
    '(?:string\\.prototype\\.)?(matchall|replaceall) (?:must be called with a global regexp|called with a non-global regexp|argument must not be a non-global)',
  ),
  ...wordingRows({
    'play not allowed': [
      "play\\(\\) failed because the user didn't interact",
      'the play method is not allowed by the user agent',
      'the request is not allowed by the user agent',
    ],
    'timed out': ['signal timed out$', 'the operation timed out\\.?$'],
    'not cloneable': ['the object can ?not be cloned', 'the object could not be cloned'],
    'invalid url': [
      'invalid url(?:: .{1,2048})?$',
      '.{1,2048} cannot be parsed as a url',
      '.{1,2048} is not a valid url\\.?$',
    ],
  }),
];

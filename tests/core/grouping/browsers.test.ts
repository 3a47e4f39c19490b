import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized } from '../../support/events.ts';
import { runs } from '../../support/test-level.ts';

const said = (value: string, type = 'TypeError') => ({
  platform: 'javascript',
  exception: { values: [{ type, value }] },
});
const at = (filename: string, name = 'render') => ({
  platform: 'javascript',
  exception: {
    values: [
      { type: 'TypeError', value: 'x', stacktrace: { frames: [{ function: name, filename, in_app: true }] } },
    ],
  },
});
const groupingOf = (event: unknown) => computeFingerprint(normalized(event));
const hashOf = (event: unknown): string => groupingOf(event).hash;

const oneError: readonly (readonly string[])[] = [
  [
    "Failed to execute 'insertBefore' on 'Node': The node before which the new node is to be inserted is not a child of this node.",
    'Node.insertBefore: Child to insert before is not a child of this node',
  ],
  [
    "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    'Node.removeChild: The node to be removed is not a child of this node',
  ],
  [
    "Failed to execute 'appendChild' on 'Node': parameter 1 is not of type 'Node'.",
    'Node.appendChild: Argument 1 is not an object.',
    'Node.appendChild: Argument 1 does not implement interface Node.',
    'Argument 1 of Node.appendChild is not an object.',
    "Argument 1 ('node') to Node.appendChild must be an instance of Node",
  ],
  [
    "Failed to execute 'querySelector' on 'Document': '#7a' is not a valid selector.",
    "Document.querySelector: '#7a' is not a valid selector",
  ],
  [
    "Failed to execute 'observe' on 'IntersectionObserver': parameter 1 is not of type 'Element'.",
    'IntersectionObserver.observe: Argument 1 is not an object.',
  ],
  [
    "Failed to execute 'fetch' on 'Window': Illegal invocation",
    "'fetch' called on an object that does not implement interface Window.",
    'Can only call Window.fetch on instances of Window',
  ],
  [
    "Failed to execute 'getElementById' on 'Document': 1 argument required, but only 0 present.",
    'Document.getElementById: At least 1 argument required, but only 0 passed',
  ],
  [
    "Failed to execute 'postMessage' on 'Worker': () => {} could not be cloned.",
    'Worker.postMessage: The object could not be cloned.',
    'The object can not be cloned.',
  ],
  [
    "Failed to construct 'URL': Invalid URL",
    'URL constructor: /a b is not a valid URL.',
    '"/a b" cannot be parsed as a URL.',
    'Invalid URL',
  ],
  [
    "Failed to execute 'atob' on 'Window': The string to be decoded is not correctly encoded.",
    'Window.atob: String contains an invalid character',
  ],
  [
    "Cannot assign to read only property 'total' of object '#<Object>'",
    '"total" is read-only',
    "'total' is read-only",
  ],
  [
    'Assignment to constant variable.',
    "invalid assignment to const 'total'",
    'Attempted to assign to readonly property.',
  ],
  ['Cannot set property total of #<Cart> which has only a getter', 'setting getter-only property "total"'],
  [
    "Cannot create property 'total' on string 'abc'",
    'can\'t assign to property "total" on "abc": not an object',
  ],
  [
    'Cannot add property total, object is not extensible',
    'Cannot define property total, object is not extensible',
    'can\'t define property "total": Object is not extensible',
  ],
  ['Cannot redefine property: total', 'can\'t redefine non-configurable property "total"'],
  [
    "Cannot delete property 'total' of #<Object>",
    'property "total" is non-configurable and can\'t be deleted',
  ],
  ["Cannot delete property '1' of [object Array]", "can't delete non-configurable array element"],
  [
    'Cyclic __proto__ value',
    "can't set prototype: it would cause a prototype chain cycle",
    'cyclic __proto__ value',
  ],
  [
    'Invalid value used as weak map key',
    'WeakSet value must be an object, got 1',
    'WeakMap key 1 must be an object or an unregistered symbol',
    'WeakMap keys must be objects or non-registered symbols',
  ],
  ['URI malformed', 'malformed URI sequence', 'String contained an illegal UTF-16 sequence.'],
  ['total is not a symbol', 'Symbol.keyFor requires that the first argument be a symbol'],
  [
    "Constructor Map requires 'new'",
    'calling a builtin Map constructor without new is forbidden',
    'calling Map constructor without new is invalid',
  ],
  [
    'Class extends value undefined is not a constructor or null',
    'class heritage undefined is not an object or null',
    'The superclass is not a constructor.',
  ],
  [
    "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
    "must call super constructor before using 'this' in derived class constructor",
    "'super()' must be called in derived class before accessing |this| or returning non-object.",
  ],
  [
    'Derived constructors may only return object or undefined',
    'derived class constructor returned invalid value 1',
    'Cannot return a non-object type in the constructor of a derived class.',
  ],
  [
    'Method Set.prototype.add called on incompatible receiver undefined',
    'Set.prototype.add called on incompatible undefined',
    'add method called on incompatible Object',
  ],
  [
    'Cannot read private member #id from an object whose class did not declare it',
    "can't access private field or method: object is not the right class",
    "Cannot access invalid private field (evaluating 'this.#id')",
  ],
  ['Generator is already running', 'already executing generator', 'Generator is executing'],
  ['All promises were rejected', 'No Promise in Promise.any was resolved'],
  [
    "Cannot use 'in' operator to search for 'id' in abc",
    "cannot use 'in' operator to search for 'id' in 'abc'",
    'abc is not an Object. (evaluating \'"id" in abc\')',
  ],
  [
    "Cannot use 'in' operator to search for 'id' in undefined",
    "right-hand side of 'in' should be an object, got undefined",
  ],
  [
    'toFixed() digits argument must be between 0 and 100',
    'precision 101 out of range',
    'toFixed() argument must be between 0 and 100',
  ],
  [
    'toString() radix must be between 2 and 36',
    'radix must be an integer at least 2 and no greater than 36',
    'toString() radix argument must be between 2 and 36',
  ],
  [
    'Invalid count value: -1',
    'repeat count must be non-negative',
    'String.prototype.repeat argument must be greater than or equal to 0 and not be Infinity',
  ],
  [
    'Invalid code point -1',
    '-1 is not a valid code point',
    'Arguments contain a value that is out of range of code points',
  ],
  ['Division by zero', 'BigInt division by zero', '0 is an invalid divisor value.'],
  ['Exponent must be non-negative', 'BigInt negative exponent', 'Negative exponent is not allowed'],
  [
    'The number 1.5 cannot be converted to a BigInt because it is not an integer',
    "1.5 can't be converted to BigInt because it isn't an integer",
    'Not an integer',
  ],
  [
    'Do not know how to serialize a BigInt',
    "BigInt value can't be serialized in JSON",
    'JSON.stringify cannot serialize BigInt.',
  ],
  [
    'Cannot mix BigInt and other types, use explicit conversions',
    "can't convert BigInt to number",
    'Invalid mix of BigInt and other type in addition.',
  ],
  [
    'Cannot convert a Symbol value to a string',
    "can't convert symbol to string",
    'Cannot convert a symbol to a string',
  ],
  ['Cannot convert object to primitive value', "can't convert obj to primitive type", 'No default value'],
  ['Reduce of empty array with no initial value', 'reduce of empty array with no initial value'],
  [
    'The comparison function must be either a function or undefined',
    'invalid Array.prototype.sort argument',
    'Array.prototype.sort requires that the comparator be a function or undefined',
  ],
  [
    'replaceAll must be called with a global RegExp',
    'String.prototype.replaceAll called with a non-global RegExp argument',
    'String.prototype.replaceAll argument must not be a non-global regular expression',
  ],
  [
    "The requested module './cart-DbQ2xY9p.js' does not provide an export named 'total'",
    "The requested module 'https://shop.example/cart-Zx81_pQ2.js' doesn't provide an export named: 'total'",
    "Importing binding name 'total' is not found.",
  ],
  [
    'Cannot use import statement outside a module',
    'import declarations may only appear at top level of a module',
    "Unexpected identifier 'x'. import call expects one or two arguments.",
  ],
  [
    "Unexpected token 'export'",
    'export declarations may only appear at top level of a module',
    "Unexpected keyword 'export'",
  ],
  [
    "Cannot use 'import.meta' outside a module",
    'import.meta may only appear in a module',
    'import.meta is only valid inside modules.',
  ],
  [
    "Identifier 'total' has already been declared",
    'redeclaration of let total',
    "Can't create duplicate variable: 'total'",
    "Cannot declare a let variable twice: 'total'.",
  ],
  [
    "Private field '#id' must be declared in an enclosing class",
    'reference to undeclared private field or method #id',
    'Cannot reference undeclared private names: "#id"',
  ],
  [
    'Illegal return statement',
    'return not in function',
    'Return statements are only valid inside functions.',
  ],
  [
    'Illegal break statement',
    'unlabeled break must be inside loop or switch',
    "'break' is only valid inside a switch or loop statement.",
  ],
  [
    'Illegal continue statement: no surrounding iteration statement',
    'continue must be inside loop',
    "'continue' is only valid inside a loop statement.",
  ],
  ["Undefined label 'x'", 'label not found', "Cannot use the undeclared label 'x'."],
  [
    'Invalid left-hand side in assignment',
    'invalid assignment left-hand side',
    'Left side of assignment is not a reference.',
  ],
  [
    'Missing initializer in const declaration',
    'missing = in const declaration',
    "Unexpected token ';'. const declared variable 'x' must have an initializer.",
  ],
  ['Missing catch or finally after try', 'missing catch or finally after try'],
  [
    'Rest parameter must be last formal parameter',
    'parameter after rest parameter',
    "Unexpected token ','. Rest parameter should be the last parameter in a function declaration.",
  ],
  [
    'Delete of an unqualified identifier in strict mode.',
    "applying the 'delete' operator to an unqualified name is deprecated",
    "Cannot delete unqualified property 'a' in strict mode.",
  ],
  [
    'Duplicate __proto__ fields are not allowed in object literals',
    'property name __proto__ appears more than once in object literal',
    'Attempted to redefine __proto__ property.',
  ],
  [
    "Invalid flags supplied to RegExp constructor 'foo'",
    'Invalid regular expression: invalid flags',
    'invalid regular expression flag f',
    'Invalid flags supplied to RegExp constructor.',
  ],
  [
    'Invalid regular expression: /(/: Unterminated group',
    'unterminated parenthetical',
    'Invalid regular expression: missing )',
  ],
  ['Invalid regular expression: /*/: Nothing to repeat', 'nothing to repeat'],
  ['signal timed out', 'The operation timed out.'],
  ['Iterator result 1 is not an object', 'iterator.next() returned a non-object value'],
  [
    'First argument to String.prototype.includes must not be a regular expression',
    "Invalid type: first can't be a Regular Expression",
    'Argument to String.prototype.includes cannot be a RegExp',
  ],
  [
    'Unexpected eval or arguments in strict mode',
    "'arguments' can't be defined or assigned to in strict mode code",
    "Cannot modify 'eval' in strict mode.",
  ],
  [
    'Function statements require a function name',
    'function statement requires a name',
    'Function statements must have a name.',
  ],
  [
    "Class constructor Cart cannot be invoked without 'new'",
    "class constructors must be invoked with 'new'",
    'Cannot call a class constructor without |new|',
    'Cannot call a class constructor Cart without |new|',
  ],
  [
    'Invalid or unexpected token',
    'illegal character U+2018',
    "Invalid character '\\u2018'",
    "Unexpected number '1'",
  ],
  [
    'Unexpected end of input',
    'Unterminated template literal',
    "'' literal not terminated before end of script",
    'Unexpected EOF',
  ],
  [
    "play() failed because the user didn't interact with the document first.",
    'The play method is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.',
  ],
];

describe('one error in the wording of each browser', () => {
  it.each(oneError.map((row) => [row[0], row] as const))('%s', (_first, row) => {
    const parts = row.map((value) => groupingOf(said(value)).parts);
    expect(parts).toEqual(row.map(() => parts[0]));
  });

  it.each(oneError.map((row, index) => [row[0], index] as const))('not another error: %s', (first, index) => {
    const hash = hashOf(said(first as string));
    const same = oneError.flatMap((row, other) => (hashOf(said(row[0] as string)) === hash ? [other] : []));
    // Two rows of regular expressions are one fault in two spellings.
    expect(same.filter((other) => !/regular expression:/.test(oneError[other]?.[0] ?? ''))).toEqual(
      /regular expression:/.test(first as string) ? [] : [index],
    );
  });

  it.each([
    [
      "Cannot assign to read only property 'a' of object '#<O>'",
      "Cannot assign to read only property 'b' of object '#<O>'",
    ],
    ['"total" is read-only', '"price" is read-only'],
    ['Cannot redefine property: ethereum', 'Cannot redefine property: solana'],
    ['setting getter-only property "a"', 'setting getter-only property "b"'],
    [
      "Cannot use 'in' operator to search for 'id' in abc",
      "Cannot use 'in' operator to search for 'name' in abc",
    ],
    [
      "Failed to execute 'insertBefore' on 'Node': The node before which the new node is to be inserted is not a child of this node.",
      "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    ],
    [
      "Failed to execute 'appendChild' on 'Node': parameter 1 is not of type 'Node'.",
      "Failed to execute 'appendChild' on 'Node': The new child element contains the parent.",
    ],
    ["Identifier 'a1' has already been declared", "Identifier 'b1' has already been declared"],
    [
      "The requested module './a.js' does not provide an export named 'default'",
      "The requested module './b.js' does not provide an export named 'default'",
    ],
  ])('%s is not %s', (a, b) => {
    expect(hashOf(said(a))).not.toBe(hashOf(said(b)));
  });

  it.each(['Expected number but got string', 'Label not found for order', 'Form must be one of ours'])(
    'keeps messages of an application: %s',
    (value) => {
      expect(groupingOf(said(value, 'Error')).parts[1]).toBe(value);
    },
  );
});

describe('the name of a DOMException', () => {
  it.each([
    [
      'HierarchyRequestError',
      "Failed to execute 'appendChild' on 'Node': The new child element contains the parent.",
      'Node.appendChild: The new child is an ancestor of the parent',
    ],
    [
      'TransactionInactiveError',
      "Failed to execute 'put' on 'IDBObjectStore': The transaction has finished.",
      'IDBObjectStore.put: A request was placed against a transaction which is currently not active, or which is finished.',
    ],
    [
      'InvalidStateError',
      "Failed to execute 'send' on 'XMLHttpRequest': The object's state must be OPENED.",
      'XMLHttpRequest.send: XMLHttpRequest state must be OPENED.',
    ],
  ])('is the same in all browsers: %s', (type, chrome, firefox) => {
    expect(groupingOf(said(chrome, type)).parts).toEqual(groupingOf(said(firefox, type)).parts);
    expect(hashOf(said(chrome, type))).not.toBe(hashOf(said(chrome, 'TypeError')));
  });
});

describe('codes in links to documentation', () => {
  it.each([
    ['https://svelte.dev/e/state_unsafe_mutation', 'https://svelte.dev/e/effect_orphan'],
    ['https://svelte.dev/e/state_unsafe_mutation', 'https://shop.example/about'],
    ['https://vuejs.org/error-reference/#runtime-1', 'https://vuejs.org/error-reference/#runtime-15'],
    [
      'Invariant Violation: 19 (see https://github.com/apollographql/invariant-packages)',
      'Invariant Violation: 10 (see https://github.com/apollographql/invariant-packages)',
    ],
    [
      'An error occurred! For more details, see the full error text at https://go.apollo.dev/c/err#%7B%22version%22%3A%223.8.1%22%2C%22message%22%3A17%7D',
      'An error occurred! For more details, see the full error text at https://go.apollo.dev/c/err#%7B%22version%22%3A%223.8.1%22%2C%22message%22%3A12%7D',
    ],
    [
      'An error occurred. See https://git.io/JUIaE#17 for more information.',
      'An error occurred. See https://git.io/JUIaE#12 for more information.',
    ],
    [
      'An error occurred. See https://github.com/styled-components/styled-components/blob/main/packages/styled-components/src/utils/errors.md#17 for more information.',
      'An error occurred. See https://github.com/styled-components/styled-components/blob/main/packages/styled-components/src/utils/errors.md#12 for more information.',
    ],
    [
      'For further information visit https://errors.pydantic.dev/2.5/u/class-not-fully-defined',
      'For further information visit https://errors.pydantic.dev/2.5/u/undefined-annotation',
    ],
    [
      'For more information, see https://doc.rust-lang.org/error_codes/E0382.html',
      'For more information, see https://doc.rust-lang.org/error_codes/E0499.html',
    ],
    ['Find more at https://angular.dev/errors/NG0100', 'Find more at https://angular.dev/errors/NG0200'],
    [
      '[Immer] minified error nr: 8. Full error at: https://bit.ly/3cXEKWf',
      '[Immer] minified error nr: 3. Full error at: https://bit.ly/3cXEKWf',
    ],
  ])('%s is not %s', (a, b) => {
    expect(hashOf(said(a, 'Error'))).not.toBe(hashOf(said(b, 'Error')));
    expect(groupingOf(said(a, 'Error')).notes.join()).toMatch(/used from the message: /);
  });

  it.each([
    [
      'An error occurred! For more details, see the full error text at https://go.apollo.dev/c/err#%7B%22version%22%3A%223.8.1%22%2C%22message%22%3A17%2C%22args%22%3A%5B%5D%7D',
      'An error occurred! For more details, see the full error text at https://go.apollo.dev/c/err#%7B%22version%22%3A%223.9.0%22%2C%22message%22%3A17%2C%22args%22%3A%5B%22a%22%5D%7D',
    ],
    [
      'NG0100: Expression has changed. Find more at https://v17.angular.io/errors/NG0100',
      'NG0100: Expression has changed. Find more at https://angular.dev/errors/NG0100',
    ],
    [
      'Minified React error #418; visit https://reactjs.org/docs/error-decoder.html?invariant=418&args[]=HTML',
      'Minified React error #418; visit https://react.dev/errors/418?args[]=P',
    ],
    [
      'Order failed, see https://shop.example/orders/17#12',
      'Order failed, see https://shop.example/orders/18#13',
    ],
  ])('%s is %s', (a, b) => {
    expect(hashOf(said(a, 'Error'))).toBe(hashOf(said(b, 'Error')));
  });
});

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const base64url = `${lower.toUpperCase()}${lower}${digits}-_`;
const drawnFrom = (signs: string, length: number) =>
  fc.array(fc.constantFrom(...signs), { minLength: length, maxLength: length }).map((all) => all.join(''));

describe('file names with a build hash', () => {
  it.each([
    ['base64url', base64url, 8],
    ['base32, as esbuild writes it', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 8],
    ['hex', `${digits}abcdef`, 20],
  ])('lose the hash: %s', (_name, signs, length) => {
    let missed = 0;
    const times = runs(400);
    fc.assert(
      fc.property(drawnFrom(signs, length), fc.constantFrom('cart', 'user-card'), (hash, name) => {
        const parts = groupingOf(at(`https://shop.example/assets/${name}-${hash}.js`)).parts;
        if (parts[0] !== `TypeError @ ${name}.js · render`) missed += 1;
      }),
      { numRuns: times },
    );
    // A few hashes read as words do.
    expect(missed).toBeLessThanOrEqual(Math.ceil(times / 50));
  });

  it.each([
    'DbQ2xY9p',
    'Zx81_pQ2',
    '_x81ApQ2',
    '-x81ApQ2',
    'DbQ-xY9p',
    'DbQ2xY9-',
    'DbQaxYzp',
    'D_Q2_Y9p',
    'D-Q2-Y9-',
  ])('in frames and in messages: %s', (hash) => {
    expect(hashOf(at(`https://shop.example/assets/cart-${hash}.js`))).toBe(
      hashOf(at('https://shop.example/assets/cart-CkbzPtqa.js')),
    );
    const missing = (file: string) => said(`Cannot load the widget ./${file} of this page`, 'Error');
    expect(groupingOf(missing(`cart-${hash}.js`)).parts).toEqual(groupingOf(missing('cart.js')).parts);
  });

  it.each(['Zx81_pQ2.js', 'DbQ2xY9p.js', 'D-Qx-Y9-.js'])('where the hash is the whole name: %s', (file) => {
    expect(hashOf(at(`https://shop.example/_nuxt/${file}`))).toBe(
      hashOf(at('https://shop.example/_nuxt/CkbzPtq4.js')),
    );
  });

  it.each([
    'user-settings.js',
    'page-checkout.js',
    'wrapSafe.js',
    'softNavs.js',
    'css-scroll-behavior.js',
    'UserCard2.js',
    'CLIENT_TRACKING.js',
    'markdown.js',
    'user-http2wrapper.js',
    'jpeg2000.js',
  ])('%s is a name', (file) => {
    expect(groupingOf(at(`/srv/app/${file}`)).parts[0]).toContain(`${file.toLowerCase()} · render`);
  });
});

describe('pages', () => {
  it.each(['a.html', 'b.php', 'c.aspx', 'd.amp', 'e.jsp', 'f', 'g/h.htm?x=1', 'v1.2'])(
    'a script inside of one is (page): %s',
    (page) => {
      expect(groupingOf(at(`https://shop.example/products/${page}`)).parts).toEqual([
        'TypeError @ (page) · render',
      ]);
    },
  );

  it('one folder is one, however its name is encoded', () => {
    const chunk = (folder: string) =>
      at(`https://shop.example/_next/static/chunks/app/${folder}/page-3f9c1b2a4d5e6f70.js`);
    expect(hashOf(chunk('%5Bid%5D'))).toBe(hashOf(chunk('[id]')));
    expect(() => hashOf(chunk('%E0%A4%A'))).not.toThrow();
  });
});

describe('members of an AggregateError', () => {
  const member = (name: string) => ({
    type: 'TypeError',
    value: name,
    stacktrace: { frames: [{ function: name, filename: `/app/src/${name}.js`, in_app: true }] },
  });
  const group = { type: 'AggregateError', value: 'All promises were rejected' };
  const withMembers = (names: readonly string[]) => ({
    platform: 'javascript',
    exception: { values: [...names.map(member), group] },
  });

  it('come in any order, however many they are', () => {
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'];
    const one = hashOf(withMembers(names));
    expect(hashOf(withMembers([...names].reverse()))).toBe(one);
    expect(hashOf(withMembers([...names, 'alpha']))).toBe(one);
    expect(hashOf(withMembers(names.slice(1)))).not.toBe(one);
  });

  it('come in any order without stacks, too', () => {
    const bare = (names: readonly string[]) => ({
      platform: 'python',
      exception: {
        values: [
          ...names.map((name) => ({ type: 'ValueError', value: `bad ${name}` })),
          { type: 'ExceptionGroup', value: 'several' },
        ],
      },
    });
    expect(hashOf(bare(['price', 'tax']))).toBe(hashOf(bare(['tax', 'price'])));
    expect(hashOf(bare(['price', 'tax']))).not.toBe(hashOf(bare(['price'])));
  });

  it('are not causes: those of a chain keep their order', () => {
    const chain = (names: readonly string[]) => ({
      platform: 'javascript',
      exception: { values: names.map(member) },
    });
    expect(hashOf(chain(['alpha', 'beta']))).not.toBe(hashOf(chain(['beta', 'alpha'])));
  });
});

// Errors in modules, syntax and regular expressions, after MDN's JavaScript error reference.
import { normalizeFileName } from '../names/file-names.ts';
import { namePattern, type WordingRow, wordingRow, wordingRows } from './wording-row.ts';

export const sourceWordings: readonly WordingRow[] = [
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
  ...wordingRows({
    'import outside a module': [
      'cannot use import statement outside a module',
      'import declarations may only appear at top level of a module',
      'unexpected (?:identifier|token|string literal|keyword) .{0,200}import call expects',
    ],
    'export outside a module': [
      "unexpected (?:token|keyword) '?export'?",
      'export declarations may only appear at top level of a module',
    ],
    'import.meta outside a module': [
      "cannot use 'import\\.meta' outside a module",
      'import\\.meta may only appear in a module',
      'import\\.meta is only valid inside modules',
    ],
  }),
  wordingRow(
    (variable) => `declared twice ${variable}`,
    `identifier ${namePattern} has already been declared`,
    `redeclaration of (?:let|const|var|function|class|import|formal parameter|catch parameter|label) ${namePattern}$`,
    `can't create duplicate variable: ${namePattern}\\.?$`,
    `cannot declare an? (?:let|const|var|function|class|imported binding)(?: variable| name)? twice: ${namePattern}\\.?$`,
  ),
  wordingRow(
    (variable) => `undeclared private ${variable}`,
    `private field ${namePattern} must be declared in an enclosing class`,
    `reference to undeclared private field or method ${namePattern}$`,
    `cannot reference undeclared private names: ${namePattern}$`,
  ),
  ...wordingRows({
    'return outside a function': [
      'illegal return statement',
      'return not in function',
      'return statements are only valid inside functions',
    ],
    'break outside a loop': [
      'illegal break statement',
      'unlabeled break must be inside loop or switch',
      "'break' is only valid inside a switch or loop statement",
    ],
    'continue outside a loop': [
      'illegal continue statement',
      'continue must be inside loop',
      "'continue' is only valid inside a loop statement",
    ],
    'undefined label': ['undefined label', 'label not found$', 'cannot use the undeclared label'],
    'await outside an async function': [
      'await is only valid in async functions',
      'await is only valid in async function',
      "unexpected reserved word 'await'",
    ],
    'invalid assignment target': [
      'invalid left-hand side',
      'invalid assignment left-hand side',
      'invalid (?:increment|decrement|increment/decrement) operand',
      'left (?:hand )?side of (?:operator|assignment) ?.{0,20} ?(?:must be|is not) a reference',
      '(?:postfix|prefix) (?:\\+\\+|--) operator applied to value that is not a reference',
      'invalid destructuring assignment target',
    ],
    'const without a value': [
      'missing initializer in (?:const|destructuring) declaration',
      'missing = in (?:const|destructuring) declaration',
      'unexpected .{1,60}(?:const declared variable|destructuring) .{0,200}must have an initializer',
    ],
    'try without catch': [
      'missing catch or finally after try',
      'unexpected .{1,60}try statements must have at least a catch or finally block',
    ],
    'parameter behind a rest parameter': [
      'rest parameter must be last formal parameter',
      'parameter after rest parameter',
      'unexpected .{1,60}rest parameter should be the last parameter',
    ],
    'parameter named twice': [
      'duplicate parameter name not allowed',
      'duplicate formal argument',
      '(?:cannot declare a parameter named|duplicate parameter) [\'"]?.{1,200}(?:already been declared|not allowed)',
    ],
    'reserved word': [
      'unexpected (?:strict mode )?reserved word',
      '[\\w$]{1,64} is a reserved (?:identifier|word)',
      "cannot use the (?:reserved word|keyword) '.{1,64}' as a",
    ],
    'eval or arguments in strict mode': [
      'unexpected eval or arguments in strict mode',
      "'(?:eval|arguments)' can't be defined or assigned to in strict mode",
      "cannot (?:modify|declare a \\w{1,16} named|destructure to a variable named) '(?:eval|arguments)' in strict mode",
    ],
    'function without a name': ['function statements? (?:requires?|must have) a (?:function )?name'],
    'octal literal': [
      'octal (?:literals|escape sequences) are not allowed',
      "octal escape sequences (?:are not allowed|can't be used)",
      'decimals with leading zeros are not allowed',
      '"0"-prefixed octal literals',
      'decimal integer literals with a leading zero are forbidden',
      'the only valid numeric escape in strict mode',
    ],
    'use strict with such parameters': [
      "illegal 'use strict' directive in function",
      '[\'"]use strict[\'"] (?:directive )?not allowed in',
    ],
    'delete of a name': [
      'delete of an unqualified identifier',
      "applying the 'delete' operator to an unqualified name",
      'cannot delete unqualified property',
    ],
    'loop variable with a value': [
      'for-(?:of|in|await) loop variable declaration may not have an initializer',
      'a declaration in the head of a for-(?:of|in) loop can',
      'for-(?:of|in) loop head declarations may not have initializers',
      'cannot assign to the loop variable inside a for-(?:of|in) loop header',
    ],
    'arguments in a class field': [
      "'?arguments'? is not (?:allowed|valid) in (?:class )?field",
      "unexpected identifier 'arguments'\\. cannot reference 'arguments' in class field",
    ],
    'super outside a method': [
      "'super' keyword unexpected here",
      'super\\(\\) is only valid in',
      'use of super (?:property|member) accesses only valid within',
      'super is not valid in this context',
    ],
    'optional chain with new': [
      'invalid optional chain from new expression',
      'new keyword cannot be used with an optional chain',
      'cannot call constructor in an optional chain',
    ],
    'optional chain with a template': [
      'invalid tagged template on optional chain',
      'tagged template cannot be used with optional chain',
      'cannot use tagged templates in an optional chain',
    ],
    'coalescing without brackets': [
      "unexpected token '\\?\\?'",
      "cannot use `?'?\\?\\?'?`? unparenthesized within",
    ],
    'unary operand of a power': [
      'unary operator used immediately before exponentiation expression',
      "unparenthesized unary expression can't appear on the left-hand side of '\\*\\*'",
      "unexpected token '\\*\\*'",
    ],
    'getter with arguments': [
      'getter must not have any formal parameters',
      'getter functions must have no arguments',
      'unexpected .{1,60}getter functions must have no parameters',
    ],
    'setter without its argument': [
      'setter must have exactly one formal parameter',
      'setter functions must have (?:one|exactly one) argument',
      'unexpected .{1,60}setter functions must have one parameter',
    ],
    '__proto__ twice': [
      'duplicate __proto__ fields are not allowed',
      'property name __proto__ appears more than once',
      'attempted to redefine __proto__ property',
    ],
    'declaration as a statement': [
      "lexical declarations? (?:cannot|can't) appear in (?:a )?single-statement context",
    ],
    'bracket not closed': [
      'missing \\) (?:after argument list|after condition|in parenthetical)',
      "unexpected .{1,80}expected '\\)' to end",
    ],
    'regular expression flags': [
      'invalid flags supplied to regexp constructor',
      'invalid regular expression flags?',
      'invalid regular expression: invalid flags',
    ],
    'invalid regular expression': [
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
    ],
    'source malformed': [
      'identifier starts immediately after numeric literal',
      'no identifiers allowed directly after numeric literal',
      'string literal contains an unescaped line break',
      "(?:'' )?string literal contains",
      "invalid character '.{1,8}'$",
      "unexpected (?:number|string|template string)(?: '.{1,200}'.{0,200})?$",
      'invalid shorthand property initializer',
      'missing (?:;|:|]|formal parameter|variable name|name after \\.|\\( before|} after|= in|\\) after)',
    ],
  }),
];

/** Minified names differ in each build; every module has a `default`. */
function missingExport(module: string, binding: string): string {
  if (binding.length > 2 && binding !== 'default') return `missing export .${binding}`;
  const file = normalizeFileName(module.split(/[/\\]/).at(-1) ?? '');
  return `missing export${binding === 'default' ? ' default' : ''}${file === '' ? '' : ` of ${file}`}`;
}

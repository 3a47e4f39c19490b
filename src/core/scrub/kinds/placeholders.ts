// What stands where a value will be, or where one was: masks, variables of templates, marks of statements.
import { anyOf, patternOf } from './patterns.ts';

const filledLater = patternOf(
  'g',
  String.raw`[$#]\{[^{}]{0,128}\}|\$\{[^{}]{0,128}$|\{\{[^{}]{0,128}\}\}|\{[A-Za-z_.]{1,32}\}`,
  String.raw`|(?<![\w$])\$[A-Z_][A-Z0-9_]{1,63}\b|%(?:\(\w{1,64}\))?[sdv]`,
);

/** Where none of these stands, nothing is filled in later. */
const mayBeFilled = /\{|\$[A-Z_]|%[sdv(]/;

/**
 * `Bearer ${token}`, `#{user}:#{password}`: nothing but words is left when what is filled in later is taken
 * out.
 */
export function isTemplate(text: string): boolean {
  if (text.length > 512 || !mayBeFilled.test(text)) return false;
  const left = text.replaceAll(filledLater, ' ');
  if (left === text) return false;
  return left.split(/[\s:,;=/@-]+/).every((word) => /^(?:[a-z_]{0,16}|[A-Z][a-z]{1,15})$/.test(word));
}

/** What a placeholder may begin with, and its form. */
const placeholders: ReadonlyArray<readonly [begins: string, form: RegExp]> = [
  // Masked before it was sent.
  ['*•●·xX.…#_-', /^[*•●·xX.…#_-]{3,}$/],
  [
    '[<({',
    patternOf(
      'i',
      String.raw`^[[<({]{1,2}\s?`,
      anyOf(
        `redacted filtered hidden masked removed secret sensitive omitted protected sanitized none empty`,
      ),
      String.raw`[^\])}>]{0,24}[\])}>]{1,2}$`,
    ),
  ],
  // `<password>`, `{password}`, `${DB_PASSWORD}`, `{{ token }}`, `%(password)s`, `#{token}`, `$(cat x)`: of a
  // template.
  ['<', /^<\/?[A-Za-z][\w .:-]{0,64}>?$/],
  ['<', /^<[?%]/],
  ['$', /^\$[a-z_]{1,32}$/],
  ['$', /^\$\(/],
  ['$#%@{', /^[$#%@]?\{{1,3}\s?[$.]?[A-Za-z_][A-Za-z_.]{0,64}(?:\s?\|\s?[a-z_]{1,32})?\s?\}{0,3}$/],
  ['$#%@{', /^[$#%@]?\{{1,3}%?$/],
  // `%env(resolve:DB_PASSWORD)%`, and a colour of a style sheet.
  ['%', /^%\w{1,16}\([\w:]{1,64}\)%$/],
  ['#', /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i],
  ['$', /^\$\(?[A-Z_][A-Z0-9_]*\)?$/],
  ['%', /^%[A-Z_][A-Z0-9_]*%$/],
  ['%', /^%(?:\(\w{1,64}\))?-?\d{0,3}(?:\$[sd])?[sdvqrx]?$/],
  ['%', /^%@$/],
  ['?:@${', /^(?:\?|:[a-z_]\w{0,63}|@[a-z_]\w{0,31}|\$\d{1,3}|\{\d{0,3}\})$/i],
  // The fingerprint of a public key.
  ['SM', /^(?:SHA\d{1,3}|MD5):[\w+/=:-]{16,}$/],
];
const placeholdersBySign = new Map<string, RegExp[]>();
for (const [begins, form] of placeholders) {
  for (const sign of begins) placeholdersBySign.set(sign, [...(placeholdersBySign.get(sign) ?? []), form]);
}

/** `<password>`, `${DB_PASSWORD}`, `*****`: what stands for a value; `text` is not empty. */
export function isPlaceholder(text: string): boolean {
  if (text.length > 128) return false;
  return placeholdersBySign.get(text[0] as string)?.some((form) => form.test(text)) === true;
}

// Removes characters that XML forbids, also as references. References to a surrogate pair become one.

/** Some tools write these into messages. */
const forbiddenControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function removeControlCharacters(text: string, removed: () => void): string {
  const clean = text.replaceAll(forbiddenControls, '');
  if (clean.length !== text.length) removed();
  return clean;
}

const one = `&#(?:[xX][0-9a-fA-F]{1,12}|[0-9]{1,12});`;
const inARow = new RegExp(`(?:${one})+`, 'g');
const each = new RegExp(one, 'g');
/** References to 0xd800 to 0xdbff. */
const highHalf = String.raw`&#(?:[xX]0{0,6}[dD][89abAB][0-9a-fA-F]{2}|0{0,6}5(?:529[6-9]|5[3-9]\d\d|6[0-2]\d\d|63[01]\d));`;
/** An incomplete reference, or a high surrogate whose other half may follow. */
const atEnd = new RegExp(`(?:${highHalf})?(?:&[#a-zA-Z0-9]{0,14})?$`);
const atEndCharactersMax = 32;

/** An `&` that begins no reference that XML knows: `&nbsp;` of HTML is text, for no document type is read. */
const loneAmpersand = /&(?!(?:lt|gt|amp|apos|quot|#[0-9]{1,12}|#[xX][0-9a-fA-F]{1,12});)/g;

export function escapeLoneAmpersands(text: string): string {
  return text.includes('&') ? text.replaceAll(loneAmpersand, '&amp;') : text;
}

export function hasReference(text: string): boolean {
  return text.includes('&#');
}

export function incompleteReferenceLength(text: string): number {
  return atEnd.exec(text.slice(-atEndCharactersMax))?.[0].length ?? 0;
}

export function removeForbiddenReferences(text: string): string {
  return text.replaceAll(inARow, (row) => {
    const references = row.match(each) ?? [];
    if (references.every((reference) => isAllowed(numberOf(reference)))) return row;
    return charactersOf(references.map(numberOf))
      .filter(isAllowed)
      .map((code) => `&#${code};`)
      .join('');
  });
}

function numberOf(reference: string): number {
  const digits = reference.slice(2, -1);
  return /^[xX]/.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10);
}

function charactersOf(numbers: readonly number[]): number[] {
  const joined: number[] = [];
  for (const number of numbers) {
    const before = joined.at(-1) ?? 0;
    const isPair = before >= 0xd800 && before < 0xdc00 && number >= 0xdc00 && number < 0xe000;
    if (isPair) joined[joined.length - 1] = 0x10000 + (before - 0xd800) * 0x400 + (number - 0xdc00);
    else joined.push(number);
  }
  return joined;
}

/** `Char` in XML 1.0. */
function isAllowed(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}

// Card numbers: 13 to 19 digits that pass the Luhn check, in one piece or in the groups that are printed on cards.

const cardSign = '[card]';
const digitRuns = /\d(?:[ .\-\u00a0]?\d){12,}/g;

/** Text with each card number replaced by "[card]". Linear: a run of digits is looked at once for each group in it. */
export function scrubCards(text: string, hit: () => void): string {
  if (text.length < 13) return text;
  return text.replace(digitRuns, (run) => {
    const pieces = run.split(/([ .\-\u00a0])/);
    let clean = '';
    for (let at = 0; at < pieces.length; ) {
      const length = cardPieces(pieces, at);
      if (length > 0) hit();
      clean += length > 0 ? cardSign : (pieces[at] ?? '');
      at += Math.max(1, length);
    }
    return clean;
  });
}

/** True for a whole number that is a card's. */
export function isCardNumber(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0 && isCard(String(number));
}

/** How many pieces (groups and the separators between them) from `at` on make a card; 0 for none. */
function cardPieces(pieces: readonly string[], at: number): number {
  if (at % 2 === 1) return 0;
  const first = pieces[at] ?? '';
  // Digits behind a decimal point are a fraction.
  const isFraction = pieces[at - 1] === '.' && /^\d/.test(pieces[at - 2] ?? '') && pieces.length === at + 1;
  if (first.length >= 13) return !isFraction && isCard(first) ? 1 : 0;
  if (first.length < 3 || first.length > 6) return 0;
  let digits = first;
  let found = 0;
  for (let next = at + 2; next < pieces.length && next <= at + 12; next += 2) {
    const group = pieces[next] ?? '';
    if (group.length > 7 || pieces[next - 1] !== pieces[at + 1]) break;
    digits += group;
    if (digits.length > 19) break;
    if (digits.length >= 13 && isCard(digits)) found = next - at + 1;
    if (group.length < 3) break;
  }
  return found;
}

/** Luhn, and what no card begins with: 0 never, 1 only with 15 digits; times in milliseconds and dates written together are none. */
function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || digits.startsWith('0')) return false;
  if (digits.startsWith('1') && digits.length !== 15) return false;
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d/.test(digits))
    return false;
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at -= 1, double = !double) {
    const digit = digits.charCodeAt(at) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

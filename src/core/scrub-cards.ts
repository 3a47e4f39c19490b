// Card numbers: 13 to 19 digits that pass the Luhn check, in one piece or in the groups that are printed on cards.

const cardSign = '[card]';
const digitsMin = 13;
const digitsMax = 19;
const mayHoldCard = /\d(?:[ .\-\u00a0]?\d){12}/;

/** Text with each card number replaced by "[card]". Linear: from the start of each group at most seven groups are looked at. */
export function scrubCards(text: string, hit: () => void): string {
  if (text.length < digitsMin || !mayHoldCard.test(text)) return text;
  let clean = '';
  let position = 0;
  for (let at = 0; at < text.length; ) {
    if (!isDigit(text, at)) {
      at += 1;
      continue;
    }
    const end = cardEnd(text, at);
    if (end > 0) {
      hit();
      clean += text.slice(position, at) + cardSign;
      position = end;
    }
    at = end > 0 ? end : groupEnd(text, at);
  }
  return position === 0 ? text : clean + text.slice(position);
}

/** True for a whole number that is a card's. */
export function isCardNumber(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0 && isCard(String(number));
}

/** Where the card ends that begins at `start`, the first digit of a group; 0 where none begins. */
function cardEnd(text: string, start: number): number {
  const first = groupEnd(text, start);
  const length = first - start;
  if (length >= digitsMin) {
    return length <= digitsMax && !isFraction(text, start, first) && isCard(text.slice(start, first))
      ? first
      : 0;
  }
  // Printed groups have 3 to 6 digits and one separator throughout; the last may be shorter.
  if (length < 3 || length > 6 || !isSeparator(text, first)) return 0;
  let digits = text.slice(start, first);
  let found = 0;
  for (let at = first; text[at] === text[first] && isDigit(text, at + 1); ) {
    const end = groupEnd(text, at + 1);
    if (end - at > 8 || digits.length + end - at - 1 > digitsMax) break;
    digits += text.slice(at + 1, end);
    if (digits.length >= digitsMin && isCard(digits)) found = end;
    if (end - at < 4) break;
    at = end;
  }
  return found;
}

/** Behind the digits at `start`. */
function groupEnd(text: string, start: number): number {
  let end = start;
  while (isDigit(text, end)) end += 1;
  return end;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function isSeparator(text: string, at: number): boolean {
  const char = text[at];
  return char === ' ' || char === '-' || char === '.' || char === '\u00a0';
}

/** Digits behind a decimal point, with no group behind them. */
function isFraction(text: string, start: number, end: number): boolean {
  const goesOn = isSeparator(text, end) && isDigit(text, end + 1);
  return text[start - 1] === '.' && isDigit(text, start - 2) && !goesOn;
}

/** Luhn, and what no card begins with: 0 never, 1 only with 15 digits; times in milliseconds and dates written together are none. */
function isCard(digits: string): boolean {
  if (digits.length < digitsMin || digits.length > digitsMax || digits.startsWith('0')) return false;
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

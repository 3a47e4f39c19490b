// How PHP writes its numbers, in JSON and in text. No parsing.
import { PhpFloat } from './values.ts';

/** A PHP integer in decimal digits. */
export function integerText(value: number | bigint): string {
  // JavaScript fills the digits of large numbers up with zeros; PHP prints the exact integer.
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : String(BigInt(value));
}

/** A finite float as json_encode prints it: the shortest digits that read back as the same float. */
export function floatJson(value: number): string {
  return layOut(value, digitsOf(value.toExponential()), 17, 'e');
}

/** A float as PHP's `(string)` prints it: 14 significant digits, `E`, and INF, -INF, NAN. */
export function floatText(value: number | PhpFloat): string {
  const number = value instanceof PhpFloat ? value.value : value;
  if (Number.isNaN(number)) return 'NAN';
  if (!Number.isFinite(number)) return number > 0 ? 'INF' : '-INF';
  return layOut(number, digitsOf(number.toExponential(13)), 14, 'E');
}

type Digits = { readonly digits: string; readonly exponent: number };

function digitsOf(exponential: string): Digits {
  const [mantissa = '0', exponent = '0'] = exponential.split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '');
  return { digits: digits === '' ? '0' : digits, exponent: Number(exponent) };
}

/**
 * PHP's choice between fixed and scientific notation: fixed from 1e-4 up to `precision` digits before the
 * point.
 */
function layOut(value: number, { digits, exponent }: Digits, precision: number, letter: string): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (exponent < -4 || exponent >= precision) {
    const power = exponent < 0 ? `-${-exponent}` : `+${exponent}`;
    return `${sign}${digits[0]}.${digits.slice(1) || '0'}${letter}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return sign + whole + (fraction === '' ? '' : `.${fraction}`);
}

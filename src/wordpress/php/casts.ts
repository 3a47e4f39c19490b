import {
  countOf,
  isPhpArray,
  isPhpInt,
  PhpFloat,
  type PhpValue,
  phpInt,
  phpIntMax,
  phpIntMin,
  toJsNumber,
} from './values.ts';

export type PhpNumber = number | bigint | PhpFloat;

/** PHP 8's `is_numeric`: blanks are allowed on both sides. */
export function isNumeric(value: PhpValue): value is PhpNumber | string {
  if (typeof value === 'string') return numericString.test(value);
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof PhpFloat;
}

const numericString =
  /^[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\n\r\v\f]*$/;
const numericStart = /^[ \t\n\r\v\f]*([+-]?(?:[0-9]+(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?)/;

export function isScalar(value: PhpValue): value is string | boolean | PhpNumber {
  return typeof value === 'string' || typeof value === 'boolean' || isNumeric(value);
}

/** A string without fraction and exponent, within 64 bits, is an integer; any other a float. */
export function toNumber(value: PhpNumber | string): PhpNumber {
  if (typeof value !== 'string') return value;
  const match = numericStart.exec(value);
  if (match === null) return 0;
  const [, text = '', fraction, bareFraction, exponent] = match;
  if (fraction !== undefined || bareFraction !== undefined || exponent !== undefined) {
    return new PhpFloat(Number(text));
  }
  const integer = BigInt(text.replace(/^\+/, ''));
  return integer >= phpIntMin && integer <= phpIntMax ? phpInt(integer) : new PhpFloat(Number(text));
}

/** PHP's `(float)`. */
export function toFloat(value: PhpValue): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null) return 0;
  if (typeof value === 'string') return Number(numericStart.exec(value)?.[1] ?? 0);
  if (typeof value === 'number') return Object.is(value, -0) ? 0 : value;
  if (typeof value === 'bigint' || value instanceof PhpFloat) return toJsNumber(value);
  return isPhpArray(value) && countOf(value) === 0 ? 0 : 1;
}

/** PHP's `(int)`: floats wrap modulo 2^64 (INF and NaN are 0), strings are clamped to the bounds. */
export function toInt(value: PhpValue): number | bigint {
  if (isPhpInt(value)) return typeof value === 'number' ? value || 0 : value;
  if (typeof value !== 'string') return floatToInt(toFloat(value));
  const number = toNumber(value);
  if (!(number instanceof PhpFloat)) return number;
  if (!Number.isFinite(number.value)) return 0;
  if (number.value >= 2 ** 63) return phpInt(phpIntMax);
  return number.value < -(2 ** 63) ? phpInt(phpIntMin) : floatToInt(number.value);
}

/** PHP's `(string)`; an array is `Array`. */
export function toPhpString(value: PhpValue): string {
  if (typeof value === 'string') return value;
  if (value === null || value === false) return '';
  if (value === true) return '1';
  if (isPhpInt(value)) return integerToString(value);
  return typeof value === 'number' || value instanceof PhpFloat ? floatToString(value) : 'Array';
}

/** False in PHP: null, false, 0, 0.0, "", "0" and the empty array. */
export function isFalsy(value: PhpValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === '0') return true;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PhpFloat) {
    return toJsNumber(value) === 0;
  }
  return isPhpArray(value) && countOf(value) === 0;
}

function floatToInt(value: number): number | bigint {
  if (!Number.isFinite(value)) return 0;
  const truncated = Math.trunc(value);
  return Number.isSafeInteger(truncated) ? truncated || 0 : phpInt(BigInt.asIntN(64, BigInt(truncated)));
}

export function integerToString(value: number | bigint): string {
  // JavaScript pads the digits of large numbers with zeros; PHP prints the exact integer.
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : String(BigInt(value));
}

/** As json_encode (serialize_precision -1): the shortest digits that round-trip. */
export function floatToJson(value: number): string {
  return layOut(value, digitsOf(value.toExponential()), 17, 'e');
}

/** PHP's `(string)`: 14 significant digits, `E`, and INF, -INF, NAN. */
function floatToString(value: number | PhpFloat): string {
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

/** PHP uses fixed notation from 1e-4 up to `precision` digits before the point. */
function layOut(
  value: number,
  { digits, exponent }: Digits,
  precision: number,
  exponentLetter: string,
): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (exponent < -4 || exponent >= precision) {
    const power = exponent < 0 ? `-${-exponent}` : `+${exponent}`;
    return `${sign}${digits[0]}.${digits.slice(1) || '0'}${exponentLetter}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const integerPart = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return sign + integerPart + (fraction === '' ? '' : `.${fraction}`);
}

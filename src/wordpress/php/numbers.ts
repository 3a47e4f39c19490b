import { PhpFloat } from './values.ts';

export function integerToString(value: number | bigint): string {
  // JavaScript pads the digits of large numbers with zeros; PHP prints the exact integer.
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : String(BigInt(value));
}

/** As json_encode (serialize_precision -1): the shortest digits that round-trip. */
export function floatToJson(value: number): string {
  return layOut(value, digitsOf(value.toExponential()), 17, 'e');
}

/** PHP's `(string)`: 14 significant digits, `E`, and INF, -INF, NAN. */
export function floatToString(value: number | PhpFloat): string {
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

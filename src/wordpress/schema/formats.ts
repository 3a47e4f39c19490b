// The formats of strings: what each accepts, and what cleaning does to it.

import { toText } from '../php/casts.ts';
import { isPhpArray, PhpObject, type PhpValue } from '../php/values.ts';
import { SchemaError } from './error.ts';
import { parseDate } from './parse-date.ts';
import { sanitizeTextareaField, sanitizeTextField } from './sanitize-text.ts';
import { sanitizeUrl } from './sanitize-url.ts';

/**
 * Checks a value against a format; null when it fits, and for formats WordPress does not check (uri, hostname
 * …).
 */
export function formatError(value: PhpValue, format: PhpValue, param: string): SchemaError | null {
  const text = isScalarLike(value) ? toText(value) : null;
  if (format === 'hex-color') {
    return text !== null && isHexColor(text)
      ? null
      : new SchemaError('rest_invalid_hex_color', 'Invalid hex color.');
  }
  if (format === 'date-time') {
    return text !== null && parseDate(text) !== null
      ? null
      : new SchemaError('rest_invalid_date', 'Invalid date.');
  }
  if (format === 'email') {
    return text !== null && isEmail(text)
      ? null
      : new SchemaError('rest_invalid_email', 'Invalid email address.');
  }
  if (format === 'ip') {
    if (text !== null && isIpAddress(text)) return null;
    return new SchemaError('rest_invalid_ip', `${param} is not a valid IP address.`);
  }
  if (format === 'uuid') {
    // The others take a number for its digits; an identifier has to be text.
    if (typeof value === 'string' && isUuid(value)) return null;
    return new SchemaError('rest_invalid_uuid', `${param} is not a valid UUID.`);
  }
  return null;
}

/** The value as its format cleans it, or undefined where the format cleans nothing. */
export function cleanByFormat(value: PhpValue, format: PhpValue): string | undefined {
  const text = isScalarLike(value) ? toText(value) : '';
  if (format === 'hex-color') return sanitizeHexColor(text) ?? '';
  if (format === 'uri') return sanitizeUrl(text);
  if (format === 'textarea-field') return sanitizeTextareaField(value);
  const isTextLike = ['date-time', 'email', 'ip', 'uuid', 'text-field'].includes(toText(format));
  return isTextLike ? sanitizeTextField(value) : undefined;
}

/**
 * `#` and three or six hexadecimal digits. Like every pattern of PHP's, this one lets a final newline pass.
 */
function isHexColor(text: string): boolean {
  return /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text);
}

/** The colour as it is, or null where it is none; `""` stays. */
export function sanitizeHexColor(text: string): string | null {
  return text === '' || isHexColor(text) ? text : null;
}

/** Lower-case hexadecimal 8-4-4-4-12, of any version. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\n?$/.test(text);
}

/**
 * WordPress's `is_email`: at least 6 bytes, its own letters before the first `@`, a domain of two labels
 * after it.
 */
export function isEmail(text: string): boolean {
  if (Buffer.byteLength(text) < 6) return false;
  const at = text.indexOf('@');
  if (at < 1) return false;
  if (!/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+\n?$/.test(text.slice(0, at))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length >= 2 && labels.every(isDomainLabel);
}

function isDomainLabel(label: string): boolean {
  return /^[a-z0-9-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-');
}

/**
 * IPv4 with octets up to 255 (leading zeros allowed), or IPv6 in full, shortened, or with IPv4 at its end.
 */
export function isIpAddress(text: string): boolean {
  return ipv4.test(text) || isIpv6(text);
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\n?$/;

function isIpv6(text: string): boolean {
  const full = fillZeros(text);
  if (full === null) return false;
  const hasIpv4 = full.includes('.');
  const cut = hasIpv4 ? full.lastIndexOf(':') : full.length;
  const groups = full.slice(0, Math.max(cut, 0)).split(':');
  if (groups.length !== (hasIpv4 ? 6 : 8)) return false;
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return !hasIpv4 || isPlainIpv4(full.slice(cut + 1));
}

/** The address with its one `::` written out; null where more groups stand than there is room for. */
function fillZeros(text: string): string | null {
  const parts = text.split('::');
  const [left = '', right = ''] = parts;
  if (parts.length !== 2) return text;
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(left).length - groups(right).length - (right.includes('.') ? 1 : 0);
  if (missing < 0) return null;
  return [...groups(left), ...Array<string>(missing).fill('0'), ...groups(right)].join(':');
}

function isPlainIpv4(text: string): boolean {
  const octets = text.split('.');
  return (
    octets.length === 4 &&
    octets.every((octet) => /^(?:0|[1-9][0-9]{0,2})$/.test(octet) && Number(octet) <= 255)
  );
}

function isScalarLike(value: PhpValue): boolean {
  return !isPhpArray(value) && !(value instanceof PhpObject);
}

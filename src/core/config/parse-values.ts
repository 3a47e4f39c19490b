import { isIP } from 'node:net';

/** An invalid setting. The program exits with 78 (EX_CONFIG). */
export class ConfigError extends Error {}

export type Env = Readonly<Record<string, string | undefined>>;

/** The trimmed value; undefined if absent or blank. */
export function readTextSetting(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

export function readIntegerSetting(
  env: Env,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = readTextSetting(env, name);
  if (value === undefined) return fallback;
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isNaN(number) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

/** True for on, yes, true or 1; false for off, no, false, 0 or absent. Throws ConfigError. */
export function readBooleanSetting(env: Env, name: string): boolean {
  const value = readTextSetting(env, name)?.toLowerCase();
  if (value === undefined || ['0', 'false', 'off', 'no'].includes(value)) return false;
  if (['1', 'true', 'on', 'yes'].includes(value)) return true;
  throw new ConfigError(`${name} must be on or off, not "${value}".`);
}

/** Case-insensitive. Throws ConfigError. */
export function readChoiceSetting<T extends string>(
  env: Env,
  name: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const value = readTextSetting(env, name);
  if (value === undefined) return fallback;
  const found = allowed.find((each) => each === value.toLowerCase());
  if (found === undefined) {
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
  }
  return found;
}

/** `protocols` include the colon; null if absent. Throws ConfigError. */
export function readUrlSetting(env: Env, name: string, protocols: readonly string[]): string | null {
  const value = readTextSetting(env, name);
  if (value === undefined) return null;
  const url = URL.parse(value);
  if (url === null || !protocols.includes(url.protocol)) {
    throw new ConfigError(
      `${name} must be a URL that starts with ${protocols.map((each) => `${each}//`).join(' or ')}.`,
    );
  }
  return value;
}

/** A URL without secrets, for messages. Other text is hidden, because it may hold a password. */
export function maskUrl(value: string): string {
  if (value.startsWith('sqlite:')) return toPrintable(value);
  const url = URL.parse(value);
  if (url === null || !value.includes('//')) return `${/^[a-z][a-z0-9+.-]{0,20}:/i.exec(value)?.[0] ?? ''}…`;
  if (url.password !== '') url.password = '***';
  for (const name of [...url.searchParams.keys()]) {
    if (/pass|secret|key|token/i.test(name)) url.searchParams.set(name, '***');
  }
  return toPrintable(url.href);
}

/** A value for use in a message: one line, at most 200 characters. */
export function toPrintable(value: string): string {
  const plain = value.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}

export function splitCommaList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** An IP address, or a block of them such as `10.0.0.0/8`. */
export function isAddressOrBlock(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const bitsMax = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0;
}

/** The most similar name (spelling suggestions); `known` must not be empty. */
export function findNearestName(name: string, known: readonly string[]): string {
  return known.reduce((best, each) => (distance(name, each) < distance(name, best) ? each : best));
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

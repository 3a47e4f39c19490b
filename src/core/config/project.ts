import { parseListedHost } from '../parsing/host-names.ts';
import { ConfigError, type Env, readTextSetting, splitCommaList, toPrintable } from './parse-values.ts';

export type ConfiguredDomain = ReturnType<typeof configuredDomain>;

export function readProjectName(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/.test(value)) {
    throw new ConfigError(
      'NOTIFIER_PROJECT must be 1 to 100 letters, digits, spaces, dots, dashes or underscores.',
    );
  }
  return value;
}

/** The two configured keys; null if not set. Throws ConfigError. */
export function readConfiguredKeys(env: Env): { publicKey: string | null; secretKey: string | null } {
  const publicKey = key(env, 'NOTIFIER_PUBLIC_KEY');
  const secretKey = key(env, 'NOTIFIER_SECRET_KEY');
  if (publicKey !== null && publicKey === secretKey) {
    throw new ConfigError(
      'NOTIFIER_PUBLIC_KEY and NOTIFIER_SECRET_KEY are the same, so every page would show the secret key. Use different keys.',
    );
  }
  return { publicKey, secretKey };
}

function key(env: Env, name: string): string | null {
  const value = readTextSetting(env, name);
  if (value === undefined) return null;
  if (!/^[A-Za-z0-9_-]{8,128}$/.test(value)) {
    throw new ConfigError(`${name} must be 8 to 128 characters of A-Z, a-z, 0-9, _ and -.`);
  }
  return value;
}

export function readDomainList(value: string | undefined): ConfiguredDomain[] | null {
  if (value === undefined) return null;
  const domains = splitCommaList(value).map(configuredDomain);
  const twice = domains.find(({ host }, index) => domains.findIndex((each) => each.host === host) < index);
  if (twice !== undefined) {
    throw new ConfigError(`NOTIFIER_DOMAINS contains ${twice.host} twice. Remove one of them.`);
  }
  return domains;
}

function configuredDomain(each: string) {
  // Split at the last colon outside of the brackets of an IPv6 address.
  const [, name = '', option] = /^(.*?)(?::([^:\]]*))?$/.exec(each) ?? [];
  const host = parseListedHost(name);
  if (option !== undefined && option !== 'bug-reports') {
    throw new ConfigError(
      `NOTIFIER_DOMAINS supports only the option bug-reports; "${toPrintable(each)}" has another, or a port.`,
    );
  }
  if (host === null) {
    throw new ConfigError(
      `NOTIFIER_DOMAINS must be a comma-separated list of host[:bug-reports]; "${toPrintable(each)}" is invalid.`,
    );
  }
  return { host, bugReports: option === 'bug-reports' };
}

export function readAdminToken(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^[\x21-\x7e]{16,256}$/.test(value)) {
    throw new ConfigError('NOTIFIER_ADMIN_TOKEN must be 16 to 256 printable characters without spaces.');
  }
  return value;
}

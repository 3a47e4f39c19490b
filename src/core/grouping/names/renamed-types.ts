// Types of exceptions that a newer version of a language or library calls by another name: both are one
// fault. Part of `ng2` (docs/grouping.md, "Chains and types").
import { cleanModule } from './function-names.ts';

/** Python 3 made one type of these, and 3.10, 3.11 and 3.13 renamed the others. */
const python = new Map([
  ['IOError', 'OSError'],
  ['EnvironmentError', 'OSError'],
  ['WindowsError', 'OSError'],
  ['VMSError', 'OSError'],
  ['socket.error', 'OSError'],
  ['select.error', 'OSError'],
  ['socket.timeout', 'TimeoutError'],
  ['timeout', 'TimeoutError'],
  ['asyncio.TimeoutError', 'TimeoutError'],
  ['asyncio.exceptions.TimeoutError', 'TimeoutError'],
  ['concurrent.futures.TimeoutError', 'TimeoutError'],
  ['concurrent.futures._base.TimeoutError', 'TimeoutError'],
  ['re.error', 'PatternError'],
  ['sre_constants.error', 'PatternError'],
  ['re.PatternError', 'PatternError'],
  ['StandardError', 'Exception'],
  ['ssl.CertificateError', 'SSLCertVerificationError'],
  ['BadZipfile', 'BadZipFile'],
  ['zipfile.BadZipfile', 'BadZipFile'],
]);

const ruby = new Map([
  ['Fixnum', 'Integer'],
  ['Bignum', 'Integer'],
  ['TimeoutError', 'Timeout::Error'],
  ['Psych::BadAlias', 'Psych::AliasesNotEnabled'],
]);

/**
 * The name that stands for all names of a type, the type itself where it has one. `module` is where the type
 * is defined, as SDKs send it beside a name without it.
 */
export function currentType(type: string, module: string | undefined, platform: string): string {
  if (platform === 'python') {
    const bare = type.replace(/^(?:builtins|exceptions)\./, '');
    return python.get(module === undefined ? bare : `${module}.${bare}`) ?? python.get(bare) ?? bare;
  }
  if (platform === 'ruby') return ruby.get(type) ?? type;
  return type.startsWith('javax.') ? cleanModule(type, platform) : type;
}

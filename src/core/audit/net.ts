// The net that an address lies in, which is all that is written down of it.
import { isIP } from 'node:net';

/** The /24 of an IPv4 address, the /48 of an IPv6 one; empty for what is no address. */
export function netOf(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(address) !== 6) return '';
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  // Where "::" comes early, the groups it stands for are zeros.
  const first = [0, 1, 2].map((place) => Number.parseInt(groups[place] ?? '0', 16).toString(16));
  return `${first
    .join(':')
    .replace(/(:0)+$/, '')
    .replace(/^0$/, '')}::/48`;
}

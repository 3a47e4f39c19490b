import { isIP } from 'node:net';

/** The audit log stores no full address: the /24 of IPv4, the /48 of IPv6; empty if invalid. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(address) !== 6) return '';
  const [head = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  // Groups that an early "::" stands for are zeros.
  const first = [0, 1, 2].map((place) => Number.parseInt(groups[place] ?? '0', 16).toString(16));
  return `${first
    .join(':')
    .replace(/(:0)+$/, '')
    .replace(/^0$/, '')}::/48`;
}

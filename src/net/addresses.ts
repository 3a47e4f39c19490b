// Decides which IP addresses are public (SSRF protection).
import { BlockList, isIP, isIPv4 } from 'node:net';

// IANA special ranges, multicast, and Azure's WireServer (168.63.129.16), which the host machine answers.
const specialIpv4: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Special ranges in 2000::/3: protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112. */
const specialIpv6: ReadonlyArray<readonly [string, number]> = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, bits] of specialIpv4) special.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of specialIpv6) special.addSubnet(network, bits, 'ipv6');

const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** IPv4-mapped IPv6 addresses count as their IPv4 address; other IPv6 addresses must be in 2000::/3, the only block
 * that IANA assigns for global unicast. False for text that is no address or has a zone. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  if (isIPv4(plain)) return !special.check(plain, 'ipv4');
  if (isIP(plain) !== 6 || plain.includes('%')) return false;
  return globalIpv6.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
}

/** Compares two spellings of an address: a dual-stack socket reports IPv4 peers as `::ffff:…`. */
export function isSameAddress(one: string, other: string): boolean {
  return canonical(unmapped(one)) === canonical(unmapped(other));
}

const mappedPrefix = '::ffff:';

function unmapped(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const text = canonical(address);
  if (!text.startsWith(mappedPrefix)) return address;
  const groups = text.slice(mappedPrefix.length).split(':');
  const [high, low] = groups.map((group) => Number.parseInt(group, 16));
  if (groups.length !== 2 || high === undefined || low === undefined) return address;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The URL parser's spelling: lower case, shortest form. */
function canonical(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

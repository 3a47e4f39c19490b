// Which addresses are public: the judgement that every outbound connection passes. Pure; no look-ups, no
// sockets.
import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * IPv4 ranges that are not the public internet: IANA's special-purpose registry, multicast, the reserved end
 * of the space, and Azure's WireServer, which is a public-looking address answered by the host machine
 * itself.
 */
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

/**
 * Special ranges inside 2000::/3: protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112.
 */
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

/**
 * True for an address of the public internet. An IPv4-mapped IPv6 address is judged as the IPv4 address it
 * stands for; every other IPv6 address must lie inside 2000::/3, the only block that IANA has opened for
 * unicast. Text that is no address, or has a zone, is not public.
 */
export function isPublicAddress(address: string): boolean {
  const plain = unmapped(address);
  if (isIPv4(plain)) return !special.check(plain, 'ipv4');
  if (isIP(plain) !== 6 || plain.includes('%')) return false;
  return globalIpv6.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
}

/** True when two spellings name one address: a dual-stack socket reports IPv4 peers in the mapped form. */
export function isSameAddress(one: string, other: string): boolean {
  return canonical(unmapped(one)) === canonical(unmapped(other));
}

const mappedPrefix = '::ffff:';

/** The IPv4 address inside `::ffff:a.b.c.d`, however it is spelled; every other text as it came. */
function unmapped(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const text = canonical(address);
  if (!text.startsWith(mappedPrefix)) return address;
  const groups = text.slice(mappedPrefix.length).split(':');
  const [high, low] = groups.map((group) => Number.parseInt(group, 16));
  if (groups.length !== 2 || high === undefined || low === undefined) return address;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The URL parser's spelling: lower case, shortest form, the last 32 bits in hex. */
function canonical(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

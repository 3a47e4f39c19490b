// Which private addresses may be reached all the same (NOTIFIER_FETCH_ALLOW): hosts and networks. Pure.
import { BlockList, isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';

export interface Allowed {
  /** Whether this host was named: its addresses may be any. */
  hasHost(host: string): boolean;
  /** Whether an address of the host may be connected to. */
  mayReach(host: string, address: string): boolean;
}

/** Of entries that are hosts, addresses, or networks such as 10.0.0.0/8. */
export function allowedOf(entries: readonly string[]): Allowed {
  const hosts = new Set<string>();
  const networks = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    if (family === 0) {
      hosts.add(entry.toLowerCase());
      continue;
    }
    const widest = family === 4 ? 32 : 128;
    networks.addSubnet(address, Number(bits ?? widest), family === 4 ? 'ipv4' : 'ipv6');
  }
  const hasHost = (host: string): boolean => hosts.has(host.toLowerCase());
  return {
    hasHost,
    mayReach: (host, address) =>
      isPublicAddress(address) ||
      hasHost(host) ||
      (isIP(address) !== 0 && networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')),
  };
}

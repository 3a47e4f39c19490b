import { BlockList, isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';

export interface AllowedTargets {
  /** Whether the host was listed by name; then any of its addresses is allowed. */
  hasHost(host: string): boolean;
  mayReach(host: string, address: string): boolean;
}

/** NOTIFIER_FETCH_ALLOW: private hosts, addresses, or networks such as 10.0.0.0/8 that may be reached. */
export function parseAllowedTargets(entries: readonly string[]): AllowedTargets {
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

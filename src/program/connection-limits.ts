import type { IncomingMessage } from 'node:http';
import { type Config, proxyList } from '../core/config/config.ts';
import { bodyPatience } from '../http/bodies/body-patience.ts';
import { countedAddress, isListed, socketAddress } from '../http/limits/client-address.ts';
import { type ConnectionLimits, type Connections, watchConnections } from '../http/server/connections.ts';

/** Interval of the check for bodies over their time limit. */
export const lookMs = 1_000;

// The limits per address do not apply with RATE_LIMITS=off.
const connectionsMax = 8_192;
const shareOfAddress = { connectionsMax: 1_024, unfinishedMax: 256 };

export function connectionsOf(
  { rateLimits, trustProxy }: Pick<Config, 'rateLimits' | 'trustProxy'>,
  clientAddress: (incoming: IncomingMessage) => string,
  limits: Partial<ConnectionLimits> = {},
): Connections {
  const ofAddress = rateLimits.enabled ? shareOfAddress : null;
  const proxies = proxyList(trustProxy);
  return watchConnections({
    limits: { patience: bodyPatience, connectionsMax, ofAddress, ...limits },
    ofSocket(socket) {
      const address = socketAddress(socket);
      return { address: countedAddress(address), isProxy: isListed(proxies, address) };
    },
    ofRequest: (incoming) => countedAddress(clientAddress(incoming)),
    clock: () => performance.now(),
  });
}

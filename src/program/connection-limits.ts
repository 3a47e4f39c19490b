// How many connections this program has at most, and how it tells whose they are (D-20).
import type { IncomingMessage } from 'node:http';
import { type Config, proxyList } from '../core/config/config.ts';
import { bodyPatience } from '../http/bodies/body-patience.ts';
import { countedAddress, isListed, socketAddress } from '../http/limits/client-address.ts';
import { type ConnectionLimits, type Connections, watchConnections } from '../http/server/connections.ts';

/** How often bodies are looked at that may be overdue. */
export const lookMs = 1_000;

/** All together, and the share of one address, which `RATE_LIMITS=off` lifts (D-20). */
const connectionsMax = 8_192;
const shareOfAddress = { connectionsMax: 1_024, unfinishedMax: 256 };

/** Who is connected, by the configuration, with `limits` in place of the program's own. */
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

import type { IncomingMessage } from 'node:http';
import { type Config, createProxyBlockList } from '../core/config/config.ts';
import { bodyTimeouts } from '../http/bodies/body-timeouts.ts';
import { isInBlockList, socketAddress, toLimitAddress } from '../http/limits/client-address.ts';
import { type ConnectionLimits, Connections } from '../http/server/connections.ts';

const checkIntervalMs = 1_000;

// The limits per address do not apply with RATE_LIMITS=off.
const connectionsMax = 8_192;
const shareOfAddress = { connectionsMax: 1_024, unfinishedMax: 256 };

export function createConnections(
  { rateLimits, trustProxy }: Pick<Config, 'rateLimits' | 'trustProxy'>,
  clientAddress: (incoming: IncomingMessage) => string,
  limits: Partial<ConnectionLimits> = {},
): Connections {
  const ofAddress = rateLimits.enabled ? shareOfAddress : null;
  const proxies = createProxyBlockList(trustProxy);
  return new Connections({
    limits: { timeouts: bodyTimeouts, connectionsMax, checkIntervalMs, ofAddress, ...limits },
    ofSocket(socket) {
      const address = socketAddress(socket);
      return { address: toLimitAddress(address), isProxy: isInBlockList(proxies, address) };
    },
    ofRequest: (incoming) => toLimitAddress(clientAddress(incoming)),
    clock: () => performance.now(),
  });
}

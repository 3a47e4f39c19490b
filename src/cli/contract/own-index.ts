// Our own namespace index, as a server of ours would answer it: read from one that lives for a moment on a
// throw-away store.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../program/app.ts';
import { silentLog } from '../../program/log.ts';
import { openDeps } from '../../program/open-deps.ts';

/** The JSON of `GET /wp-json/notifier/v1` of this program. */
export async function ownIndex(): Promise<unknown> {
  const { deps, close } = await openDeps(
    { DATABASE_URL: 'sqlite::memory:', RATE_LIMITS: 'off' },
    { log: silentLog },
  );
  const server = createServer();
  createApp(deps).attach(server);
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return await (await fetch(`http://127.0.0.1:${port}/wp-json/notifier/v1`)).json();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await close();
  }
}

// npm run wordpress:reference -- --port N: serves the reference plugin's routes on loopback until it is
// stopped.
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createReferenceServer } from './reference-server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write('--port takes a number from 0 to 65535; 0 finds a free port.\n');
  process.exit(64);
}
const server = createReferenceServer();
server.listen(port, '127.0.0.1', () => {
  const address = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}

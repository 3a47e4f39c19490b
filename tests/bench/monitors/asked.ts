// What the monitors of a benchmark ask: answers every path, and says which was asked when at `/seen`, which
// begins anew with each look.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let seen: Record<string, number[]> = {};

const server = createServer((request, response) => {
  request.resume();
  const path = request.url ?? '/';
  if (path !== '/seen') {
    seen[path] ??= [];
    seen[path].push(Date.now());
    response.end('All is well.');
    return;
  }
  response.end(JSON.stringify(seen));
  seen = {};
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});

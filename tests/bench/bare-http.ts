// What Node costs without Express: node:http that takes a body in and answers a constant. Nothing is parsed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = JSON.stringify({ accepted: true, event_id: '0'.repeat(32), issue_id: 1 });
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => response.writeHead(201, headers).end(answer));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});

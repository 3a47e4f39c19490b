// The yardstick: express and express.json() answering a constant. Nothing is checked and nothing is kept.
import type { AddressInfo } from 'node:net';
import express from 'express';

const app = express();
app.use(express.json({ limit: '1mb' }));
app.post('/wp-json/notifier/v1/store', (_request, response) => {
  response.status(201).json({ accepted: true, event_id: '0'.repeat(32), issue_id: 1 });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});

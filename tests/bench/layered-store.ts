// Our /store asked directly (LAYER=none) or as the one layer of an Express app: what the layer costs is the
// difference. Everything else is the same.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { baseUrlOf } from '../../src/core/config/addresses.ts';
import { settle } from '../../src/core/projects/first-run.ts';
import { createRouter, openCounting } from '../../src/program/layers/router.ts';
import { silentLog } from '../../src/program/log.ts';
import { openDeps } from '../../src/program/open-deps.ts';

const { deps, close } = await openDeps(process.env, { log: silentLog });
await settle(deps, () => {});
const router = createRouter(deps, baseUrlOf(deps.config), openCounting(deps));
const app = express();
app.use(router.layer);
const server = createServer(
  process.env['LAYER'] === 'none'
    ? (request, response) => void router.answers.handle(request, response)
    : app,
);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close(() => void close());
  server.closeAllConnections();
});

// The same /store handler as the product's, behind Express's own routing and JSON.parse: what the engine
// costs is the difference.
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { postStore } from '../../routes/store.ts';
import { settle } from '../../src/core/projects/first-run.ts';
import { callerFinder } from '../../src/http/api/authenticate.ts';
import type { ApiRequest } from '../../src/http/api/route.ts';
import { silentLog } from '../../src/program/log.ts';
import { openDeps } from '../../src/program/open-deps.ts';

const { deps } = await openDeps(process.env, { log: silentLog });
await settle(deps, () => {});
const findCaller = callerFinder(deps);
const handler = postStore(deps);
const app = express();
app.use(express.raw({ type: () => true, limit: '1mb' }));

async function apiRequest(request: Request): Promise<ApiRequest> {
  const header = (name: string): string | undefined => request.get(name);
  const dsn = async (): Promise<null> => null;
  const presented = { header, authorizationCount: () => 0, sentryKey: undefined, pathProject: null, dsn };
  const caller = await findCaller('event', presented);
  if (caller === null) throw new Error('the key of the benchmark is not known');
  const bytes = request.body as Buffer;
  return {
    ...caller,
    method: 'POST',
    path: {},
    params: JSON.parse(bytes.toString('utf8')) as ApiRequest['params'],
    query: {},
    files: [],
    bodyAside: null,
    replacedAt: [],
    header,
    clientAddress: '127.0.0.1',
    receivedAtMs: deps.now(),
    restUrl: (path) => path,
    quota: null,
    holdsBack: () => {},
    lossesAreCounted: () => {},
    incoming: request,
  };
}

app.post('/wp-json/notifier/v1/store', async (request, response) => {
  const answer = await handler(await apiRequest(request));
  response.status(answer.status).json(answer.body);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close(() => void deps.store.close());
  server.closeAllConnections();
});

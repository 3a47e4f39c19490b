import { it } from '@jest/globals';
import { notifierRoutes } from '../../routes/index.ts';
import { runChecks } from '../contract/support/run.ts';
import { openTestApp } from '../support/app.ts';
import { required } from '../support/one-of-each.ts';
import { shared } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';
import { openWorkspace } from '../support/workspace.ts';
import { createMask, expectGolden, fixedBytes } from './golden.ts';

const workspace = shared(() => openWorkspace({ deps: { randomBytes: fixedBytes() } }));

const order = { POST: 0, PUT: 1, GET: 2, DELETE: 3 };
const headersShown = ['content-type', 'allow', 'link', 'location', 'x-wp-total', 'x-wp-totalpages'];

inFull(it)('every answer of the API is the stored one', async () => {
  const { app, world } = workspace;
  const mask = createMask();
  const keys = { authorization: `Bearer ${app.secretKey}`, 'x-notifier-key': app.publicKey };
  const routes = notifierRoutes(app.deps).toSorted(
    (one, other) =>
      Number(one.path.includes('{')) - Number(other.path.includes('{')) ||
      order[one.method] - order[other.method],
  );
  const told: string[] = [];
  const ask = async (
    what: string,
    method: string,
    path: string,
    body: object | null,
    headers: Record<string, string>,
  ) => {
    const answer = await fetch(app.api + path, {
      method,
      headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const shown = headersShown.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
    const pretty = isJson ? JSON.stringify(JSON.parse(text), null, 1) : JSON.stringify(text.slice(0, 2_000));
    told.push(mask([`## ${what}: ${method} ${path}`, answer.status, ...shown, pretty, ''].join('\n')));
  };
  const eventId = world.eventIds[0] ?? '';
  for (const { method, path } of routes) {
    const base = path.replace(/\/\{.*/, '');
    const fill = (id: string): string =>
      path.replace(/\{(\w+)(?::[^}]+)?\}/g, (_, name) => (name === 'project_id' ? '1' : id));
    const good = fill(base === '/events' ? eventId : '1');
    const hasBody = method === 'POST' || method === 'PUT';
    await ask('no key', method, good, hasBody ? {} : null, {});
    if (path.includes('{')) await ask('nothing there', method, fill('999999'), hasBody ? {} : null, keys);
    if (hasBody) await ask('nothing in it', method, good, {}, keys);
    if (!hasBody || path in required) {
      await ask('whole', method, good, hasBody ? (required[path] ?? {}) : null, keys);
    }
  }
  for (const path of [...new Set(routes.map((route) => route.path))].sort()) {
    const filled = path.replace(/\{(\w+)(?::[^}]+)?\}/g, '1');
    await ask('description', 'OPTIONS', filled, null, keys);
  }
  await ask('index', 'GET', '', null, {});
  expectGolden('api.txt', told.join('\n'));
});

inFull(it)('the contract suite says of this server what is stored', async () => {
  const app = await openTestApp({ domains: ['shop.example'] });
  try {
    const { code, checks } = await runChecks(app.origin, { ...app, domain: 'shop.example' });
    const lines = checks.map(
      ({ name, section, severity, result }) => `${result} ${severity} ${section} ${name}`,
    );
    expectGolden('contract.txt', [`ended with ${code}`, ...lines].join('\n'));
  } finally {
    await app.close();
  }
});

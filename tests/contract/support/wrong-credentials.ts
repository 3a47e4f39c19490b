// Servers that take a credential of the wrong kind as if it were right, one route and one credential each.
import type { Passing, Wrong, WrongKeys } from './wrong-server.ts';

/** A credential of the wrong kind, taken as if it were right. */
export function wrongCredentials(): Wrong[] {
  const publicRoutes = ['/store', '/envelope'];
  const secretRoutes = ['/releases', '/deploys', '/test-runs'];
  const open = ['/feedback', '/sdk-verify'];
  const proofs = ['/domain-verifications'];
  return [
    ...publicRoutes.flatMap((path) => [
      letIn(
        path,
        'no-key',
        (headers) => headers['x-notifier-key'] === undefined && headers['authorization'] === undefined,
      ),
      letIn(path, 'empty-key', (headers) => headers['x-notifier-key'] === ''),
      letIn(path, 'unknown-key', (headers) => isUnknown(headers['x-notifier-key'])),
      letIn(path, 'secret-as-public', (headers, keys) => headers['x-notifier-key'] === keys.secretKey),
      letIn(path, 'bearer-only', (headers, keys) => headers['authorization'] === `Bearer ${keys.secretKey}`),
      letIn(
        path,
        'public-as-bearer',
        (headers, keys) => headers['authorization'] === `Bearer ${keys.publicKey}`,
      ),
    ]),
    ...secretRoutes.flatMap((path) => [
      letIn(
        path,
        'no-key',
        (headers) => headers['x-notifier-key'] === undefined && headers['authorization'] === undefined,
      ),
      letIn(path, 'unknown-key', (headers) => isUnknown(headers['authorization'])),
      letIn(path, 'public-key-header', (headers, keys) => headers['x-notifier-key'] === keys.publicKey),
      letIn(
        path,
        'public-as-bearer',
        (headers, keys) => headers['authorization'] === `Bearer ${keys.publicKey}`,
      ),
      letIn(path, 'secret-in-key-header', (headers, keys) => headers['x-notifier-key'] === keys.secretKey),
    ]),
    ...open.map((path) => letIn(path, 'unknown-key', (headers) => isUnknown(headers['x-notifier-key']))),
    ...proofs.map((path) =>
      letIn(path, 'unknown-key', (headers) => isUnknown(headers['authorization']), 'proof'),
    ),
    letIn(
      '/domain-verifications/',
      'unknown-key',
      (headers) => isUnknown(headers['authorization']),
      'proof-read',
    ),
    letIn('/check', 'unknown-key', (headers) => isUnknown(headers['authorization']), 'proof-check'),
    letIn(
      '/artifacts',
      'no-key',
      (headers) => headers['authorization'] === undefined && headers['x-notifier-key'] === undefined,
      'artifacts',
      'artifacts-refuse-no-key',
    ),
    letIn(
      '/artifacts',
      'public-key',
      (headers, keys) => headers['x-notifier-key'] === keys.publicKey,
      'artifacts',
      'artifacts-refuse-public-key',
    ),
  ];
}

type Headers = Record<string, string>;

function letIn(
  path: string,
  name: string,
  isWrong: (headers: Headers, keys: WrongKeys) => boolean,
  routeName = path.slice(1),
  caughtBy = `401-${routeName}-${name}`,
): Wrong {
  const here = (passing: Passing) =>
    path === '/check'
      ? passing.path.endsWith(path)
      : path.endsWith('/')
        ? passing.path.startsWith(path) && !passing.path.endsWith('/check')
        : passing.path === path;
  return {
    name: `${routeName} open ${name}`,
    caughtBy: [caughtBy],
    ask(passing, keys) {
      if (!here(passing) || !isWrong(passing.headers, keys)) return passing;
      const right = { 'x-notifier-key': keys.publicKey, authorization: `Bearer ${keys.secretKey}` };
      return { ...passing, headers: { ...passing.headers, ...right } };
    },
  };
}

function isUnknown(value: string | undefined): boolean {
  return value?.includes('_unknown_key_') === true;
}

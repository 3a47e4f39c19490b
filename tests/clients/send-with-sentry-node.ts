// Captures errors with the real @sentry/node and prints their ids as JSON. Run by sentry-node.full.test.ts as
// a process of its own.
import * as Sentry from '@sentry/node';

const { DSN = '', HOW = 'dsn', API = '', KEY = '', COUNT = '10' } = process.env;
const tunnel = { tunnel: `${API}/envelope`, transportOptions: { headers: { 'X-Notifier-Key': KEY } } };

Sentry.init({
  dsn: DSN,
  release: 'shop@1.2.3',
  environment: 'staging',
  ...(HOW === 'tunnel' ? tunnel : {}),
});
Sentry.setUser({ id: 'u-17' });
Sentry.setTag('section', 'checkout');

function failHere(serial: number): never {
  throw new TypeError(`item ${serial} is not for sale`);
}

const ids: string[] = [];
for (let serial = 0; serial < Number(COUNT); serial += 1) {
  Sentry.addBreadcrumb({ category: 'test', message: 'about to fail' });
  try {
    failHere(serial);
  } catch (error) {
    ids.push(Sentry.captureException(error));
  }
  // One after another, as a page sends them: after a limit the later ones never leave.
  await Sentry.flush(5000);
}
await Sentry.close(5000);
process.stdout.write(JSON.stringify(ids));

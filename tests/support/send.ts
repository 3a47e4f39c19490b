// `npm run send`: posts a sample event. NOTIFIER_URL is the namespace's URL (localhost by default),
// NOTIFIER_PUBLIC_KEY the key.
import { readEnvironment } from '../../src/app/environment.ts';

const { NOTIFIER_URL = 'http://127.0.0.1:8787/wp-json/notifier/v1', NOTIFIER_PUBLIC_KEY = '' } =
  readEnvironment();
if (NOTIFIER_PUBLIC_KEY === '') {
  process.stderr.write('Set NOTIFIER_PUBLIC_KEY to the public key that npm start printed.\n');
  process.exit(2);
}
const event = {
  platform: 'javascript',
  release: 'shop@1.0.0',
  environment: 'development',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: "Cannot read properties of undefined (reading 'price')",
        stacktrace: {
          frames: [
            { filename: 'src/main.ts', function: 'start', lineno: 12, colno: 3, in_app: true },
            { filename: 'src/cart.ts', function: 'total', lineno: 48, colno: 21, in_app: true },
          ],
        },
      },
    ],
  },
};
try {
  const answer = await fetch(`${NOTIFIER_URL.replace(/\/+$/, '')}/store`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Notifier-Key': NOTIFIER_PUBLIC_KEY },
    body: JSON.stringify(event),
  });
  process.stdout.write(`${answer.status} ${await answer.text()}\n`);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? cause.message : message;
  process.stderr.write(
    `NOTIFIER_URL is "${NOTIFIER_URL}": nobody answers there (${why}). Set it to the API's address that npm start printed.\n`,
  );
  process.exitCode = 1;
}

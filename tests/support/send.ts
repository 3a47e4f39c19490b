// `npm run send`: posts a sample event to NOTIFIER_URL, the API's address up to and including
// /wp-json/notifier/v1, with the key in NOTIFIER_PUBLIC_KEY. Without an address to the server of this laptop.
const { NOTIFIER_URL = 'http://127.0.0.1:8787/wp-json/notifier/v1', NOTIFIER_PUBLIC_KEY = '' } = process.env;
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
const answer = await fetch(`${NOTIFIER_URL.replace(/\/+$/, '')}/store`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Notifier-Key': NOTIFIER_PUBLIC_KEY },
  body: JSON.stringify(event),
});
process.stdout.write(`${answer.status} ${await answer.text()}\n`);
process.exitCode = answer.ok ? 0 : 1;

export {};

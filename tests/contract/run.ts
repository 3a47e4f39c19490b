// `npm run test:contract`: the suite against TARGET_URL (with TARGET_PUBLIC_KEY, TARGET_SECRET_KEY,
// TARGET_DOMAIN), or, where no target is named, against a server of ours on a throw-away store with its
// limits off.
import { runCommandLine } from '../../src/cli/run.ts';
import { openTestApp } from '../support/app.ts';

const io = {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};
const words = process.argv.slice(2);

if ((process.env['TARGET_URL'] ?? '') !== '' || words.includes('--url')) {
  process.exitCode = await runCommandLine(['contract', ...words], io);
} else {
  const app = await openTestApp({ domains: ['shop.example'] });
  const keys = ['--public-key', app.publicKey, '--domain', 'shop.example'];
  process.exitCode = await runCommandLine(['contract', '--url', app.origin, ...keys, ...words], {
    ...io,
    env: { ...process.env, TARGET_SECRET_KEY: app.secretKey },
  });
  await app.close();
}

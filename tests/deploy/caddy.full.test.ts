// The shipped Caddy files as docs/reverse-proxy.md puts them on a fresh Debian, before a real WordPress.
import { appendFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import { debianCaddy } from './debian-caddy.ts';
import { linesForCdn, shellLines } from './pages-and-files.ts';
import {
  cdnAddress,
  describeProxy,
  ownErrorPage,
  type ProxySetting,
  proxyTests,
  rootFor,
} from './proxy-tests.ts';

const docs = resolve(import.meta.dirname, '../../docs');

describeProxy('Caddy with the shipped files', ['caddy'], (before) => {
  proxyTests({ ...before, refusedBytes: 40 * 1_048_576, start: freshDebian });
});

async function freshDebian(setting: ProxySetting): Promise<RunningProcess> {
  const { site, folder, port, wpPath, notifierPort } = setting;
  const caddy = debianCaddy(folder, port);
  await caddy.run(shellLines('reverse-proxy', 'Caddy: Files'));
  caddy.set('notifier.caddy', '127.0.0.1:8787', `127.0.0.1:${notifierPort}`);
  caddy.set('notifier.caddy', ':8786', `:${await freePort()}`);
  const told = await caddy.run(shellLines('reverse-proxy', 'Caddy: Fresh Debian'));
  expect(told).toEqual(['apt-get install caddy php-fpm', 'systemctl reload caddy']);
  caddy.set('Caddyfile', '/var/www/wordpress', rootFor(setting));
  caddy.set('Caddyfile', 'import notifier ""', `import notifier "${wpPath}"`);
  caddy.set('Caddyfile', 'php /index.php', `php ${wpPath}/index.php`);
  caddy.set('Caddyfile', '/run/php/php-fpm.sock', site.phpSocket);
  caddy.set('Caddyfile', '# import notifier-sentry-cli', 'import notifier-sentry-cli');
  caddy.set('Caddyfile', '# import notifier-mcp', 'import notifier-mcp');
  if (setting.ownSettings !== undefined) {
    const own = `\terror /own-missing 404\n\thandle_errors {\n\t\trespond "${ownErrorPage}" 404\n\t}\n${linesForCdn('caddy', cdnAddress)}`;
    const ours = '\timport notifier ""\n';
    caddy.set('Caddyfile', ours, setting.ownSettings === 'before' ? own + ours : ours + own);
  }
  if (setting.pages === true) {
    caddy.set('Caddyfile', 'import notifier ""', 'import notifier ""\n\timport notifier-pages');
    const site = '\nerrors.shop.example {\n\timport notifier-pages-site\n}\n';
    expect(readFileSync(join(docs, 'reverse-proxy.md'), 'utf8')).toContain(site);
    if (setting.certificate === undefined) appendFileSync(join(caddy.etc, 'Caddyfile'), site);
  }
  return caddy.start(setting.certificate);
}

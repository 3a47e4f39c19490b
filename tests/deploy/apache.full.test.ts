// The shipped Apache files as docs/reverse-proxy.md puts them on a fresh Debian, before a real WordPress.
import { expect } from '@jest/globals';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import { debianApache } from './debian-apache.ts';
import { linesForCdn, shellLines } from './pages-and-files.ts';
import {
  cdnAddress,
  describeProxy,
  ownErrorPage,
  type ProxySetting,
  proxyTests,
  rootFor,
} from './proxy-tests.ts';

describeProxy('Apache with the shipped files', ['apache2', 'a2enmod'], (before) => {
  proxyTests({ ...before, refusedBytes: 12 * 1_048_576, start: freshDebian });
});

async function freshDebian(setting: ProxySetting): Promise<RunningProcess> {
  const { site, folder, port, wpPath, notifierPort } = setting;
  const apache = debianApache(folder, port);
  await apache.run(shellLines('reverse-proxy', 'Apache: Files'));
  apache.set('conf-available/notifier.conf', '127.0.0.1:8787', `127.0.0.1:${notifierPort}`);
  const told = await apache.run(shellLines('reverse-proxy', 'Apache: Fresh Debian'));
  expect(told).toEqual(['apt-get install apache2 php-fpm', 'systemctl reload apache2']);
  const file = 'sites-available/wordpress.conf';
  apache.set(file, '/var/www/wordpress', rootFor(setting));
  apache.set(file, 'Define notifier_wp_path /', `Define notifier_wp_path ${wpPath || '/'}`);
  apache.set(file, 'FallbackResource /index.php', `FallbackResource ${wpPath}/index.php`);
  apache.set(file, '/run/php/php-fpm.sock', site.phpSocket);
  for (const snippet of ['sentry-cli', 'mcp']) {
    const line = `Include notifier/notifier-${snippet}.conf`;
    apache.set(file, `# ${line}`, line);
  }
  if (setting.ownSettings !== undefined) {
    await apache.run('sudo a2enmod remoteip\n');
    const errors = [400, 404, 429, 502, 503, 504].map(
      (status) => `ErrorDocument ${status} "${ownErrorPage}"`,
    );
    const lines = ['ProxyErrorOverride On', ...errors, 'Redirect 404 /own-missing'];
    const own = `${lines.join('\n  ')}\n${linesForCdn('apache', cdnAddress)}`;
    const ours = '  Include notifier/notifier.conf\n';
    apache.set(file, ours, setting.ownSettings === 'before' ? own + ours : ours + own);
  }
  if (setting.certificate !== undefined) {
    const { file: shown, keyFile } = setting.certificate;
    await apache.run('sudo a2enmod ssl\n');
    const lines = ['SSLEngine on', `SSLCertificateFile ${shown}`, `SSLCertificateKeyFile ${keyFile}`];
    // For every site: the workspace's is at the same port.
    apache.set('ports.conf', 'ServerName 127.0.0.1', `ServerName 127.0.0.1\n${lines.join('\n')}`);
  }
  if (setting.pages === true) {
    await apache.run(shellLines('reverse-proxy', 'Apache: Workspace'));
    apache.set(
      file,
      'notifier/notifier.conf',
      'notifier/notifier.conf\n  Include notifier/notifier-pages.conf',
    );
  }
  return apache.start();
}

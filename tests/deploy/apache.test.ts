// The shipped Apache files as docs/apache.md puts them on a fresh Debian, before a real WordPress.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import type { RunningProcess } from '../wordpress/record/processes.ts';
import { startWordPress, type WordPressSite, wordpressPrograms } from '../wordpress/record/site.ts';
import { debianApache } from './debian-apache.ts';
import { shellLines } from './pages-and-files.ts';
import { type ProxySetting, proxyTests, rootFor } from './proxy-tests.ts';

describeWithPrograms(
  'Apache with the shipped files',
  [...wordpressPrograms, 'apache2', 'a2enmod', 'bash'],
  () => {
    let site: WordPressSite;
    const folder = mkdtempSync(join(tmpdir(), 'notifier-apache-'));
    beforeAll(async () => {
      chmodSync(folder, 0o755);
      site = await startWordPress();
    }, 120_000);
    afterAll(async () => {
      await site?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    proxyTests({ site: () => site, folder, refusedBytes: 12 * 1_048_576, start: freshDebian });
  },
);

/**
 * A fresh Debian after the steps of the page, the settings of the files filled in, and the line for
 * sentry-cli.
 */
async function freshDebian(setting: ProxySetting): Promise<RunningProcess> {
  const { site, folder, port, wpPath, notifierPort } = setting;
  const apache = debianApache(folder, port);
  await apache.run(shellLines('apache', 'The files'));
  apache.set('conf-available/notifier.conf', '127.0.0.1:8787', `127.0.0.1:${notifierPort}`);
  const told = await apache.run(shellLines('apache', 'A fresh Debian'));
  expect(told).toEqual(['apt-get install apache2 php-fpm', 'systemctl reload apache2']);
  const file = 'sites-available/wordpress.conf';
  apache.set(file, '/var/www/wordpress', rootFor(setting));
  apache.set(file, 'Define notifier_wp_path /', `Define notifier_wp_path ${wpPath || '/'}`);
  apache.set(file, 'FallbackResource /index.php', `FallbackResource ${wpPath}/index.php`);
  apache.set(file, '/run/php/php-fpm.sock', site.phpSocket);
  apache.set(
    file,
    '# Include notifier/notifier-sentry-cli.conf',
    'Include notifier/notifier-sentry-cli.conf',
  );
  if (setting.pages === true) {
    await apache.run(shellLines('apache', 'The workspace'));
    apache.set(
      file,
      'notifier/notifier.conf',
      'notifier/notifier.conf\n  Include notifier/notifier-pages.conf',
    );
  }
  return apache.start();
}

// A throw-away WordPress on loopback, from Debian's packages: its own database, its own folder, one must-use plugin.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const source = '/usr/share/wordpress';
const startMsMax = 40_000;

export interface WordpressSite {
  readonly url: string;
  close(): Promise<void>;
}

/** The programs that it needs, for describeWithPrograms. */
export const wordpressPrograms = ['php', 'mariadbd', 'mariadb-install-db', 'mariadb'];

/** Sets the site up and starts it; `plugin` is the path of a PHP file, `constants` are defined before it. */
export async function startWordpressSite(
  plugin: string,
  constants: Readonly<Record<string, string>>,
): Promise<WordpressSite> {
  const folder = await mkdtemp(join(tmpdir(), 'notifier-wordpress-'));
  const children: ChildProcess[] = [];
  const close = async () => {
    for (const child of children.toReversed()) await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const socket = join(folder, 'database.sock');
    children.push(await startDatabase(folder, socket));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await writeSite(join(folder, 'site'), { url, socket, plugin, constants });
    await run('php', [join(folder, 'site', 'install.php')], {
      env: { ...process.env, HTTP_HOST: `127.0.0.1:${port}` },
    });
    const router = join(folder, 'site', 'router.php');
    children.push(
      spawn('php', ['-S', `127.0.0.1:${port}`, '-t', join(folder, 'site'), router], { stdio: 'ignore' }),
    );
    await until(async () => (await fetch(`${url}/wp-json/notifier/v1`)).ok);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startDatabase(folder: string, socket: string): Promise<ChildProcess> {
  const data = join(folder, 'database');
  const user = `--user=${userInfo().username}`;
  await mkdir(data);
  const install = [`--datadir=${data}`, user, '--auth-root-authentication-method=normal', '--skip-test-db'];
  await run('mariadb-install-db', ['--no-defaults', ...install]);
  const options = [
    `--datadir=${data}`,
    `--socket=${socket}`,
    user,
    '--skip-networking',
    '--innodb-buffer-pool-size=16M',
  ];
  const child = spawn('mariadbd', ['--no-defaults', ...options, `--pid-file=${folder}/database.pid`], {
    stdio: 'ignore',
  });
  await until(() =>
    run('mariadb', [
      '--no-defaults',
      `--socket=${socket}`,
      '-uroot',
      '-e',
      'CREATE DATABASE IF NOT EXISTS wordpress',
    ]),
  );
  return child;
}

interface SiteOptions {
  readonly url: string;
  readonly socket: string;
  readonly plugin: string;
  readonly constants: Readonly<Record<string, string>>;
}

/** WordPress's own files, with folders as links: only what asks for its own place is copied. */
async function writeSite(site: string, { url, socket, plugin, constants }: SiteOptions): Promise<void> {
  await mkdir(join(site, 'wp-content', 'mu-plugins'), { recursive: true });
  for (const folder of ['wp-includes', 'wp-admin']) await symlink(join(source, folder), join(site, folder));
  for (const file of ['index.php', 'wp-load.php', 'wp-settings.php', 'wp-blog-header.php']) {
    await cp(join(source, file), join(site, file));
  }
  await symlink(join(source, 'wp-content', 'themes'), join(site, 'wp-content', 'themes'));
  await cp(plugin, join(site, 'wp-content', 'mu-plugins', 'plugin.php'));
  const defined = { DB_NAME: 'wordpress', DB_USER: 'root', DB_PASSWORD: '', DB_HOST: `localhost:${socket}` };
  const all = {
    ...defined,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    WP_HOME: url,
    WP_SITEURL: url,
    ...constants,
  };
  const lines = Object.entries(all).map(([name, value]) => `define(${php(name)}, ${php(value)});`);
  await writeFile(join(site, 'wp-config.php'), `<?php\n${lines.join('\n')}\n${configTail}`);
  await writeFile(join(site, 'install.php'), installer);
  await writeFile(join(site, 'router.php'), router);
}

const configTail = `define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
require_once __DIR__ . '/wp-settings.php';
`;

const installer = `<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = getenv('HTTP_HOST');
$_SERVER['REQUEST_METHOD'] = 'GET';
require __DIR__ . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
function wp_mail() { return true; }
wp_install('Original', 'admin', 'admin@example.org', false, '', 'not-used-anywhere');
update_option('permalink_structure', '/%postname%/');
flush_rewrite_rules(false);
`;

const router = `<?php
$_SERVER['SCRIPT_NAME'] = '/index.php';
$_SERVER['PHP_SELF'] = '/index.php';
require __DIR__ . '/index.php';
`;

function php(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Tries until it answers true, or anything but false; throws the last reason when time is up. */
async function until(attempt: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + startMsMax;
  for (;;) {
    try {
      if ((await attempt()) !== false) return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) throw new Error('the site did not start');
    await sleep(100);
  }
}

/** Ends a child that we started and waits for it. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await Promise.race([gone, sleep(10_000).then(() => child.kill('SIGKILL'))]);
}

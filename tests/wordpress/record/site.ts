// A real WordPress on loopback, from Debian's packages, in a throw-away folder: nginx, PHP and MariaDB of its
// own. What is asked of it is the callers' affair.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { programPath } from '../../support/program-path.ts';
import { type Database, startDatabase } from './database.ts';
import { type RunningProcess, run, startProcess } from './processes.ts';

const wordpressFolder = '/usr/share/wordpress';

const phpServer = readFolder('/usr/sbin').find((name) => /^php-fpm\d/.test(name)) ?? 'php-fpm';

/** The programs a site needs, for `describeWithPrograms`. */
export const wordpressPrograms = [
  'nginx',
  'php',
  phpServer,
  'mariadbd',
  'mariadb',
  'mariadb-install-db',
  // The package itself is no program: where its folder is absent, its name stands for it and is not found.
  ...(existsSync(wordpressFolder) ? [] : ['wordpress']),
];

export interface WordPressSite {
  /** `http://127.0.0.1:PORT`, which is the site's home too. */
  readonly origin: string;
  readonly version: string;
  /** The folder of the installation, for a web server of the caller's own. */
  readonly root: string;
  /** The socket at which PHP answers. */
  readonly phpSocket: string;
  /** Ends all of it and removes the folder. */
  stop(): Promise<void>;
}

export interface WordPressOptions {
  /** PHP source of a must-use plugin, `<?php` included. */
  readonly muPlugin?: string;
  readonly port?: number;
}

/** Sets up and starts a site; within a few seconds. Rejects with what a program printed when one fails. */
export async function startWordPress(options: WordPressOptions = {}): Promise<WordPressSite> {
  const folder = mkdtempSync(join(tmpdir(), 'notifier-wordpress-'));
  chmodSync(folder, 0o755);
  const running: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const each of running.splice(0).reverse()) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const root = layOut(folder, options.muPlugin);
    const database = await startDatabase(folder);
    running.push(database);
    writeFileSync(join(root, 'wp-config.php'), configuration(database));
    const version = await run([
      programPath('php') ?? 'php',
      '-d',
      'display_errors=stderr',
      join(import.meta.dirname, 'install.php'),
      root,
    ]);
    const phpSocket = join(folder, 'php.sock');
    running.push(await startPhp(folder, phpSocket));
    const port = options.port ?? (await freePort());
    running.push(await startNginx(folder, port, siteServer(port, root, phpSocket)));
    return { origin: `http://127.0.0.1:${port}`, version, root, phpSocket, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts nginx with what stands in its `http` block, below `folder`; waits for `port`. */
function startNginx(folder: string, port: number, http: string): Promise<RunningProcess> {
  const file = join(folder, `nginx-${port}.conf`);
  const user = process.getuid?.() === 0 ? 'user www-data;\n' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, `nginx-${name}`)};`,
  );
  const text = `${user}worker_processes 2;
pid ${join(folder, `nginx-${port}.pid`)};
error_log stderr warn;
daemon off;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  ${http}
}
`;
  writeFileSync(file, text);
  return startProcess([programPath('nginx') ?? 'nginx', '-e', 'stderr', '-p', folder, '-c', file], { port });
}

function readFolder(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

/** The installation: the program itself is the package's, what a site has of its own is here. */
function layOut(folder: string, muPlugin: string | undefined): string {
  const root = join(folder, 'site');
  const content = join(root, 'wp-content');
  mkdirSync(join(content, 'mu-plugins'), { recursive: true });
  for (const name of readdirSync(wordpressFolder)) {
    if (name.endsWith('.php') && name !== 'wp-config.php') {
      copyFileSync(join(wordpressFolder, name), join(root, name));
    }
  }
  for (const name of ['wp-admin', 'wp-includes', 'wp-content/themes']) {
    symlinkSync(join(wordpressFolder, name), join(root, name));
  }
  if (muPlugin !== undefined) writeFileSync(join(content, 'mu-plugins', 'plugin.php'), muPlugin);
  return root;
}

/**
 * The site's home follows the folder and the port it is asked at, so that one site can stand at several
 * addresses.
 */
function configuration(database: Database): string {
  const salts = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
    `${name}_KEY`,
    `${name}_SALT`,
  ]);
  return `<?php
define('DB_NAME', '${database.name}');
define('DB_USER', '${database.user}');
define('DB_PASSWORD', '${database.password}');
define('DB_HOST', 'localhost:${database.socketPath}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
${salts.map((name) => `define('${name}', '${randomBytes(24).toString('hex')}');`).join('\n')}
define('WP_HOME', 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . rtrim(dirname($_SERVER['SCRIPT_NAME']), '/'));
define('WP_SITEURL', WP_HOME);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_DEBUG', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}

async function startPhp(folder: string, socketPath: string): Promise<RunningProcess> {
  const file = join(folder, 'php-fpm.conf');
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? 'user = www-data\ngroup = www-data\nlisten.owner = www-data\n' : '';
  const text = `[global]
error_log = ${join(folder, 'php.log')}
daemonize = no
[www]
${user}listen = ${socketPath}
pm = static
pm.max_children = 3
clear_env = yes
`;
  writeFileSync(file, text);
  const settings = ['display_errors=0', 'post_max_size=8M', 'expose_php=0'].flatMap((each) => ['-d', each]);
  return startProcess([programPath(phpServer) ?? phpServer, ...settings, '-y', file], { path: socketPath });
}

/**
 * One request to PHP through nginx, as every guide to WordPress on nginx has it; also for addresses below a
 * file.
 */
export function phpLocations(phpSocket: string): string {
  return `location / { try_files $uri $uri/ /index.php?$args; }
    location ~ [^/]\\.php(/|$) {
      fastcgi_split_path_info ^(.+?\\.php)(/.*)$;
      include /etc/nginx/fastcgi_params;
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_param PATH_INFO $fastcgi_path_info;
      fastcgi_pass unix:${phpSocket};
    }`;
}

function siteServer(port: number, root: string, phpSocket: string): string {
  return `server {
    listen 127.0.0.1:${port};
    root ${root};
    index index.php;
    client_max_body_size 64m;
    ${phpLocations(phpSocket)}
  }`;
}

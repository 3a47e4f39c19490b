// Apache as Debian's package leaves it, in a folder of its own: its configuration copied, ports and paths
// moved, all else as it was. The lines of docs/reverse-proxy.md are run on it by a real shell, with
// Debian's own a2en… programs.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../support/needs.ts';
import { type RunningProcess, startProcess } from '../wordpress/record/processes.ts';
import { rewrite } from './pages-and-files.ts';

const repository = resolve(import.meta.dirname, '../..');

export interface DebianApache {
  /**
   * Runs lines of the page; rejects with what they printed where one fails. Answers what was given to the
   * system.
   */
  run(lines: string): Promise<string[]>;
  /** Changes a setting in a file below /etc/apache2; fails for text that is not there. */
  set(file: string, shipped: string, ours: string): void;
  start(): Promise<RunningProcess>;
}

/** A copy below `folder`; every site listens at `port` of 127.0.0.1 instead of port 80. */
export function debianApache(folder: string, port: number): DebianApache {
  const root = join(folder, `apache-${port}`);
  const etc = join(root, 'etc');
  for (const name of ['log', 'run', 'state', 'bin']) mkdirSync(join(root, name), { recursive: true });
  cpSync('/etc/apache2', etc, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(etc, 'ports.conf'), `Listen 127.0.0.1:${port}\nServerName 127.0.0.1\n`);
  const places = { RUN_DIR: 'run', LOCK_DIR: 'run', LOG_DIR: 'log', PID_FILE: 'run/apache2.pid' };
  const lines = Object.entries(places).map(([name, place]) => `export APACHE_${name}=${join(root, place)}\n`);
  writeFileSync(join(etc, 'envvars'), `${readFileSync(join(etc, 'envvars'), 'utf8')}${lines.join('')}`);
  // The machine's own PHP module, if it has one, wants another way of threads.
  const apache = `. '${etc}/envvars'\nexec '${programPath('apache2')}' -d '${etc}' -f '${etc}/apache2.conf'`;
  const told = join(root, 'told');
  const inThisFolder = `APACHE_CONFDIR='${etc}' APACHE_STATE_DIRECTORY='${root}/state'`;
  const listenHere = `sed -i 's/<VirtualHost \\*:80>/<VirtualHost *:${port}>/' '${etc}'/sites-available/*\n`;
  const programs: Record<string, string> = {
    sudo: 'exec "$@"',
    apache2ctl: `${listenHere}${apache} -t`,
    apache2: `${listenHere}${apache} -D FOREGROUND`,
    systemctl: `echo "systemctl $*" >> '${told}'`,
    'apt-get': `echo "apt-get $*" >> '${told}'`,
  };
  for (const name of ['a2enmod', 'a2enconf', 'a2ensite', 'a2dissite']) {
    programs[name] = `${inThisFolder} exec '${programPath(name)}' -q "$@"`;
  }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }

  return {
    async run(lines) {
      const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}` };
      const here = lines.replaceAll('/etc/apache2', etc);
      await promisify(execFile)(programPath('bash') ?? 'bash', ['-euc', here], { cwd: repository, env });
      return existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : [];
    },
    set: (file, shipped, ours) => rewrite(join(etc, file), [[shipped, ours]]),
    start: () => startProcess([join(root, 'bin/apache2')], { port }),
  };
}

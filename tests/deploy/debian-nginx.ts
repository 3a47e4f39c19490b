// nginx as Debian's package leaves it, in a folder of its own: its configuration copied, ports and paths
// moved, all else as it was. The lines of docs/reverse-proxy.md are run on it by a real shell.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../support/needs.ts';
import { type RunningProcess, startProcess } from '../wordpress/record/processes.ts';
import { rewrite, shellLines } from './pages-and-files.ts';

const repository = resolve(import.meta.dirname, '../..');

/** The shell lines below one heading of nginx in docs/reverse-proxy.md. */
export const linesOfPage = (heading: string): string => shellLines('reverse-proxy', `nginx: ${heading}`);

export interface DebianNginx {
  /** What stands for /etc/nginx. */
  readonly etc: string;
  /**
   * Runs lines of the page; rejects with what they printed where one fails. Answers the commands of the
   * system they gave.
   */
  run(lines: string): Promise<string[]>;
  /** Changes a setting in a file below /etc/nginx; fails for text that is not there. */
  set(file: string, shipped: string, ours: string): void;
  start(): Promise<RunningProcess>;
}

/** A copy below `folder`; every site listens at `port` of 127.0.0.1 instead of port 80. */
export function debianNginx(folder: string, port: number): DebianNginx {
  const root = join(folder, `debian-${port}`);
  const etc = join(root, 'etc');
  mkdirSync(join(root, 'log'), { recursive: true });
  cpSync('/etc/nginx', etc, { recursive: true, dereference: true });
  // As the package enables it, even where this machine has taken it away.
  rmSync(join(etc, 'sites-enabled'), { recursive: true });
  mkdirSync(join(etc, 'sites-enabled'));
  symlinkSync('../sites-available/default', join(etc, 'sites-enabled/default'));
  rewrite(join(etc, 'nginx.conf'), [
    ['/etc/nginx/', `${etc}/`],
    ['/run/nginx.pid', join(root, 'nginx.pid')],
    ['/var/log/nginx/', `${join(root, 'log')}/`],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = temporary.map((name) => `${name}_temp_path ${join(root, name)};`);
  writeFileSync(join(etc, 'conf.d/places-of-this-test.conf'), `${places.join('\n')}\n`);
  const command = [
    programPath('nginx') ?? 'nginx',
    '-e',
    'stderr',
    '-p',
    root,
    '-c',
    join(etc, 'nginx.conf'),
  ] as const;
  const told = standIns(root, `'${command.join("' '")}'`, port);

  return {
    etc,
    async run(lines) {
      const here = lines.replaceAll('/etc/nginx', etc);
      const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}` };
      await promisify(execFile)(programPath('bash') ?? 'bash', ['-euc', here], { cwd: repository, env });
      return existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : [];
    },
    set: (file, shipped, ours) => rewrite(join(etc, file), [[shipped, ours]]),
    start: () => startProcess([join(root, 'bin/nginx'), '-g', 'daemon off;'], { port }),
  };
}

/**
 * sudo runs what it is given, nginx is told where its files are and listens at `port`; the system's own
 * commands are only written down, to the file that is answered.
 */
function standIns(root: string, nginx: string, port: number): string {
  const told = join(root, 'told');
  const listenHere = `sed -i 's/listen 80/listen 127.0.0.1:${port}/; /listen \\[::\\]:80/d'`;
  const programs = {
    sudo: 'exec "$@"',
    nginx: `${listenHere} '${root}'/etc/sites-available/*\nexec ${nginx} "$@"`,
    systemctl: `echo "systemctl $*" >> '${told}'`,
    'apt-get': `echo "apt-get $*" >> '${told}'`,
  };
  mkdirSync(join(root, 'bin'));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }
  return told;
}

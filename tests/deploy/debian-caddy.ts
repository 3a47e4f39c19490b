// Caddy as Debian's package leaves it, in a folder of its own. The lines of docs/reverse-proxy.md are run
// on it by a real shell; certificates and the administration's port are switched off, all else is as it was.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../support/needs.ts';
import { type RunningProcess, startProcess } from '../wordpress/record/processes.ts';
import { rewrite } from './pages-and-files.ts';
import type { Certificate } from './proxy-tests.ts';

const repository = resolve(import.meta.dirname, '../..');

export interface DebianCaddy {
  /** What stands for /etc/caddy. */
  readonly etc: string;
  /**
   * Runs lines of the page; rejects with what they printed where one fails. Answers what was given to the
   * system.
   */
  run(lines: string): Promise<string[]>;
  /** Changes a setting in a file below /etc/caddy; fails for text that is not there. */
  set(file: string, shipped: string, ours: string): void;
  start(certificate?: Certificate): Promise<RunningProcess>;
}

/** A copy below `folder`; the site shop.example is whatever is asked at `port` of 127.0.0.1. */
export function debianCaddy(folder: string, port: number): DebianCaddy {
  const root = join(folder, `caddy-${port}`);
  const etc = join(root, 'etc');
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync('/etc/caddy', etc, { recursive: true });
  const told = join(root, 'told');
  const home = `export HOME='${root}' XDG_DATA_HOME='${root}/data' XDG_CONFIG_HOME='${root}/config'`;
  const programs = {
    sudo: 'exec "$@"',
    caddy: `${home}\nexec '${programPath('caddy')}' "$@"`,
    systemctl: `echo "systemctl $*" >> '${told}'`,
    'apt-get': `echo "apt-get $*" >> '${told}'`,
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }
  const file = join(etc, 'Caddyfile');

  return {
    etc,
    async run(lines) {
      const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}` };
      const here = lines.replaceAll('/etc/caddy', etc);
      await promisify(execFile)(programPath('bash') ?? 'bash', ['-euc', here], { cwd: repository, env });
      return existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : [];
    },
    set: (name, shipped, ours) => rewrite(join(etc, name), [[shipped, ours]]),
    start(certificate) {
      const here =
        certificate === undefined
          ? `http://:${port} {`
          : `https://shop.example:${port} {\n\ttls ${certificate.file} ${certificate.keyFile}`;
      rewrite(file, [['\nshop.example {', `\n${here}\n\tbind 127.0.0.1`]]);
      if (readFileSync(file, 'utf8').includes('\nerrors.')) {
        rewrite(file, [
          ['\nerrors.shop.example {', `\nhttp://errors.shop.example:${port} {\n\tbind 127.0.0.1`],
        ]);
      }
      writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${readFileSync(file, 'utf8')}`);
      const words = ['run', '--adapter', 'caddyfile', '--config', file];
      return startProcess([join(root, 'bin/caddy'), ...words], { port });
    },
  };
}

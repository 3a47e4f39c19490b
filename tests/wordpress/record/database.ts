// A MariaDB of its own for a throw-away site: its own data folder, its own socket, no network.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../support/program-path.ts';
import { type RunningProcess, run, startProcess } from './processes.ts';

export interface Database extends RunningProcess {
  readonly socketPath: string;
  readonly name: string;
  readonly user: string;
  readonly password: string;
}

/**
 * Makes a database server below `folder` with an empty database `wordpress`. It cares for speed, not for its
 * data.
 */
export async function startDatabase(folder: string): Promise<Database> {
  const dataFolder = join(folder, 'database');
  const socketPath = join(dataFolder, 'server.sock');
  mkdirSync(dataFolder);
  chmodSync(dataFolder, 0o755);
  // As root neither program would run; the package has made a user for it.
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  await run([
    programPath('mariadb-install-db') ?? 'mariadb-install-db',
    '--no-defaults',
    ...user,
    `--datadir=${dataFolder}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]);
  const running = await startProcess(
    [
      programPath('mariadbd') ?? 'mariadbd',
      '--no-defaults',
      ...user,
      `--datadir=${dataFolder}`,
      `--socket=${socketPath}`,
      '--skip-networking',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-doublewrite=0',
      '--innodb-buffer-pool-size=16M',
      '--skip-log-bin',
    ],
    { path: socketPath },
  );
  const name = 'wordpress';
  const client: [string, ...string[]] = [
    programPath('mariadb') ?? 'mariadb',
    '--no-defaults',
    `--socket=${socketPath}`,
    '--user=root',
  ];
  const statements = [
    `CREATE DATABASE ${name} CHARACTER SET utf8mb4`,
    "CREATE USER site@localhost IDENTIFIED BY 'site'",
    `GRANT ALL ON ${name}.* TO site@localhost`,
  ];
  await run(client, `${statements.join(';\n')};\n`);
  return { ...running, socketPath, name, user: 'site', password: 'site' };
}

// PgBouncer in transaction mode before a PostgreSQL of the tests, configured as Debian's package leaves it in
// all that is not said here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probePostgres } from '../../../data/drivers/postgres.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { idsOf } from './postgres.ts';

export interface RunningPgBouncer {
  /** The same database by way of the pooler. */
  addressOf(url: string): string;
  end(): Promise<void>;
}

/** Starts one before the server of `url`. */
export async function runPgBouncer(program: string, url: string): Promise<RunningPgBouncer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const behind = new URL(url);
  const settings = join(folder.path, 'pgbouncer.ini');
  const users = join(folder.path, 'users.txt');
  writeFileSync(users, `"${behind.username}" ""\n`);
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${behind.hostname} port=${behind.port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      // The client that came first has the connection that was used last: each gets those of others.
      'server_round_robin = 1',
      'default_pool_size = 4',
      'log_connections = 0',
      'log_disconnections = 0',
    ].join('\n'),
  );
  chmodSync(folder.path, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? idsOf('postgres', 'nobody') : {};
  const child = spawn(program, ['-q', settings], { ...user, cwd: folder.path, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const addressOf = (address: string): string => Object.assign(new URL(address), { port: String(port) }).href;
  await until(() => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    return probePostgres(addressOf(url)).then(
      () => true,
      () => false,
    );
  });
  return {
    addressOf,
    async end() {
      // At once; its end by SIGINT waits for clients.
      child.kill('SIGTERM');
      await ended;
      folder.remove();
    },
  };
}

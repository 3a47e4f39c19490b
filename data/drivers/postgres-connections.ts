// Connections to PostgreSQL, direct or through a pooler. In transaction mode a pooler may use another server
// connection for each transaction: no session settings or prepared statements may be relied on.
import pg, { type ClientBase } from 'pg';
import { StoreUnavailableError } from '../../src/core/errors.ts';
import type { ResponseWatch } from './response-watch.ts';

/** Whether statements are prepared by name. `auto`: by name unless a pooler is detected. */
export type StatementNaming = 'auto' | 'named' | 'unnamed';

/** PostgreSQL's defaults are unlimited; milliseconds. docs/durability.md, "PostgreSQL". */
const limitsMs = {
  statement_timeout: 10_000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

const connectMsMax = 2000;

// Pages should fail soon. With two seconds in the queue a write still fits into the shutdown time (`drainTimeoutMs`).
export const acquireTimeoutsMs = { read: 2000, write: 6000 } as const;

/** SQLSTATE too_many_connections: other clients use them all; connecting is retried after `retryDelayMs`. */
const tooManyConnections = '53300';
const retryDelayMs = 50;

/** Connection options; `url` is `postgres://…`. No time limits here: poolers refuse startup parameters. */
export const connectionOptions = (url: string, timeoutFactor = 1) => ({
  connectionString: url,
  keepAlive: true,
  application_name: 'notifier',
  connectionTimeoutMillis: connectMsMax * timeoutFactor,
  idleTimeoutMillis: 30_000,
});

/** pg returns int8 and numeric as text; ours are milliseconds and counts, far below 2^53. */
const getTypeParser = ((id: number, format?: 'text' | 'binary') =>
  id === pg.types.builtins.INT8 || id === pg.types.builtins.NUMERIC
    ? Number
    : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser;

/** A pool that limits only the time to connect; `acquireConnection` limits the wait for a free connection. */
export function createPool(options: pg.PoolConfig): pg.Pool {
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionTimeoutMillis: options.connectionTimeoutMillis });
    }
  }
  return new pg.Pool({ ...options, types: { getTypeParser }, Client, connectionTimeoutMillis: 0 });
}

/** Takes a pooled connection. @throws {StoreUnavailableError} after `msMax`, or once the server is silent. */
export function acquireConnection(
  pool: pg.Pool,
  responseWatch: Pick<ResponseWatch, 'onSilent'>,
  msMax: number,
): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let retryTimer: NodeJS.Timeout | undefined;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(retryTimer);
      unsubscribe();
    };
    const refuse = (error: unknown): void => {
      end();
      reject(error);
    };
    const unsubscribe = responseWatch.onSilent(() =>
      refuse(new StoreUnavailableError('The database does not respond.')),
    );
    const timer = setTimeout(
      () => refuse(new StoreUnavailableError('No database connection became free in time.')),
      msMax,
    );
    const tryConnect = (): void => {
      pool.connect().then(
        (client) => {
          if (isOver) return client.release();
          end();
          resolve(client);
        },
        (error: Error) => {
          if (isOver) return;
          // The server is alive but slow or full: try again.
          if (error.message === 'timeout expired') tryConnect();
          else if ((error as { code?: string }).code === tooManyConnections)
            retryTimer = setTimeout(tryConnect, retryDelayMs);
          else refuse(error);
        },
      );
    };
    tryConnect();
  });
}

export interface SessionSetup {
  /** Detects a pooler on a new connection, and sets session time limits where there is none. */
  prepare(client: ClientBase): Promise<void>;
  /** Whether it goes through a pooler: session state may be lost or seen by others. */
  isShared(client: ClientBase): boolean;
  hasNamedStatements(client: ClientBase): boolean;
  /** The statements that begin a transaction, with time limits where it is shared. */
  begin(client: ClientBase): string;
}

export function createSessionSetup(naming: StatementNaming, timeoutFactor = 1): SessionSetup {
  const shared = new WeakSet<ClientBase>();
  const limits = (set: 'SET' | 'SET LOCAL'): string =>
    Object.entries(limitsMs)
      .map(([name, ms]) => `${set} ${name} = ${ms * timeoutFactor}`)
      .join('; ');
  return {
    async prepare(client) {
      if (naming === 'unnamed' || (await isPooled(client))) shared.add(client);
      else await client.query(limits('SET'));
    },
    isShared: (client) => shared.has(client),
    hasNamedStatements: (client) => naming === 'named' || !shared.has(client),
    begin: (client) => (shared.has(client) ? `BEGIN; ${limits('SET LOCAL')}` : 'BEGIN'),
  };
}

/** PostgreSQL sends clients their backend's process ID (BackendKeyData); a pooler sends a made-up one. */
async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as ClientBase & { readonly processID?: number }).processID;
}

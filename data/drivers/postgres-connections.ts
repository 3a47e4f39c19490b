// Connections to PostgreSQL, straight or by way of a pooler. A pooler in transaction mode gives each
// transaction another connection of the server: nothing may be left on one for later, neither a setting nor a
// prepared statement.
import pg, { type ClientBase } from 'pg';
import { StoreUnavailable } from '../../src/core/errors.ts';
import type { SilenceWatch } from './silence.ts';

/**
 * What statements are prepared by: a name, or anew each time. `auto` names them where no pooler is between.
 */
export type StatementNaming = 'auto' | 'named' | 'unnamed';

/** The library waits for ever unless told otherwise; milliseconds. docs/durability.md, "PostgreSQL". */
const limitsMs = {
  statement_timeout: 10_000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

const connectMsMax = 2000;

/**
 * How long a question and a write wait for a connection while all are at work; milliseconds. A page is to
 * fail soon; an event may wait. With the two seconds for its turn (docs/overload.md) that is as long as a
 * server that ends leaves to whoever is under way (`drainMs`).
 */
export const poolWaitsMsMax = { read: 2000, write: 6000 } as const;

/** Other servers have all the connections that the database gives; how long until it is asked again. */
const tooManyConnections = '53300';
const fullMs = 50;

/** What every connection is made with; `url` is `postgres://…`. Poolers refuse limits that are told here. */
export const connectionOf = (url: string, patience = 1) => ({
  connectionString: url,
  keepAlive: true,
  application_name: 'notifier',
  connectionTimeoutMillis: connectMsMax * patience,
  idleTimeoutMillis: 30_000,
});

/** int8 and numeric are text to pg; ours are milliseconds and counts, far below 2^53. */
const getTypeParser = ((id: number, format?: 'text' | 'binary') =>
  id === pg.types.builtins.INT8 || id === pg.types.builtins.NUMERIC
    ? Number
    : pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser;

/**
 * A pool of such connections. Who waits for one sets the limit of that (`connectWithin`); the library has
 * one limit for that and for making one.
 */
export function poolOf(options: pg.PoolConfig): pg.Pool {
  class Client extends pg.Client {
    constructor(given?: pg.ClientConfig) {
      super({ ...given, connectionTimeoutMillis: options.connectionTimeoutMillis });
    }
  }
  return new pg.Pool({ ...options, types: { getTypeParser }, Client, connectionTimeoutMillis: 0 });
}

/**
 * A connection of the pool. Rejects with StoreUnavailable where none is free for `msMax`, and as soon as the
 * server falls silent; one that comes later goes back.
 */
export function connectWithin(
  pool: pg.Pool,
  silence: Pick<SilenceWatch, 'onSilent'>,
  msMax: number,
): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    let again: NodeJS.Timeout | undefined;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(again);
      unheard();
    };
    const refuse = (error: unknown): void => {
      end();
      reject(error);
    };
    const unheard = silence.onSilent(() => refuse(new StoreUnavailable('The database is silent.')));
    const timer = setTimeout(
      () => refuse(new StoreUnavailable('No connection to the database came free.')),
      msMax,
    );
    const ask = (): void => {
      pool.connect().then(
        (client) => {
          if (isOver) return client.release();
          end();
          resolve(client);
        },
        (error: Error) => {
          if (isOver) return;
          // A server that is alive, and slow to let in or full: there is time for another try.
          if (error.message === 'timeout expired') ask();
          else if ((error as { code?: string }).code === tooManyConnections) again = setTimeout(ask, fullMs);
          else refuse(error);
        },
      );
    };
    ask();
  });
}

export interface Sessions {
  /** Looks at a connection that was just made, and sets the limits of one that is ours alone. */
  prepare(client: ClientBase): Promise<void>;
  /** Whether what is set on it may be met by others, or be gone at the next transaction. */
  isShared(client: ClientBase): boolean;
  hasNamedStatements(client: ClientBase): boolean;
  /** The statements that begin a transaction on it, with its limits. */
  begin(client: ClientBase): string;
}

/** The connections of one pool. `patience` is how many times as long as usual anything may take. */
export function sessionsOf(naming: StatementNaming, patience = 1): Sessions {
  const shared = new WeakSet<ClientBase>();
  const limits = (set: 'SET' | 'SET LOCAL'): string =>
    Object.entries(limitsMs)
      .map(([name, ms]) => `${set} ${name} = ${ms * patience}`)
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

/**
 * A server tells who connects the number of the process that serves them, by which a statement is cancelled;
 * a pooler serves many by one process, and tells a number of its own.
 */
async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== (client as ClientBase & { readonly processID?: number }).processID;
}

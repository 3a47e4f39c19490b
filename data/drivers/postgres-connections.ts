// Connections to PostgreSQL, straight or by way of a pooler. A pooler in transaction mode gives each
// transaction another connection of the server: nothing may be left on one for later, neither a setting nor a
// prepared statement.
import type { ClientBase } from 'pg';

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

/** What every connection is made with; `url` is `postgres://…`. Poolers refuse limits that are told here. */
export const connectionOf = (url: string, patience = 1) => ({
  connectionString: url,
  keepAlive: true,
  application_name: 'notifier',
  connectionTimeoutMillis: connectMsMax * patience,
  idleTimeoutMillis: 30_000,
});

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

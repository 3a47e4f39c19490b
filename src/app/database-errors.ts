// Error messages for a database that cannot be opened: the variable, its value, what is wrong, the remedy.

import { ConfigError, maskUrl } from '../core/config/parse-values.ts';
import { DependencyNotReadyError } from '../core/config/start-errors.ts';

/** `{path}` and `{message}` are replaced. */
interface Explanation {
  readonly problem: string;
  readonly remedy: string;
  /** Whether waiting may help (DependencyNotReadyError instead of ConfigError). */
  readonly waits?: true;
}

interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly syscall: string;
}

/** ConfigError, or DependencyNotReadyError where waiting may help; errors that are not the database's come back as is. */
export function describeDatabaseError(error: unknown, databaseUrl: string): unknown {
  const isPostgres = !databaseUrl.startsWith('sqlite:');
  for (const cause of listCauses(error)) {
    const explanation = isPostgres ? explainPostgres(cause) : explainSqlite(cause, databaseUrl);
    if (explanation === null) continue;
    const named = `DATABASE_URL is "${maskUrl(databaseUrl)}"`;
    const message = cause.message
      .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
      .slice(0, 200)
      .replace(/\.$/, '');
    const sentence = `${named}: ${explanation.problem}. ${explanation.remedy}.`
      .replaceAll('{path}', () => cause.path)
      .replaceAll('{message}', () => message);
    return explanation.waits === true
      ? new DependencyNotReadyError(sentence, { cause: error })
      : new ConfigError(sentence, { cause: error });
  }
  return error;
}

/** An error with its causes and the members of an AggregateError, outermost first. */
function listCauses(error: unknown, depth = 0): ErrorFacts[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, message, name, path, syscall, cause, errors } = error as Partial<
    NodeJS.ErrnoException & AggregateError
  >;
  const facts = {
    code: typeof code === 'string' ? code : name === 'SchemaMismatch' ? name : '',
    message: message ?? '',
    path: path ?? '',
    syscall: syscall ?? '',
  };
  return [facts, ...[cause, ...(errors ?? [])].flatMap((each) => listCauses(each, depth + 1))];
}

const schemaMismatch: Explanation = {
  problem: '{message}',
  remedy: 'Start the version that created it, or restore an earlier backup',
};

const diskIsFull: Explanation = { problem: 'the disk is full', remedy: 'Free space, then start again' };
const isDamaged: Explanation = { problem: 'the database is damaged ({message})', remedy: 'Restore a backup' };
const mayNotWrite: Explanation = {
  problem: 'this user is not allowed to read and write {path}',
  remedy:
    'Change the owner of the file and its folder to the user that runs the program, or use another path',
};
const isLocked: Explanation = {
  problem: 'another program holds the database locked',
  remedy: 'Stop that program, or use another file',
  waits: true,
};

const sqliteTable: Readonly<Record<string, Explanation>> = {
  SchemaMismatch: schemaMismatch,
  EMPTY: {
    problem: '{path} is empty (0 bytes), so it is not a database. It was not changed',
    remedy: 'Delete it to create a new database, or restore a backup',
  },
  NO_FILE: {
    problem: '{path} is not a regular file',
    remedy: 'Use a file, or a path where one can be created',
  },
  EISDIR: { problem: '{path} is a folder', remedy: 'Use a file in it, for example {path}/notifier.db' },
  NO_DATABASE: {
    problem: '{path} is not a SQLite database, or is encrypted. It was not changed',
    remedy: 'Use another file, or restore a backup',
  },
  NOT_OURS: {
    problem: '{path} contains the tables of another program. It was not changed',
    remedy: 'Use a separate file for Notifier',
  },
  SETTING: {
    problem: 'SQLite cannot use {path} on that file',
    remedy: 'Use a path on a local disk; network file systems are not supported',
  },
  OLD_SQLITE: {
    problem: 'the SQLite library of this installation is {path}, which can lose committed transactions',
    remedy: 'Reinstall the dependencies (npm ci) to get 3.51.3 or newer',
  },
  ENOTDIR: { problem: '{path} is below a file, which must be a folder', remedy: 'Use another path' },
  EEXIST: { problem: '{path} is a file, but must be a folder', remedy: 'Use another path' },
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  SQLITE_PERM: mayNotWrite,
  SQLITE_AUTH: mayNotWrite,
  SQLITE_READONLY: mayNotWrite,
  SQLITE_CANTOPEN: {
    problem: 'SQLite cannot open the file or its write-ahead log ({message})',
    remedy: mayNotWrite.remedy,
  },
  EROFS: {
    problem: '{path} is on a read-only file system',
    remedy: 'Use a path that can be written',
  },
  ENOENT: { problem: 'the folder {path} cannot be created', remedy: 'Use an existing folder' },
  ELOOP: { problem: '{path} is a symbolic link to itself', remedy: 'Use another path' },
  ENAMETOOLONG: { problem: 'the path is too long for this system', remedy: 'Use a shorter path' },
  ENOSPC: diskIsFull,
  EDQUOT: diskIsFull,
  SQLITE_FULL: diskIsFull,
  SQLITE_NOTADB: {
    problem: 'the file is not a SQLite database, or is encrypted',
    remedy: 'Use another file, or restore a backup',
  },
  SQLITE_CORRUPT: isDamaged,
  SQLITE_FORMAT: isDamaged,
  SQLITE_TOOBIG: isDamaged,
  SQLITE_IOERR: {
    problem: 'the disk failed to read or write ({message})',
    remedy: 'Check the disk, then start again',
  },
  SQLITE_PROTOCOL: {
    problem: 'SQLite cannot lock the file',
    remedy: 'Use a path on a local disk; network file systems are not supported',
  },
  SQLITE_BUSY: isLocked,
  SQLITE_LOCKED: isLocked,
};

function explainSqlite(cause: ErrorFacts, databaseUrl: string): Explanation | null {
  // SQLITE_IOERR_WRITE and similar are looked up as SQLITE_IOERR.
  const kind = /^SQLITE_[A-Z]+/.exec(cause.code)?.[0] ?? cause.code;
  const explanation = sqliteTable[kind] ?? null;
  if (explanation === null && /^E[A-Z0-9]+$/.test(cause.code) && cause.path !== '') {
    return { problem: 'the operating system refuses {path} ({message})', remedy: 'Use another path' };
  }
  if (explanation !== null && databaseUrl === 'sqlite::memory:' && cause.path !== '') {
    return {
      problem: `the temporary folder ${cause.path} cannot be used (${cause.code})`,
      remedy: 'Set TMPDIR to a folder that can be written',
    };
  }
  return explanation;
}

const noAnswer = (reason: string): Explanation => ({
  problem: `PostgreSQL did not respond (${reason})`,
  remedy: 'Start it, or correct the host and the port',
  waits: true,
});
const notReady = (reason: string): Explanation => ({
  problem: `PostgreSQL does not accept connections at the moment (${reason})`,
  remedy: 'Check the server',
  waits: true,
});
const wrongCertificate: Explanation = {
  problem: 'the certificate of the server is not trusted ({message})',
  remedy: 'Correct sslmode and sslrootcert in the URL, or the certificate',
};
const wrongUser: Explanation = {
  problem: 'PostgreSQL refuses this user ({message})',
  remedy: 'Correct the user and password in the URL, or pg_hba.conf on the server',
};

const postgresTable: Readonly<Record<string, Explanation>> = {
  SchemaMismatch: schemaMismatch,
  ECONNREFUSED: noAnswer('connection refused'),
  ECONNRESET: noAnswer('connection reset'),
  EPIPE: noAnswer('connection reset'),
  ETIMEDOUT: noAnswer('timed out'),
  EHOSTUNREACH: noAnswer('host unreachable'),
  EHOSTDOWN: noAnswer('host unreachable'),
  ENETUNREACH: noAnswer('network unreachable'),
  ENETDOWN: noAnswer('network unreachable'),
  EADDRNOTAVAIL: noAnswer('host unreachable'),
  EAI_AGAIN: noAnswer('its name cannot be resolved at the moment'),
  ENOTFOUND: { problem: 'the host name does not exist ({message})', remedy: 'Correct the host in the URL' },
  '57P01': notReady('it is shutting down'),
  '57P02': notReady('it is recovering from a crash'),
  '57P03': notReady('{message}'),
  '25006': notReady('it is read-only, perhaps a replica'),
  '55P03': notReady('another program holds a lock'),
  '57014': notReady('another program holds a lock'),
  '28P01': wrongUser,
  '28000': wrongUser,
  '3D000': {
    problem: 'the database does not exist ({message})',
    remedy: 'Create it (createdb), or correct the name at the end of the URL',
  },
  '42501': {
    problem: 'this user lacks privileges ({message})',
    remedy: 'Make the user the owner of the database, or GRANT USAGE, CREATE ON SCHEMA public to it',
  },
  '42704': {
    problem: 'the URL has an option that the server does not know ({message})',
    remedy: 'Correct the options of the URL',
  },
  '3F000': {
    problem: 'there is no schema to create tables in ({message})',
    remedy: 'Create one, or correct the search_path of the user',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: wrongCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: wrongCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: wrongCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: wrongCertificate,
  CERT_HAS_EXPIRED: wrongCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: wrongCertificate,
};

/** Errors of pg itself, which have no code. */
const postgresMessages: ReadonlyArray<readonly [pattern: RegExp, explanation: Explanation]> = [
  [/^timeout e|read timeout/, noAnswer('timed out')],
  [/terminated|ended unexpectedly/, noAnswer('it closed the connection')],
  [
    /does not support SSL/,
    {
      problem: 'the server does not support TLS, which sslmode in the URL requires',
      remedy: 'Turn on TLS on the server, or correct sslmode',
    },
  ],
  [
    /password must be/,
    { problem: 'PostgreSQL requires a password', remedy: 'Add the user and password to the URL' },
  ],
  [/^SASL/, wrongUser],
  [
    /invalid response|Unknown auth/,
    {
      problem: 'the server that responded is not PostgreSQL ({message})',
      remedy: 'Correct the host and the port',
    },
  ],
];

/** PgBouncer uses one code for nearly all errors. */
const poolerMessages: ReadonlyArray<readonly [pattern: RegExp, explanation: Explanation]> = [
  [
    /unsupported startup parameter/,
    {
      problem: 'the connection pooler refuses an option of the URL ({message})',
      remedy: 'Remove it from the URL, or add it to ignore_startup_parameters of the pooler',
    },
  ],
  [/try again|cannot connect|timeout|shutting down|no more connections/, notReady('{message}')],
  [
    /./,
    {
      problem: 'the server refuses the connection ({message})',
      remedy: 'Correct the user and database in the URL',
    },
  ],
];

function explainPostgres(cause: ErrorFacts): Explanation | null {
  const { code, message, syscall } = cause;
  const findByMessage = (messages: typeof postgresMessages): Explanation | null =>
    messages.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  if (code === '') return findByMessage(postgresMessages);
  if (code === '08P01') return findByMessage(poolerMessages);
  if (syscall === 'connect' && code === 'ENOENT') return noAnswer('its socket does not exist');
  if (syscall === 'connect' && code === 'EACCES') {
    return { ...wrongUser, remedy: 'Allow this user to access the socket' };
  }
  const explanation = postgresTable[code];
  if (explanation !== undefined) return explanation;
  if (/^(08|53)/.test(code)) return notReady('{message}');
  if (/^E[A-Z]+$/.test(code) && cause.path !== '') {
    return {
      problem: 'a file in the URL cannot be read ({message})',
      remedy: 'Correct its path or permissions',
    };
  }
  return null;
}

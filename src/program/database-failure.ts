// Error messages for a database that cannot be opened: the variable, its value, what is wrong, the remedy.

import { NotReadyYet } from '../core/config/start-errors.ts';
import { ConfigError, maskedUrl } from '../core/config/values.ts';

/** `{path}` and `{said}` are replaced. */
interface Words {
  readonly wrong: string;
  readonly remedy: string;
  /** Whether waiting may help (NotReadyYet instead of ConfigError). */
  readonly waits?: true;
}

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly syscall: string;
}

/** ConfigError, or NotReadyYet where waiting may help; errors that are not the database's come back as is. */
export function databaseFailure(error: unknown, databaseUrl: string): unknown {
  const isPostgres = !databaseUrl.startsWith('sqlite:');
  for (const fault of faultsOf(error)) {
    const words = isPostgres ? postgresWords(fault) : sqliteWords(fault, databaseUrl);
    if (words === null) continue;
    const named = `DATABASE_URL is "${maskedUrl(databaseUrl)}"`;
    const said = fault.message.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').slice(0, 200);
    const sentence = `${named}: ${words.wrong}. ${words.remedy}.`
      .replaceAll('{path}', () => fault.path)
      .replaceAll('{said}', () => said);
    return words.waits === true
      ? new NotReadyYet(sentence, { cause: error })
      : new ConfigError(sentence, { cause: error });
  }
  return error;
}

/** An error with its causes and the members of an AggregateError, outermost first. */
function faultsOf(error: unknown, depth = 0): Fault[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { code, message, name, path, syscall, cause, errors } = error as Partial<
    NodeJS.ErrnoException & AggregateError
  >;
  const own = {
    code: typeof code === 'string' ? code : name === 'SchemaMismatch' ? name : '',
    message: message ?? '',
    path: path ?? '',
    syscall: syscall ?? '',
  };
  return [own, ...[cause, ...(errors ?? [])].flatMap((each) => faultsOf(each, depth + 1))];
}

const schemaMismatch: Words = {
  wrong: '{said}',
  remedy: 'Start the version that made it, or put back the backup from before',
};

const roomIsFull: Words = { wrong: 'no room is left on the disk', remedy: 'Make room, then start again' };
const isDamaged: Words = { wrong: 'the database is damaged ({said})', remedy: 'Put a backup in its place' };
const mayNotWrite: Words = {
  wrong: 'this user may not read and write {path}',
  remedy: 'Give the file and its folder to the user that runs the program, or name another place',
};

const sqliteTable: Readonly<Record<string, Words>> = {
  SchemaMismatch: schemaMismatch,
  EMPTY: {
    wrong: '{path} is empty (0 bytes), which no database is, and is left as it is',
    remedy: 'Delete it to begin anew, or put a backup in its place',
  },
  NO_FILE: { wrong: '{path} is no regular file', remedy: 'Name a file, or one that can be made' },
  EISDIR: { wrong: '{path} is a folder', remedy: 'Name a file in it, such as {path}/notifier.db' },
  NO_DATABASE: {
    wrong: '{path} is no SQLite database (or an encrypted one), and is left as it is',
    remedy: 'Name another file, or put a backup in its place',
  },
  NOT_OURS: {
    wrong: '{path} holds the tables of another program, and is left as it is',
    remedy: 'Name a file of its own for this one',
  },
  SETTING: {
    wrong: 'SQLite does not keep {path} on that file',
    remedy: 'Name a place on a disk of this machine: network file systems do not do',
  },
  OLD_SQLITE: {
    wrong: 'the SQLite library of this installation is {path}, which can lose what was committed',
    remedy: 'Install again (npm ci), to have 3.51.3 or newer',
  },
  ENOTDIR: { wrong: '{path} is under a file, where a folder has to be', remedy: 'Name another place' },
  EEXIST: { wrong: '{path} is a file, where a folder has to be', remedy: 'Name another place' },
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  SQLITE_PERM: mayNotWrite,
  SQLITE_AUTH: mayNotWrite,
  SQLITE_READONLY: mayNotWrite,
  SQLITE_CANTOPEN: {
    wrong: 'SQLite cannot open the file or its write-ahead log beside it ({said})',
    remedy: 'Give the file and its folder to the user that runs the program, or name another place',
  },
  EROFS: {
    wrong: '{path} is on a file system that is read-only',
    remedy: 'Name a place that can be written',
  },
  ENOENT: { wrong: 'the folder {path} cannot be made', remedy: 'Name a folder that is there' },
  ELOOP: { wrong: '{path} is a link that leads to itself', remedy: 'Name another place' },
  ENAMETOOLONG: { wrong: 'the path is too long for this system', remedy: 'Name a shorter one' },
  ENOSPC: roomIsFull,
  EDQUOT: roomIsFull,
  SQLITE_FULL: roomIsFull,
  SQLITE_NOTADB: {
    wrong: 'the file is no SQLite database (or an encrypted one)',
    remedy: 'Name another file, or put a backup in its place',
  },
  SQLITE_CORRUPT: isDamaged,
  SQLITE_FORMAT: isDamaged,
  SQLITE_TOOBIG: isDamaged,
  SQLITE_IOERR: {
    wrong: 'the disk failed to read or write ({said})',
    remedy: 'Look after the disk, then start again',
  },
  SQLITE_PROTOCOL: {
    wrong: 'the file cannot be locked as SQLite has to',
    remedy: 'Name a place on a disk of this machine: network file systems do not do',
  },
  SQLITE_BUSY: {
    wrong: 'another program holds the database locked',
    remedy: 'End that program, or name another file',
    waits: true,
  },
  SQLITE_LOCKED: {
    wrong: 'another program holds the database locked',
    remedy: 'End that program, or name another file',
    waits: true,
  },
};

function sqliteWords(fault: Fault, databaseUrl: string): Words | null {
  // SQLITE_IOERR_WRITE and similar are looked up as SQLITE_IOERR.
  const kind = /^SQLITE_[A-Z]+/.exec(fault.code)?.[0] ?? fault.code;
  const words = sqliteTable[kind] ?? null;
  if (words === null && /^E[A-Z0-9]+$/.test(fault.code) && fault.path !== '') {
    return { wrong: 'the system refuses {path} ({said})', remedy: 'Name another place' };
  }
  if (words !== null && databaseUrl === 'sqlite::memory:' && fault.path !== '') {
    return {
      wrong: `the folder for temporary files, ${fault.path}, cannot be used (${fault.code})`,
      remedy: 'Set TMPDIR to one that can be written',
    };
  }
  return words;
}

const noAnswer = (why: string): Words => ({
  wrong: `PostgreSQL does not answer (${why})`,
  remedy: 'Start it, or correct the host and the port',
  waits: true,
});
const notYet = (why: string): Words => ({
  wrong: `PostgreSQL lets nobody in now (${why})`,
  remedy: 'Look after the server',
  waits: true,
});
const wrongCertificate: Words = {
  wrong: 'the certificate of the server is not to be trusted ({said})',
  remedy: 'Correct sslmode and sslrootcert in the address, or the certificate',
};
const wrongUser: Words = {
  wrong: 'PostgreSQL does not let this user in ({said})',
  remedy: 'Correct user and password in the address, or the server’s pg_hba.conf',
};

const postgresTable: Readonly<Record<string, Words>> = {
  SchemaMismatch: schemaMismatch,
  ECONNREFUSED: noAnswer('connection refused'),
  ECONNRESET: noAnswer('connection reset'),
  EPIPE: noAnswer('connection reset'),
  ETIMEDOUT: noAnswer('timed out'),
  EHOSTUNREACH: noAnswer('no way to the host'),
  EHOSTDOWN: noAnswer('no way to the host'),
  ENETUNREACH: noAnswer('no way to the network'),
  ENETDOWN: noAnswer('no way to the network'),
  EADDRNOTAVAIL: noAnswer('no way to the host'),
  EAI_AGAIN: noAnswer('its name cannot be looked up now'),
  ENOTFOUND: { wrong: 'no host is known by that name ({said})', remedy: 'Correct the host in the address' },
  '57P01': notYet('it is shutting down'),
  '57P02': notYet('it crashed and recovers'),
  '57P03': notYet('{said}'),
  '25006': notYet('it is read-only: a replica, perhaps'),
  '55P03': notYet('another program holds a lock'),
  '57014': notYet('another program holds a lock'),
  '28P01': wrongUser,
  '28000': wrongUser,
  '3D000': {
    wrong: 'the server has no such database ({said})',
    remedy: 'Make it (createdb), or correct the name at the end of the address',
  },
  '42501': {
    wrong: 'this user may not do what is needed ({said})',
    remedy: 'Make the user owner of the database, or GRANT USAGE, CREATE ON SCHEMA public to it',
  },
  '42704': {
    wrong: 'the address asks for what the server does not know ({said})',
    remedy: 'Correct its options',
  },
  '3F000': {
    wrong: 'no schema is there to make tables in ({said})',
    remedy: 'Make one, or correct the user’s search_path',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: wrongCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: wrongCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: wrongCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: wrongCertificate,
  CERT_HAS_EXPIRED: wrongCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: wrongCertificate,
};

/** Errors of pg itself, which have no code. */
const postgresSayings: ReadonlyArray<readonly [saying: RegExp, words: Words]> = [
  [/^timeout e|read timeout/, noAnswer('nothing came in time')],
  [/terminated|ended unexpectedly/, noAnswer('it hung up')],
  [
    /does not support SSL/,
    {
      wrong: 'the server speaks no TLS, which sslmode in the address demands',
      remedy: 'Switch TLS on at the server, or correct sslmode',
    },
  ],
  [
    /password must be/,
    { wrong: 'PostgreSQL wants a password', remedy: 'Put user and password into the address' },
  ],
  [/^SASL/, wrongUser],
  [
    /invalid response|Unknown auth/,
    { wrong: 'what answers there is no PostgreSQL ({said})', remedy: 'Correct the host and the port' },
  ],
];

/** PgBouncer uses one code for nearly all errors. */
const poolerSayings: ReadonlyArray<readonly [saying: RegExp, words: Words]> = [
  [
    /unsupported startup parameter/,
    {
      wrong: 'the pooler in front of PostgreSQL refuses an option of the address ({said})',
      remedy: 'Take it out of the address, or add it to the pooler’s ignore_startup_parameters',
    },
  ],
  [/try again|cannot connect|timeout|shutting down|no more connections/, notYet('{said}')],
  [
    /./,
    {
      wrong: 'the server refuses the connection ({said})',
      remedy: 'Correct user and database in the address',
    },
  ],
];

function postgresWords(fault: Fault): Words | null {
  const { code, message, syscall } = fault;
  const saying = (sayings: typeof postgresSayings): Words | null =>
    sayings.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  if (code === '') return saying(postgresSayings);
  if (code === '08P01') return saying(poolerSayings);
  if (syscall === 'connect' && code === 'ENOENT') return noAnswer('its socket is not there');
  if (syscall === 'connect' && code === 'EACCES') {
    return { ...wrongUser, remedy: 'Give this user the right to use the socket' };
  }
  const words = postgresTable[code];
  if (words !== undefined) return words;
  if (/^(08|53)/.test(code)) return notYet('{said}');
  if (/^E[A-Z]+$/.test(code) && fault.path !== '') {
    return {
      wrong: 'a file that the address names cannot be read ({said})',
      remedy: 'Correct its path, or its rights',
    };
  }
  return null;
}

import { describe, expect, it } from '@jest/globals';
import { DatabaseFileFault } from '../../data/drivers/sqlite-file.ts';
import { SchemaMismatch } from '../../data/migrate.ts';
import { describeDatabaseError } from '../../src/app/database-errors.ts';
import { retryUntilDatabaseAnswers } from '../../src/app/open-deps.ts';
import { maskUrl } from '../../src/core/config/parse-values.ts';
import { ConfigError, DependencyNotReadyError } from '../../src/core/config/start-errors.ts';
import { StoreBusyError, StoreUnavailableError } from '../../src/core/errors.ts';

const coded = (code: string, message = code, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });
const said = (message: string): Error => new Error(message);
const connecting = { syscall: 'connect' };

type Row = readonly [what: string, error: Error, words: RegExp];

describe('a SQLite file', () => {
  const url = 'sqlite:data/shop.db';
  const file = (code: string): Error => new DatabaseFileFault(code, '/srv/data/shop.db');

  const toCorrect: readonly Row[] = [
    ['of no bytes', file('EMPTY'), /empty \(0 bytes\).*Delete it to create a new database/],
    ['that is a folder', file('EISDIR'), /is a folder\. Use a file in it/],
    ['that is a device', file('NO_FILE'), /not a regular file/],
    ['of another kind', file('NO_DATABASE'), /not a SQLite database.*backup/],
    ['of another program', file('NOT_OURS'), /tables of another program.*separate file/],
    [
      'where SQLite cannot work as it has to',
      new DatabaseFileFault('SETTING', 'journal_mode=wal'),
      /cannot use journal_mode=wal/,
    ],
    ['of an old library', new DatabaseFileFault('OLD_SQLITE', '3.40.1'), /3\.40\.1.*npm ci/],
    ['below a file', file('ENOTDIR'), /must be a folder/],
    ['where a folder would have to be', file('EEXIST'), /must be a folder/],
    ['that may not be read', file('EACCES'), /not allowed to read and write.*Change the owner/],
    ['of another user', file('EPERM'), /not allowed to read and write.*Change the owner/],
    ['on a read-only disk', file('EROFS'), /read-only/],
    ['whose folder cannot be made', file('ENOENT'), /cannot be created/],
    ['on a full disk', file('ENOSPC'), /the disk is full.*Free space/],
    ['over the quota', file('EDQUOT'), /the disk is full.*Free space/],
    ['behind a circle of links', file('ELOOP'), /link to itself/],
    ['with a long name', file('ENAMETOOLONG'), /too long/],
    ['that the operating system refuses otherwise', file('EMFILE'), /the operating system refuses .*EMFILE/],
    [
      'of a newer program',
      new SchemaMismatch('The database was made by a newer version'),
      /newer version.*Start the version/,
    ],
    [
      'that SQLite finds damaged',
      coded('SQLITE_CORRUPT_INDEX', 'malformed'),
      /damaged \(malformed\).*backup/,
    ],
    ['that SQLite cannot read', coded('SQLITE_NOTADB'), /not a SQLite database/],
    ['that SQLite cannot open', coded('SQLITE_CANTOPEN', 'unable to open'), /cannot open.*Change the owner/],
    ['that SQLite may only read', coded('SQLITE_READONLY_DBMOVED'), /not allowed to read and write/],
    ['on a disk that fails', coded('SQLITE_IOERR_WRITE', 'disk I/O error'), /failed.*disk I\/O error/],
    ['that cannot be locked', coded('SQLITE_PROTOCOL'), /cannot lock.*network/],
    ['that is full', coded('SQLITE_FULL'), /the disk is full/],
    [
      'that the store found full',
      new StoreUnavailableError('no', { cause: coded('SQLITE_FULL') }),
      /the disk is full/,
    ],
  ];
  const toWaitFor: readonly Row[] = [
    ['that another program holds', coded('SQLITE_BUSY_RECOVERY'), /locked.*Stop that program/],
    [
      'that the store found busy',
      new StoreBusyError('The database is locked.', { cause: coded('SQLITE_BUSY') }),
      /locked/,
    ],
  ];

  it.each([
    ...toCorrect.map((row) => [...row, ConfigError] as const),
    ...toWaitFor.map((row) => [...row, DependencyNotReadyError] as const),
  ])('%s', (_what, error, words, kind) => {
    const failure = describeDatabaseError(error, url) as Error;
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toMatch(/^DATABASE_URL is "sqlite:data\/shop\.db": [^\n]*\.$/);
    expect(failure.message).toMatch(words);
    expect(failure.message).not.toMatch(/[{}]/);
  });

  it('in memory needs a folder for temporary files', () => {
    const failure = describeDatabaseError(new DatabaseFileFault('ENOENT', '/no/tmp'), 'sqlite::memory:');
    expect(String(failure)).toMatch(/DATABASE_URL is "sqlite::memory:": .*\/no\/tmp.*Set TMPDIR/);
  });
});

describe('a PostgreSQL', () => {
  const url = 'postgres://shop:s3cret@db.example:5432/shop?password=s3cret';

  const toCorrect: readonly Row[] = [
    [
      'with another password',
      coded('28P01', 'password authentication failed for user "shop"'),
      /authentication failed.*Correct the user and password/,
    ],
    [
      'that knows no such user',
      coded('28000', 'no pg_hba.conf entry for host "10.0.0.1", no encryption'),
      /no encryption.*pg_hba/,
    ],
    [
      'that requires a password',
      said('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
      /requires a password/,
    ],
    ['without that database', coded('3D000', 'database "shop" does not exist'), /does not exist.*createdb/],
    [
      'where we may not make tables',
      coded('42501', 'permission denied for schema public'),
      /permission denied.*GRANT/,
    ],
    [
      'that does not know an option',
      coded('42704', 'unrecognized parameter'),
      /Correct the options of the URL/,
    ],
    [
      'of an unknown name',
      coded('ENOTFOUND', 'getaddrinfo ENOTFOUND db.example', { syscall: 'getaddrinfo' }),
      /host name does not exist/,
    ],
    ['without TLS', said('The server does not support SSL connections'), /not support TLS.*sslmode/],
    [
      'with a certificate of its own',
      coded('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'),
      /self-signed.*sslrootcert/,
    ],
    [
      'whose certificate we cannot read',
      coded('ENOENT', 'no such file', { syscall: 'open', path: '/ca.pem' }),
      /no such file.*Correct its path/,
    ],
    ['that is something else', said('received invalid response: 4a'), /not PostgreSQL/],
    [
      'behind a pooler that refuses an option of the address',
      coded('08P01', 'unsupported startup parameter: options'),
      /ignore_startup_parameters/,
    ],
    [
      'behind a pooler that knows no such user',
      coded('08P01', '"trust" authentication failed'),
      /refuses the connection/,
    ],
    [
      'of a newer program',
      new SchemaMismatch('The database was made by a newer version'),
      /Start the version/,
    ],
  ];
  const toWaitFor: readonly Row[] = [
    ['that nobody started', coded('ECONNREFUSED'), /connection refused.*Start it/],
    [
      'on none of the addresses of a name',
      new AggregateError([coded('ECONNREFUSED')], 'all failed'),
      /refused/,
    ],
    ['that resets', coded('ECONNRESET'), /reset/],
    ['that no way leads to', coded('EHOSTUNREACH'), /host unreachable/],
    ['that no network leads to', coded('ENETUNREACH'), /network unreachable/],
    ['that takes its time', coded('ETIMEDOUT'), /timed out/],
    [
      'that says nothing',
      new StoreUnavailableError('The database does not answer.', { cause: said('timeout expired') }),
      /timed out/,
    ],
    ['that hangs up', said('Connection terminated unexpectedly'), /closed the connection/],
    [
      'whose name cannot be resolved at the moment',
      coded('EAI_AGAIN', 'getaddrinfo', { syscall: 'getaddrinfo' }),
      /resolved at the moment/,
    ],
    ['whose socket does not exist', coded('ENOENT', 'connect ENOENT', connecting), /socket does not exist/],
    ['that is starting', coded('57P03', 'the database system is starting up'), /starting up/],
    ['that is shutting down', coded('57P01', 'terminating connection'), /shutting down/],
    ['with too many connections', coded('53300', 'sorry, too many clients already'), /too many clients/],
    ['without room', coded('53100', 'could not extend file'), /could not extend/],
    ['that only reads', new StoreUnavailableError('no', { cause: coded('25006') }), /read-only/],
    ['whose lock another start holds', new StoreBusyError('busy', { cause: coded('55P03') }), /holds a lock/],
    [
      'behind a pooler that has lost it',
      coded('08P01', 'server login has been failing, try again later'),
      /try again later/,
    ],
  ];

  it.each([
    ...toCorrect.map((row) => [...row, ConfigError] as const),
    ...toWaitFor.map((row) => [...row, DependencyNotReadyError] as const),
  ])('%s', (_what, error, words, kind) => {
    const failure = describeDatabaseError(error, url) as Error;
    expect(failure).toBeInstanceOf(kind);
    expect(failure.message).toMatch(
      /^DATABASE_URL is "postgres:\/\/shop:\*\*\*@db\.example:5432\/shop\?password=\*\*\*": [^\n]*\.$/,
    );
    expect(failure.message).toMatch(words);
    expect(failure.message).not.toContain('s3cret');
  });

  it('leaves errors of the program as they are', () => {
    const fault = coded('42601', 'syntax error at or near "SELCT"');
    expect(describeDatabaseError(fault, url)).toBe(fault);
    const none = new TypeError('x is not a function');
    expect(describeDatabaseError(none, url)).toBe(none);
  });
});

describe('a database error in a chain of causes', () => {
  const beneath = (others: number): Error =>
    others === 0 ? coded('SQLITE_FULL') : new Error('failed', { cause: beneath(others - 1) });

  it('is found below five other errors, and not below six', () => {
    expect(String(describeDatabaseError(beneath(5), 'sqlite:shop.db'))).toMatch(/the disk is full/);
    const deeper = beneath(6);
    expect(describeDatabaseError(deeper, 'sqlite:shop.db')).toBe(deeper);
  });
});

describe('a database URL is masked', () => {
  it.each([
    ['sqlite:data/notifier.db', 'sqlite:data/notifier.db'],
    ['postgres://u:p@h/d', 'postgres://u:***@h/d'],
    ['postgres://h/d?sslpassword=p&sslmode=require', 'postgres://h/d?sslpassword=***&sslmode=require'],
    ['postgres:///d?host=/run/postgresql', 'postgres:///d?host=/run/postgresql'],
    ['postgres://u:p#q@h/d', 'postgres:…'],
    ['postgres://u:p@h:99999/d', 'postgres:…'],
    ['mysql://u:p@h/d', 'mysql://u:***@h/d'],
    ['u:p@h/d', 'u:…'],
    ['secret', '…'],
    ['sqlite:a\nb', 'sqlite:a\ufffdb'],
  ])('%s', (value, shown) => {
    expect(maskUrl(value)).toBe(shown);
  });
});

describe('a database that does not answer', () => {
  const url = 'postgres://h/d';

  async function wait(
    answersAtMs: number,
    error: Error,
  ): Promise<{ end: unknown; told: string[]; atMs: number }> {
    let nowMs = 0;
    const told: string[] = [];
    const attempt = async (): Promise<string> => {
      if (nowMs < answersAtMs) throw error;
      return 'open';
    };
    const end = await retryUntilDatabaseAnswers(attempt, url, {
      warn: (line) => told.push(`${nowMs / 1000} s: ${line}`),
      clock: () => nowMs,
      sleep: async (milliseconds) => {
        nowMs += milliseconds;
      },
    }).catch((failure: unknown) => failure);
    return { end, told, atMs: nowMs };
  }

  it('is waited for, with a log line at once and every five seconds', async () => {
    const { end, told } = await wait(12_000, coded('ECONNREFUSED'));
    expect(end).toBe('open');
    expect(told).toEqual([
      '0 s: DATABASE_URL is "postgres://h/d": PostgreSQL did not respond (connection refused). Start it, or correct the host and the port. Waiting up to 30 s.',
      '5 s: Still waiting for the database (5 s).',
      '10 s: Still waiting for the database (10 s).',
    ]);
  });

  it('is waited for 30 seconds, and then the start fails', async () => {
    const { end, told, atMs } = await wait(Number.POSITIVE_INFINITY, coded('57P03', 'starting up'));
    expect(end).toBeInstanceOf(DependencyNotReadyError);
    expect(String(end)).toMatch(/starting up.*after 30 s\.$/);
    expect(atMs).toBe(30_000);
    expect(told).toHaveLength(6);
  });

  it.each([
    ['a wrong password', coded('28P01')],
    ['a fault of ours', new TypeError('x')],
  ])('is not waited for after %s', async (_what, error) => {
    const { end, told, atMs } = await wait(1_000, error);
    expect(end).toBe(error instanceof TypeError ? error : end);
    expect(end).not.toBe('open');
    expect([told, atMs]).toEqual([[], 0]);
  });
});

// The settings of the database: where it is, and how it is spoken to.
import { ConfigError, type Env, maskedUrl, oneOf, parseUrl, printable, text, wholeNumber } from './values.ts';

const statementNamings = ['auto', 'named', 'unnamed'] as const;

export interface DatabaseSettings {
  readonly databaseUrl: string;
  /** Connections to PostgreSQL of one server, over all of its threads. */
  readonly databasePoolMax: number;
  /** How statements are prepared there; `auto` names them where no pooler is between. */
  readonly databaseStatements: (typeof statementNamings)[number];
}

/** Reads DATABASE_URL, DATABASE_POOL_MAX and DATABASE_STATEMENTS. Throws ConfigError. */
export function databaseSettings(env: Env): DatabaseSettings {
  return {
    databaseUrl: databaseUrl(text(env, 'DATABASE_URL') ?? 'sqlite:data/local/notifier.db'),
    databasePoolMax: wholeNumber(env, 'DATABASE_POOL_MAX', 10, 2, 1000),
    databaseStatements: oneOf(env, 'DATABASE_STATEMENTS', statementNamings, 'auto'),
  };
}

function databaseUrl(value: string): string {
  const named = `DATABASE_URL is "${maskedUrl(value)}"`;
  if (/^sqlite:\/\/[^/]/.test(value)) {
    throw new ConfigError(
      `${named}: two slashes begin neither kind of path. Write sqlite:data/x.db for one from here, sqlite:/data/x.db for one from the root.`,
    );
  }
  // Nobody but a shell replaces these, and it does so only at the beginning of a word of its own.
  const ofShell = /^sqlite:(~[^/]*|\$\w+|\$\{\w+\})/.exec(value)?.[1];
  if (ofShell !== undefined) {
    throw new ConfigError(
      `${named}: only a shell knows what ${printable(ofShell)} stands for. Write the whole path, such as sqlite:/home/ann/x.db, or sqlite:./${printable(ofShell)}/x.db where that is the folder's name.`,
    );
  }
  if (/^sqlite:./.test(value)) return value;
  if (/^postgres(ql)?:\/\/./.test(value)) {
    if (parseUrl(value) !== null) return value;
    throw new ConfigError(
      `${named}: it is no URL. A password in it must have its special characters percent-encoded (# is %23, / is %2F, @ is %40).`,
    );
  }
  throw new ConfigError(
    `${named}: it must start with sqlite: (a path, or sqlite::memory:) or with postgres://. Correct it.`,
  );
}

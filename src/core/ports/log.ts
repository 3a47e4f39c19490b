// Where the program writes what it did: a type alone.

/** A logger of one JSON object a line; never given bodies or keys. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

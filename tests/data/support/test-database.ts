// What a test needs of a database.

export interface TestDatabase {
  readonly name: string;
  /** The address of an empty database. */
  create(): Promise<string>;
  /** The address of a database without rows that every migration has run on. */
  createMigrated(): Promise<string>;
  /** Ends what was started for all tests of a file. */
  end(): Promise<void>;
}

// What a test report is once it is read, whatever its format was, and how much of one is kept. Types and
// limits only. docs/test-reports.md, "Limits".

/** Cases of one upload; more is refused (split the report by run_key and shard). */
export const casesMax = 10_000;
export const nameCharactersMax = 1000;
export const messageCharactersMax = 8192;
export const traceCharactersMax = 32_768;
/** The last characters of a case's stdout and stderr, each; and of all output of one upload. */
export const outputCharactersMax = 16_384;
export const outputOfRunCharactersMax = 1_048_576;
/** Messages and traces of one upload together; what is over it is dropped and noted. */
export const textOfRunCharactersMax = 8_388_608;
/**
 * Names, files, tags, properties and steps of one upload together; over it names are cut short and the rest
 * is dropped.
 */
export const labelsOfRunCharactersMax = 8_388_608;
export const scarceNameCharactersMax = 100;
/** What a case without a name is called. */
export const noName = '(no name)';
export const stepsMax = 20;
export const attemptsMax = 20;
export const tagsMax = 50;
export const warningsMax = 100;

/** Takes the secrets out of what a case says. */
export interface CaseCleaner {
  text(text: string): string;
  /** A property: its name may say that its value is a secret. */
  pair(name: string, value: string): readonly [string, string];
}

/** What a format's reader hands over; `normalize.ts` bounds it and makes a TestCase of it. */
export interface RawCase {
  readonly name: string | null;
  readonly suite: readonly string[];
  readonly testId?: string | null;
  readonly file?: string | null;
  readonly line?: number | null;
  /** The outcome in the reporter's word. */
  readonly status: string | null;
  readonly rawStatus?: string | null;
  readonly durationMs?: number | null;
  readonly flaky?: boolean;
  readonly retries?: number | null;
  readonly message?: string | null;
  readonly trace?: string | null;
  readonly stdout?: string | null;
  readonly stderr?: string | null;
  readonly attempts?: ReadonlyArray<{
    status: string | null;
    durationMs: number | null;
    message: string | null;
    trace: string | null;
  }>;
  readonly steps?: ReadonlyArray<{ name: string; status: string | null }>;
  readonly tags?: readonly string[];
  readonly properties?: ReadonlyArray<readonly [string, string]>;
  readonly parameters?: string | null;
  readonly configuration?: string | null;
  /** Where in the report it stands, for warnings. */
  readonly path: string;
}

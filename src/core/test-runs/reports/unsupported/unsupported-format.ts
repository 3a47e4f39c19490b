/** A format that is recognised but not supported. */
export interface UnsupportedFormat {
  /** After "is" in the error message. */
  readonly name: string;
  /** After "send" in the error message. */
  readonly send: string;
  /** Start of the text; binary formats as ISO 8859-1. */
  readonly begins?: RegExp | readonly string[];
  readonly roots?: readonly string[];
  /** Dotted paths that all exist in the object, the first list entry, or the first line. `*` is the first member. One
   * set has to match. */
  readonly members?: ReadonlyArray<readonly string[]>;
  /** No test results: ignored among other files. */
  readonly isNoReport?: true;
  /** How what is passed over says, near its beginning, that tests failed: then the run did. */
  readonly failed?: RegExp;
}

export const junitOfRunner = 'the JUnit XML of the test runner';

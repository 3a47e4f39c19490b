/** A format that is recognised but not supported. */
export interface UnsupportedFormat {
  /** Both in the error message: after "is", and after "send". */
  readonly name: string;
  readonly send: string;
  /** Start of the text; binary formats as ISO 8859-1. */
  readonly begins?: RegExp | readonly string[];
  readonly roots?: readonly string[];
  /** Dotted paths in the object, first entry or first line; all of one set exist. `*`: the first member. */
  readonly members?: ReadonlyArray<readonly string[]>;
  /** No test results: ignored among other files. */
  readonly isNoReport?: true;
  /** How what is passed over says, near its beginning, that tests failed: then the run did. */
  readonly failed?: RegExp;
}

export const junitOfRunner = 'the JUnit XML of the test runner';

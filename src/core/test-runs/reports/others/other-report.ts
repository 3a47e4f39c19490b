// What the tables of reports that are not read hold. Types only.

/** A report that is known by its own marks and not read. */
export interface OtherReport {
  /** As the refusal calls it: "is …". */
  readonly name: string;
  /** What to send instead, behind "send". */
  readonly send: string;
  /** How its text begins; bytes that are no text are looked at as ISO 8859-1. */
  readonly begins?: RegExp | readonly string[];
  /** Its root elements, without a prefix. */
  readonly roots?: readonly string[];
  /**
   * Members that stand in it together, in dotted paths: of the object, of the first object of a list, or of
   * the first line where each line is an object. `*` is the first member, whatever its name. Any of these
   * sets tells it.
   */
  readonly members?: ReadonlyArray<readonly string[]>;
  /** True for what holds no outcome that the reports beside it lack: it is passed over. */
  readonly isNoReport?: true;
}

/** What to send in place of what says nothing of outcomes. */
export const ofRunner = 'the JUnit XML of the test runner';

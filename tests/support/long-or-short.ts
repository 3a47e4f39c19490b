// Tests that gain by running longer have two forms. `npm test` takes the short ones, so that it ends while
// somebody waits; continuous integration sets TEST_LONG=1 and takes the long ones.

/** Whether TEST_LONG asks for the long forms. */
export const isLong = process.env['TEST_LONG'] === '1';

/** The long form under TEST_LONG=1, else the short one: of a number of runs, of a list, of anything. */
export function longOrShort<T>(long: T, short: T): T {
  return isLong ? long : short;
}

/** How often a property is tried: as often as said under TEST_LONG=1, else an eighth of it. */
export function runs(long: number): number {
  return longOrShort(long, Math.ceil(long / 8));
}

/** All of a list under TEST_LONG=1, else one of each `few`. */
export function allOrSome<T>(list: readonly T[], few: number): readonly T[] {
  return longOrShort(
    list,
    list.filter((_each, index) => index % few === few - 1),
  );
}

/** How often a test kills: as often as TEST_KILLS says, else as said under TEST_LONG=1, else once. */
export function killsWanted(long: number): number {
  return Number(process.env['TEST_KILLS'] ?? longOrShort(long, 1));
}

/** Whether `npm run test:faults` runs: minutes of load, and figures that want a machine with little to do. */
export const isFaultsRun = process.env['TEST_FAULTS'] === '1';

/**
 * `it` or `describe` for what the long form alone does: other kinds of what the short form shows by one, and
 * what takes a program, or a second of a processor, of its own.
 */
export function inLong<Test>(test: Test & { readonly skip: unknown }): Test {
  return isLong ? test : (test.skip as Test);
}

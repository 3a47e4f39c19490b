// How much of the tests runs, by TEST_LEVEL. `npm test` is short: SQLite alone, no program but Node, the same
// tests with the same random values on every machine. `npm run test:full` takes everything: both databases,
// programs, browsers, long forms, kills. `npm run test:nightly` takes the longest forms of all.

const level = process.env['TEST_LEVEL'] ?? 'short';
if (!['short', 'full', 'nightly'].includes(level)) throw new Error(`TEST_LEVEL is ${level}`);

/** Whether the longest forms are asked for: hundreds of kills, minutes of load and of fuzzing. */
export const isNightly = level === 'nightly';

/** Whether everything is asked for, be it in the longest form or not. */
export const isFull = level !== 'short';

/** The first where everything runs, the second in `npm test`: of a number of runs, of a list, of anything. */
export function fullOrShort<T>(full: T, short: T): T {
  return isFull ? full : short;
}

/** The same for what `npm test` leaves out: the first nightly, the second where everything runs. */
export function nightlyOrFull<T>(nightly: T, full: T): T {
  return isNightly ? nightly : full;
}

/** How often a property is tried: as often as said in the nightly form, a quarter of it, an eighth of it. */
export function runs(nightly: number): number {
  return isNightly ? nightly : Math.ceil(nightly / fullOrShort(4, 8));
}

/** The value of the level that runs. */
export function byLevel<T>(values: { readonly nightly: T; readonly full: T; readonly short: T }): T {
  return isNightly ? values.nightly : fullOrShort(values.full, values.short);
}

/** One of each `few` of a list, of each quarter of that where everything runs, and nightly all. */
export function allOrSome<T>(list: readonly T[], few: number): readonly T[] {
  const step = byLevel({ nightly: 1, full: Math.ceil(few / 4), short: few });
  return list.filter((_each, index) => index % step === step - 1);
}

/** How often a test kills: as often as TEST_KILLS says, else 200 times, as often as said, or once. */
export function killsWanted(full: number): number {
  return Number(process.env['TEST_KILLS'] ?? (isNightly ? 200 : fullOrShort(full, 1)));
}

/**
 * `it` or `describe` for what `npm test` leaves out: other kinds of what it shows by one, and what takes a
 * program, or a second of a processor, of its own.
 */
export function inFull<Test>(test: Test & { readonly skip: unknown }): Test {
  return isFull ? test : (test.skip as Test);
}

// TEST_LEVEL: `short` (npm test), `full` (databases, programs, browsers, kills) or `nightly` (longest forms).

/** For how a run is made. Tests ask the functions below, so that it is noted which of them differ by level. */
export const level = process.env['TEST_LEVEL'] ?? 'short';
if (!['short', 'full', 'nightly'].includes(level)) throw new Error(`TEST_LEVEL is ${level}`);

export const isNightly = level === 'nightly';

/** Set by jest/environment.ts. */
const notes = globalThis as { notifierLevelAsked?: ((of: 'content' | 'tests') => void) | undefined };

/** For what a test does. The test or block that asks is another one in `test:full`, where it runs again. */
export function isFull(): boolean {
  notes.notifierLevelAsked?.('content');
  return level !== 'short';
}

/** For whole tests that `test:full` adds under names of their own. */
export function addsTests(): boolean {
  notes.notifierLevelAsked?.('tests');
  return level !== 'short';
}

/** Rows of `each`, and of nothing else: which there are differs by level, and none of them does. */
export function rows<const T>(choose: () => T): T {
  const { notifierLevelAsked } = notes;
  notes.notifierLevelAsked = () => notifierLevelAsked?.('tests');
  try {
    return choose();
  } finally {
    notes.notifierLevelAsked = notifierLevelAsked;
  }
}

export function fullOrShort<T>(full: T, short: T): T {
  return isFull() ? full : short;
}

export function nightlyOrFull<T>(nightly: T, full: T): T {
  return isNightly ? nightly : full;
}

/** Number of property runs: a sixteenth of the nightly ones. Their seed is fixed, so `test:full` repeats none. */
export function runs(nightly: number): number {
  return isNightly ? nightly : Math.ceil(nightly / 16);
}

export function byLevel<T>(values: { readonly nightly: T; readonly full: T; readonly short: T }): T {
  return isNightly ? values.nightly : fullOrShort(values.full, values.short);
}

/** All elements nightly, otherwise every nth. */
export function allOrSome<T>(list: readonly T[], few: number): readonly T[] {
  const step = byLevel({ nightly: 1, full: Math.ceil(few / 4), short: few });
  return list.filter((_each, index) => index % step === step - 1);
}

/** All elements in full and nightly runs, every nth in `npm test`. */
export function fullOrSome<const T>(list: readonly T[], nth: number): readonly T[] {
  return isFull() ? list : list.filter((_each, index) => index % nth === nth - 1);
}

/** Number of kills, which `npm test` has none of: TEST_KILLS, else 200 (nightly) or `full`. */
export function killsWanted(full: number): number {
  return Number(process.env['TEST_KILLS'] ?? nightlyOrFull(200, full));
}

/** `it` or `describe` that only `test:full` runs. */
export function inFull<Test>(test: Test & { readonly skip: unknown }): Test {
  return addsTests() ? test : (test.skip as Test);
}

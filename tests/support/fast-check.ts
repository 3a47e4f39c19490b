// fast-check as every test gets it (jest.config.js puts this file in its place). The nightly form draws new
// values in every run, to find what nobody thought of; the others draw the same values always: whether they
// pass does not depend on luck.
import fc from '../../node_modules/fast-check/lib/fast-check.js';
import { isFull, isNightly } from './test-level.ts';

const seed = 20_261_121;
/** Where a property does not say how often it is tried; fast-check's own is 100. */
const shortRuns = 30;

if (!isNightly) fc.configureGlobal({ seed, ...(isFull ? {} : { numRuns: shortRuns }) });

// biome-ignore lint/style/noDefaultExport: the library's own form, which tests import.
export default fc;
export * from '../../node_modules/fast-check/lib/fast-check.js';

// fast-check with a fixed seed, except in nightly runs. jest.config.js maps the package to this file.
import fc from '../../node_modules/fast-check/lib/fast-check.js';
import { isFull, isNightly } from './test-level.ts';

const seed = 20_261_121;
/** Default number of runs; fast-check's is 100. */
const shortRuns = 15;

if (!isNightly) fc.configureGlobal({ seed, ...(isFull ? {} : { numRuns: shortRuns }) });

// biome-ignore lint/style/noDefaultExport: the library's own form, which tests import.
export default fc;
export * from '../../node_modules/fast-check/lib/fast-check.js';

// fast-check as every test gets it (jest.config.js puts this file in its place). The long form draws new
// values in every run, to find what nobody thought of; the short one draws the same values always: a
// newcomer's first run does not depend on luck.
import fc from '../../node_modules/fast-check/lib/fast-check.js';
import { isLong } from './long-or-short.ts';

const seed = 20_261_121;

if (!isLong) fc.configureGlobal({ seed });

// biome-ignore lint/style/noDefaultExport: the library's own form, which tests import.
export default fc;
export * from '../../node_modules/fast-check/lib/fast-check.js';

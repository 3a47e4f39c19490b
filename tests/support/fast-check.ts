// fast-check with a fixed seed, except in nightly runs. jest.config.js maps the package to this file.
import fc from '../../node_modules/fast-check/lib/fast-check.js';
import { fullOrShort, isNightly } from './test-level.ts';

const seed = 20_261_121;

// Asked by each property.
if (!isNightly)
  fc.configureGlobal({
    seed,
    get numRuns() {
      return fullOrShort(100, 15);
    },
  });

// biome-ignore lint/style/noDefaultExport: the library's own form, which tests import.
export default fc;
export * from '../../node_modules/fast-check/lib/fast-check.js';

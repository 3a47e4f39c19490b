// Jest runs the tests as Node runs the program (D-03): in one realm, types only stripped.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Many tests start the program. Compiled once, it starts in half the time; tests/support/program.ts hands
// this on.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/notifier-tests');
// This process read its environment before; it runs the tests itself where there is one file.
enableCompileCache(process.env['NODE_COMPILE_CACHE']);

const level = process.env['TEST_LEVEL'] ?? 'short';
const takesAll = level !== 'short' || process.argv.some((word) => word.includes('.full'));

export default {
  testEnvironment: '<rootDir>/tests/support/jest/environment.ts',
  globalSetup: '<rootDir>/tests/support/jest/global-setup.ts',
  globalTeardown: '<rootDir>/tests/support/jest/global-teardown.ts',
  runtime: '<rootDir>/tests/support/jest/runtime.ts',
  testSequencer: '<rootDir>/tests/support/jest/sequencer.ts',
  injectGlobals: false,
  // The sources too, for --findRelatedTests.
  roots: ['data', 'routes', 'schemas', 'scripts', 'src', 'tests'].map((folder) => `<rootDir>/${folder}`),
  // What a `.full.test.ts` needs, `npm test` does without; asked for by name, it runs all the same.
  testMatch: ['**/*.test.ts', ...(takesAll ? [] : ['!**/*.full.test.ts'])],
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/tests/support/jest/each-file.ts'],
  moduleNameMapper: {
    '^@jest/globals$': '<rootDir>/tests/support/jest/globals.ts',
    '^fast-check$': '<rootDir>/tests/support/fast-check.ts',
  },
  // Long enough for any machine: it ends what hangs, and measures nothing.
  testTimeout: level === 'nightly' ? 7_200_000 : 600_000,
  // Jest's half second is not enough on a busy machine.
  workerGracefulExitTimeout: 60_000,
  // The tests of the other levels wait for what they started: on two cores four take less time than two.
  maxWorkers: level === 'short' ? 2 : 4,
};

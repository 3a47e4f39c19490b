// Jest runs the tests as Node runs the program (D-03): in one realm, types only stripped.
import { join } from 'node:path';

// Many tests start the program. Compiled once, it starts in half the time; tests/support/program.ts hands
// this on.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/notifier-tests');

export default {
  testEnvironment: '<rootDir>/tests/support/jest/environment.ts',
  globalSetup: '<rootDir>/tests/support/jest/compile-first.ts',
  runtime: '<rootDir>/tests/support/jest/runtime.ts',
  testSequencer: '<rootDir>/tests/support/jest/sequencer.ts',
  injectGlobals: false,
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/tests/support/has-assertions.ts'],
  moduleNameMapper: {
    '^@jest/globals$': '<rootDir>/tests/support/jest/globals.ts',
    '^fast-check$': '<rootDir>/tests/support/fast-check.ts',
  },
  // Long enough for any machine: it ends what hangs, and measures nothing.
  testTimeout: 180_000,
  // Some tests wait for what they started: on two cores three take turns in less time than two.
  maxWorkers: 3,
};

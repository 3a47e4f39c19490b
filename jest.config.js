// Jest runs native ES modules (D-03); types are the compiler's job, so they are only stripped.
import { join } from 'node:path';

// Many tests start the program. Compiled once, it starts in half the time; tests/support/program.ts hands
// this on.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/notifier-tests');

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/tests'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/tests/support/strip-types.ts' },
  transformIgnorePatterns: ['/node_modules/'],
  setupFilesAfterEnv: ['<rootDir>/tests/support/has-assertions.ts'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/tests/support/fast-check.ts' },
  // Long enough for any machine: it ends what hangs, and measures nothing.
  testTimeout: 180_000,
  // Some tests wait for what they started: on two cores three take turns in less time than two.
  maxWorkers: 3,
};

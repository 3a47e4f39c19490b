// What test files import from '@jest/globals': those of the test file that runs.
import { currentGlobals } from './runtime.ts';

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  currentGlobals();

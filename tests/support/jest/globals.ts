// Replaces '@jest/globals'.
import { currentGlobals } from './runtime.ts';

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  currentGlobals();

// A test that asserts nothing cannot fail: here it does.
import { beforeEach, expect } from '@jest/globals';

beforeEach(() => expect.hasAssertions());

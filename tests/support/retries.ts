// Where TEST_RETRIES is set (continuous integration) a failed test runs again, and says what failed before it does:
// a run of three thousand tests on a shared machine must not be lost to one, nor may the one be lost.
import { jest } from '@jest/globals';

const retries = Number(process.env['TEST_RETRIES'] ?? 0);
if (retries > 0) jest.retryTimes(retries, { logErrorsBeforeRetry: true });

import { expect, it } from '@jest/globals';
import { countsText } from '../../../src/cli/admin/database-file.ts';

it.each([
  [{ projects: 1, keys: 1, audit_entries: 1, feedback: 1 }, '1 project, 1 key, 1 audit entry, 1 feedback'],
  [
    { key: 2, audit_entry: 0, test_run: 1234, feedback: 2 },
    '2 keys, 0 audit entries, 1,234 test runs, 2 feedback',
  ],
])('%p: every noun agrees with its count', (counts, text) => {
  expect(countsText(counts)).toBe(text);
});

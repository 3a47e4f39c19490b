import { opened, reportedLookedAt } from './looked-at.ts';
import { testPages } from './page-tests.ts';

testPages(reportedLookedAt, opened);

// The pages of what is reported, and the dialogs over them: see page-tests.ts.
import { opened, reportedLookedAt } from './looked-at.ts';
import { testPages } from './page-tests.ts';

testPages(reportedLookedAt, opened);

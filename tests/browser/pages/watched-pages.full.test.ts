// The pages of what is watched, of who is told, and those that are the same everywhere: see page-tests.ts.
import { watchedLookedAt } from './looked-at.ts';
import { testPages } from './page-tests.ts';

testPages(watchedLookedAt);

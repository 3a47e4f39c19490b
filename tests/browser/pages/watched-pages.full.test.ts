import { watchedLookedAt } from './looked-at.ts';
import { testPages } from './page-tests.ts';

testPages(watchedLookedAt);

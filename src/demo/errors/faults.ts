// When the faults of Harbour & Pine happen in a seeded database, how often, and what people did about them.
// What an event of each says stands in the templates of the public demo; the few it has not are written out.
import type { DemoIssue } from './issue.ts';
import { otherFaults } from './other-faults.ts';
import { shopFaults } from './shop-faults.ts';

/** All faults, in the order in which they are seeded. */
export const demoIssues: readonly DemoIssue[] = [...shopFaults, ...otherFaults];

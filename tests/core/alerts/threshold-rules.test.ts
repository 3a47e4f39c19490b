import { expect, it } from '@jest/globals';
import { createThresholdRuleCheck } from '../../../src/core/alerts/threshold-rules.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { inFull } from '../../support/test-level.ts';

inFull(it)('counting thousands of issues yields to the event loop', async () => {
  const issues = Array.from({ length: 3_000 }, (_, issueId) => ({
    issueId,
    projectId: 1,
    events: 200,
    users: 1,
    lastSeenMs: 0,
  }));
  const limit = { count: 100, unit: 'events', withinMs: 3_600_000 };
  let counted = 0;
  const store = {
    listScheduledRules: async () => [{ id: 1, projectId: null, conditions: { limit, filters: [] } }],
    listActiveAlerts: async () => [],
    listProjects: async () => [{ id: 1, name: 'shop' }],
    listActiveIssues: async () => issues,
    // A query of SQLite is answered at once, on the thread that asks.
    async countSeen() {
      const untilMs = performance.now() + 0.05;
      while (performance.now() < untilMs);
      counted += 1;
      return 0;
    },
  };
  let countedAtTurn = Number.NaN;
  setImmediate(() => {
    countedAtTurn = counted;
  });
  await createThresholdRuleCheck({ store: store as unknown as Store, now: () => 0 })();
  expect(counted).toBe(3_000);
  expect(countedAtTurn).toBeLessThan(3_000);
});

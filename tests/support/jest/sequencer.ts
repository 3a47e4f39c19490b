// Starts the slowest test files first, and balances shards, which leave out files that
// have nothing left to run (TEST_PASSED in environment.ts).
import imported from '@jest/test-sequencer';
import { level } from '../test-level.ts';
import { readPassed } from './environment.ts';

// The package's types describe its CommonJS form.
const Sequencer = imported as unknown as typeof imported.default;
type Test = Parameters<InstanceType<typeof Sequencer>['allFailedTests']>[0][number];
type ShardOptions = Parameters<InstanceType<typeof Sequencer>['shard']>[1];

/** Measured CPU seconds of the slowest files in `test:full`. */
const seconds: Readonly<Record<string, number>> = {
  'scripts/seed-demo.full.test.ts': 80,
  'browser/pages/watched-pages.full.test.ts': 60,
  'browser/pages/pages.full.test.ts': 50,
  'deploy/installed-package.full.test.ts': 45,
  'contract/wordpress.full.test.ts': 36,
  'browser/builds.full.test.ts': 32,
  'browser/pages/attack.full.test.ts': 30,
  'browser/pages/crawl.full.test.ts': 30,
  'demo/http/golden.test.ts': 30,
  'contract/page-lines.full.test.ts': 30,
  'faults/unfinished-connections.full.test.ts': 28,
  'faults/bombs.full.test.ts': 27,
  'faults/backup.full.test.ts': 26,
  'app/start-database.full.test.ts': 25,
  'data/kill.full.test.ts': 25,
  'deploy/apache.full.test.ts': 22,
  'deploy/operating.full.test.ts': 21,
  'data/regroup-bounds.test.ts': 20,
  'routes/large-bodies.test.ts': 20,
  'routes/secret-kinds.full.test.ts': 18,
  'cli/command-lines.full.test.ts': 17,
  'deploy/caddy.full.test.ts': 17,
  'deploy/nginx.full.test.ts': 16,
  'faults/failover.full.test.ts': 16,
  'faults/redis.full.test.ts': 16,
  'app/serve.test.ts': 15,
  'contract/wrong-servers.test.ts': 15,
  'core/normalize/event-fuzz.test.ts': 15,
  'data/regroup.test.ts': 15,
  'http/pages/issue.test.ts': 15,
  'browser/demo/pages.full.test.ts': 13,
  'clients/sentry-tracing.full.test.ts': 13,
  'core/alerts/storms.test.ts': 13,
  'core/monitors/cron/crontab-table.test.ts': 13,
  'data/pgbouncer.full.test.ts': 13,
  'data/regroup-histories.test.ts': 13,
  'faults/flood.full.test.ts': 13,
  'faults/full-disk.full.test.ts': 13,
  'faults/slow-clients.full.test.ts': 13,
  'scripts/docs.full.test.ts': 13,
  'app/alerts.full.test.ts': 12,
  'app/start-keys.full.test.ts': 12,
  'data/pending-regroupings-bounds.test.ts': 10,
  'faults/soak.full.test.ts': 10,
  'app/npm-start.full.test.ts': 9,
  'security/project-access.test.ts': 8,
};
const secondsOfByte = 0.000_33;

// biome-ignore lint/style/noDefaultExport: Jest's form.
export default class LongestFirst extends Sequencer {
  /** Short runs use Jest's remembered durations. */
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(leftOf(tests));
    const isRemembered = level === 'short' && sorted.some((test) => test.duration !== undefined);
    return isRemembered ? sorted : heaviestFirst(sorted);
  }

  /** Shards of equal duration, the same on all machines; Jest's own have equal numbers of files. */
  override shard(tests: Test[], { shardIndex, shardCount }: ShardOptions): Test[] {
    const shards = Array.from({ length: shardCount }, () => ({ weight: 0, tests: [] as Test[] }));
    for (const test of heaviestFirst(leftOf(tests))) {
      const lightest = shards.reduce((one, other) => (other.weight < one.weight ? other : one));
      lightest.weight += weight(test);
      lightest.tests.push(test);
    }
    return shards[shardIndex - 1]?.tests ?? [];
  }
}

/** Without the files that `npm test` passed and that are the same here. */
function leftOf(tests: readonly Test[]): Test[] {
  return tests.filter(({ path }) => readPassed(path)?.isWhole !== true);
}

/** Ties are ordered by name. */
function heaviestFirst(tests: readonly Test[]): Test[] {
  const byName = (one: Test, other: Test): number => (one.path < other.path ? -1 : 1);
  return tests.toSorted((one, other) => weight(other) - weight(one) || byName(one, other));
}

function weight(test: Test): number {
  const path = test.path.slice(test.path.lastIndexOf('/tests/') + '/tests/'.length);
  return seconds[path] ?? (test.context.hasteFS.getSize(test.path) ?? 0) * secondsOfByte;
}

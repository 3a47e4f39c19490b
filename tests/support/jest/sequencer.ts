// In which order test files start: the longest first, so that none is left running alone at the end.
import imported from '@jest/test-sequencer';

// The package's types are those of its other form, for `require`.
const Sequencer = imported as unknown as typeof imported.default;
type Test = Parameters<InstanceType<typeof Sequencer>['allFailedTests']>[0][number];
type ShardOptions = Parameters<InstanceType<typeof Sequencer>['shard']>[1];

/** Files here start programs and wait for them. */
const slowFolders = /\/tests\/(?:program|faults|clients|http\/bodies|contract|cli)\//;

/** Jest's sequencer. */
// biome-ignore lint/style/noDefaultExport: Jest's form.
export default class LongestFirst extends Sequencer {
  /** As Jest does where it remembers how long each took; in a fresh clone the place of a file tells. */
  override async sort(tests: Test[]): Promise<Test[]> {
    const sorted = await super.sort(tests);
    if (sorted.some((test) => test.duration !== undefined)) return sorted;
    return heaviestFirst(sorted);
  }

  /** Shards of about the same weight, the same on every machine; Jest's own have the same number of files. */
  override shard(tests: Test[], { shardIndex, shardCount }: ShardOptions): Test[] {
    const shards = Array.from({ length: shardCount }, () => ({ weight: 0, tests: [] as Test[] }));
    for (const test of heaviestFirst(tests)) {
      const lightest = shards.reduce((one, other) => (other.weight < one.weight ? other : one));
      lightest.weight += weight(test);
      lightest.tests.push(test);
    }
    return shards[shardIndex - 1]?.tests ?? [];
  }
}

/** Of the same weight by name, so that a shard is the same everywhere. */
function heaviestFirst(tests: readonly Test[]): Test[] {
  const byName = (one: Test, other: Test): number => (one.path < other.path ? -1 : 1);
  return tests.toSorted((one, other) => weight(other) - weight(one) || byName(one, other));
}

/** Jest itself goes by the size of the file, which this keeps among its like. */
function weight(test: Test): number {
  const bytes = test.context.hasteFS.getSize(test.path) ?? 0;
  return slowFolders.test(test.path) ? bytes * 5 : bytes;
}

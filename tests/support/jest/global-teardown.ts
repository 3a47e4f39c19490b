// What a run of Jest ends after its last test file, and what it says then.
import { isFull } from '../test-level.ts';
import { tearDown } from './global-setup.ts';

/** Of Jest's configuration: which files were asked for, none where all of them were. */
interface Asked {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

/** Jest's global tear-down. */
// biome-ignore lint/style/noDefaultExport: Jest's form.
export default async function globalTearDown({ testPathPatterns }: Asked): Promise<void> {
  await tearDown();
  if (isFull || testPathPatterns.patterns.length > 0) return;
  process.stderr.write('Left out: PostgreSQL, programs, browsers, long forms: npm run test:full\n');
}

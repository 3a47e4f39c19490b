import { level } from '../test-level.ts';
import { tearDown } from './global-setup.ts';

interface Asked {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

// biome-ignore lint/style/noDefaultExport: Jest's form.
export default async function globalTearDown({ testPathPatterns }: Asked): Promise<void> {
  await tearDown();
  if (level !== 'short' || testPathPatterns.patterns.length > 0) return;
  process.stderr.write('Left out: PostgreSQL, programs, browsers, long forms: npm run test:full\n');
}

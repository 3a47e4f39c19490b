// Stacks as each platform's SDK sends them: those of the public demo, but for built scripts, whose maps are
// uploaded here.
import { stacksOf } from '../../src/demo/world/errors/told/stacks.ts';
import { shopHost } from './company.ts';
import type { DemoIssue } from './issues/issue.ts';
import { type ShopBuild, scriptName } from './shop/build.ts';
import { causePath, faultPath } from './shop/sources.ts';

type Frame = Readonly<Record<string, unknown>>;

/** The stack of an issue, the outermost frame first; undefined where it has none. */
export function stackOf(
  issue: DemoIssue,
  shop: ShopBuild,
  release: string | null,
): readonly Frame[] | undefined {
  if (issue.stack === 'minified') return builtStack(faultPath, shop, release);
  return stacksOf(issue, release ?? '').stacktrace?.frames;
}

/** The stack of what caused an issue. */
export function causeStackOf(issue: DemoIssue, shop: ShopBuild, release: string | null): readonly Frame[] {
  if (issue.stack === 'minified') return builtStack(causePath, shop, release);
  return stacksOf(issue, release ?? '', true).stacktrace?.frames ?? [];
}

/** As a browser names them: one script, one line, short names. */
function builtStack(
  path: typeof faultPath | typeof causePath,
  shop: ShopBuild,
  release: string | null,
): Frame[] {
  const script = `https://${shopHost}/assets/${scriptName(release ?? '')}`;
  const short = ['c', 'u', 'd'];
  return path
    .map(({ file, at }, index) => ({
      function: short[index] ?? '?',
      filename: script,
      abs_path: script,
      ...shop.placeOf(file, at),
      in_app: true,
    }))
    .reverse();
}

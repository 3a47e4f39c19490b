// Makes the plugin's source from the route table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedRoute } from './ours.ts';

/**
 * PHP source of a must-use plugin that declares `routes` under `notifier/v1`; `keys` are the credentials it
 * lets in.
 */
export function pluginSource(
  routes: readonly RecordedRoute[],
  keys: { readonly public: string; readonly secret: string },
): string {
  const declared = routes.map(({ route, pattern, handler }) => ({
    method: route.method,
    pattern,
    credential: route.credential,
    hidden: route.hidden ?? false,
    stream: route.body === 'stream',
    // A function among the keywords is leniency of ours; WordPress has it as a callback of the plugin's.
    lenient: Object.keys(handler.args).filter((name) => handler.args[name]?.sanitize !== undefined),
    args: handler.args,
  }));
  const source = readFileSync(join(import.meta.dirname, 'plugin.php'), 'utf8');
  return source
    .replace('{routes}\n', () => `${JSON.stringify(declared, null, 1)}\n`)
    .replace('{keys}\n', () => `${JSON.stringify(keys)}\n`);
}

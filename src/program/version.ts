// The program's own version, read once from package.json: above src in the repository, one folder further up
// in dist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, such as `0.1.0`. */
export function programVersion(): string {
  for (const folder of ['../..', '../../..']) {
    const path = join(import.meta.dirname, folder, 'package.json');
    if (existsSync(path)) {
      return String((JSON.parse(readFileSync(path, 'utf8')) as { version: unknown }).version);
    }
  }
  return 'unknown';
}

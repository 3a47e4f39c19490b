import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads package.json once; from dist it is one folder further up. */
export function programVersion(): string {
  for (const folder of ['../../..', '../../../..']) {
    const path = join(import.meta.dirname, folder, 'package.json');
    if (existsSync(path)) {
      return String((JSON.parse(readFileSync(path, 'utf8')) as { version: unknown }).version);
    }
  }
  return 'unknown';
}

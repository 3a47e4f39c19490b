import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

let version: string | undefined;

export function programVersion(): string {
  version ??= readVersion();
  return version;
}

/** From dist, package.json is one folder further up. */
function readVersion(): string {
  for (const folder of ['../../..', '../../../..']) {
    const path = join(import.meta.dirname, folder, 'package.json');
    if (existsSync(path)) {
      return String((JSON.parse(readFileSync(path, 'utf8')) as { version: unknown }).version);
    }
  }
  return 'unknown';
}

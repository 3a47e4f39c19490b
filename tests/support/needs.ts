// Skips tests whose programs or samples are missing, with a message; `npm test` leaves them all out.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from '@jest/globals';
import { programPath } from './program-path.ts';
import { addsTests } from './test-level.ts';

export { programPath };

/** The headless shell takes a third of the time. */
const lighterOf: Readonly<Record<string, string>> = { chromium: 'chromium-headless-shell' };
const sharedFolder = resolve(import.meta.dirname, '../../../shared');

function sharedPath(path: string): string | null {
  const full = join(sharedFolder, path);
  return existsSync(full) ? full : null;
}

export function describeWithShared(name: string, path: string, tests: (full: string) => void): void {
  const full = sharedPath(path);
  if (!addsTests()) leaveOut(name);
  else if (full === null) skipLoudly(name, `../shared/${path} is not here`);
  else describe(name, () => tests(full));
}

/** Runs in `npm run test:full` if all programs exist; fails otherwise with TEST_REQUIRE=programs (CI). */
export function describeWithPrograms(
  name: string,
  programs: readonly string[],
  tests: (paths: Readonly<Record<string, string>>) => void,
): void {
  if (!addsTests()) {
    leaveOut(name);
    return;
  }
  const paths: Record<string, string> = {};
  const missing = programs.filter((program) => {
    const full = programPath(lighterOf[program] ?? program) ?? programPath(program);
    if (full !== null) paths[program] = full;
    return full === null;
  });
  if (missing.length === 0) {
    describe(name, () => tests(paths));
  } else if ((process.env['TEST_REQUIRE'] ?? '').split(',').includes('programs')) {
    throw new Error(
      `${name} needs ${missing.join(', ')}, and TEST_REQUIRE=programs does not let it be skipped`,
    );
  } else {
    skipLoudly(name, `${missing.join(', ')} not installed`);
  }
}

function skipLoudly(name: string, why: string): void {
  process.stderr.write(`SKIPPED: ${name}: ${why}\n`);
  skipAll(`${name} (skipped: ${why})`);
}

/** Reported once by jest/global-teardown.ts. */
function leaveOut(name: string): void {
  skipAll(`${name} (npm run test:full runs it)`);
}

function skipAll(name: string): void {
  // Placeholder: a test file without tests fails.
  describe.skip(name, () => {
    it('needs what is not here', () => {});
  });
}

// What a test needs beside Node: programs of the system and the shared sample folder. `npm test` leaves all
// of that out, so that it is the same on every machine; elsewhere what is absent is skipped loudly.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from '@jest/globals';
import { programPath } from './program-path.ts';
import { isFull } from './test-level.ts';

export { programPath };

/** Chromium that never had a window takes two thirds of the time. */
const lighterOf: Readonly<Record<string, string>> = { chromium: 'chromium-headless-shell' };
const sharedFolder = resolve(import.meta.dirname, '../../../shared');

/** The full path of a file of the shared sample folder beside the repository, or null where there is none. */
function sharedPath(path: string): string | null {
  const full = join(sharedFolder, path);
  return existsSync(full) ? full : null;
}

/** Runs the tests with the path of a shared sample, or skips them with a line that says what is missing. */
export function describeWithShared(name: string, path: string, tests: (full: string) => void): void {
  const full = sharedPath(path);
  if (!isFull) leaveOut(name);
  else if (full === null) skipLoudly(name, `../shared/${path} is not here`);
  else describe(name, () => tests(full));
}

/**
 * Runs the tests in `npm run test:full` when every program is there; otherwise skips them loudly, or fails
 * under TEST_REQUIRE=programs, which continuous integration sets (D-01).
 */
export function describeWithPrograms(
  name: string,
  programs: readonly string[],
  tests: (paths: Readonly<Record<string, string>>) => void,
): void {
  if (!isFull) {
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

/** What `npm test` never runs is said once, at its end (jest/global-teardown.ts). */
function leaveOut(name: string): void {
  skipAll(`${name} (npm run test:full runs it)`);
}

function skipAll(name: string): void {
  // A file without a test fails the run (and should): this one stands for those that are left out.
  describe.skip(name, () => {
    it('needs what is not here', () => {});
  });
}

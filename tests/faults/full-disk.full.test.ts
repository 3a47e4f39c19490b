import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Whether this machine lets us mount a small disk of our own; containers often do not. */
const canMount =
  spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status === 0;
if (!canMount) process.stderr.write('F4: not run, because this machine mounts no disk for us\n');

/** Runs a program of `support` on a disk of its own of so many mebibytes; answers what it says. */
async function onSmallDisk(program: string, mebibytes: number) {
  const folder = temporaryFolder();
  const command = `mount -t tmpfs -o size=${mebibytes}m tmpfs "$1" && exec "$2" "$3" "$1"`;
  const path = join(import.meta.dirname, 'support', program);
  const words = ['-Urm', 'sh', '-c', command, 'sh', folder.path, process.execPath, path];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)('unshare', words, { env });
  folder.remove();
  return JSON.parse(stdout);
}

describe('a disk that is full', () => {
  (canMount ? it : it.skip)(
    'is refused with 503, retention makes room with what was held in reserve, and the service comes back',
    async () => {
      const { said, shrunkBy, seconds, accepted, left, ...rest } = await onSmallDisk(
        'full-disk-and-back.ts',
        64,
      );
      process.stderr.write(
        `F4: a full disk, back after ${seconds} s; ${left} events left, a file smaller by ${shrunkBy} bytes\n`,
      );
      expect(rest).toEqual({
        before: 201,
        freeWhenFull: 0,
        statuses: [201, 503],
        reads: [200],
        missing: 0,
        code: 0,
      });
      expect(said).toContain('the disk reserve is released');
      expect(shrunkBy).toBeGreaterThan(8 * 1_048_576);
      // What is kept, and what came after retention was through.
      expect(left).toBeLessThanOrEqual(500 + accepted);
      expect(accepted).toBeGreaterThanOrEqual(2);
    },
  );

  (canMount ? it : it.skip)(
    'by what comes: the reserve holds; by somebody else: people sign in, remove and prune',
    async () => {
      const { leastFree, taken, prunedSaid, ...rest } = await onSmallDisk('reserve-holds.ts', 160);
      process.stderr.write(`F4: at least ${leastFree} bytes free while ${taken} envelopes were taken\n`);
      expect({ ...rest, prunedSaid }).toEqual({
        statuses: [201, 503],
        isKept: true,
        wasHeld: true,
        signIn: 303,
        made: 201,
        refused: 503,
        removed: 200,
        pruned: 0,
        prunedSaid: expect.stringContaining('removed'),
        code: 0,
      });
      expect(taken).toBeGreaterThan(5);
    },
  );
});

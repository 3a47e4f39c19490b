import { describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import { findNeededSourceMaps } from '../../../src/core/source-maps/apply-source-maps.ts';
import { createSymbolicator } from '../../../src/core/source-maps/symbolicator.ts';

async function readiedFor(withArtifacts: readonly number[], fault?: Error): Promise<number> {
  let readied = 0;
  const faults: string[] = [];
  const store = {
    listProjects: async () => [{ id: 1 }, { id: 2 }],
    async hasArtifacts(projectId: number) {
      if (fault !== undefined) throw fault;
      return withArtifacts.includes(projectId);
    },
    artifactsSince: async () => ({ lastId: 0, releases: [], debugIds: [], isMore: false }),
    listPendingSymbolications: async () => [],
    issuesToRegroup: async () => [],
    findProject: async () => null,
    findSetting: async () => null,
    setSetting: async () => '',
  };
  const workers = {
    async warm() {
      readied += 1;
    },
    close: async () => {},
  };
  const log = { ...silentLog, error: (_fields: object, message: string) => void faults.push(message) };
  const mapping = createSymbolicator({ store, workers, log, now: () => 0, largeBodyReader: null } as never);
  await mapping.start();
  await mapping.close();
  expect(faults).toEqual(fault === undefined ? [] : ['the symbolication workers are not ready']);
  return readied;
}

describe('the start of symbolication', () => {
  it('starts the workers once if any project has artifacts', async () => {
    expect(await readiedFor([2])).toBe(1);
    expect(await readiedFor([1, 2])).toBe(1);
  });

  it('starts no workers where nothing was uploaded', async () => {
    expect(await readiedFor([])).toBe(0);
  });

  it('goes on where the store fails', async () => {
    expect(await readiedFor([1], new Error('gone'))).toBe(0);
  });
});

describe('an event waits for maps', () => {
  const needOf = (platform: string, frame: object): boolean => {
    const frames = [{ function: 'f', lineno: 1, colno: 9, ...frame }];
    const exception = { values: [{ type: 'E', value: 'v', stacktrace: { frames } }] };
    return findNeededSourceMaps({ platform, release: '1', exception } as never).canWait;
  };
  const script = { abs_path: 'https://shop.example/assets/app.js' };

  it.each(['javascript', 'node', 'other', 'dart', 'Hermes'])('of the platform %s', (platform) => {
    expect(needOf(platform, script)).toBe(true);
  });

  it.each(['php', 'python', 'ruby', 'java', 'csharp', 'native', 'cocoa', 'go', 'Rust'])(
    'but not of the platform %s, which has no maps',
    (platform) => {
      expect(needOf(platform, script)).toBe(false);
      expect(needOf(platform, { ...script, platform: 'javascript' })).toBe(true);
    },
  );

  it('but not for native frames beside scripts', () => {
    expect(needOf('javascript', { ...script, platform: 'native' })).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import type { SymbolicationJob } from '../../../src/core/ports/symbolication-workers.ts';
import {
  type ResymbolicationDeps,
  resymbolicateEvents,
} from '../../../src/core/source-maps/resymbolicate-events.ts';
import type {
  PendingSelection,
  PendingSymbolicationEvent,
  SymbolicationResult,
} from '../../../src/core/store/artifacts.ts';
import { normalized } from '../../support/events.ts';

const file = 'https://x.example/a.js';
/** Of a source map, with a field that the project has scrubbed. */
const context_line = 'const shop_code = "winter sale";';
const ofRelease = { of: 'release', release: '1' } as const;

function eventOf(files: string[]): NormalizedEvent {
  const frames = files.map((filename) => ({ filename, lineno: 1, colno: 1 }));
  return normalized({
    message: 'x',
    platform: 'javascript',
    release: '1',
    exception: { type: 'E', stacktrace: { frames } },
  });
}

/** A store of events with these files, one map for `file`, and everything that happens written down. */
function partsFor(events: (string[] | null)[]) {
  const awaiting: PendingSymbolicationEvent[] = events.map((files, index) => ({
    row: index + 1,
    eventId: `${index}`,
    issueId: (index % 2) + 1,
    payload: files === null ? null : JSON.stringify(eventOf(files)),
    awaits: [],
  }));
  const stored = new Map<number, { event: NormalizedEvent; needsMapping: boolean }>();
  const activities: object[] = [];
  const logged: string[] = [];
  let asked = 0;
  const log = (fields: object, message: string): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`);
  };
  const map = { name: '~/a.js.map', type: 'source_map', sha256: 'a', size: 1, dist: null, debugId: null };
  const store = {
    async findProject() {
      asked += 1;
      return { scrubFields: ['shop_code'], storeIpAddresses: false };
    },
    hasArtifacts: async () => true,
    findArtifactsByDebugId: async () => [],
    findArtifactsByName: async (_project: number, _release: string, names: string[]) =>
      names.includes(map.name) ? [map] : [],
    findWildcardArtifacts: async () => [],
    findContent: async () => [],
    listPendingSymbolications: async (
      _project: number,
      _awaiting: PendingSelection,
      beforeRow: number,
      limit: number,
    ) =>
      awaiting
        .filter((event) => event.row < beforeRow && !(stored.get(event.row)?.needsMapping === false))
        .toReversed()
        .slice(0, limit),
    storeSymbolication: async (_project: number, row: number, look: SymbolicationResult) => {
      // Light events are handed on as text.
      if (look.payload !== null) {
        stored.set(row, { event: JSON.parse(String(look.payload)), needsMapping: look.needsMapping });
      }
    },
    issuesToRegroup: async () => [],
    addSymbolicationActivity: async (activity: object) => {
      activities.push(activity);
    },
  };
  const workers = {
    mapStacks: async (job: SymbolicationJob) => ({
      done: true,
      stacks: job.stacks.map((frames, stack) =>
        frames.map((frame, index) => {
          const mapped = job.scriptOf[stack]?.[index] !== -1;
          return {
            frame: mapped ? { ...frame, filename: 'a.ts', context_line, data: { sourcemap: 'm' } } : frame,
            mapped,
            contextFrom: null,
          };
        }),
      ),
    }),
  };
  const parts = {
    store,
    workers,
    log: { debug: log, info: log, warn: log, error: log },
    clockMs: () => 0,
    now: () => 7,
  } as unknown as ResymbolicationDeps;
  return { parts, stored, activities, logged, asked: () => asked };
}

describe('events whose map came late', () => {
  it('are symbolicated, scrubbed again, and counted in their issues once', async () => {
    const { parts, stored, activities, logged } = partsFor(Array(250).fill([file]));
    const rows: number[] = [];
    const reached = async (row: number) => void rows.push(stored.size, row);
    const { checked, mapped } = await resymbolicateEvents(parts, 1, ofRelease, { reached });
    expect([checked, mapped]).toEqual([250, 250]);
    expect([stored.size, rows]).toEqual([250, [100, 151, 200, 51]]);
    const { event, needsMapping } = stored.get(1) ?? { event: eventOf([]), needsMapping: true };
    expect(needsMapping).toBe(false);
    expect(event).toMatchObject({
      exception: {
        values: [
          {
            stacktrace: { frames: [{ filename: 'a.ts', context_line: 'const shop_code = "[Filtered]";' }] },
            raw_stacktrace: { frames: [{ filename: file }] },
          },
        ],
      },
    });
    expect(activities).toEqual([
      { projectId: 1, issueId: 2, events: 125, release: '1', atMs: 7 },
      { projectId: 1, issueId: 1, events: 125, release: '1', atMs: 7 },
    ]);
    expect(logged.filter((line) => line.startsWith('symbolicating earlier events'))).toHaveLength(2);
  });

  it('keep waiting for a missing map, and are symbolicated from what was sent', async () => {
    const other = 'https://x.example/b.js';
    const { parts, stored } = partsFor([[other], [other, file]]);
    expect(await resymbolicateEvents(parts, 1, ofRelease)).toMatchObject({ checked: 2, mapped: 1 });
    expect(stored.has(1)).toBe(false);
    expect(stored.get(2)).toMatchObject({ needsMapping: true });
    const frames = stored.get(2)?.event.exception?.values[0]?.stacktrace?.frames;
    expect(frames?.map((frame) => frame.filename)).toEqual([other, 'a.ts']);
  });

  it('read the settings of their project once each, and only where a map was found', async () => {
    const { parts, asked } = partsFor([[file], ['https://x.example/b.js'], [file]]);
    await resymbolicateEvents(parts, 1, ofRelease);
    expect(asked()).toBe(2);
  });

  it('are skipped where their bytes are damaged', async () => {
    const { parts, stored } = partsFor([null, [file]]);
    expect(await resymbolicateEvents(parts, 1, { of: 'all' })).toMatchObject({ checked: 2, mapped: 1 });
    expect([...stored.keys()]).toEqual([2]);
  });

  it('are left for the next start when the program stops', async () => {
    const { parts } = partsFor(Array(30).fill([file]));
    let asked = 0;
    const isOver = (): boolean => {
      asked += 1;
      return asked > 5;
    };
    const { checked: looked } = await resymbolicateEvents(parts, 1, { of: 'all' }, { isOver });
    expect(looked).toBeLessThan(6);
  });

  it('yield to requests between two of them', async () => {
    const { parts } = partsFor(Array(20).fill(['https://x.example/b.js']));
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await resymbolicateEvents(parts, 1, { of: 'all' });
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import type { SymbolicationJob } from '../../../src/core/ports/symbolication-workers.ts';
import {
  createResymbolicationScheduler,
  initialResymbolicationProgress,
  type ResymbolicationSchedulerDeps,
  resymbolicationProgressKey,
} from '../../../src/core/source-maps/resymbolication-scheduler.ts';
import type {
  NewArtifacts,
  PendingSelection,
  PendingSymbolicationEvent,
  SymbolicationResult,
} from '../../../src/core/store/artifacts.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import { normalized } from '../../support/events.ts';
import { byLevel, inFull } from '../../support/test-level.ts';

const debugIdOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

interface Waiting {
  readonly row: number;
  readonly debugId: string;
  awaits: readonly string[];
  needsMapping: boolean;
}

/**
 * A project whose event of row n waits for the debug id that `idOf(n)` says, and everything that is looked
 * at.
 */
function world(events: number, idOf: (row: number) => string = debugIdOf) {
  const waiting: Waiting[] = Array.from({ length: events }, (_, index) => {
    const debugId = idOf(index + 1);
    return { row: index + 1, debugId, awaits: [debugId], needsMapping: true };
  });
  const rowOf = new Map(waiting.toReversed().map((each) => [each.debugId, each.row]));
  const settings = new Map<string, string>();
  const uploaded: string[] = [];
  const looked: number[] = [];
  let onLook: (row: number) => void = () => {};
  const isOf = (awaiting: PendingSelection, each: Waiting): boolean => {
    if (awaiting.of === 'release') return awaiting.release === '1';
    return awaiting.of === 'all' || each.awaits.some((name) => awaiting.names.includes(name));
  };
  const payloadOf = ({ debugId }: Waiting): string => {
    const frame = { filename: 'https://x.example/a.js', lineno: 1, colno: 1 };
    return JSON.stringify(
      normalized({
        release: '1',
        platform: 'javascript',
        exception: { type: 'E', stacktrace: { frames: [frame] } },
        debug_meta: { images: [{ type: 'sourcemap', code_file: frame.filename, debug_id: debugId }] },
      }),
    );
  };
  const store = {
    async listPendingSymbolications(
      _project: number,
      awaiting: PendingSelection,
      beforeRow: number,
      limit: number,
    ) {
      const page: PendingSymbolicationEvent[] = [];
      for (let row = Math.min(beforeRow - 1, waiting.length); row > 0 && page.length < limit; row -= 1) {
        const each = waiting[row - 1] as Waiting;
        if (!each.needsMapping || !isOf(awaiting, each)) continue;
        page.push({ row, eventId: `${row}`, issueId: 1, payload: payloadOf(each), awaits: each.awaits });
      }
      return page;
    },
    async storeSymbolication(_project: number, row: number, look: SymbolicationResult) {
      Object.assign(waiting[row - 1] as Waiting, { awaits: look.awaits, needsMapping: look.needsMapping });
    },
    issuesToRegroup: async () => [],
    addSymbolicationActivity: async () => {},
    async artifactsSince(_project: number, afterId: number): Promise<NewArtifacts> {
      const debugIds = uploaded.slice(Math.max(0, afterId));
      return { lastId: uploaded.length, releases: [], debugIds, isMore: false };
    },
    findSetting: async (name: string) => settings.get(name) ?? null,
    setSetting: async (name: string, value: string) => {
      settings.set(name, value);
      return value;
    },
    findProject: async () => null,
    hasArtifacts: async () => true,
    async findArtifactsByDebugId(_project: number, debugIds: string[]) {
      const row = rowOf.get(debugIds[0] ?? '') ?? 0;
      looked.push(row);
      onLook(row);
      return debugIds
        .filter((id) => uploaded.includes(id))
        .map((debugId) => ({ debugId, type: 'source_map', name: 'a.js.map', sha256: 'a', size: 1 }));
    },
    findArtifactsByName: async () => [],
    findWildcardArtifacts: async () => [],
    findContent: async () => [],
  };
  const workers = {
    mapStacks: async (job: SymbolicationJob) => ({
      done: true,
      stacks: job.stacks.map((frames) =>
        frames.map((frame) => ({
          frame: { ...frame, data: { sourcemap: 'm' } },
          mapped: true,
          contextFrom: null,
        })),
      ),
    }),
  };
  const parts = {
    store,
    workers,
    log: silentLog,
    clockMs: () => 0,
    now: () => 7,
  } as unknown as ResymbolicationSchedulerDeps;
  return {
    parts,
    store,
    looked,
    waiting,
    upload: (...rows: number[]): string[] => {
      const ids = rows.map(idOf);
      uploaded.push(...ids);
      return ids;
    },
    onLook: (heard: (row: number) => void): void => {
      onLook = heard;
    },
    left: (): number[] => waiting.filter((each) => each.needsMapping).map((each) => each.row),
  };
}

const projects = [{ id: 1 } as Project];
const rows = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + Math.sign(to - from) * index);

describe('late symbolication', () => {
  let open: Array<ReturnType<typeof createResymbolicationScheduler>> = [];
  const runsOf = (parts: ResymbolicationSchedulerDeps) => {
    const runs = createResymbolicationScheduler(parts);
    open.push(runs);
    return runs;
  };
  afterEach(async () => {
    for (const runs of open) await runs.close();
    open = [];
  });

  inFull(it)('processes every pending event of a release, however many are newer', async () => {
    const events = byLevel({ nightly: 6_000, full: 2_000, short: 1_500 });
    const { parts, upload, left, looked } = world(events);
    const runs = runsOf(parts);
    upload(1, 7);
    runs.arrived(1, { release: '1', debugIds: [] });
    await runs.settled();
    expect(left()).toHaveLength(events - 2);
    expect(left()).not.toContain(1);
    expect(looked.slice(0, events)).toEqual(rows(events, 1));
  });

  it('reads only events that wait for the uploaded artifact', async () => {
    const { parts, upload, left, looked } = world(3_000);
    const runs = runsOf(parts);
    runs.arrived(1, { release: null, debugIds: upload(3, 1_500) });
    await runs.settled();
    expect(left()).toHaveLength(2_998);
    expect(looked).toEqual([1_500, 3]);
  });

  it('finds uploads of a downtime, and reads no event without uploads', async () => {
    const { parts, upload, looked, left } = world(30);
    const first = runsOf(parts);
    await first.resume(projects, { isStart: true });
    await first.settled();
    expect(looked).toEqual(rows(30, 1));
    await first.close();
    looked.length = 0;
    upload(5);
    for (const nth of [1, 2]) {
      const next = runsOf(parts);
      await next.resume(projects, { isStart: true });
      await next.settled();
      await next.close();
      expect([nth, looked]).toEqual([nth, [5]]);
    }
    expect(left()).not.toContain(5);
  });

  it('reads no event of a new project, and finds its uploads', async () => {
    const { parts, store, upload, looked } = world(30);
    await store.setSetting(resymbolicationProgressKey(1), initialResymbolicationProgress);
    for (const nth of [1, 2]) {
      const runs = runsOf(parts);
      await runs.resume(projects, { isStart: true });
      await runs.settled();
      await runs.close();
      expect([nth, looked]).toEqual([nth, nth === 1 ? [] : [5]]);
      upload(5);
    }
  });

  it('continues after a restart where it stopped, not at the newest event', async () => {
    const { parts, looked, onLook } = world(250);
    const first = runsOf(parts);
    let ending: Promise<void> | null = null;
    onLook(() => {
      if (looked.length === 230) ending = first.close();
    });
    await first.resume(projects, { isStart: true });
    await first.settled();
    await ending;
    expect(looked).toEqual(rows(250, 21));
    looked.length = 0;
    const second = runsOf(parts);
    await second.resume(projects, { isStart: true });
    await second.settled();
    // How far it came is written down after every hundred.
    expect(looked).toEqual(rows(50, 1));
  });

  it('handles new uploads first, and then the rest of all events', async () => {
    const { parts, upload, looked, onLook, left } = world(400);
    const runs = runsOf(parts);
    onLook((row) => {
      if (row === 300 && looked.length === 101) runs.arrived(1, { release: null, debugIds: upload(2, 390) });
    });
    await runs.resume(projects, { isStart: true });
    await runs.settled();
    expect(looked).toEqual([...rows(400, 300), 390, 2, ...rows(299, 3), 1]);
    expect(left()).toHaveLength(398);
  });

  it('retries a failed run', async () => {
    const { parts, store, upload, left } = world(50);
    const runs = runsOf(parts);
    await runs.resume(projects, { isStart: true });
    await runs.settled();
    const { listPendingSymbolications } = store;
    store.listPendingSymbolications = () => Promise.reject(new Error('the database is busy'));
    runs.arrived(1, { release: null, debugIds: upload(9) });
    await runs.settled();
    store.listPendingSymbolications = listPendingSymbolications;
    expect(left()).toContain(9);
    await runs.resume(projects, { isStart: false });
    await runs.settled();
    expect(left()).not.toContain(9);
  });

  it('retries an event that timed out once, alone, also after a restart', async () => {
    const { parts, waiting, looked, upload, left } = world(200);
    const runs = runsOf(parts);
    await runs.resume(projects, { isStart: true });
    await runs.settled();
    looked.length = 0;
    upload(40, 41);
    Object.assign(waiting[39] as Waiting, { awaits: ['time'] });
    runs.ranOutOfTime(1);
    await runs.settled();
    expect(looked).toEqual([40]);
    Object.assign(waiting[40] as Waiting, { awaits: ['time'] });
    await runs.close();
    const next = runsOf(parts);
    await next.resume(projects, { isStart: true });
    await next.settled();
    expect([left().includes(40), left().includes(41)]).toEqual([false, false]);
  });

  it('processes all events if too many artifacts arrive to list', async () => {
    const { parts, upload, left } = world(60);
    const runs = runsOf(parts);
    upload(1);
    for (let release = 0; release <= 100; release += 1) {
      runs.arrived(1, { release: `r${release}`, debugIds: [] });
    }
    await runs.settled();
    expect(left()).not.toContain(1);
  });
});

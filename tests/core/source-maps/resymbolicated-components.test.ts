import { describe, expect, it } from '@jest/globals';
import type { NormalizedEvent, StackFrame } from '../../../schemas/event.ts';
import { decompressPayload } from '../../../src/core/events/compress-payload.ts';
import type { SymbolicationJob } from '../../../src/core/ports/symbolication-workers.ts';
import {
  type ResymbolicateEventDeps,
  resymbolicateStoredEvent,
} from '../../../src/core/source-maps/resymbolicate-events.ts';
import {
  addComponentTag,
  findSuspectComponent,
} from '../../../src/core/wordpress-components/suspect-component.ts';
import { runTask } from '../../../src/http/large-bodies/run-task.ts';
import type { Tasks } from '../../../src/http/large-bodies/tasks.ts';
import { normalized } from '../../support/events.ts';

const inCache = 'https://x.example/wp-content/cache/autoptimize/js/all.js';
const inShop = 'https://x.example/wp-content/plugins/shop/a.js?ver=1.2.3';
const noScrub = { extraFields: [], storeIpAddresses: false, clientAddress: '' };

type StoredEventReader = ResymbolicateEventDeps['largeBodyReader'];

/** Maps every frame to `source`, as a script is mapped that was put together from those of plugins. */
function partsFor(source: string, largeBodyReader?: StoredEventReader): ResymbolicateEventDeps {
  const map = { type: 'source_map', sha256: 'a', size: 1, dist: null, debugId: null };
  const mapped = (frame: StackFrame) => ({
    ...frame,
    abs_path: source,
    filename: source,
    data: { sourcemap: 'm' },
  });
  return {
    store: {
      findProject: async () => null,
      hasArtifacts: async () => true,
      findArtifactsByDebugId: async () => [],
      findArtifactsByName: async (_project: number, _release: string, names: string[]) =>
        names.filter((name) => name.endsWith('.map')).map((name) => ({ ...map, name })),
      findWildcardArtifacts: async () => [],
      findContent: async () => [],
    },
    workers: {
      mapStacks: async (job: SymbolicationJob) => ({
        done: true,
        stacks: job.stacks.map((frames) =>
          frames.map((frame) => ({ frame: mapped(frame), mapped: true, contextFrom: null })),
        ),
      }),
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    clockMs: () => 0,
    largeBodyReader,
  } as unknown as ResymbolicateEventDeps;
}

type Answer<Kind extends keyof Tasks> = Tasks[Kind]['answers'];

const inThread: StoredEventReader = {
  readStored: async (payload) => runTask({ kind: 'stored', payload }).answer as Answer<'stored'>,
  finishStored: async (sent, mapped, scrub) =>
    runTask({ kind: 'finish-stored', sent, mapped, scrub }).answer as Answer<'finish-stored'>,
};

function storedEvent(file: string, tags: Record<string, string> = {}): string {
  const frames = [{ abs_path: file, filename: file, lineno: 1, colno: 1 }];
  const exception = { values: [{ type: 'E', value: 'x', stacktrace: { frames } }] };
  const event = normalized({ platform: 'javascript', release: '1', tags, exception });
  return JSON.stringify(addComponentTag(event, findSuspectComponent(event)));
}

async function tagsAfter(source: string, payload: string): Promise<unknown> {
  const here = await resymbolicateStoredEvent(partsFor(source), 1, payload);
  return here.payload === null ? 'unchanged' : (JSON.parse(String(here.payload)) as NormalizedEvent).tags;
}

describe('a map that comes late', () => {
  const pay = 'https://x.example/wp-content/plugins/pay/src/pay.ts';

  it('reveals a plugin that was not known before', async () => {
    expect(await tagsAfter(pay, storedEvent(inCache))).toEqual([['plugin', 'pay']]);
  });

  it('keeps the version from the URL of the script', async () => {
    const source = 'https://x.example/wp-content/plugins/shop/src/a.ts';
    expect(await tagsAfter(source, storedEvent(inShop, { a: 'b' }))).toEqual([
      ['a', 'b'],
      ['plugin', 'shop@1.2.3'],
    ]);
  });

  it('renews the tag of Notifier, and keeps the client’s', async () => {
    expect(await tagsAfter(pay, storedEvent(inShop))).toEqual([['plugin', 'pay']]);
    expect(await tagsAfter(pay, storedEvent(inShop, { plugin: 'mine' }))).toEqual([['plugin', 'mine']]);
  });

  it('does the same in a thread', async () => {
    const text = storedEvent(inShop);
    const { view, sent } = await inThread.readStored(Buffer.from(text));
    const mapped = (await resymbolicateStoredEvent(partsFor(pay), 1, JSON.stringify(view))).found.event;
    const { payload, key } = await inThread.finishStored(sent, mapped, noScrub);
    const event = JSON.parse(decompressPayload(payload).payload) as NormalizedEvent;
    expect(event.tags).toEqual([['plugin', 'pay']]);
    const here = await resymbolicateStoredEvent(partsFor(pay), 1, text);
    const { secondaryHash, ...found } = key;
    expect(here.regrouped).toMatchObject({
      ...found,
      grouping: { ...found.grouping, secondary: secondaryHash },
    });
    expect(here.regrouped?.hashBefore).toMatch(/^[0-9a-f]{64}$/);
  });

  it('does not rewrite a large event that is unchanged', async () => {
    const text = storedEvent(inShop, { filler: 'x'.repeat(200) }).replace('"x"', `"${'x '.repeat(40_000)}"`);
    const first = await resymbolicateStoredEvent(partsFor(pay, inThread), 1, text);
    if (first.payload === null || typeof first.payload === 'string')
      throw new Error('It was not read in a thread.');
    const stored = decompressPayload(first.payload).payload;
    expect(await resymbolicateStoredEvent(partsFor(pay, inThread), 1, stored)).toMatchObject({
      payload: null,
      regrouped: null,
    });
  });
});

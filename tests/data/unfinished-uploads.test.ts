import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewArtifact } from '../../src/core/store/artifacts.ts';
import type { Store } from '../../src/core/store/store.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';
import { hashOf } from './support/events.ts';

const dayMs = 86_400_000;
const refusal = { code: 'notifier_too_much_unfinished', status: 400, extra: { limit: 100 } };
const sha1Of = (word: string): string => hashOf(word).slice(0, 40);

describe.each(databases)('unfinished uploads on $name', (database) => {
  let store: Store;
  beforeEach(async () => {
    await store?.close();
    store = await storeWithProject(database, { unfinishedBytesMax: 100 });
    await store.createProject({ name: 'other', createdAtMs: startMs });
  });
  afterAll(() => store?.close());

  const chunk = (word: string, size: number, nowMs = startMs, projectId = 1) =>
    store.writeChunk(projectId, sha1Of(word), Buffer.alloc(size, 'x'), nowMs);
  const content = (word: string, size: number) => ({ sha256: hashOf(word), size, bytes: Buffer.from(word) });
  const keep = (...contents: ReturnType<typeof content>[]) => store.keepSmallContents(1, contents, startMs);
  const artifact = (word: string, size: number): NewArtifact => ({
    projectId: 1,
    release: '1.0',
    dist: null,
    name: `~/${word}.js`,
    type: 'minified_source',
    debugId: null,
    sourceMap: null,
    hasInlineMap: false,
    size,
    sha256: hashOf(word),
  });
  const file = (...artifacts: NewArtifact[]) =>
    store.recordArtifacts(artifacts, { overwrite: true, nowMs: startMs });
  const room = async (): Promise<number> => {
    for (let size = 100; size > 0; size -= 1) {
      const word = `probe ${size}`;
      const fits = await chunk(word, size).then(
        () => true,
        () => false,
      );
      if (!fits) continue;
      await store.chunksFiled(1, [sha1Of(word)]);
      return size;
    }
    return 0;
  };

  it('are limited in bytes of chunks; one more is refused and not stored', async () => {
    await chunk('a', 60);
    await chunk('b', 40);
    await expect(chunk('c', 1)).rejects.toMatchObject(refusal);
    expect(await store.findChunk(1, sha1Of('c'))).toBeNull();
    // What is there may be sent again, and another project has its own room.
    await chunk('a', 60);
    await chunk('c', 100, startMs, 2);
    expect(await store.missingChunks(1, [sha1Of('a'), sha1Of('c')])).toEqual([sha1Of('c')]);
  });

  it('count unreferenced contents together with chunks, all of a portion or none', async () => {
    await chunk('a', 30);
    await keep(content('x', 50));
    await expect(keep(content('y', 10), content('z', 20))).rejects.toMatchObject(refusal);
    expect(await store.findContent(1, hashOf('y'))).toBeNull();
    await expect(store.claimContent(1, hashOf('w'), 21, startMs)).rejects.toMatchObject(refusal);
    expect(await store.claimContent(1, hashOf('w'), 20, startMs)).toBe(false);
    // Asked for again, by the same upload or another, it is counted once.
    expect(await store.claimContent(1, hashOf('w'), 20, startMs)).toBe(false);
    await keep(content('x', 50));
    await expect(chunk('b', 1)).rejects.toMatchObject(refusal);
  });

  it('free their bytes when they are finished', async () => {
    await chunk('a', 40);
    await chunk('b', 30);
    await keep(content('x', 30));
    await file(artifact('x', 30));
    expect(await room()).toBe(30);
    await store.chunksFiled(1, [sha1Of('a'), sha1Of('b'), sha1Of('nowhere')]);
    await store.chunksFiled(1, [sha1Of('a')]);
    expect(await room()).toBe(100);
    // A content that was filed once is not unfinished, however often it is named.
    await file({ ...artifact('x', 30), name: '~/again.js' });
    await keep(content('x', 30));
    expect(await room()).toBe(100);
  });

  it('free their bytes when they are deleted', async () => {
    await chunk('old', 50);
    await keep(content('x', 20));
    await chunk('new', 30, startMs + dayMs);
    await expect(chunk('more', 1)).rejects.toMatchObject(refusal);
    await store.sweep(startMs + dayMs + 1);
    expect(await store.findChunk(1, sha1Of('old'))).toBeNull();
    expect(await store.findChunk(1, sha1Of('new'))).not.toBeNull();
    expect(await room()).toBe(70);
  });

  it('keep chunks of an assembled bundle for an hour, and others for a day', async () => {
    await chunk('filed', 10);
    await chunk('waiting', 10);
    await store.chunksFiled(1, [sha1Of('filed')]);
    await store.sweep(startMs + 3_600_000);
    expect(await store.missingChunks(1, [sha1Of('filed'), sha1Of('waiting')])).toEqual([]);
    await store.sweep(startMs + 3_600_001);
    expect(await store.missingChunks(1, [sha1Of('filed'), sha1Of('waiting')])).toEqual([sha1Of('filed')]);
    await store.sweep(startMs + dayMs + 1);
    expect(await room()).toBe(100);
  });

  it('are limited exactly under concurrent uploads', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, (_, nth) => chunk(`${nth % 20}`, 10)),
    );
    const kept = await store.missingChunks(
      1,
      Array.from({ length: 20 }, (_, nth) => sha1Of(`${nth}`)),
    );
    expect(kept).toHaveLength(10);
    expect(results.filter((result) => result.status === 'fulfilled').length).toBeGreaterThanOrEqual(10);
    await expect(chunk('more', 1)).rejects.toMatchObject(refusal);
  });
});

import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/core/store/store.ts';
import { databases, storeWithProject } from './support/databases.ts';
import { deployOf } from './support/deploys.ts';
import { eventOf } from './support/events.ts';
import { releaseOf } from './support/releases.ts';

const page = { orderBy: 'date_created', descending: false, limit: 100, offset: 0 } as const;

describe.each(databases)('releases and environments that the build server names on $name', (database) => {
  let store: Store;
  beforeEach(async () => {
    await store?.close();
    store = await storeWithProject(database, { releasesMax: 3, environmentsMax: 2 });
  });
  afterAll(() => store?.close());
  const versions = async (): Promise<string[]> =>
    (await store.listReleases(1, page)).rows.map((release) => release.version).sort();
  const see = (release: string, second = 0, environment: string | null = null) =>
    store.recordEvent(eventOf({ release, environment, second }));

  it('replace names that only clients have sent, the longest unseen first', async () => {
    await see('a', 1);
    await see('b', 2);
    await see('c', 3);
    await see('a', 4);
    expect(await store.upsertRelease(releaseOf('1.0'))).toMatchObject({ created: true });
    expect(await versions()).toEqual(['1.0', 'a', 'c']);
    expect(await store.upsertRelease(releaseOf('1.0'))).toMatchObject({ created: false });
    expect((await store.recordDeploy(deployOf('2.0'))).releaseCreated).toBe(true);
    expect(await versions()).toEqual(['1.0', '2.0', 'a']);
    await see('d', 9);
    expect(await versions()).toEqual(['1.0', '2.0', 'a']);
  });

  it('are refused where every name was declared, and change nothing', async () => {
    for (const version of ['1.0', '2.0', '3.0']) await store.upsertRelease(releaseOf(version));
    const refusal = { code: 'notifier_too_many_releases', status: 400 };
    await expect(store.upsertRelease(releaseOf('4.0'))).rejects.toMatchObject(refusal);
    await expect(store.recordDeploy(deployOf('4.0'))).rejects.toMatchObject(refusal);
    expect(await store.upsertRelease(releaseOf('2.0', { ref: 'v2' }))).toMatchObject({ created: false });
    expect(
      (await store.listDeploys(1, { orderBy: 'date_created', descending: true, limit: 9, offset: 0 })).total,
    ).toBe(0);
    const { release } = await store.upsertRelease(releaseOf('2.0'));
    await store.deleteRelease(1, release.id);
    expect(await store.upsertRelease(releaseOf('4.0'))).toMatchObject({ created: true });
    expect(await versions()).toEqual(['1.0', '3.0', '4.0']);
  });

  it('never replace one that has deploys', async () => {
    for (const version of ['a', 'b', 'c']) await see(version);
    for (const version of ['a', 'b', 'c']) await store.recordDeploy(deployOf(version));
    await expect(store.upsertRelease(releaseOf('1.0'))).rejects.toMatchObject({ status: 400 });
    expect(await versions()).toEqual(['a', 'b', 'c']);
  });

  it('are limited exactly under concurrent writes', async () => {
    const creates = Array.from({ length: 24 }, (_, nth) => store.upsertRelease(releaseOf(`${nth % 6}.0`)));
    const results = await Promise.allSettled(creates);
    expect(await versions()).toHaveLength(3);
    const made = results.filter((result) => result.status === 'fulfilled');
    expect(made.filter((result) => result.value.created)).toHaveLength(3);
    expect(made).toHaveLength(12);
  });

  it('come back when they are named again after they were deleted', async () => {
    await see('a');
    const [release] = (await store.listReleases(1, page)).rows;
    await store.deleteRelease(1, release?.id ?? 0);
    expect(await versions()).toEqual([]);
    await see('a', 5);
    expect(await versions()).toEqual(['a']);
    // And their places are counted as they were.
    for (const version of ['b', 'c', 'd']) await see(version);
    expect(await versions()).toEqual(['a', 'b', 'c']);
  });

  it('have the environments of deploys, whatever names clients sent before', async () => {
    await see('a', 1, 'x');
    await see('a', 2, 'y');
    await store.recordDeploy(deployOf('1.0', { environment: 'production' }));
    const column = async (environment: string): Promise<unknown> => {
      const event = eventOf({ release: 'a', environment });
      await store.recordEvent(event);
      return (await store.findEvent(1, event.eventId))?.environment;
    };
    expect(await column('production')).toBe('production');
    await store.recordDeploy(deployOf('1.0', { environment: 'staging' }));
    expect((await store.recordDeploy(deployOf('1.0', { environment: 'third' }))).deploy.environment).toBe(
      'third',
    );
    expect([await column('staging'), await column('third'), await column('z')]).toEqual([
      'staging',
      'other',
      'other',
    ]);
  });
});

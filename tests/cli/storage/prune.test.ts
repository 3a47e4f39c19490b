import { beforeEach, describe, expect, it } from '@jest/globals';
import { retentionDisabledSetting } from '../../../src/core/store/setting-names.ts';
import { eventOf } from '../../data/support/events.ts';
import { testCommandLine } from '../../support/command-line.ts';
import { forEachTest } from '../../support/shared.ts';
import { inFull } from '../../support/test-level.ts';

const dayMs = 86_400_000;

describe('prune', () => {
  const line = forEachTest(() => testCommandLine());
  beforeEach(async () => {
    await line.json('project create shop');
    await line.json('project create blog');
    await line.withDeps(async ({ store }) => {
      const atMs = Date.now() - 200 * dayMs;
      for (let n = 0; n < 130; n += 1) {
        await store.recordEvent(eventOf({ projectId: 1, kind: 'loud', receivedAtMs: atMs + n }));
      }
      await store.recordEvent(eventOf({ projectId: 2, kind: 'quiet', receivedAtMs: atMs }));
    });
  });

  it('shows what would be deleted, project by project, and deletes it with --yes', async () => {
    const look = await line.json('prune --dry-run');
    expect(look).toMatchObject({ stored: 131, would_remove: 29, removed: 0, held_back: 'first' });
    expect(look.projects).toMatchObject([
      { name: 'shop', events_stored: 130, by_age: 29, by_quota: 0, removed: 0 },
      { name: 'blog', events_stored: 1, by_age: 0, by_quota: 0, removed: 0 },
    ]);
    const held = await line.notifier('prune');
    expect([held.code, held.err]).toEqual([1, '']);
    expect(held.out).toContain('Retention was never on for this database');
    expect(held.out).toContain('To delete now: notifier prune --yes');
    expect((await line.json('prune --yes')).projects[0]).toMatchObject({ by_age: 29, removed: 29 });
    expect((await line.notifier('prune')).out).toContain('Nothing to delete.');
    await line.withDeps(async ({ store }) => {
      expect(await store.countStoredEvents(1)).toBe(101);
      const entries = await store.walkAudit(0, 100);
      const entry = entries.at(-1);
      expect(entry).toMatchObject({
        action: 'retention.run',
        objectName: 'all projects',
        summary: '29 events',
      });
    });
  });

  inFull(it)('of one project leaves the others alone, and does not start retention', async () => {
    expect(await line.json('prune --project shop --yes')).toMatchObject({ removed: 29, stored: 130 });
    const { code, out } = await line.notifier('prune --project nowhere');
    expect([code, out]).toEqual([1, '']);
    await line.withDeps(async ({ store }) => expect(await store.findSetting('retention')).toBeNull());
  });

  it('says why nothing is deleted where retention is off, or everything is kept', async () => {
    const none = { RETENTION_DAYS: '0', RETENTION_EVENTS_PER_PROJECT: '0' };
    const env = { ...none, RETENTION_BYTES_PER_PROJECT: '0' };
    expect((await line.notifier('prune --yes', { env })).out).toContain('Retention is off');
    expect((await line.notifier('prune --yes --dry-run')).code).toBe(2);
    await line.withDeps(({ store }) => store.setSetting(retentionDisabledSetting, 'demo'));
    expect((await line.notifier('prune --yes')).out).toContain('keeps everything');
    await line.withDeps(async ({ store }) => expect(await store.countStoredEvents(1)).toBe(130));
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuesModel, splitTitle } from '../../../src/core/page-models/issues/list.ts';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { databases, startMs, storeWithProject } from '../../data/support/databases.ts';
import { eventOf } from '../../data/support/events.ts';

const [database] = databases;

describe('the list of issues', () => {
  let store: Store;
  beforeAll(async () => {
    if (database === undefined) throw new Error('There is no database to test on.');
    store = await storeWithProject(database);
    for (const projectId of [1, 2, 3]) {
      if (projectId > 1) await store.createProject({ name: `p${projectId}`, createdAtMs: startMs });
      for (const kind of ['a', 'b']) await store.recordEvent(eventOf({ projectId, kind: kind + projectId }));
    }
  });
  afterAll(async () => {
    await store.close();
  });

  async function listOver(projectIds: readonly number[]) {
    const asked: string[] = [];
    const heard = new Proxy(store, {
      get(of, name: keyof Store) {
        const method = of[name] as (...values: unknown[]) => unknown;
        return (...values: unknown[]) => {
          asked.push(name);
          return method.apply(of, values);
        };
      },
    });
    const projects = (await store.listProjects()).filter(({ id }) => projectIds.includes(id));
    const context = {
      deps: { store: heard, now: () => startMs + 60_000 },
      currentUser: { memberId: null },
      settings: { timeZone: 'UTC', defaultView: 'all', hasShortcuts: true },
      projects,
      project: null,
      query: new URLSearchParams('query=a'),
      nowMs: startMs + 60_000,
    } as unknown as RequestContext;
    const all = { ...context, query: new URLSearchParams() };
    const [found, listed] = [await issuesModel(context), await issuesModel(all)];
    return { asked: asked.sort(), found, listed };
  }

  it('makes as many queries for three projects as for one', async () => {
    const one = await listOver([2]);
    const three = await listOver([1, 2, 3]);
    expect([one.listed.issues.length, three.listed.issues.length]).toEqual([2, 6]);
    expect(three.asked).toEqual(one.asked);
    expect(three.asked.length).toBeLessThanOrEqual(22);
  });

  it('shows the events of each row in the hour of their arrival', async () => {
    const { listed } = await listOver([1, 2, 3]);
    for (const { trend, events, events_in_range: shown } of listed.issues) {
      expect([trend.at(-1), trend.length, shown]).toEqual([events, 24, events]);
    }
  });
});

describe('the title of an issue', () => {
  it.each([
    ['KeyError: level 8: no such key', 'KeyError', 'level 8: no such key'],
    ['ActiveRecord::RecordNotFound: no cart', 'ActiveRecord::RecordNotFound', 'no cart'],
    ['PHP Fatal error: no cart: none', 'PHP Fatal error', 'no cart: none'],
    ['KeyError', 'KeyError', ''],
    ['no type at all', null, 'no type at all'],
  ])('%s is its type and its message', (title, type, message) => {
    expect(splitTitle(title)).toEqual({ type, message });
  });
});

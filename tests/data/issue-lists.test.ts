import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hourMs } from '../../src/core/parsing/durations.ts';
import type { NewEvent } from '../../src/core/store/events.ts';
import type { IssueCursor, IssueListFilter, IssueSort } from '../../src/core/store/issue-queries.ts';
import type { ResolvedTerm } from '../../src/core/store/search-terms.ts';
import { shared } from '../support/shared.ts';
import { databases, startMs, storeWithProject } from './support/databases.ts';
import { eventOf } from './support/events.ts';

const act = { actor: 'ada', nowMs: startMs };
const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const;
const all = { projectIds: [1, 2], fromMs: 0, toMs: null } as const;
const newest = { tab: 'all', sort: 'last_seen', limit: 100, trendToMs: startMs + 10 * hourMs } as const;

function eventsOfMany(): NewEvent[] {
  return Array.from({ length: 240 }, (_, nth) => {
    const kind = (nth * 7) % 12;
    const event = eventOf({
      projectId: kind % 3 === 0 ? 2 : 1,
      kind: `k${kind}`,
      second: ((nth * 977) % 600) * 60,
      level: levels[(nth * 3 + kind) % (kind % 4 === 0 ? 5 : 2)] ?? 'error',
      release: kind % 2 === 0 ? `1.${nth % 3}` : null,
      environment: nth % 5 === 0 ? 'staging' : 'live',
      userHash: kind % 5 === 0 ? null : `user${nth % 9}`,
    });
    const zone: [string, string] = ['zone', `z${(nth * 5) % 4}`];
    return { ...event, tags: nth % 6 === 0 ? [zone] : [zone, ['plan', nth % 2 === 0 ? 'free' : 'paid']] };
  });
}

describe.each(databases)('issues over projects on $name', (database) => {
  const store = shared(() => storeWithProject(database));
  const events = eventsOfMany();
  const heads = new Map<string, number>();
  let mergedInto = 0;
  const headOf = ({ grouping }: NewEvent): number => heads.get(grouping.hash) ?? 0;

  beforeAll(async () => {
    await store.createProject({ name: 'second', createdAtMs: startMs });
    for (const event of events) heads.set(event.grouping.hash, (await store.recordEvent(event)).issueId);
    const ids = [...new Set(heads.values())];
    const ofFirst = ids.filter((id) => events.some((e) => headOf(e) === id && e.projectId === 1));
    const [into = 0, one = 0, other = 0, resolved = 0, ignored = 0] = ofFirst;
    mergedInto = into;
    await store.mergeIssues(1, into, [one, other], act);
    for (const [hash, id] of heads) if (id === one || id === other) heads.set(hash, into);
    await store.changeIssue(1, resolved, { status: 'resolved', in: 'now' }, act);
    await store.changeIssue(1, ignored, { status: 'ignored', until: 'forever' }, act);
    await store.assignIssue(1, into, { memberId: 7, name: 'Ines' }, act);
  });

  function expected(filter: IssueListFilter): number[] {
    const { fromMs, toMs, level, environment, release, tags = [], userHashes, assignedTo } = filter;
    const inRange = events.filter(
      (e) =>
        filter.projectIds.includes(e.projectId) &&
        e.receivedAtMs >= fromMs &&
        e.receivedAtMs < (toMs ?? Infinity),
    );
    const wanted: Array<(event: NewEvent) => boolean> = [() => true];
    if (level !== undefined) wanted.push((e) => e.level === level);
    if (environment !== undefined) wanted.push((e) => e.environment === environment);
    if (release !== undefined) wanted.push((e) => e.release === release);
    if (userHashes !== undefined) wanted.push((e) => e.userHash !== null && userHashes.includes(e.userHash));
    for (const [name, value] of tags) {
      wanted.push((e) => e.tags?.some(([n, v]) => n === name && v === value) === true);
    }
    const given = (id: number): boolean => (id === mergedInto ? assignedTo === 7 : assignedTo !== 7);
    return [...new Set(heads.values())]
      .filter((id) => wanted.every((fits) => inRange.some((e) => headOf(e) === id && fits(e))))
      .filter((id) => assignedTo === undefined || given(id))
      .sort((left, right) => left - right);
  }

  it('have events that match each filter', async () => {
    const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const filters = fc.record({
      projectIds: fc.constantFrom([1, 2], [1], [2]),
      hours: fc.constantFrom([0, null], [5, null], [2, 4], [0, 3], [9, 10], [3, 9]),
      level: optional(levels),
      environment: optional(['staging', 'live', 'nowhere']),
      release: optional(['1.0', '1.1', '9.9']),
      plan: optional(['free', 'paid']),
      user: optional(['user0', 'user4', 'nobody']),
      assignedTo: optional([7, 'nobody'] as const),
    });
    await fc.assert(
      fc.asyncProperty(filters, async ({ hours: [from, to], plan, user, ...filter }) => {
        const asked: IssueListFilter = {
          ...filter,
          fromMs: startMs + (from ?? 0) * hourMs,
          toMs: to === null || to === undefined ? null : startMs + to * hourMs,
          // Where a range ends in the past, a tag is known by its first and last sighting alone.
          tags: plan === undefined || (to !== null && to !== undefined) ? [] : [['plan', plan]],
          userHashes: user === undefined ? undefined : [user],
        };
        const found = await store.listWorkspaceIssues(asked, newest);
        expect(found.rows.map(({ id }) => id).sort((left, right) => left - right)).toEqual(expected(asked));
        const { environment, release, ...rest } = asked;
        const termOf = (field: 'environment' | 'release', value: string | undefined): ResolvedTerm[] =>
          value === undefined ? [] : [{ field, negated: false, patterns: [[value]] }];
        const terms = [...termOf('environment', environment), ...termOf('release', release)];
        expect(await store.listWorkspaceIssues({ ...rest, terms }, newest)).toEqual(found);
        const counts = await store.countWorkspaceIssues(asked);
        expect(counts.all).toBe(found.rows.length);
        const { ids: among, counts: same } = await store.findWorkspaceIssues(asked);
        expect(same).toEqual(counts);
        const again = await store.listWorkspaceIssues({ ...asked, among }, newest);
        expect(again).toEqual(found);
        expect(counts.open + counts.ignored + counts.resolved).toBe(counts.all);
        const hoursOfAll = await store.listLevelHours(asked.projectIds, 0, startMs + 20 * hourMs, asked);
        const sum = hoursOfAll.reduce((s, h) => s + h.fatal + h.error + h.warning + h.info + h.debug, 0);
        const ids = new Set(found.rows.map(({ id }) => id));
        expect(sum).toBe(events.filter((e) => ids.has(headOf(e))).length);
      }),
      { numRuns: 60, seed: 42 },
    );
  });

  it('have event counts by level and hour', async () => {
    const hours = await store.listLevelHours([1, 2], startMs, startMs + 20 * hourMs, null);
    for (const level of levels) {
      for (const { atMs, ...counts } of hours) {
        const those = events.filter(
          (e) => e.level === level && Math.floor(e.receivedAtMs / hourMs) * hourMs === atMs,
        );
        expect([level, atMs, counts[level]]).toEqual([level, atMs, those.length]);
      }
    }
    expect(hours).toHaveLength(new Set(events.map((e) => Math.floor(e.receivedAtMs / hourMs))).size);
  });

  it('have the same hours where they are few of a thousand that were found', async () => {
    const { ids } = await store.findWorkspaceIssues(all);
    const gone = (nth: number): number => 1_000_000 + nth;
    const among = Array.from({ length: 1_000 }, (_id, nth) => ids[nth / 50] ?? gone(nth));
    expect(among.filter((id) => ids.includes(id))).toHaveLength(ids.length);
    const hours = (filter: IssueListFilter) =>
      store.listLevelHours([1, 2], startMs, startMs + 20 * hourMs, filter);
    expect(await hours({ ...all, among })).toEqual(await hours(all));
  });

  it('are listed once each, from page to page and back, in every order', async () => {
    for (const sort of ['last_seen', 'first_seen', 'events', 'users', 'trend'] as IssueSort[]) {
      const whole = (await store.listWorkspaceIssues(all, { ...newest, sort })).rows.map(({ id }) => id);
      const [onward, back]: [number[], number[]] = [[], []];
      let after: IssueCursor | null = null;
      let last: IssueCursor | null = null;
      for (let page = 0; page === 0 || after !== null; page += 1) {
        const read = await store.listWorkspaceIssues(all, { ...newest, sort, limit: 3, after });
        onward.push(...read.rows.map(({ id }) => id));
        expect(read.newer === null).toBe(page === 0);
        last = read.newer;
        after = read.older;
      }
      expect([sort, onward]).toEqual([sort, whole]);
      for (let before = last; before !== null; ) {
        const read = await store.listWorkspaceIssues(all, { ...newest, sort, limit: 3, before });
        back.unshift(...read.rows.map(({ id }) => id));
        before = read.newer;
      }
      expect([sort, back]).toEqual([sort, whole.slice(0, back.length)]);
      expect(back.length).toBeGreaterThanOrEqual(6);
    }
  });

  it('have their tags counted, merged ones together', async () => {
    const own = events.filter((e) => headOf(e) === mergedInto);
    const counted = await store.listIssueTags(1, mergedInto);
    const free = counted.find(({ tag, value }) => tag === 'plan' && value === 'free');
    const those = own.filter((e) => e.tags?.some(([, value]) => value === 'free'));
    expect(free?.events).toBe(those.length);
    expect(free?.lastSeenMs).toBe(Math.max(...those.map((e) => e.receivedAtMs)));
    const live = counted.find(({ tag, value }) => tag === 'environment' && value === 'live');
    expect(live?.events).toBe(own.filter((e) => e.environment === 'live').length);
  });
});

const titles: ReadonlyArray<readonly [title: string, found: readonly string[], missed: readonly string[]]> = [
  [
    'TypeError: Cannot read total',
    ['total', 'TYPEERROR', 'cannot total', 'e', 'al'],
    ['totals', 'zz', 'total zz'],
  ],
  ['Ошибка сервера', ['ошибка', 'СЕРВ', 'ш', 'ер', 'сервера ошибка'], ['щ', 'ошибки']],
  ['Σφάλμα ΟΔΟΣ', ['οδος', 'ΟΔΟΣ', 'σφάλμα', 'λμ'], ['ψ']],
  ['İstanbul ışık', ['istanbul', 'ISTANBUL', 'IŞIK', 'ış'], ['istanbulda']],
  ['支払いに失敗しました', ['支払', '失', '失敗し', 'に'], ['購']],
  ['결제 시간이 초과', ['결제', '시', '초과 결제'], ['결재']],
  ['เกิดข้อผิดพลาด', ['ข้อ', 'ผิดพลาด', 'กิ'], ['ฮ']],
  ['تعذر تحميل السلة', ['تحميل', 'سل', 'ل'], ['ظ']],
  ['rocket 🚀 failed 👩‍🚀', ['🚀', 'rocket 🚀', '👩‍🚀'], ['🎉']],
  [
    '100% of a_b "quoted" back\\slash',
    ['%', '100%', '_', 'a_b', '"quoted"', '"', 'k\\s'],
    ['1%0', 'a%b', '_0'],
  ],
];

describe.each(databases)('words in a search of issues on $name', (database) => {
  const store = shared(() => storeWithProject(database));
  const ids: number[] = [];
  const found = async (search: string): Promise<number[]> => {
    const { rows } = await store.listWorkspaceIssues({ ...all, search }, newest);
    return rows.map(({ id }) => id);
  };
  beforeAll(async () => {
    for (const [title] of titles) {
      ids.push((await store.recordEvent(eventOf({ kind: title, title, culprit: 'x9' }))).issueId);
    }
  });

  it.each(titles.map(([title, hits, misses], at) => ({ title, hits, misses, at })))(
    'are found as parts of $title, all of them',
    async ({ hits, misses, at }) => {
      const isFound = async (word: string) => [word, (await found(word)).includes(ids[at] ?? 0)];
      for (const word of hits) expect(await isFound(word)).toEqual([word, true]);
      for (const word of misses) expect(await isFound(word)).toEqual([word, false]);
    },
  );

  it('match the current title, file, message and tags', async () => {
    const frames = [{ filename: 'src/pay/capture.ts', function: 'capturePayment' }];
    const payload = JSON.stringify({
      exception: { values: [{ type: 'E', value: 'long words', stacktrace: { frames } }] },
    });
    const tags = [['plugin', 'woocommerce@9.1']] as const;
    const first = await store.recordEvent(eventOf({ kind: 'moving', title: 'Before', payload, tags }));
    for (const word of ['before', 'capture.ts', 'capturepayment', 'long', 'woocommerce', 'plugin:woo']) {
      expect([word, await found(word)]).toEqual([word, [first.issueId]]);
    }
    await store.recordEvent(eventOf({ kind: 'moving', title: 'After all', second: 60 }));
    expect([await found('before'), await found('after')]).toEqual([[], [first.issueId]]);
    const into = ids[0] ?? 0;
    await store.mergeIssues(1, into, [first.issueId], act);
    expect(await found('after')).toEqual([into]);
    const [merge] = await store.listMerges(1, into);
    await store.unmergeIssues(1, into, merge?.id ?? 0, act);
    expect(await found('after')).toEqual([first.issueId]);
  });

  it('match the first 6,000 characters of tags', async () => {
    // As they stand in a search, a line each.
    const many = Array.from({ length: 29 }, (_, nth) => [`a${nth + 10}`, 'v'.repeat(200)] as const);
    const before = many.map((pair) => pair.join(':')).join('\n').length + '\nb:'.length;
    const filed = async (kind: string, beyond: number): Promise<number> => {
      const filling = 'v'.repeat(6_000 - before - `last${kind}`.length + beyond);
      const tags = [...many, ['b', filling], ['last', kind]] as const;
      return (await store.recordEvent(eventOf({ kind, tags }))).issueId;
    };
    const [within] = [await filed('within', 0), await filed('beyond', 1)];
    expect([await found('last:within'), await found('last:beyond')]).toEqual([[within], []]);
  });
});

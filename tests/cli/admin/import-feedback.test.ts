import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { feedbackRequest } from '../../../schemas/feedback.ts';
import { ingestEvent } from '../../../src/core/events/ingest.ts';
import { createFeedbackReadContext, prepareFeedback } from '../../../src/core/feedback/parse-feedback.ts';
import type { FeedbackState } from '../../../src/core/store/feedback.ts';
import { databases, sqliteDatabase } from '../../data/support/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull, runs } from '../../support/test-level.ts';
import { atMs, linesIn, notifier, withShop } from '../support/shop.ts';

const folder = temporaryFolder();
const sources = sqliteDatabase();
afterAll(async () => {
  folder.remove();
  await sources.end();
});
const file = join(folder.path, 'reports.ndjson');
const eventId = 'e'.repeat(32);

interface Sent {
  readonly said: object;
  readonly state?: FeedbackState | undefined;
  readonly isSpam?: boolean | undefined;
}

async function source(reports: readonly Sent[]): Promise<string> {
  const url = await sources.createMigrated();
  await notifier(url, 'project', 'create', 'shop');
  await withShop(url, async (deps, project) => {
    await ingestEvent(
      deps,
      project,
      { read: { event_id: eventId, message: 'cart is gone', platform: 'php' } },
      { receivedAtMs: atMs, clientAddress: '', userAgent: '', domain: null },
    );
    for (const [minute, { said, state, isSpam }] of reports.entries()) {
      const { fields } = prepareFeedback(
        feedbackRequest.parse(said),
        [],
        createFeedbackReadContext(project, 'Firefox 140'),
      );
      const { id } = await deps.store.recordFeedback({
        ...fields,
        spam: isSpam === true,
        projectId: project.id,
        createdAtMs: atMs + minute * 60_000,
        domain: minute % 2 === 0 ? 'shop.example' : null,
        source: 'api',
        screenshots: [],
      });
      const change = { by: 'Mara', atMs: atMs + 3_600_000 };
      if (state !== undefined) await deps.store.changeFeedbackState(project.id, id, { ...change, state });
    }
  });
  return url;
}

// biome-ignore lint/suspicious/noExplicitAny: what is read is looked at member by member.
async function reportsIn(url: string): Promise<any[]> {
  return linesIn((await notifier(url, 'export')).out)
    .filter(({ type }) => type === 'feedback')
    .map(({ data }) => data);
}

const plain = async (url: string) =>
  (await reportsIn(url)).map(({ feedback_id: _id, issue_id: issue, ...same }) => [same, issue !== null]);

const several: readonly Sent[] = [
  {
    said: {
      message: 'The cart is empty ☃\npassword=hunter2',
      name: 'Jo',
      email: 'jo@shop.example',
      url: 'https://shop.example/cart?token=abc',
      event_id: eventId,
      category: 'bug',
      severity: 'high',
      release: 'shop@1.2.0',
      environment: 'production',
      locale: 'de-DE',
      viewport: { width: 800, height: 600 },
      console: [{ level: 'warn', message: 'late', timestamp: '12:00' }],
      tags: { part: 'cart' },
      metadata: { cart: 7 },
    },
    state: 'resolved',
  },
  { said: { message: 'x'.repeat(5_000) } },
  { said: { message: 'Buy now' }, isSpam: true },
  { said: { message: 'Not spam' }, isSpam: true, state: 'open' },
];
const nothing = { new: 0, there: 0, left: 0, refused: 0 };

describe.each(databases)('bug reports, imported on $name', (database) => {
  it('are imported once, with their error and state', async () => {
    const from = await source(several);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const url = await database.createMigrated();
    const first = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect([first.refused, first.types.feedback]).toEqual([[], { ...nothing, new: 4 }]);
    const after = await plain(url);
    expect(after).toEqual(await plain(from));
    expect(after.map(([report, hasIssue]) => [report.state, report.state_by, hasIssue])).toEqual([
      ['resolved', 'Mara', true],
      ['open', null, false],
      ['spam', null, false],
      ['open', 'Mara', false],
    ]);
    const second = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(second.types.feedback).toEqual({ ...nothing, there: 4 });
    expect(await plain(url)).toEqual(after);
    const back = JSON.parse((await notifier(from, 'import', file, '--json')).out);
    expect(back.types.feedback).toEqual({ ...nothing, there: 4 });
  });

  it('get a newer state of the file, and keep one that was set here', async () => {
    const from = await source(several);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const url = await database.createMigrated();
    await notifier(url, 'import', file);
    const numbers = (await reportsIn(url)).map(({ feedback_id: id }) => id);
    const give = (at: string, id: number, state: FeedbackState, by: string) =>
      withShop(at, ({ store }, { id: projectId }) =>
        store.changeFeedbackState(projectId, id, { state, by, atMs }),
      );
    await give(url, numbers[0], 'open', 'Kim');
    await give(from, 2, 'resolved', 'Ann');
    writeFileSync(file, (await notifier(from, 'export')).out);
    const again = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(again.types.feedback).toEqual({ ...nothing, new: 1, there: 3 });
    const states = (await reportsIn(url)).map(({ state, state_by: by }) => [state, by]);
    expect(states.slice(0, 2)).toEqual([
      ['open', 'Kim'],
      ['resolved', 'Ann'],
    ]);
  });

  inFull(it)('are stored once by two imports at once', async () => {
    const from = await source(several);
    writeFileSync(file, (await notifier(from, 'export')).out);
    const url = await database.createMigrated();
    await notifier(url, 'project', 'create', 'shop');
    const both = await Promise.all([1, 2].map(() => notifier(url, 'import', file, '--json')));
    const news = both.map(({ out }) => JSON.parse(out).types.feedback.new);
    expect(news.reduce((sum, one) => sum + one, 0)).toBe(4);
    expect((await reportsIn(url)).length).toBe(4);
  });

  it('are refused with a reason where a line is invalid, and scrubbed otherwise', async () => {
    const [good] = await reportsIn(await source(several));
    const changes: object[] = [
      { message: '' },
      { message: null },
      { message: 7 },
      { url: 'javascript:alert(1)' },
      { domain: '../x' },
      { created_at: 'soon' },
      { source: 'elsewhere' },
      { spam: 'no' },
      { state: 'gone' },
      { state_at: 'soon' },
      { state_by: 'n'.repeat(251) },
      { tags: { ['n'.repeat(33)]: 'x' } },
      { console: 'none' },
    ];
    const line = (data: object) => JSON.stringify({ type: 'feedback', project: 'shop', data });
    const lines = changes.map((change) => line({ ...good, ...change }));
    lines.push(line({ ...good, message: 'x'.repeat(16 * 1_048_576) }));
    const cut = line(good).slice(0, -50);
    const hostile = { ...good, message: 'token=s3cret-value\0', name: 'Jo\0', event_id: 'f'.repeat(32) };
    const end = '{"type":"end","project":null,"data":{}}\n';
    writeFileSync(file, `${[...lines, cut, line(hostile)].join('\n')}\n${end}`);
    const url = await database.createMigrated();
    await notifier(url, 'project', 'create', 'shop');
    const { code, out, err } = await notifier(url, 'import', file, '--json');
    const refused = JSON.parse(out).refused.map(({ line: number }: { line: number }) => number);
    expect([code, refused]).toEqual([1, [...lines, cut].map((_line, index) => index + 1)]);
    expect(err).toContain('Line 14 is too long.');
    expect(err).toContain('Line 15 is not valid JSON.');
    expect(err).toContain('Line 5 has an invalid domain.');
    const taken = await reportsIn(url);
    expect([taken.length, taken[0].name, taken[0].issue_id]).toEqual([1, 'Jo', null]);
    expect(JSON.stringify(taken)).not.toMatch(/s3cret|\\u0000/);
  });

  inFull(it)('are exported as they were imported, for any text', async () => {
    const word = fc.constantFrom('a', '☃ ', 'token=s3cret-value', 'line\nline', 'y'.repeat(40));
    const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const said = fc.record({
      message: word,
      name: some(word),
      email: some(fc.constantFrom('jo@shop.example', 'nobody')),
      url: some(fc.constantFrom('https://shop.example/?password=x', 'http://127.0.0.1/a b')),
      event_id: some(fc.constantFrom(eventId, 'f'.repeat(32))),
      category: some(fc.constantFrom('bug', 'idea')),
      viewport: some(fc.record({ width: fc.nat(9999), height: fc.nat(9999) })),
      console: some(fc.array(fc.record({ level: some(fc.constant('log')), message: some(word) }))),
      tags: some(fc.dictionary(fc.constantFrom('part', 'password'), word)),
      metadata: some(fc.dictionary(fc.constantFrom('a', 'iban'), fc.oneof(word, fc.nat(9), fc.boolean()))),
    });
    const state = some(fc.constantFrom<FeedbackState>('open', 'resolved', 'spam'));
    const report = fc.record({ said, state, isSpam: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 6 }), async (reports) => {
        const from = await source(reports);
        const exported = join(folder.path, 'any.ndjson');
        writeFileSync(exported, (await notifier(from, 'export')).out);
        const url = await database.createMigrated();
        expect((await notifier(url, 'import', exported)).err).toBe('');
        const after = await plain(url);
        expect(after).toEqual(await plain(from));
        await notifier(url, 'import', exported);
        expect(await plain(url)).toEqual(after);
      }),
      { numRuns: runs(16) },
    );
  });
});

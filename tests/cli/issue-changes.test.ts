import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { asPhpWrites, testCommandLine } from '../support/command-line.ts';

const { notifier, json, databaseUrl, remove } = testCommandLine();
let app: TestApp;
let ids: number[];
let foreign: number;

beforeAll(async () => {
  app = await openTestApp({ env: { DATABASE_URL: databaseUrl }, nowMs: Date.now() });
  const file = async (message: string, key: string): Promise<number> => {
    const answer = await app.post('/store', { message, platform: 'php' }, { 'X-Notifier-Key': key });
    return answer.body.issue_id;
  };
  ids = [];
  for (const message of ['cart is empty', 'no stock', 'wrong price', 'lost parcel']) {
    ids.push(await file(message, app.publicKey));
  }
  const other = await app.addProject('other');
  foreign = await file('of another project', other.publicKey);
});
afterAll(async () => {
  await app.close();
  remove();
});

const answered = async (id: number | undefined) => (await app.get(`/issues/${id}`)).body;

describe('changing issues', () => {
  it('resolves now, with the next release and in a release, several at once', async () => {
    const [first, second] = ids;
    const both = await json(`issue resolve ${first} ${second}`);
    expect(asPhpWrites(both)).toEqual([await answered(first), await answered(second)]);
    expect(both[0]).toMatchObject({ issue_id: first, status: 'resolved', resolution: { in: 'now' } });
    expect(both[0].activity.at(0)).toMatchObject({ kind: 'resolved', actor: 'command line' });
    expect(await json(`issue resolve ${first} --in next_release`)).toMatchObject([
      { resolution: { in: 'next_release' } },
    ]);
    const named = [{ status: 'resolved', resolution: { in: 'release', release: '1.4.1' } }];
    expect(await json(`issue resolve ${first} --in release --release 1.4.1`)).toMatchObject(named);
    expect(await json(`issue resolve ${second} --release 1.4.1`)).toMatchObject(named);
    expect((await notifier(`issue resolve ${first} --release 1.4.1`)).out).toContain('resolved in 1.4.1');
  });

  it('changes all that a search finds, and assigns', async () => {
    const [first, second] = ids;
    const found = {
      matched: 1,
      changed: [first],
      unchanged: [],
      not_found: [],
      merged_into: null,
      undo_id: null,
    };
    expect(await json('issue ignore --query cart --project 1')).toEqual(found);
    expect((await answered(first)).status).toBe('ignored');
    const again = await notifier('issue ignore --query cart --project 1');
    expect(again.out).toBe('0 of 1 issues changed.\n1 were so already.\n');
    expect(await notifier('issue reopen --query lvl:error --project 1')).toMatchObject({ code: 1 });
    expect(await notifier('issue reopen --query cart --project 1')).toMatchObject({ code: 0 });
    expect(await json(`issue assign ${second} --to nobody`)).toMatchObject([{ assigned_to: null }]);
    expect((await notifier(`issue assign ${second} --to "#none"`)).code).toBe(1);
  });

  it('ignores for ever, until a date, a count and a number of users', async () => {
    const [first] = ids;
    for (const [options, ignore] of [
      ['', { until: 'forever' }],
      ['--until date --date 2027-01-31T00:00:00Z', { until: 'date', date: '2027-01-31T00:00:00.000Z' }],
      ['--date 2027-02-28T00:00:00Z', { until: 'date', date: '2027-02-28T00:00:00.000Z' }],
      ['--count 100 --window 3600', { until: 'count', count: 100, window: 3_600 }],
      ['--users 10', { until: 'users', users: 10 }],
    ] as const) {
      const line = `issue ignore ${first} ${options}`.trim();
      expect([line, await json(line)]).toMatchObject([line, [{ status: 'ignored', ignore }]]);
    }
    expect(await json(`issue reopen ${first}`)).toMatchObject([
      { status: 'unresolved', substatus: 'ongoing', ignore: null },
    ]);
  });

  it('merges and undoes it', async () => {
    const [, , third, fourth] = ids;
    const merged = await json(`issue merge ${third} ${fourth}`);
    expect(merged).toMatchObject([{ issue_id: third, events: 2, merges: [{ issue_ids: [fourth] }] }]);
    expect(await answered(fourth)).toMatchObject({ issue_id: third, merged_into: third });
    const shown = (await notifier(`issue show ${fourth}`)).out;
    expect(shown).toContain(`Issue ${third} of "test"`);
    expect(shown).toContain(`merged      issue ${fourth} was merged into this one`);
    expect((await notifier(`issue show ${third}`)).out).toMatch(/Merges\n[\s\S]*command line/);
    const back = await json(`issue unmerge ${third}`);
    expect(back).toMatchObject([{ issue_id: third, events: 1, merges: [{ undone_at: expect.any(String) }] }]);
    const again = await notifier(`issue unmerge ${third}`);
    expect([again.code, again.err]).toEqual([1, `Nothing is merged into issue ${third}.\n`]);
    const byId = await json(`issue merge ${third} ${fourth}`);
    await json(`issue unmerge ${third} ${byId[0].merges[0].merge_id}`);
    expect(await answered(fourth)).toMatchObject({ merged_into: null });
  });

  it('refuses an issue that is merged already, or the target itself, and changes nothing', async () => {
    const [, , third, fourth] = ids;
    const itself = await notifier(`issue merge ${third} ${third}`);
    expect(itself).toEqual({ code: 1, out: '', err: `Issue ${third} cannot be merged into itself.\n` });
    await json(`issue merge ${third} ${fourth}`);
    const before = await answered(third);
    for (const line of [`issue merge ${third} ${fourth} ${third}`, `issue merge ${fourth} ${fourth}`]) {
      const again = await notifier(line);
      expect(again).toEqual({
        code: 1,
        out: '',
        err: `Issue ${fourth} is already merged into issue ${third}.\n`,
      });
    }
    const up = await notifier(`issue merge ${fourth} ${third}`);
    expect(up.err).toBe(`Issue ${fourth} is already merged into issue ${third}.\n`);
    expect(await answered(third)).toEqual(before);
    await json(`issue unmerge ${third}`);
  });

  it('finds the project of an id, and --project must match it', async () => {
    expect(await json(`issue reopen ${foreign}`)).toMatchObject([{ issue_id: foreign }]);
    const wrong = await notifier(`issue reopen ${foreign} --project test`);
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      1,
      '',
      `There is no issue "${foreign}" in "test".\n`,
    ]);
    expect((await notifier(`issue reopen ${foreign} --project other`)).code).toBe(0);
    expect((await notifier(`issue show ${foreign}`)).out).toContain('of "other"');
  });

  it('changes none where one of several does not exist', async () => {
    const [first] = ids;
    const before = await answered(first);
    for (const word of ['999999', 'seven', '0', '-1'.replace('-', '−')]) {
      const { code, out, err } = await notifier(`issue resolve ${first} ${word}`);
      expect([code, out, err]).toEqual([1, '', `There is no issue "${word}".\n`]);
    }
    expect(await answered(first)).toEqual(before);
  });

  // The same asked of both: the sentence of the one is what the other says.
  it.each<[string, object]>([
    ['issue resolve ID --in sometime', { status: 'resolved', in: 'sometime' }],
    ['issue resolve ID --in release', { status: 'resolved', in: 'release' }],
    ['issue ignore ID --until later', { status: 'ignored', until: 'later' }],
    ['issue ignore ID --until count', { status: 'ignored', until: 'count' }],
    ['issue ignore ID --until date', { status: 'ignored', until: 'date' }],
    ['issue ignore ID --until users', { status: 'ignored', until: 'users' }],
    ['issue ignore ID --date tomorrow', { status: 'ignored', until: 'date', date: 'tomorrow' }],
    ['issue ignore ID --count 0', { status: 'ignored', until: 'count', count: '0' }],
    ['issue ignore ID --count many', { status: 'ignored', until: 'count', count: 'many' }],
    ['issue ignore ID --count 5 --window 1', { status: 'ignored', until: 'count', count: '5', window: '1' }],
    ['issue ignore ID --users 10001', { status: 'ignored', until: 'users', users: '10001' }],
    ['issue merge ID FOREIGN', { merge: 'FOREIGN' }],
    ['issue unmerge ID 99', { undo_merge: '99' }],
    ['issue unmerge ID first', { undo_merge: 'first' }],
  ])('refuses "%s" in the words of the API, and changes nothing', async (line, body) => {
    const [first] = ids;
    const filled = (text: string): string =>
      text.replaceAll('ID', String(first)).replaceAll('FOREIGN', String(foreign));
    const before = await answered(first);
    const refused = await app.postSecret(`/issues/${first}`, JSON.parse(filled(JSON.stringify(body))));
    expect(refused).toHaveStatus(400);
    const { params } = refused.body.data;
    const sentence = Array.isArray(params) ? refused.body.message : Object.values(params).join(' ');
    const { code, out, err } = await notifier(filled(line));
    expect([code, out, err]).toEqual([1, '', `${sentence}\n`]);
    expect(await answered(first)).toEqual(before);
  });
});

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ingestEvent } from '../../../src/core/events/ingest.ts';
import { databases, sqliteDatabase } from '../../data/support/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull } from '../../support/test-level.ts';
import { atMs, linesIn, notifier, type Read, withShop } from '../support/shop.ts';

const folder = temporaryFolder();
const sources = sqliteDatabase();
afterAll(async () => {
  folder.remove();
  await sources.end();
});
let made = 0;
const newFile = (): string => {
  made += 1;
  return join(folder.path, `${made}.ndjson`);
};

const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

async function filled(): Promise<string> {
  const url = await sources.createMigrated();
  for (const line of [
    'project create shop',
    'project create blog',
    'key create secret --label ci --project shop',
    'project update shop --scrub-fields iban',
    'domain create shop.example --bug-reports on --project shop',
    'key update 1 --origins https://shop.example --expires 2027-01-31 --project shop',
  ]) {
    expect([line, (await notifier(url, ...line.split(' '))).code]).toEqual([line, 0]);
  }
  await withShop(url, async (deps, project) => {
    for (let index = 0; index < 12; index += 1) {
      const event = {
        event_id: index.toString(16).padStart(32, '0'),
        platform: 'javascript',
        release: 'shop@1.2.0',
        environment: 'production',
        timestamp: (atMs + index * 1000) / 1000,
        user: { id: `u${index % 3}` },
        tags: { part: 'cart' },
        exception: {
          values: [
            {
              type: 'TypeError',
              value: `x${index} is not a function`,
              stacktrace: {
                frames: [{ filename: `/app/${index % 3}.js`, function: `act${index % 3}`, lineno: 3 }],
              },
            },
          ],
        },
      };
      const context = {
        receivedAtMs: atMs + index * 1000,
        clientAddress: '',
        userAgent: '',
        domain: 'shop.example',
      };
      await ingestEvent(deps, project, { read: event }, context);
    }
  });
  return url;
}

let source: string;
let exported: string;
beforeEach(async () => {
  source = await filled();
  exported = newFile();
  expect((await notifier(source, 'export', exported)).code).toBe(0);
});

describe('export', () => {
  inFull(it)('writes a header line, a line for each record and a last line with counts', () => {
    const lines = linesIn(readFileSync(exported, 'utf8'));
    expect(lines[0]).toMatchObject({
      type: 'export',
      data: { format: 1, program_version: expect.any(String) },
    });
    const counts = { project: 2, key: 5, domain: 1, event: 12, issue: 3 };
    expect(lines.at(-1)).toEqual({ type: 'end', project: null, data: { counts } });
    expect(lines).toHaveLength(2 + 23);
    const event = lines.find(({ type }) => type === 'event');
    expect(event).toMatchObject({
      project: 'shop',
      data: { platform: 'javascript', domain: 'shop.example' },
    });
    expect(statSync(exported).mode & 0o777).toBe(0o600);
  });

  inFull(it)('holds no secret key', () => {
    const keys = linesIn(readFileSync(exported, 'utf8')).filter(({ type }) => type === 'key');
    expect(keys.map(({ data }) => [data.kind, data.key.includes('…')])).toEqual([
      ['public', false],
      ['secret', true],
      ['secret', true],
      ['public', false],
      ['secret', true],
    ]);
  });

  inFull(it)('writes one project to standard output, and the same things as to a file', async () => {
    const { out, err } = await notifier(source, 'export', '--project', 'shop');
    const shop = (lines: Read[]) => lines.filter(({ project }) => project === 'shop');
    expect(shop(linesIn(out))).toEqual(shop(linesIn(readFileSync(exported, 'utf8'))));
    expect(linesIn(out).some(({ project }) => project === 'blog')).toBe(false);
    expect(err).toContain('12 events');
  });

  inFull(it)('overwrites no file, and leaves none behind if it fails', async () => {
    const before = readFileSync(exported, 'utf8');
    expect((await notifier(source, 'export', exported)).code).toBe(1);
    expect(readFileSync(exported, 'utf8')).toBe(before);
    const gone = join(folder.path, 'gone', 'x.ndjson');
    expect((await notifier(source, 'export', gone)).code).toBe(1);
    expect([existsSync(gone), readdirSync(folder.path).filter((name) => name.includes('.part'))]).toEqual([
      false,
      [],
    ]);
  });
});

describe.each(databases)('import on $name', (database) => {
  it('imports everything once, and nothing twice', async () => {
    const url = await database.createMigrated();
    const first = await notifier(url, 'import', exported, '--json');
    expect([first.code, first.err, JSON.parse(first.out)]).toEqual([
      0,
      '',
      {
        whole: true,
        lines: 25,
        types: {
          project: { new: 2, there: 0, left: 0, refused: 0 },
          key: { new: 2, there: 0, left: 3, refused: 0 },
          domain: { new: 1, there: 0, left: 0, refused: 0 },
          event: { new: 12, there: 0, left: 0, refused: 0 },
          issue: { new: 0, there: 3, left: 0, refused: 0 },
        },
        refused: [],
      },
    ]);
    const stateOf = async (): Promise<Read[]> => linesIn((await notifier(url, 'export')).out).slice(1, -1);
    const after = await stateOf();
    const second = await notifier(url, 'import', exported, '--json');
    expect(JSON.parse(second.out).types.event).toEqual({ new: 0, there: 12, left: 0, refused: 0 });
    expect(JSON.parse(second.out).types.project).toEqual({ new: 0, there: 2, left: 0, refused: 0 });
    expect(await stateOf()).toEqual(after);
  });

  inFull(it)('gives events, issues and settings as their origin has them', async () => {
    const url = await database.createMigrated();
    await notifier(url, 'import', exported);
    const { out } = await notifier(url, 'export');
    const plain = (text: string) =>
      linesIn(text)
        .slice(1, -1)
        .map(({ type, project, data }) => {
          if (type === 'key') {
            const { key, label, scopes, allowed_origins: origins, expires_at: ends } = data;
            return data.kind === 'public' ? [type, project, key, label, scopes, origins, ends] : [];
          }
          if (type === 'project') return [type, data.name, data.scrub_fields, data.created_at];
          if (type === 'domain') return [type, data.domain, data.bug_reports, data.errors, data.sampling];
          const { issue_id: _issue, hours: _hours, activity: _acts, ...same } = data;
          return [type, project, same];
        })
        .filter((each) => each.length > 0)
        .map((each) => JSON.stringify(each))
        .sort();
    expect(plain(out)).toEqual(plain(readFileSync(exported, 'utf8')));
  });
});

describe('import', () => {
  it('matches releases and deploys by name', async () => {
    const file = newFile();
    const release = { version: 'shop@2.0.0', date_created: '2026-10-02T00:00:00Z', commits: [], refs: [] };
    const deploy = { version: 'shop@2.0.0', environment: 'production', date_created: '2026-10-03T00:00:00Z' };
    const lines = [
      { type: 'project', project: 'shop', data: { name: 'shop' } },
      { type: 'release', project: 'shop', data: release },
      { type: 'deploy', project: 'shop', data: { ...deploy, key: null } },
      { type: 'deploy', project: 'shop', data: { ...deploy, key: 'job-1' } },
      { type: 'end', project: null, data: {} },
    ];
    writeFileSync(file, textOf(lines));
    const url = await sources.createMigrated();
    const [first, second] = [
      await notifier(url, 'import', file, '--json'),
      await notifier(url, 'import', file, '--json'),
    ];
    expect(JSON.parse(first.out).types).toMatchObject({ release: { new: 1 }, deploy: { new: 2 } });
    expect(JSON.parse(second.out).types).toMatchObject({ release: { there: 1 }, deploy: { there: 2 } });
    const out = linesIn((await notifier(url, 'export')).out);
    const dates = out
      .filter(({ type }) => ['release', 'deploy'].includes(type))
      .map(({ data }) => data.date_created);
    expect(dates).toEqual([2, 3, 3].map((day) => `2026-10-0${day}T00:00:00.000Z`));
  });

  it('names the lines that it refuses, and imports the others', async () => {
    const file = newFile();
    const good = linesIn(readFileSync(exported, 'utf8'));
    const event = good.find(({ type }) => type === 'event');
    const openKey = { kind: 'public', live: true, key: 'a-key-of-the-plugin' };
    const bad: readonly string[] = [
      '{"type":',
      '[1]',
      '{"type":"event"}',
      textOf([{ ...event, data: { ...event?.data, event_id: 'x' } }]).trim(),
      textOf([{ ...event, project: 'nobody' }]).trim(),
      textOf([{ ...event, type: 'elephant' }]).trim(),
      textOf([{ type: 'release', project: 'shop', data: { version: 'a/b' } }]).trim(),
      textOf([{ type: 'project', project: 'x', data: { name: '../x' } }]).trim(),
      textOf([{ type: 'export', project: null, data: { format: 2 } }]).trim(),
      // What holds a key or a domain in bounds, and cannot be read: taken without it, it would be open.
      ...[{ allowed_origins: 'shop.example' }, { allowed_origins: ['shop'] }, { expires_at: 'soon' }].map(
        (bound) => textOf([{ type: 'key', project: 'shop', data: { ...openKey, ...bound } }]).trim(),
      ),
      textOf([
        { type: 'domain', project: 'shop', data: { domain: 'b.example', allowed_origins: [7] } },
      ]).trim(),
    ];
    const head = textOf(good.slice(0, 8));
    writeFileSync(file, `${head}${bad.join('\n')}\n\n${textOf(good.slice(8))}`);
    const url = await sources.createMigrated();
    const { code, out, err } = await notifier(url, 'import', file, '--json');
    const { refused, types } = JSON.parse(out);
    expect([code, types.event.new]).toEqual([1, 12]);
    expect(refused.map(({ line }: { line: number }) => line)).toEqual(bad.map((_line, index) => 9 + index));
    expect((await notifier(url, 'export')).out).not.toMatch(/b\.example|a-key-of-the-plugin/);
    expect(err).toContain('Line 9 is not valid JSON.');
    expect(err).toContain('Line 13 belongs to a project that does not exist here.');
  });

  inFull(it)('never overwrites a file', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    const { code, err } = await notifier(await sources.createMigrated(), 'export', file);
    expect([code, err, readFileSync(file, 'utf8')]).toEqual([1, `${file} already exists.\n`, 'mine']);
  });

  inFull(it)('lists what an export lacks, as docs/backup.md does', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/backup.md'), 'utf8');
    const [, left = ''] = /^- \*\*Left out:\*\* (.*?), and comments/ms.exec(page) ?? [];
    const things = left.replaceAll(/\s*\([^)]*\)/g, '').split(/,\s+/);
    expect(things).toEqual(expect.arrayContaining(['secret keys', 'alert channels', 'incidents']));
    const { out } = await notifier(await sources.createMigrated(), 'import', exported);
    const lacking = out.slice(out.indexOf('An export does not contain')).replaceAll(/\s+/g, ' ');
    expect(things.filter((thing) => !lacking.includes(thing.replaceAll(/\s+/g, ' ')))).toEqual([]);
  });

  inFull(it)('says where the file is truncated, and that a file is missing', async () => {
    const file = newFile();
    const all = readFileSync(exported, 'utf8');
    writeFileSync(file, all.slice(0, all.lastIndexOf('{"type":"end"')));
    const url = await sources.createMigrated();
    const cut = await notifier(url, 'import', file);
    expect([cut.code, cut.err]).toEqual([1, expect.stringContaining('The file is incomplete')]);
    expect((await notifier(url, 'import', join(folder.path, 'none'))).code).toBe(1);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { ingestEvent } from '../../../src/core/events/ingest.ts';
import { assignIssueTo } from '../../../src/core/issues/actions.ts';
import { applyIssueChange } from '../../../src/core/issues/change-requests.ts';
import { createMember, findMember } from '../../../src/core/members/members.ts';
import { databases, sqliteDatabase } from '../../data/support/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull } from '../../support/test-level.ts';
import { atMs, notifier, withDeps, withShop } from '../support/shop.ts';

const folder = temporaryFolder();
const sources = sqliteDatabase();
afterAll(async () => {
  folder.remove();
  await sources.end();
});
const dayMs = 86_400_000;
const file = join(folder.path, 'said.ndjson');

async function saidIn(url: string): Promise<unknown[]> {
  const { out } = await notifier(url, 'export');
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => ['issue', 'comment', 'merge'].includes(type))
    .map(({ type, data }) => {
      const { issue_id: _id, activity: _activity, hours: _hours, merges, ...same } = data;
      return [type, same, merges?.map(({ actor, at }: { actor: string; at: string }) => [actor, at])];
    })
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

async function issueOf({ store }: Deps, kind: number): Promise<number> {
  return (await store.findEvent(1, (kind * 100).toString(16).padStart(32, '0')))?.issueId ?? 0;
}

async function source(): Promise<string> {
  const url = await sources.createMigrated();
  await notifier(url, 'project', 'create', 'shop');
  await withShop(url, async (deps, project) => {
    const send = async (kind: number, n: number, day: number, release: string): Promise<void> => {
      const event = {
        event_id: (kind * 100 + n).toString(16).padStart(32, '0'),
        platform: 'php',
        release,
        message: [
          'cart is gone',
          'no stock',
          'mail failed',
          'odd total',
          'slow page',
          'bad link',
          'late mail',
          'no mail',
        ][kind],
        user: { id: `u${n}` },
      };
      const receivedAtMs = atMs + day * dayMs + kind * 1000 + n;
      await ingestEvent(
        deps,
        project,
        { read: event },
        { receivedAtMs, clientAddress: '', userAgent: '', domain: null },
      );
    };
    for (let kind = 0; kind < 8; kind += 1) await send(kind, 0, 0, 'shop@1.0.0');
    const at = (day: number): Deps => ({ ...deps, now: () => atMs + day * dayMs });
    const asks = [
      { status: 'resolved', in: 'release', release: 'shop@1.2.0' },
      { status: 'resolved', in: 'next_release' },
      { status: 'ignored', until: 'count', count: 50, window: 3600 },
      { status: 'ignored', until: 'users', users: 9 },
      { status: 'resolved', in: 'now' },
    ];
    for (const [index, asked] of asks.entries()) {
      await applyIssueChange(at(1), project, index + 1, asked as never, 'Mara');
    }
    // The seventh and the eighth are one, and have a state together.
    await applyIssueChange(at(1), project, 7, { merge: [8] } as never, 'Ann');
    await applyIssueChange(at(2), project, 7, { status: 'resolved', in: 'now' } as never, 'Ann');
    // More came for those that are ignored, and one came back.
    for (const kind of [2, 3, 4]) await send(kind, 1, 2, 'shop@1.1.0');
    for (const [n, body] of ['Seen it too', 'Line one\nline two ☃'].entries()) {
      const comment = { projectId: project.id, issueId: 1, author: 'Jo', memberId: null };
      await deps.store.addComment({ ...comment, atMs: atMs + n, body });
    }
  });
  return url;
}

function addNamed(url: string, name: string): Promise<unknown> {
  return withDeps(url, (deps) =>
    createMember(deps, { name, role: 'member', email: null }, commandLineSource),
  );
}

let from: string;
let exported: string;
beforeEach(async () => {
  from = await source();
  exported = (await notifier(from, 'export')).out;
  writeFileSync(file, exported);
});

describe.each(databases)('comments, states and assignments, imported on $name', (database) => {
  inFull(it)('are exported again as they were imported', async () => {
    const url = await database.createMigrated();
    const first = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect([first.types.merge, first.types.issue, first.types.comment, first.refused]).toEqual([
      { new: 1, there: 0, left: 0, refused: 0 },
      { new: 6, there: 1, left: 0, refused: 0 },
      { new: 2, there: 0, left: 0, refused: 0 },
      [],
    ]);
    expect(await saidIn(url)).toEqual(await saidIn(from));
    const acts = await withDeps(url, async (deps) =>
      deps.store.listIssueActivity(1, await issueOf(deps, 0), { limit: 9, offset: 0 }),
    );
    expect(acts.rows[0]).toMatchObject({
      kind: 'resolved',
      actor: 'Mara',
      atMs: atMs + dayMs,
      to: 'resolved',
    });
  });

  inFull(it)('change nothing the second time, nor what was changed here since', async () => {
    const url = await database.createMigrated();
    await notifier(url, 'import', file);
    await withDeps(url, async (deps) => {
      const project = await deps.store.findProjectByName('shop');
      if (project === null) throw new Error('no project');
      const merged = await issueOf(deps, 6);
      const [merge] = await deps.store.listMerges(project.id, merged);
      await applyIssueChange(deps, project, merged, { undo_merge: merge?.id } as never, 'Kim');
      await applyIssueChange(deps, project, await issueOf(deps, 0), { status: 'unresolved' } as never, 'Kim');
      await applyIssueChange(
        deps,
        project,
        await issueOf(deps, 5),
        { status: 'ignored', until: 'forever' } as never,
        'Kim',
      );
    });
    const before = await saidIn(url);
    const second = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect([second.types.merge, second.types.issue, second.types.comment]).toEqual([
      { new: 0, there: 1, left: 0, refused: 0 },
      { new: 0, there: 7, left: 0, refused: 0 },
      { new: 0, there: 2, left: 0, refused: 0 },
    ]);
    expect(await saidIn(url)).toEqual(before);
  });

  it('assign issues to members of the same name, once, and skip unknown members', async () => {
    const give = (url: string, kind: number, name: string | null) =>
      withDeps(url, async (deps) => {
        const issue = await deps.store.findIssue(1, await issueOf(deps, kind));
        const member = name === null ? null : await findMember(deps, name);
        const to = member === null ? null : { memberId: member.id, name: member.name };
        if (issue === null) throw new Error('no issue');
        await assignIssueTo(deps, issue, to, commandLineSource);
      });
    const assigneesIn = (url: string) =>
      withDeps(url, async (deps) => {
        const found: unknown[] = [];
        for (const kind of [0, 1, 2]) {
          const issueId = await issueOf(deps, kind);
          const issue = await deps.store.findIssue(1, issueId);
          const member = issue?.assignedTo ? await deps.store.findMember(issue.assignedTo) : null;
          const act = await deps.store.lastActivity(1, issueId, ['assigned']);
          found.push([member?.name ?? null, act?.actor, act?.atMs]);
        }
        return found;
      });
    for (const name of ['Mara Lind', 'Ann', 'Jo']) await addNamed(from, name);
    for (const [kind, name] of ['Mara Lind', 'Ann', 'Jo'].entries()) await give(from, kind, name);
    writeFileSync(file, (await notifier(from, 'export')).out);

    const url = await database.createMigrated();
    // Members have other numbers here, and one of them is not here yet.
    for (const name of ['Kim', 'Ann', 'mara  lind']) await addNamed(url, name);
    const first = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(first.types.assignment).toEqual({ new: 2, there: 0, left: 1, refused: 0 });
    const by = commandLineSource.actor.name;
    expect(await assigneesIn(url)).toEqual([
      ['mara lind', by, atMs],
      ['Ann', by, atMs],
      [null, undefined, undefined],
    ]);
    await give(url, 0, 'Kim');
    await give(url, 1, null);
    await addNamed(url, 'Jo');
    const second = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(second.types.assignment).toEqual({ new: 1, there: 2, left: 0, refused: 0 });
    expect((await assigneesIn(url)).map((each) => (each as unknown[])[0])).toEqual(['Kim', null, 'Jo']);

    const line = { type: 'assignment', project: 'shop', data: { event_id: '0'.repeat(32), to: 'Ann' } };
    const said = { actor: 'x', at: '2026-10-01T12:00:00Z' };
    const odd = [{ to: '' }, { to: 7 }, { at: 'soon' }, { actor: '' }, { event_id: 'x' }].map((change) =>
      JSON.stringify({ ...line, data: { ...line.data, ...said, ...change } }),
    );
    writeFileSync(file, `${odd.join('\n')}\n{"type":"end","project":null,"data":{}}\n`);
    const third = JSON.parse((await notifier(url, 'import', file, '--json')).out);
    expect(third.types.assignment).toEqual({ new: 0, there: 0, left: 0, refused: 5 });
    expect((await assigneesIn(url)).map((each) => (each as unknown[])[0])).toEqual(['Kim', null, 'Jo']);
  });

  it('are skipped without a matching issue, and refused with an invalid state', async () => {
    const lines = exported.trimEnd().split('\n');
    const changed = (type: string, change: object): string => {
      const line = JSON.parse(lines.find((each) => each.startsWith(`{"type":"${type}"`)) ?? '');
      return JSON.stringify({ ...line, data: { ...line.data, ...change } });
    };
    const odd = [
      changed('issue', { event_id: null }),
      changed('comment', { event_id: 'f'.repeat(32) }),
      changed('issue', { status: 'gone' }),
      changed('issue', { resolution: null }),
      changed('issue', { status: 'ignored', ignore: { until: 'date', date: 'soon' } }),
      changed('comment', { event_id: 'x' }),
      changed('comment', { body: '' }),
    ];
    writeFileSync(
      file,
      `${lines.filter((line) => !/^\{"type":"(issue|comment|end)"/.test(line)).join('\n')}\n`,
    );
    const url = await database.createMigrated();
    await notifier(url, 'import', file);
    const before = await saidIn(url);
    writeFileSync(file, `${odd.join('\n')}\n{"type":"end","project":null,"data":{}}\n`);
    const { code, out } = await notifier(url, 'import', file, '--json');
    const { types, refused } = JSON.parse(out);
    expect([code, types]).toEqual([
      1,
      {
        issue: { new: 0, there: 0, left: 1, refused: 3 },
        comment: { new: 0, there: 0, left: 1, refused: 2 },
      },
    ]);
    expect(refused.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5, 6, 7]);
    expect(await saidIn(url)).toEqual(before);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDb } from '../../data/open-store.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { testCommandLine } from '../support/command-line.ts';

const { notifier, json, databaseUrl, withDeps, remove } = testCommandLine();
let server: TestApp;
beforeAll(async () => {
  server = await openTestApp({ env: { DATABASE_URL: databaseUrl }, nowMs: Date.now() });
});
afterAll(async () => {
  await server.close();
  remove();
});

const send = async (key: string, message: string): Promise<number> => {
  const answer = await fetch(`${server.origin}/wp-json/notifier/v1/store`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, platform: 'php' }),
  });
  const { issue_id }: { issue_id: number } = JSON.parse(await answer.text());
  return issue_id;
};

async function makeOlder(projectId: number, issueId: number, otherId: number): Promise<void> {
  await withDeps(async ({ store }) => {
    const act = { actor: 'ada', nowMs: 1 };
    await store.mergeIssues(projectId, issueId, [otherId], act);
  });
  const db = await openDb(databaseUrl, {});
  await db.write(async (tx) => {
    await tx.run("UPDATE projects SET grouping_version = 'ng1' WHERE id = $1", [projectId]);
    await tx.run('UPDATE events SET issue_id = $1 WHERE issue_id = $2', [issueId, otherId]);
    await tx.run('DELETE FROM issue_merge_members', []);
    await tx.run('DELETE FROM issue_merges', []);
    for (const table of ['issue_activity', 'issue_hours', 'issue_hashes']) {
      await tx.run(`DELETE FROM ${table} WHERE issue_id = $1`, [otherId]);
    }
    await tx.run('DELETE FROM issues WHERE id = $1', [otherId]);
    await tx.run('UPDATE issues SET own_events_count = 3, events_count = 3 WHERE id = $1', [issueId]);
    await tx.run('UPDATE issue_hours SET events = 3 WHERE issue_id = $1', [issueId]);
  });
  await db.close();
}

describe('project regroup', () => {
  it('shows what would change and does it, while the server goes on', async () => {
    const made = await json('project create shop');
    const id = await send(made.public_key, 'Cannot open the cart');
    expect(await send(made.public_key, 'Cannot open the cart')).toBe(id);
    const otherId = await send(made.public_key, 'The list is empty');
    expect(otherId).not.toBe(id);
    await makeOlder(made.project_id, id, otherId);

    const shown = await json('project regroup shop');
    expect(shown).toMatchObject({ grouping: 'ng1', grouping_after: 'ng2', applied: false, run_id: null });
    expect(shown).toMatchObject({ events: 3, events_moved: 1, issues: 1, issues_split: 1, issues_made: 1 });
    expect(shown.splits).toMatchObject([{ issue_id: id, events: 1, into: null }]);
    const { out } = await notifier('project regroup shop');
    expect(out).toContain(
      '1 event of 1 issue would move, 1 new issue created; 0 issues would be merged into another.',
    );
    expect(out).toContain('a new issue');
    expect(out).toContain('Nothing is changed yet. Make a backup first');

    const { applied, run_id, grouping, ...done } = await json('project regroup shop --yes');
    expect([applied, grouping, typeof run_id]).toEqual([true, 'ng1', 'number']);
    const { applied: _applied, run_id: _run, grouping: _grouping, ...same } = shown;
    expect(done).toEqual(same);
    const newId = await send(made.public_key, 'The list is empty');
    expect(newId).not.toBe(id);
    expect(await json(`issue list --project shop`)).toHaveLength(2);
    expect((await notifier('project regroup shop --yes')).out).toContain('Nothing to change.');
    expect(await json('project list')).toContainEqual(
      expect.objectContaining({ name: 'shop', grouping: 'ng2' }),
    );
  });

  it('says how many lines it leaves out', async () => {
    const made = await json('project create many');
    const id = await send(made.public_key, 'The first fault');
    for (const letter of 'abcdefghijklmnopqrstuvw') {
      const otherId = await send(made.public_key, `The ${letter.repeat(7)} is missing`);
      await makeOlder(made.project_id, id, otherId);
    }
    const { out } = await notifier('project regroup many');
    expect(out.match(/a new issue/g)).toHaveLength(20);
    expect(out).toContain('And 3 more; --json shows up to 100.');
  });

  it('shows its progress at a terminal', async () => {
    await json('project create watched');
    const { err } = await notifier('project regroup watched --json', { isTerminal: true });
    expect(err).toContain('0 events read');
  });
});

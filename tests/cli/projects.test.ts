import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { testCommandLine } from '../support/command-line.ts';

const { notifier, json, withDeps, databaseUrl, remove } = testCommandLine();
let server: TestApp;
beforeAll(async () => {
  server = await openTestApp({
    env: { DATABASE_URL: databaseUrl },
    nowMs: Date.now(),
    projectName: 'default',
  });
});
afterAll(async () => {
  await server.close();
  remove();
});

const store = async (key: string): Promise<number> => {
  const answer = await fetch(`${server.origin}/wp-json/notifier/v1/store`, {
    method: 'POST',
    headers: { 'X-Notifier-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'x', platform: 'php' }),
  });
  await answer.arrayBuffer();
  return answer.status;
};

describe('project update --name', () => {
  it('changes the name and nothing else, and refuses one that is taken or empty', async () => {
    const made = await json('project create shop');
    expect(await store(made.public_key)).toBe(201);
    const renamed = await json('project update shop --name store');
    expect(renamed).toMatchObject({ project_id: made.project_id, name: 'store' });
    expect(await store(made.public_key)).toBe(201);
    expect(await json('issue list --project store')).toMatchObject([{ events: 2 }]);
    for (const [line, why] of [
      ['project update shop --name other', 'There is no project "shop".\n'],
      ['project update store --name default', 'A project named "default" already exists.\n'],
      ['project update store --name /etc', 'A project name must have 1 to 100 letters'],
    ] as const) {
      const { code, out, err } = await notifier(line);
      expect([line, code, out]).toEqual([line, 1, '']);
      expect(err).toContain(why);
    }
    expect((await json('project rename store store')).name).toBe('store');
    const told = await notifier('project rename store shop', { env: { NOTIFIER_PROJECT: 'store' } });
    expect(told.err).toContain('NOTIFIER_PROJECT is still "store"');
  });
});

describe('project delete', () => {
  it('asks for the name at a terminal, and deletes nothing for another answer', async () => {
    const made = await json('project create ask-me');
    const asked: string[] = [];
    const answering = (answer: string) => ({
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
    });
    for (const answer of ['', 'yes', 'ask', 'ASK-ME']) {
      const { code, out, err } = await notifier('project delete ask-me', answering(answer));
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain('Nothing was deleted');
    }
    const nobody = await notifier('project delete ask-me');
    expect([nobody.code, nobody.err]).toEqual([
      1,
      'Confirmation needs a terminal. Use --yes to delete "ask-me" without confirmation.\n',
    ]);
    expect(await store(made.public_key)).toBe(201);
    const gone = await notifier('project delete ask-me', answering('ask-me'));
    expect([gone.code, gone.out]).toEqual([0, `Project ${made.project_id} "ask-me" is deleted.\n`]);
    expect(asked[0]).toBe('To confirm, enter its name: ');
    expect(await store(made.public_key)).toBe(401);
  });

  it('ends the keys at once for a server that runs, and removes the rest', async () => {
    const made = await json('project create short-lived');
    const { public_key: key, project_id: id } = made;
    for (let count = 0; count < 3; count += 1) expect(await store(key)).toBe(201);
    expect(await json('project delete short-lived --yes')).toEqual({
      deleted: true,
      previous: expect.objectContaining({ project_id: id, name: 'short-lived' }),
    });
    expect(await store(key)).toBe(401);
    expect((await json('project list')).map((project: { name: string }) => project.name)).not.toContain(
      'short-lived',
    );
    const again = await notifier('project delete short-lived --yes');
    expect([again.code, again.err]).toEqual([1, 'There is no project "short-lived".\n']);
    expect((await json('project create short-lived')).project_id).toBeGreaterThan(id);
  });

  it('continues after an interruption, without asking, and the name is free meanwhile', async () => {
    const made = await json('project create half-gone');
    expect(await store(made.public_key)).toBe(201);
    await withDeps((deps) => deps.store.endProject(made.project_id, deps.now()));
    expect(await store(made.public_key)).toBe(401);
    const listed = await notifier('project list --json');
    expect(JSON.parse(listed.out)).not.toContainEqual(expect.objectContaining({ name: 'half-gone' }));
    expect(listed.err).toContain('To continue: notifier project delete "half-gone"');
    const { code, out } = await notifier('project delete half-gone --json');
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { deleted: true, previous: { project_id: made.project_id, name: 'half-gone' } },
    ]);
    expect((await notifier('project list')).err).toBe('');
  });

  it('shows its progress at a terminal, on stderr', async () => {
    const made = await json('project create watched');
    expect(await store(made.public_key)).toBe(201);
    const { out, err } = await notifier('project delete watched --yes --json', { isTerminal: true });
    expect(JSON.parse(out)).toMatchObject({ deleted: true });
    expect(err).toMatch(/Ctrl-C to interrupt[\s\S]*\d rows deleted/);
  });
});

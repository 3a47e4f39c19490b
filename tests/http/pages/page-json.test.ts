import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import type { Answer } from '../../support/pages.ts';
import { shared } from '../../support/shared.ts';
import { allOrSome, fullOrShort, fullOrSome, inFull } from '../../support/test-level.ts';
import { openWorkspace } from '../../support/workspace.ts';
import { targetOf } from './act-targets.ts';

const workspace = shared(() => openWorkspace());

const twinIn = ({ text }: Answer): string | null =>
  /href="([^"]*)">This page as JSON</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;

const acts = workspacePages().filter((each) => each.kind === 'act');
const shown: number[] = [];

describe('"This page as JSON"', () => {
  it.each(allOrSome(acts, 4).map((act, index) => [act.path, act, index] as const))(
    'is not linked where %s is the answer',
    async (_path, act, index) => {
      for (const isWhole of fullOrShort([true, false], [index % 2 === 0])) {
        // Somebody new each time: an act may end the session of who does it.
        const admin = await workspace.guest('admin', `Admin ${randomUUID()}`);
        const { path, form } = await targetOf(workspace, act);
        const answer = await admin.post(path, isWhole ? form : {});
        if (answer.status !== 303) shown.push(answer.status);
        expect([answer.status, twinIn(answer)]).toEqual([answer.status, null]);
      }
    },
  );

  inFull(it)('was checked on pages that actions and refusals answer with', () => {
    expect(shown.filter((status) => status < 300).length).toBeGreaterThan(3);
    expect(shown.filter((status) => status >= 400).length).toBeGreaterThan(3);
  });

  it('is linked only where there is a page as JSON', async () => {
    const { admin } = workspace;
    for (const path of ['/issues/999999', '/nothing/here', '/issues/1/resolve']) {
      const answer = await admin.get(path);
      expect([path, answer.status >= 400, twinIn(answer)]).toEqual([path, true, null]);
    }
    const plain = workspacePages().filter(({ kind, path }) => kind === 'page' && !path.includes('{'));
    expect(plain.length).toBeGreaterThan(10);
    for (const { path } of fullOrSome(plain, 6)) {
      const twin = twinIn(await admin.get(`${path}?project=1`));
      expect([path, twin]).toEqual([path, expect.stringContaining('.json')]);
      expect([path, (await admin.get(twin ?? '')).status]).toEqual([path, 200]);
    }
  });
});

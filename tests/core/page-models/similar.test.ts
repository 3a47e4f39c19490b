import { describe, expect, it } from '@jest/globals';
import { findSimilarIssues } from '../../../src/core/page-models/issue/similar.ts';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import { sharedApp } from '../../support/shared.ts';

describe('issues that share frames', () => {
  const app = sharedApp();

  interface Sent {
    readonly type: string;
    readonly file: string;
    readonly name: string;
    readonly line?: string;
    readonly cause?: string;
  }

  async function send({ type, file, name, line, cause }: Sent): Promise<number> {
    const frame = { filename: file, function: name, lineno: 3, in_app: true, context_line: line };
    const { body } = await app.post('/store', {
      platform: 'python',
      exception: {
        values: [
          ...(cause === undefined ? [] : [{ type: cause }]),
          { type, value: `${name} of the same words`, stacktrace: { frames: [frame] } },
        ],
      },
    });
    return body.issue_id;
  }

  async function sharedOf(one: number, other: number): Promise<readonly string[] | undefined> {
    const issue = await app.deps.store.findIssue(app.project.id, one);
    if (issue === null) throw new Error('There is no such issue.');
    const found = await findSimilarIssues({ deps: app.deps } as RequestContext, issue);
    return found.find((each) => each.issue_id === other)?.shared;
  }

  it('are those of one file and function, whatever their source line is', async () => {
    const one = await send({ type: 'A', file: 'shop.py', name: 'pay', line: 'if a < b: raise A' });
    const other = await send({ type: 'B', file: 'shop.py', name: 'pay', line: 'raise B @ c · d < e' });
    expect(await sharedOf(one, other)).toEqual(['words', 'place', 'file', 'frames']);
  });

  it('are not those whose types or source lines only look alike', async () => {
    const cause = 'TimeoutError';
    const one = await send({ type: 'C', file: 'one.py', name: 'run', line: 'go() < same · line < x', cause });
    const other = await send({
      type: 'C',
      file: 'two.py',
      name: 'run',
      line: 'no() < same · line < x',
      cause,
    });
    expect(await sharedOf(one, other)).toEqual(['words']);
  });

  it('are found for an issue that was split off, and not for one without frames', async () => {
    const sent = { file: 'split.py', name: 'part' };
    const [kept, moved] = [await send({ type: 'D', ...sent }), await send({ type: 'E', ...sent })];
    const { store } = app.deps;
    const act = { actor: 'test', nowMs: app.deps.now() };
    await store.mergeIssues(app.project.id, kept, [moved], act);
    const third = await send({ type: 'F', ...sent });
    const { keys } = await store.listIssueKeys(app.project.id, kept);
    const hash = keys.find(({ issueId }) => issueId === kept)?.hash ?? '';
    const done = await store.splitIssue(app.project.id, kept, [hash], act);
    const into = (done as { into: number }).into;
    expect(into).not.toBe(kept);
    expect(await sharedOf(into, third)).toContain('frames');
    expect(await sharedOf(kept, third)).toContain('frames');
    const { body } = await app.post('/store', { message: 'part of the same words' });
    expect(await sharedOf(third, body.issue_id)).not.toContain('frames');
  });
});

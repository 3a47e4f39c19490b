import { expect, it } from '@jest/globals';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { splitOffHashes } from '../../../src/core/issues/split.ts';
import { sharedApp } from '../../support/shared.ts';

const app = sharedApp();

it('a split is refused as for a missing issue', async () => {
  const ids: number[] = [];
  for (const message of ['It broke here', 'Something else fell over']) {
    ids.push((await app.post('/store', { message })).body.issue_id);
  }
  const [head = 0, merged = 0] = ids;
  const issue = await app.deps.store.findIssue(app.project.id, merged);
  if (issue === null) throw new Error('the issue is not there');
  expect(await app.postSecret(`/issues/${head}`, { merge: [merged] })).toHaveStatus(200);
  for (const id of [merged, 999]) {
    const split = splitOffHashes(
      app.deps,
      app.project,
      { ...issue, id },
      ['f'.repeat(64)],
      commandLineSource,
    );
    await expect(split).rejects.toMatchObject({ status: 404 });
  }
});

// /issues: the list over all projects or one, and acts on several issues at once.
import { z } from 'zod';
import { actOnIssues } from '../../src/core/workspace/issues/bulk.ts';
import { issuesModel } from '../../src/core/workspace/issues/list.ts';
import { act, type Declaration, page } from '../../src/http/pages/declare.ts';
import { issuesPage } from '../../src/pages/issues/list.ts';

const chosenMax = 100;

const bulkForm = z.object({
  issue: z.array(z.coerce.number('An issue has a number.').int().min(1)).max(chosenMax).default([]),
  do: z.enum(['resolve', 'ignore', 'merge'], 'Say what to do: resolve, ignore or merge.'),
});

/** The list, and its bar of acts. */
export function issueListPages(): Declaration[] {
  return [
    page({ path: '/issues', model: issuesModel, view: issuesPage }),
    act({
      path: '/issues/bulk',
      form: bulkForm,
      act: async (visit, form) => ({ back: true, notice: await actOnIssues(visit, form.issue, form.do) }),
    }),
  ];
}

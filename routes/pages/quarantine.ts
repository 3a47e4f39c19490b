import { z } from 'zod';
import { createInvalidParamError } from '../../src/core/errors.ts';
import { testCaseModel } from '../../src/core/page-models/delivery/test-case.ts';
import { pageNotFound, pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import { dayMs } from '../../src/core/parsing/durations.ts';
import { formatTime } from '../../src/core/parsing/timestamps.ts';
import type { Project } from '../../src/core/store/projects.ts';
import { endQuarantine, quarantineCase } from '../../src/core/test-runs/quarantine.ts';
import { action, goBack } from '../../src/http/pages/declarations.ts';
import { quarantineForm, testCasePage } from '../../src/web/delivery/test-case.ts';

const path = '/test-runs/cases/{case_id}/quarantine';
// Other projects can have a case of this id.
const ofProject = z.object({ project: z.coerce.number('Choose a project.') });
const quarantineSchema = ofProject.extend(quarantineForm.schema.shape);

export function quarantineActions() {
  return [
    action(path, 'member', quarantineSchema, add, {
      onInvalid: {
        model(context, { values }) {
          const project = findProject(context, { project: Number(values['project']) });
          return testCaseModel({ ...context, project });
        },
        view: testCasePage,
      },
      fieldOf: { issue_id: 'issue', until: 'days', notifier_quarantine_full: 'reason' },
    }),
    action(`${path}/{quarantine_id}/remove`, 'member', ofProject, remove),
  ];
}

async function add(
  context: RequestContext,
  { reason, days, issue, ...of }: z.infer<typeof quarantineSchema>,
) {
  const number = issue === undefined ? null : /^#?(\d{1,15})$/.exec(issue.trim())?.[1];
  if (number === undefined)
    throw createInvalidParamError({ issue: 'Enter the number of an issue, such as 1043.' });
  const input = {
    case_id: context.path['case_id'] ?? '',
    until: formatTime(context.deps.now() + Number(days) * dayMs),
    reason,
    issue_id: number === null ? null : Number(number),
  };
  await quarantineCase(context.deps, findProject(context, of), input, context.by);
  return goBack();
}

async function remove(context: RequestContext, of: { readonly project: number }) {
  const id = pathId(context, 'quarantine_id', 'A quarantine with this number');
  await endQuarantine(context.deps, findProject(context, of), id, context.by);
  return goBack();
}

function findProject(context: RequestContext, of: { readonly project: number }): Project {
  const project = context.projects.find(({ id }) => id === of.project);
  if (project === undefined) throw pageNotFound('A project with this number');
  return project;
}

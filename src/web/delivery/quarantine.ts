import type { VNode } from 'preact';
import { z } from 'zod';
import { quarantineReasonMax } from '../../../schemas/quarantine.ts';
import type { TestCaseModel } from '../../core/page-models/delivery/test-case.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { section } from '../components/elements.ts';
import {
  choicesFromLabels,
  defineForm,
  enteredFields,
  type FormEntry,
  requiredTextField,
  selectField,
  textField,
} from '../components/form.ts';
import { pageLink } from '../components/link.ts';
import { fullTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import type { PageContext } from '../page-context.ts';
import { untrustedText } from './labels.ts';

const periods = { 7: '7 days', 14: '14 days', 30: '30 days', 90: '90 days' };

export const quarantineForm = defineForm({
  reason: requiredTextField('Reason', 'Enter a reason.', { attributes: { maxlength: quarantineReasonMax } }),
  days: selectField('For', z.enum(['7', '14', '30', '90'], 'Choose how long.'), {
    choices: choicesFromLabels(periods),
  }),
  issue: textField('Issue number', { isOptional: true, attributes: { maxlength: 20 } }),
});

/** Null where nobody may quarantine it and nobody has. */
export function quarantinePart(model: TestCaseModel, context: PageContext, entry?: FormEntry): VNode | null {
  const { project, quarantine, case: one } = model;
  const path = `/test-runs/cases/${encodeURIComponent(one.case_id)}/quarantine`;
  const projectField = el('input', { type: 'hidden', name: 'project', value: String(project.project_id) });
  if (quarantine !== null) {
    const end = `${path}/${quarantine.quarantine_id}/remove`;
    return section(
      { id: 'quarantine', title: 'Quarantine' },
      quarantineSentence(quarantine, context),
      actionForm(
        context,
        end,
        null,
        projectField,
        html`<p>${submitButton('End quarantine', { class: 'btn' })}</p>`,
      ),
    );
  }
  if (one.result !== 'failed' && one.result !== 'flaky' && one.case_flaky === null) return null;
  const form = actionForm(
    context,
    path,
    { class: 'stack narrow' },
    projectField,
    ...enteredFields(quarantineForm, entry),
    html`<p>${submitButton('Quarantine test', { class: 'btn' })}</p>`,
  );
  if (form === null) return null;
  return section(
    { id: 'quarantine', title: 'Quarantine' },
    html`<p class="soft">Not in quarantine. In quarantine, failures of a test do not fail the verdict of a release.</p>`,
    html`<details open=${entry !== undefined}><summary>Quarantine this test</summary>${form}</details>`,
  );
}

function quarantineSentence(
  { until, reason, issue_id: issue, created_by: by }: NonNullable<TestCaseModel['quarantine']>,
  context: PageContext,
): Content {
  const link =
    issue === null ? null : [', ', pageLink(context, { path: `/issues/${issue}` }, null, `#${issue}`)];
  return html`<p>
    Failures are excused until ${fullTime(until)}, by ${untrustedText(by)}: ${untrustedText(reason)}${link}
  </p>`;
}

// What assigns and links the issues of a project: ownership rules and its repository.
import type { ProjectTriageModel } from '../../core/page-models/projects/project.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, pageHead } from '../components/elements.ts';
import {
  checkboxField,
  defineForm,
  enteredFields,
  type FormEntry,
  textareaField,
  textField,
} from '../components/form.ts';
import { html } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';

export const triageForm = defineForm({
  rules: textareaField('Ownership rules', {
    hint: 'One per line; the last that matches wins. For example path:src/checkout/* #payments, url:*/cart jane@example.com or tags.sku_class:x #payments.',
    attributes: { rows: 10, maxlength: 20_000, spellcheck: 'false' },
  }),
  assigns: checkboxField('Assign new issues to the first owner'),
  codeowners: textareaField('Import a CODEOWNERS file', {
    isOptional: true,
    hint: 'Its lines are put before the rules. @acme/payments becomes #payments; write members as e-mail addresses.',
    attributes: { rows: 4, maxlength: 20_000, spellcheck: 'false' },
  }),
  repository: textField('Repository URL', {
    isOptional: true,
    hint: 'For example https://github.com/acme/shop. Commits link to it, and issues open its form for a new issue.',
    attributes: { type: 'url', maxlength: 2_048 },
  }),
});

export function projectTriagePage(
  { project, rules, assigns, repository }: ProjectTriageModel,
  context: PageContext,
  entry?: FormEntry,
): PageContent {
  const path = `/projects/${project.project_id}`;
  return {
    title: `Ownership in ${project.name}`,
    breadcrumbs: [
      { name: 'Projects', path: '/projects' },
      { name: project.name, path },
    ],
    main: html`<div class="narrow">
      ${pageHead({ title: ['Ownership in ', bidiIsolated(project.name)] })}
      ${actionForm(
        context,
        `${path}/ownership`,
        { class: 'stack space', novalidate: true },
        ...enteredFields(triageForm, entry, { values: { rules, assigns, repository } }),
        html`<p>${submitButton('Save', { class: 'btn primary' })}</p>`,
      )}
    </div>`,
  };
}

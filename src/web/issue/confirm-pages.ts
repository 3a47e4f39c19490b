import type { ActionLinkModel } from '../../core/page-models/issue/action-requests.ts';
import type { IssueDeletionModel } from '../../core/page-models/issue/find-issue.ts';
import type { IssueHeadModel } from '../../core/page-models/issue/head.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { type DialogForm, formSection } from '../components/dialog-forms.ts';
import { pageHead } from '../components/elements.ts';
import type { FormEntry } from '../components/form.ts';
import { el, html, pageLink } from '../el.ts';
import { counted, untrustedText } from '../formatters.ts';
import { shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { deleteDialogForm, ignoreDialogForm, linkDialogForm } from './dialog-forms.ts';
import { issueSubpage } from './head.ts';
import { issuePath } from './issue-path.ts';
import { stateSentence } from './sentences.ts';

export function linkPage(model: IssueHeadModel, context: PageContext, entry?: FormEntry): PageContent {
  return dialogFormPage(model, context, linkDialogForm(model, entry));
}

export function ignorePage(model: IssueHeadModel, context: PageContext, entry?: FormEntry): PageContent {
  return dialogFormPage(model, context, ignoreDialogForm(model, entry));
}

export function deletePage(model: IssueHeadModel, context: PageContext): PageContent {
  return dialogFormPage(model, context, deleteDialogForm(model));
}

function dialogFormPage(model: IssueHeadModel, context: PageContext, form: DialogForm): PageContent {
  const above = untrustedText(model.issue.title);
  const main = formSection(context, form, { above, from: issuePath(model) });
  return issueSubpage(model, String(form.title), main);
}

/** Another user was faster: shows the current state; nothing was changed. */
export function conflictPage(model: IssueHeadModel, context: PageContext): PageContent {
  const title = 'This issue has changed';
  const main = html`<div class="narrow">
    ${pageHead({ above: untrustedText(model.issue.title), title })}
    <p class="bulletin">Someone changed this issue after you opened the page, so your action was not applied.</p>
    <p class="note">${stateSentence(model, context)}</p>
    <p>${pageLink(context, issuePath(model), { class: 'btn primary' }, 'View issue')}</p>
  </div>`;
  return issueSubpage(model, title, main);
}

/** The issue was deleted, but some of its events are still being removed. */
export function deletingPage({ ending }: IssueDeletionModel, context: PageContext): PageContent {
  const { issue_id: id, events, capped } = ending;
  const title = `#${id} is deleted`;
  const remainingText =
    events === 0 ? 'Its events are deleted; its counts follow.' : eventsLeft(events, capped);
  return {
    title,
    breadcrumbs: [{ name: 'Issues', path: '/issues' }],
    main: html`<div class="narrow">
      ${pageHead({ title })}
      <p class="bulletin">It can no longer be found. ${remainingText}</p>
      <p class="soft">This continues in the background, also after a restart.</p>
      <p class="acts">${pageLink(context, '/issues', { class: 'btn primary' }, 'Back to issues')}</p>
    </div>`,
  };
}

function eventsLeft(events: number, capped: boolean): string {
  return `${counted(events, 'event')}${capped ? ' or more' : ''} of it ${events === 1 ? 'is' : 'are'} still being removed.`;
}

const verbs = { resolve: 'Resolve issue', ignore: 'Ignore issue', mute: 'Mute issue for a day' } as const;
const muteNote =
  'It is ignored for 24 hours, then unresolved again. Its events are still stored and counted.';

/** Asks before it does what a link in a message says. */
export function actionLinkPage(model: ActionLinkModel, context: PageContext, token: string): PageContent {
  const { action, issue_id: id, title, project, status } = model;
  const path = `/issues/${id}`;
  const main = html`<div class="narrow">
    ${pageHead({ title: `${verbs[action]}?` })}
    <p>${pageLink(context, path, null, shortUntrustedText(title, 300))}</p>
    <p class="soft">#${String(id)} in ${shortUntrustedText(project)}, ${status}.</p>
    ${action === 'mute' ? el('p', null, muteNote) : null}
    ${actionForm(
      context,
      `/issue-links/${token}`,
      { class: 'stack space' },
      el('input', { type: 'hidden', name: 'sure', value: 'yes' }),
      html`<p class="acts">
        ${submitButton(verbs[action], { class: 'btn primary' })}
        ${pageLink(context, path, { class: 'btn' }, 'Cancel')}
      </p>`,
    )}
  </div>`;
  return { title: verbs[action], breadcrumbs: [{ name: 'Issues', path: '/issues' }], main };
}

import type { ActionLinkModel } from '../../core/page-models/issue/action-link.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { pageHead } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { el } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { shortUntrustedText } from '../uptime/labels.ts';

const verbs = { resolve: 'Resolve issue', ignore: 'Ignore issue', mute: 'Mute issue for a day' } as const;
const muteNote =
  'It is ignored for 24 hours, then unresolved again. Its events are still stored and counted.';

/** Asks before it does what a link in a message says. */
export function actionLinkPage(model: ActionLinkModel, frame: PageContext, token: string): PageContent {
  const { action, issue_id: id, title, project, status } = model;
  const path = `/issues/${id}`;
  const main = el(
    'div',
    { class: 'narrow' },
    pageHead({ title: `${verbs[action]}?` }),
    el('p', null, pageLink(frame, { path }, null, shortUntrustedText(title, 300))),
    el('p', { class: 'soft' }, '#', String(id), ' in ', shortUntrustedText(project), `, ${status}.`),
    action === 'mute' ? el('p', null, muteNote) : null,
    actionForm(
      frame,
      `/issue-links/${token}`,
      { class: 'stack space' },
      el('input', { type: 'hidden', name: 'sure', value: 'yes' }),
      el(
        'p',
        { class: 'acts' },
        submitButton(verbs[action], { class: 'btn primary' }),
        pageLink(frame, { path }, { class: 'btn' }, 'Cancel'),
      ),
    ),
  );
  return { title: verbs[action], crumbs: [{ name: 'Issues', path: '/issues' }], main };
}

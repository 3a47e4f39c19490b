import type { ActionPreviewModel } from '../../core/page-models/action-previews/action-previews.ts';
import { nameValueList } from '../components/elements.ts';
import { html, pageLink } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const roleTexts: Readonly<Record<ActionPreviewModel['needs'], string>> = {
  viewer: 'every member',
  member: 'members and admins',
  admin: 'admins',
};

export function actionPreviewPage(model: ActionPreviewModel, context: PageContext): PageContent {
  const { act: request, title, what: description, needs: role, back } = model;
  const [path = '/', text = ''] = back.split('?');
  const query = Object.fromEntries(new URLSearchParams(text));
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1><p class="bulletin">${description}</p>
      <p>This is a demo: nothing was changed, and your input was not saved.</p>
      ${nameValueList([
        ['Allowed for', roleTexts[role]],
        ...(request === '' ? [] : [['Request', html`<code>${request}</code>`] as const]),
      ])}
      <p class="acts">
        ${pageLink(context, { path, query }, { class: 'btn primary' }, 'Back to the page')}${' '}
        ${pageLink(context, { path: '/help', hash: 'own' }, { class: 'btn' }, 'Run your own')}
      </p>
    </div>`,
  };
}

import type { EndingModel } from '../../core/workspace/issue/ending.ts';
import type { IssueHeadModel } from '../../core/workspace/issue/head.ts';
import { html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { type Asking, askingPart } from '../parts/asking.ts';
import { outside, pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { deleteAsking, ignoreAsking, mergeAsking } from './asks.ts';
import { crumbsOf } from './head.ts';
import { pathOf } from './path.ts';
import { stateSentence } from './words.ts';

export function mergePage(model: IssueHeadModel, frame: Frame): PageContent {
  return askingPage(model, frame, mergeAsking(model));
}

export function ignorePage(model: IssueHeadModel, frame: Frame): PageContent {
  return askingPage(model, frame, ignoreAsking(model));
}

export function deletePage(model: IssueHeadModel, frame: Frame): PageContent {
  return askingPage(model, frame, deleteAsking(model));
}

function askingPage(model: IssueHeadModel, frame: Frame, asking: Asking): PageContent {
  const path = pathOf(model);
  return {
    title: String(asking.title),
    crumbs: [...crumbsOf(model).slice(0, 2), { name: `#${model.issue.issue_id}`, path }],
    main: askingPart(frame, asking, { above: outside(visible(model.issue.title)), from: path }),
  };
}

/** Another user was faster: shows the current state; nothing was changed. */
export function overtakenPage(model: IssueHeadModel, frame: Frame): PageContent {
  const path = pathOf(model);
  return {
    title: 'This issue has changed',
    crumbs: [...crumbsOf(model).slice(0, 2), { name: `#${model.issue.issue_id}`, path }],
    main: html`<div class="narrow">
      ${pageHead({ above: outside(visible(model.issue.title)), title: 'This issue has changed' })}
      <p class="bulletin">Someone changed this issue after you opened the page, so your action was not applied.</p>
      ${stateSentence(model, frame)}
      <p>${pageLink(frame, { path }, { class: 'btn primary' }, 'View issue')}</p>
    </div>`,
  };
}

/** The issue was deleted, but some of its events are still being removed. */
export function endingPage({ ending }: EndingModel, frame: Frame): PageContent {
  const { issue_id: id, events, capped } = ending;
  const title = `#${id} is deleted`;
  const left = events === 0 ? 'Its events are deleted; its counts follow.' : eventsLeft(events, capped);
  return {
    title,
    crumbs: [{ name: 'Issues', path: '/issues' }],
    main: html`<div class="narrow">
      ${pageHead({ title })}
      <p class="bulletin">It can no longer be found. ${left}</p>
      <p class="soft">This continues in the background, also after a restart.</p>
      <p class="acts">${pageLink(frame, { path: '/issues' }, { class: 'btn primary' }, 'Back to issues')}</p>
    </div>`,
  };
}

function eventsLeft(events: number, capped: boolean): string {
  return `${counted(events, 'event')}${capped ? ' or more' : ''} of it ${events === 1 ? 'is' : 'are'} still being removed.`;
}

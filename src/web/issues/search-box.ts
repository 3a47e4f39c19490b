// The search box of lists of issues: a textarea over a layer that paints its tokens. search.js adds completion.
import type { VNode } from 'preact';
import type { IssueSearchView } from '../../core/page-models/issues/search.ts';
import { submitButton } from '../components/controls.ts';
import { icon } from '../components/icons.ts';
import { type Content, el, html } from '../el.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { type PageContext, type QueryParams, queryEntries } from '../page-context.ts';

export interface SearchBox {
  readonly path: string;
  /** Path of the completions. */
  readonly completions: string;
  readonly label: string;
  readonly search: IssueSearchView;
  /** Sent with the search. */
  readonly preserved: QueryParams;
  readonly beside?: Content;
}

export function searchBox(context: PageContext, box: SearchBox): VNode {
  const { search, preserved, beside = null } = box;
  const hidden = queryEntries({ project: context.project?.id, ...preserved }).map(([name, value]) =>
    el('input', { type: 'hidden', name, value }),
  );
  const area = {
    id: 'q',
    name: 'query',
    rows: 1,
    maxlength: 1000,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    placeholder: 'Search, for example is:unresolved level:error',
    'aria-describedby': search.mistakes.length === 0 ? null : 'q-say',
    'data-complete': `${context.base}${box.completions}`,
  };
  // Attributes of a completing field are set by search.js, because without it there is no list.
  return html`<form class="qrow" method="get" action="${context.base}${box.path}" role="search" aria-label="Issues">
    ${hidden}
    <div class="qwrap">
      <div class="qbox">
        <label class="vh" for="q">${box.label}</label>${icon('search')}
        <div class="qink" aria-hidden="true">${painted(search)}</div>
        ${el('textarea', area, search.text)}
      </div>
      ${mistakes(search)}
    </div>
    ${submitButton('Search')}${beside}
  </form>`;
}

function painted({ text, tokens }: IssueSearchView): Content[] {
  const parts: Content[] = [];
  let at = 0;
  for (const { start, end, is_wrong: isWrong } of tokens) {
    parts.push(text.slice(at, start));
    parts.push(html`<span class=${isWrong ? 'tok bad' : 'tok'}>${text.slice(start, end)}</span>`);
    at = end;
  }
  return [...parts, text.slice(at)];
}

function mistakes({ text, mistakes: all }: IssueSearchView): Content {
  if (all.length === 0) return null;
  const left = html`<span class="soft">It is left out of this search; the rest is applied.</span>`;
  return html`<div id="q-say" role="status">
    ${all.map(({ message, start, end, suggestion }) => {
      const corrected = suggestion === null ? null : text.slice(0, start) + suggestion + text.slice(end);
      return html`<p class="qsay"><span class="wrong">${sentence(message, corrected)}</span> ${left}</p>`;
    })}
  </div>`;
}

/** Names are between backticks. The last one is a button if it corrects the search. */
function sentence(message: string, corrected: string | null): Content[] {
  const parts = message.split('`');
  const lastName = parts.length - (parts.length % 2 === 0 ? 1 : 2);
  return parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const name = html`<code><bdi>${replaceInvisible(part)}</bdi></code>`;
    if (index !== lastName || corrected === null) return name;
    return el('button', { class: 'link', type: 'submit', name: 'corrected', value: corrected }, name);
  });
}

// Environment and date range beside the title of the issue list.
import type { IssueSearchView, IssuesModel } from '../../core/page-models/issues/list.ts';
import { field, menu, queryFields, submitButton } from '../components/controls.ts';
import { icon } from '../components/icons.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import {
  formatDayAndTime,
  formatLocalMinute,
  untrustedCode,
  untrustedText,
  zoneLabel,
} from '../formatters.ts';
import type { PageContext, QueryParams } from '../page-context.ts';
import { issuesQueryParams } from './query.ts';

const path = '/issues';

const rangeTexts: Readonly<Record<string, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '14d': 'Last 14 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

/** `Last 7 days`, or two times for a custom range. */
export function rangeText(range: string): { readonly isLast: boolean; readonly text: string } {
  const known = rangeTexts[range];
  if (known !== undefined) return { isLast: true, text: known };
  const [from = '', to = ''] = range.split('..').map((each) => formatDayAndTime(Date.parse(each)));
  return { isLast: false, text: `${from} to ${to}` };
}

export function issuesToolbar(context: PageContext, model: IssuesModel): Content[] {
  return [...environmentMenu(context, model), rangeMenu(context, model)];
}

function environmentMenu(context: PageContext, { filters, environments }: IssuesModel): Content[] {
  const all = filters.environment === null || environments.includes(filters.environment);
  const known = all ? environments : [...environments, filters.environment ?? ''];
  const choice = (environment: string | null, name: string): VNode =>
    filterItem(
      context,
      issuesQueryParams(filters, { environment }),
      environment === filters.environment,
      untrustedText(name),
    );
  const word = untrustedText(filters.environment ?? 'All environments');
  return menu(
    { id: 'm-env', word, attributes: { class: 'btn small' } },
    html`<ul>${choice(null, 'All environments')}${known.map((each) => choice(each, each))}</ul>`,
  );
}

function filterItem(context: PageContext, query: QueryParams, isCurrent: boolean, word: Content): VNode {
  return html`<li>
    ${pageLink(context, { path, query }, { 'aria-current': isCurrent ? 'true' : null }, word)}
  </li>`;
}

function rangeMenu(context: PageContext, model: IssuesModel): VNode {
  const { filters, typed_range: typed } = model;
  const { text: periodText } = rangeText(filters.range);
  const isWrong = typed !== null && typed.range === null;
  const links = Object.entries(rangeTexts).map(([range, word]) =>
    filterItem(context, issuesQueryParams(filters, { range }), range === filters.range, word),
  );
  // With a mistake the menu is open from the start, which a popover cannot be.
  const popover = isWrong ? {} : { popover: 'auto' };
  const button = { class: 'btn small', type: 'button', popovertarget: isWrong ? null : 'm-range' };
  return html`<div class="relbox">
    <button ...${button}>
      ${icon('clock')}<span>${periodText}<span class="opt">, ${model.time_zone}</span></span>${icon('caret')}
    </button>
    <div class="menu rangemenu" id="m-range" ...${popover}>
      <div class="ranges"><ul>${links}</ul>${rangeForm(context, model)}</div>
    </div>
  </div>`;
}

function rangeForm(context: PageContext, { filters, typed_range: typed, ...model }: IssuesModel): VNode {
  const params = issuesQueryParams(filters, { range: '7d', zone: null });
  const [from, to] = model.range_ends.map((each) => formatLocalMinute(Date.parse(each)));
  // search.js adds the zone of the browser; all are on the page of settings.
  const zones = [...new Set([model.time_zone, 'UTC'])];
  const options = zones.map((zone) =>
    el('option', { value: zone, selected: zone === model.time_zone }, zoneLabel(zone, context.nowMs)),
  );
  return html`<form class="rangeform" method="get" action="${context.base}${path}">
    ${queryFields(context, params)}
    ${field(
      { id: 'r-from', label: 'From', error: typed?.wrong.from ?? null },
      { name: 'from', value: typed?.from ?? from, maxlength: 16, autocomplete: 'off' },
    )}
    ${field(
      { id: 'r-to', label: 'To', error: typed?.wrong.to ?? null },
      { name: 'to', value: typed?.to ?? to, maxlength: 16, autocomplete: 'off' },
    )}
    <div class="field">
      <label for="r-zone">Time zone</label>
      ${el('select', { id: 'r-zone', name: 'zone' }, ...options)}
    </div>
    <p class="acts end">
      ${pageLink(context, { path: '/settings', query: { project: null } }, { class: 'hint' }, 'Other time zones')}
      ${submitButton('Apply')}
    </p>
  </form>`;
}

// The search box of the list: a textarea over a layer that paints its tokens. search.js adds completion.

/** `preserved` is sent with the search. */
export function searchBox(
  context: PageContext,
  search: IssueSearchView,
  preserved: QueryParams,
  aside: Content,
): VNode {
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
    'data-complete': `${context.base}/issues/completions`,
  };
  // Attributes of a completing field are set by search.js, because without it there is no list.
  return html`<form class="qrow" method="get" action="${context.base}${path}" role="search" aria-label="Issues">
    ${queryFields(context, preserved)}
    <div class="qwrap">
      <div class="qbox">
        <label class="vh" for="q">Search issues</label>${icon('search')}
        <div class="qink" aria-hidden="true">${highlighted(search)}</div>
        ${el('textarea', area, search.text)}
      </div>
      ${mistakes(search)}
    </div>
    ${submitButton('Search')}${aside}
  </form>`;
}

function highlighted({ text, tokens }: IssueSearchView): Content[] {
  const content: Content[] = [];
  let at = 0;
  for (const { start, end, is_wrong: isWrong } of tokens) {
    content.push(text.slice(at, start));
    content.push(html`<span class=${isWrong ? 'tok bad' : 'tok'}>${text.slice(start, end)}</span>`);
    at = end;
  }
  return [...content, text.slice(at)];
}

function mistakes({ text, mistakes: all }: IssueSearchView): Content {
  if (all.length === 0) return null;
  const ignoredNote = html`<span class="soft">It is left out of this search; the rest is applied.</span>`;
  return html`<div id="q-say" role="status">
    ${all.map(({ message, start, end, suggestion }) => {
      const corrected = suggestion === null ? null : text.slice(0, start) + suggestion + text.slice(end);
      return html`<p class="qsay"><span class="wrong">${sentence(message, corrected)}</span> ${ignoredNote}</p>`;
    })}
  </div>`;
}

/** Names are between backticks. The last one is a button if it corrects the search. */
function sentence(message: string, corrected: string | null): Content[] {
  const segments = message.split('`');
  const lastName = segments.length - (segments.length % 2 === 0 ? 1 : 2);
  return segments.map((part, index) => {
    if (index % 2 === 0) return part;
    const name = untrustedCode(part);
    if (index !== lastName || corrected === null) return name;
    return el('button', { class: 'link', type: 'submit', name: 'corrected', value: corrected }, name);
  });
}

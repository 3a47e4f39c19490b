import type { VNode } from 'preact';
import { defaultState, type IssueFilters } from '../../core/page-models/issues/filters.ts';
import type { IssuesModel } from '../../core/page-models/issues/list.ts';
import type { Choice } from '../components/controls.ts';
import { pageLink } from '../components/link.ts';
import type { ListFilters, ListTabs } from '../components/list.ts';
import { capitalize } from '../components/mark.ts';
import { html } from '../el.ts';
import { replaceInvisible } from '../formatters/replace-invisible.ts';
import { formatDayAndTime } from '../formatters/times.ts';
import type { PageContext } from '../page-context.ts';
import { issuesQueryParams } from './query.ts';

const path = '/issues';

export function stateTabs({ asked, counts }: IssuesModel): ListTabs {
  const states = ['open', 'new', 'regressed', 'ignored', 'resolved', 'all'] as const;
  return {
    label: 'State',
    name: 'state',
    current: asked.state,
    usual: defaultState,
    query: issuesQueryParams(asked),
    all: states.map((state) => [state, capitalize(state), counts[state]]),
  };
}

const rangeWords: Readonly<Record<string, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};

/** `7 days`, or two times for a custom range. */
export function rangeText(range: string): { readonly last: boolean; readonly word: string } {
  const known = rangeWords[range];
  if (known !== undefined) return { last: true, word: known };
  const [from = '', to = ''] = range.split('..').map((each) => formatDayAndTime(Date.parse(each)));
  return { last: false, word: `${from} to ${to}` };
}

/** Filters without a field are kept as hidden inputs. */
export function issueFilters(context: PageContext, { asked, choices }: IssuesModel): ListFilters {
  const { state, tag, user, sort } = issuesQueryParams(asked);
  const levels = ['fatal', 'error', 'warning', 'info', 'debug'];
  const named = levels.map((level) => ({ value: level, name: capitalize(level) }));
  return {
    label: 'Issues',
    kept: { state, tag, user, sort },
    search: { label: 'Search issues', hint: 'Title, file or function', value: asked.q },
    choices: [
      { name: 'range', label: 'Time range', choices: rangeChoices(asked.range), chosen: asked.range },
      { name: 'level', label: 'Level', any: 'Any level', choices: named, chosen: asked.level },
      {
        name: 'who',
        label: 'Assigned to',
        any: 'Anyone',
        choices: memberChoices(choices, asked.who),
        chosen: asked.who,
      },
      {
        name: 'environment',
        label: 'Environment',
        any: 'Any environment',
        choices: choices.environments,
        chosen: asked.environment,
      },
      {
        name: 'release',
        label: 'Release',
        any: 'Any release',
        choices: releaseChoices(context, choices),
        chosen: asked.release,
      },
    ],
  };
}

function rangeChoices(asked: string): Choice[] {
  const known = Object.entries(rangeWords).map(([value, word]) => ({ value, name: `Last ${word}` }));
  return asked in rangeWords ? known : [...known, { value: asked, name: rangeText(asked).word }];
}

function memberChoices({ members }: IssuesModel['choices'], asked: string | null): Choice[] {
  const you = members.some((member) => member.is_you) ? [{ value: 'me', name: 'Me' }] : [];
  const named = members
    .filter((member) => !member.is_you || String(member.member_id) === asked)
    .map(({ member_id: id, name }) => ({ value: String(id), name: replaceInvisible(name) }));
  return [...you, { value: 'nobody', name: 'Unassigned' }, ...named];
}

/** Several projects may have the version; the filter matches all of them. */
function releaseChoices(frame: PageContext, { releases }: IssuesModel['choices']): Choice[] {
  const versions = Map.groupBy(releases, ({ version }) => version);
  return [...versions].map(([value, of]) => {
    const [first] = of;
    const isAlone = frame.project === null && of.length === 1 && first !== undefined;
    return { value, name: replaceInvisible(isAlone ? `${first.project} ${value}` : value) };
  });
}

/** One link per active filter, which removes it. */
export function filterChips(frame: PageContext, { asked, choices }: IssuesModel): VNode | null {
  const links = chipsOf(asked, choices).map(({ said, without }) =>
    pageLink(
      frame,
      { path, query: issuesQueryParams(asked, without) },
      { 'aria-label': `Without ${said}` },
      html`<bdi>${replaceInvisible(said)}</bdi>`,
      ' ×',
    ),
  );
  return links.length === 0 ? null : html`<p class="chips">${links}</p>`;
}

interface Chip {
  readonly said: string;
  readonly without: Partial<IssueFilters>;
}

function chipsOf(asked: IssueFilters, { members }: IssuesModel['choices']): Chip[] {
  const { q, range, level, environment, release, tag, user, who } = asked;
  const member = members.find(({ member_id: id }) => String(id) === who)?.name ?? who;
  const one = (said: string | null, without: Partial<IssueFilters>): Chip[] =>
    said === null ? [] : [{ said, without }];
  return [
    ...one(q === null ? null : `words: ${q}`, { q: null }),
    ...one(rangeText(range).last ? null : `time: ${rangeText(range).word}`, { range: '7d' }),
    ...one(level === null ? null : `level: ${level}`, { level: null }),
    ...one(environment === null ? null : `environment: ${environment}`, { environment: null }),
    ...one(release === null ? null : `release: ${release}`, { release: null }),
    ...tag.map((each) => ({
      said: each.replace(':', ': '),
      without: { tag: tag.filter((other) => other !== each) },
    })),
    ...one(user === null ? null : `user: ${user}`, { user: null }),
    ...one(who === null ? null : `assigned to: ${member}`, { who: null }),
  ];
}

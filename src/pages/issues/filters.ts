// What narrows the list of issues: tabs, the form, and a chip for each filter that is on.
import type { VNode } from 'preact';
import type { IssuesAsked } from '../../core/workspace/issues/asked.ts';
import type { IssuesModel } from '../../core/workspace/issues/list.ts';
import { el } from '../el.ts';
import type { Frame } from '../frame.ts';
import { askForm, type Choice, searchField, select, submit } from '../parts/controls.ts';
import { tabs } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { capitalized } from '../parts/mark.ts';
import { count } from '../words/numbers.ts';
import { dayAndTime } from '../words/times.ts';
import { visible } from '../words/visible.ts';
import { issuesQuery } from './query.ts';

const path = '/issues';

/** The states, each with how many there are. */
export function stateTabs(frame: Frame, { asked, counts }: IssuesModel): VNode {
  const states = ['open', 'new', 'regressed', 'ignored', 'resolved', 'all'] as const;
  return tabs(
    frame,
    'State',
    states.map((state) => ({
      name: capitalized(state),
      path,
      query: issuesQuery(asked, { state }),
      count: count(counts[state]),
      isCurrent: state === asked.state,
    })),
  );
}

const rangeWords: Readonly<Record<string, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};

/** `7 days`, or the two moments: what follows "in" and "last". */
export function rangeWord(range: string): { readonly last: boolean; readonly word: string } {
  const known = rangeWords[range];
  if (known !== undefined) return { last: true, word: known };
  const [from = '', to = ''] = range.split('..').map((each) => dayAndTime(Date.parse(each)));
  return { last: false, word: `${from} to ${to}` };
}

/** The form: what is not a field of it goes along. */
export function filterForm(frame: Frame, { asked, choices }: IssuesModel): VNode {
  const { state, tag, user, sort } = issuesQuery(asked);
  return askForm(
    frame,
    { path, kept: { state, tag, user, sort }, label: 'Issues' },
    searchField('q', 'Search issues', 'Title, file or function', asked.q),
    ...select({ id: 'range', name: 'range', label: 'Range' }, rangeChoices(asked.range), asked.range),
    ...select(
      { id: 'level', name: 'level', label: 'Level' },
      [
        { value: '', name: 'Any level' },
        ...['fatal', 'error', 'warning', 'info', 'debug'].map((level) => ({
          value: level,
          name: capitalized(level),
        })),
      ],
      asked.level,
    ),
    ...select({ id: 'who', name: 'who', label: 'Assigned to' }, memberChoices(choices, asked.who), asked.who),
    ...select(
      { id: 'environment', name: 'environment', label: 'Environment' },
      withAsked('Any environment', choices.environments.map(choiceOf), asked.environment),
      asked.environment,
    ),
    ...select(
      { id: 'release', name: 'release', label: 'Release' },
      withAsked('Any release', releaseChoices(frame, choices), asked.release),
      asked.release,
    ),
    submit('Apply'),
  );
}

function rangeChoices(asked: string): Choice[] {
  const known = Object.entries(rangeWords).map(([value, word]) => ({ value, name: `Last ${word}` }));
  return asked in rangeWords ? known : [...known, { value: asked, name: rangeWord(asked).word }];
}

function memberChoices({ members }: IssuesModel['choices'], asked: string | null): Choice[] {
  const you = members.some((member) => member.is_you) ? [{ value: 'me', name: 'Me' }] : [];
  const named = members
    .filter((member) => !member.is_you || String(member.member_id) === asked)
    .map(({ member_id: id, name }) => ({ value: String(id), name: visible(name) }));
  return withAsked('Anyone', [...you, { value: 'nobody', name: 'Nobody' }, ...named], asked);
}

/** Two projects may have a release of one name: the filter means both. */
function releaseChoices(frame: Frame, { releases }: IssuesModel['choices']): Choice[] {
  const versions = Map.groupBy(releases, ({ version }) => version);
  return [...versions].map(([value, of]) => {
    const [first] = of;
    const isAlone = frame.project === null && of.length === 1 && first !== undefined;
    return { value, name: visible(isAlone ? `${first.project} ${value}` : value) };
  });
}

function choiceOf(value: string): Choice {
  return { value, name: visible(value) };
}

/** What was asked for and is not among the choices is one nevertheless. */
function withAsked(any: string, choices: readonly Choice[], asked: string | null): Choice[] {
  const isMissing = asked !== null && !choices.some(({ value }) => value === asked);
  return [{ value: '', name: any }, ...choices, ...(isMissing ? [choiceOf(asked)] : [])];
}

/** One link for each filter that is on, which takes it away. */
export function chips(frame: Frame, { asked, choices }: IssuesModel): VNode | null {
  const links = chipsOf(asked, choices).map(({ said, without }) =>
    pageLink(
      frame,
      { path, query: issuesQuery(asked, without) },
      { 'aria-label': `Without ${said}` },
      el('bdi', null, visible(said)),
      ' ×',
    ),
  );
  return links.length === 0 ? null : el('p', { class: 'chips' }, ...links);
}

interface Chip {
  readonly said: string;
  readonly without: Partial<IssuesAsked>;
}

function chipsOf(asked: IssuesAsked, { members }: IssuesModel['choices']): Chip[] {
  const { q, range, level, environment, release, tag, user, who } = asked;
  const member = members.find(({ member_id: id }) => String(id) === who)?.name ?? who;
  const one = (said: string | null, without: Partial<IssuesAsked>): Chip[] =>
    said === null ? [] : [{ said, without }];
  return [
    ...one(q === null ? null : `words: ${q}`, { q: null }),
    ...one(rangeWord(range).last ? null : `time: ${rangeWord(range).word}`, { range: '7d' }),
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

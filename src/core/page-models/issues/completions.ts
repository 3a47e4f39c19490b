import { levels } from '../../../../schemas/event.ts';
import { sum } from '../../parsing/format/numbers.ts';
import { findSearchKey, listSearchKeys, type SearchKey } from '../../search/keys.ts';
import { type RawToken, tokenize } from '../../search/tokens.ts';
import { issueStates, type NamedCount } from '../../store/search-terms.ts';
import { viewedProjectIds } from '../list-params.ts';
import type { RequestContext } from '../request-context.ts';
import { quoted } from './filters.ts';

const choicesMax = 10;
const tagNamesMax = 1_000;
const textCharsMax = 1_000;

interface Completion {
  readonly text: string;
  readonly about: string;
  readonly note: string;
  readonly start: number;
  readonly end: number;
}

interface CompletionGroup {
  readonly name: 'Keys' | 'Values' | 'Tags';
  readonly choices: readonly Completion[];
}

type Offer = Pick<Completion, 'text'> & Partial<Completion>;

export async function completeIssueSearch(context: RequestContext) {
  const text = (context.query.get('query') ?? '').slice(0, textCharsMax);
  const position = Number(context.query.get('at'));
  const at = Number.isInteger(position) ? Math.max(0, Math.min(position, text.length)) : text.length;
  const token = tokenize(text).find(({ start, end }) => start < at && at <= end);
  if (token !== undefined && token.key !== null && at > token.key.end)
    return completeValue(context, token, at);
  const start = token === undefined ? at : token.start + Number(token.negated);
  return completeKey(context, text.slice(start, at), { start, end: token?.end ?? at });
}

type Span = Pick<Completion, 'start' | 'end'>;

async function completeKey(context: RequestContext, typed: string, span: Span) {
  const begins = (name: string): boolean => name.toLowerCase().startsWith(typed.toLowerCase());
  const keys = listSearchKeys('issues');
  const found = keys.filter(({ name, aliases }) => begins(name) || (typed !== '' && aliases.some(begins)));
  const [first] = found;
  const tags =
    typed === '' ? [] : await context.deps.store.listTagNames(viewedProjectIds(context), tagNamesMax);
  const values = typed === '' || first === undefined ? [] : await valuesOf(context, first.name, first, '', 3);
  const groups = [
    group(
      'Keys',
      span,
      found.map(({ name, about }) => ({ text: `${name}:`, about })),
    ),
    group(
      'Values',
      span,
      values.map((value) => ({ ...value, text: `${first?.name}:${value.text}` })),
    ),
    group('Tags', span, tags.filter((tag) => begins(tag) && findSearchKey(tag) === undefined).map(tagOffer)),
  ];
  return { groups: limited(groups) };
}

function tagOffer(tag: string): Offer {
  const text = /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(tag) ? `${tag}:` : `tags[${tag}]:`;
  return { text, about: 'tag' };
}

/** Of a list `[a,b` the value at the cursor. */
async function completeValue(context: RequestContext, token: RawToken, at: number) {
  const name = token.tag ?? token.key?.text ?? '';
  const key = token.tag === null ? findSearchKey(name) : undefined;
  const value = token.values.find(({ start, end }) => start <= at && at <= end);
  const start = value?.start ?? at;
  const typed = (value?.text ?? '').slice(0, at - start);
  const values = await valuesOf(context, name, key, typed.replace(/^"/, ''), choicesMax);
  return { groups: limited([group('Values', { start, end: value?.end ?? at }, values)]) };
}

async function valuesOf(
  context: RequestContext,
  name: string,
  key: SearchKey | undefined,
  typed: string,
  limit: number,
): Promise<Offer[]> {
  const { store } = context.deps;
  const ids = viewedProjectIds(context);
  const counted = (found: readonly NamedCount[]): Offer[] =>
    found.map(({ name: value, count }) => ({
      text: quoted(value),
      note: count === 1 ? '1 issue' : `${count} issues`,
    }));
  const begins = (word: string): boolean => word.toLowerCase().startsWith(typed.toLowerCase());
  const words = (all: readonly string[]): Offer[] =>
    all.filter(begins).map((word) => ({ text: quoted(word) }));
  const meaning = key?.meaning;
  if (meaning === undefined) return counted(await store.listTagValues(ids, name, typed, limit));
  if (meaning.is === 'tag') return counted(await store.listTagValues(ids, meaning.tag, typed, limit));
  if (meaning.is === 'is') return words([...issueStates, 'linked', 'unlinked']);
  if (meaning.is === 'level') return words(levels);
  if (meaning.is === 'flag') return words(['true', 'false']);
  if (meaning.is === 'has') return words(['release', 'environment', 'user', 'assigned', 'link']);
  if (meaning.is === 'time') return words(['-1h', '-24h', '-7d', '-30d']);
  if (meaning.is === 'number') return words(['>10', '>100', '>1000']).map(unquoted);
  if (meaning.is === 'assigned') {
    const [members, teams] = await Promise.all([store.listMembers(context.nowMs), store.listTeams()]);
    const names = [...members.map(({ name }) => name), ...teams.map((team) => `#${team.name}`)];
    return words(['me', 'my_teams', 'none', ...names]);
  }
  if (meaning.is === 'project') return words(context.projects.map(({ name }) => name));
  if (meaning.is !== 'pattern' || (meaning.field !== 'release' && meaning.field !== 'environment')) return [];
  const placeNames = counted(await store.listPlaceNames(ids, meaning.field, typed, limit));
  return meaning.field === 'release' ? [...words(['latest']), ...placeNames] : placeNames;
}

function unquoted({ text }: Offer): Offer {
  return { text: text.replaceAll('"', '') };
}

function group(name: CompletionGroup['name'], span: Span, offers: readonly Offer[]): CompletionGroup {
  return { name, choices: offers.map((offer) => ({ about: '', note: '', ...offer, ...span })) };
}

/** At most ten rows, of which each group that has any gets some. */
function limited(groups: readonly CompletionGroup[]): CompletionGroup[] {
  let remaining = choicesMax;
  const filled = groups.filter(({ choices }) => choices.length > 0);
  return filled.map((each, index) => {
    const reserved = sum(filled.slice(index + 1).map(({ choices }) => Math.min(3, choices.length)));
    const choices = each.choices.slice(0, Math.max(0, remaining - reserved));
    remaining -= choices.length;
    return { ...each, choices };
  });
}

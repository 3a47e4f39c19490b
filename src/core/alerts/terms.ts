import { levels } from '../../../schemas/event.ts';
import type { AlertSignal, SignalKind } from '../store/alerting.ts';
import type { RuleFilter, RuleTerms } from '../store/alerts.ts';
import type { OpenedSeverity } from '../store/incidents/incidents.ts';
import { kinds } from './messages/kinds.ts';

export interface RuleWords {
  readonly name: string;
  readonly sentence: string;
  readonly terms: RuleTerms;
}

/** Defaults: the first message is sent by itself, what follows within a minute is grouped. */
export function usualRule(
  kind: SignalKind,
  said: {
    readonly name?: string;
    readonly limit?: RuleTerms['limit'];
    readonly filters?: readonly RuleFilter[];
    readonly foldOver?: number;
    readonly opensIncident?: OpenedSeverity | null;
  } = {},
): RuleWords {
  const [subject, event] = kind.split('.') as [RuleTerms['subject'], RuleTerms['event']];
  const filters = said.filters ?? [];
  const limit = kinds[kind].limit === null ? null : (said.limit ?? kinds[kind].limit);
  return {
    name: said.name ?? kinds[kind].name,
    sentence: sentenceOf(kinds[kind].sentence(limit), filters),
    terms: {
      subject,
      event,
      limit,
      filters,
      everyMs: 0,
      foldOver: said.foldOver ?? 1,
      ...(said.opensIncident == null ? {} : { opensIncident: said.opensIncident }),
    },
  };
}

export function asksFor(kind: SignalKind, signal: AlertSignal): boolean {
  // There is no signal of its own: it is a new issue with a release.
  if (kind === 'issue.first_of_release') return signal.kind === 'issue.is_new' && signal.release !== null;
  return kind === signal.kind;
}

export const usualKinds: readonly SignalKind[] = ['issue.is_new', 'issue.came_back'];

export function kindOf({ subject, event }: Pick<RuleTerms, 'subject' | 'event'>): SignalKind {
  return `${subject}.${event}` as SignalKind;
}

export const relationWords: Readonly<Record<RuleFilter['is'], string>> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  at_least: 'is at least',
};

function sentenceOf(happens: string, filters: readonly RuleFilter[]): string {
  const conditions = filters.map(({ field, name, is, value }) =>
    field === 'project' && is === 'is'
      ? `in ${value}`
      : `${name === '' ? field : name} ${relationWords[is]} ${value}`,
  );
  return [happens, ...conditions].join(', ');
}

type Asked = Pick<AlertSignal, 'environment' | 'release' | 'level'>;

export interface SignalFacts {
  readonly project: string;
  readonly tags: ReadonlyArray<readonly [string, string]>;
}

export function holdsFor(filters: readonly RuleFilter[], signal: Asked, facts: SignalFacts): boolean {
  return filters.every((filter) => filterHolds(filter, valuesOf(filter, signal, facts)));
}

function valuesOf({ field, name }: RuleFilter, signal: Asked, { project, tags }: SignalFacts): string[] {
  if (field === 'tag') return tags.filter(([tag]) => tag === name).map(([, value]) => value);
  const value = field === 'project' ? project : signal[field];
  return value === null ? [] : [value];
}

function filterHolds({ is, value, field }: RuleFilter, values: readonly string[]): boolean {
  if (is === 'is_not') return !values.includes(value);
  if (is === 'contains') return values.some((each) => each.toLowerCase().includes(value.toLowerCase()));
  if (is === 'at_least' && field === 'level') return values.some((each) => rank(each) >= rank(value));
  return values.includes(value);
}

function rank(level: string): number {
  return levels.indexOf(level as (typeof levels)[number]);
}

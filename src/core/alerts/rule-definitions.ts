import { levels } from '../../../schemas/event.ts';
import type { AlertSignal, SignalKind } from '../store/alert-records.ts';
import type { RuleConditions, RuleFilter } from '../store/alerts.ts';
import type { AutomaticSeverity } from '../store/incidents.ts';
import { isIssueRule, ruleKindTexts } from './messages/rule-kinds.ts';

export type RuleDefinition = ReturnType<typeof createRuleDefinition>;

/** Defaults: the first message is sent by itself, what follows within a minute is grouped. */
export function createRuleDefinition(
  kind: SignalKind,
  overrides: {
    readonly name?: string;
    readonly limit?: RuleConditions['limit'];
    readonly filters?: readonly RuleFilter[];
    readonly groupThreshold?: number;
    readonly opensIncident?: AutomaticSeverity | null;
  } = {},
) {
  const [subject, event] = kind.split('.') as [RuleConditions['subject'], RuleConditions['event']];
  const filters = overrides.filters ?? [];
  const limit = ruleKindTexts[kind].limit === null ? null : (overrides.limit ?? ruleKindTexts[kind].limit);
  return {
    name: overrides.name ?? ruleKindTexts[kind].name,
    sentence: describeRule(ruleKindTexts[kind].sentence(limit), filters),
    conditions: {
      subject,
      event,
      limit,
      filters,
      everyMs: 0,
      groupThreshold: overrides.groupThreshold ?? 1,
      ...(overrides.opensIncident == null ? {} : { opensIncident: overrides.opensIncident }),
    },
  };
}

export function ruleKindMatches(kind: SignalKind, signal: AlertSignal): boolean {
  // There is no signal of its own: it is a new issue with a release.
  if (kind === 'issue.first_of_release') return signal.kind === 'issue.is_new' && signal.release !== null;
  return kind === signal.kind;
}

export const defaultRuleKinds: readonly SignalKind[] = ['issue.is_new', 'issue.came_back'];

export function ruleKindOf({ subject, event }: Pick<RuleConditions, 'subject' | 'event'>): SignalKind {
  return `${subject}.${event}` as SignalKind;
}

export const filterOperatorText: Readonly<Record<RuleFilter['is'], string>> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  at_least: 'is at least',
};

function describeRule(happens: string, filters: readonly RuleFilter[]): string {
  const conditions = filters.map(({ field, name, is, value }) =>
    field === 'project' && is === 'is'
      ? `in ${value}`
      : `${name === '' ? field : name} ${filterOperatorText[is]} ${value}`,
  );
  return [happens, ...conditions].join(', ');
}

export function findFilterError(kind: SignalKind, filters: readonly RuleFilter[]): string | null {
  const has = (field: RuleFilter['field']): boolean => filters.some((each) => each.field === field);
  if (has('assignee') && !isIssueRule(kind))
    return 'Only rules about issues can have a condition on assignee.';
  if (has('mentioned') && kind !== 'issue.mentioned') {
    return 'Only issue.mentioned can have a condition on mentioned.';
  }
  return null;
}

type FilteredFields = Pick<AlertSignal, 'environment' | 'release' | 'level'>;

export interface SignalFacts {
  readonly project: string;
  readonly tags: ReadonlyArray<readonly [string, string]>;
  /** Of an issue: names and addresses of the assignee, and of those whom a comment mentions. */
  readonly assignee?: readonly string[];
  readonly mentioned?: readonly string[];
}

export function filtersMatch(
  filters: readonly RuleFilter[],
  signal: FilteredFields,
  facts: SignalFacts,
): boolean {
  return filters.every((filter) => filterMatches(filter, valuesOf(filter, signal, facts)));
}

function valuesOf(
  { field, name }: RuleFilter,
  signal: FilteredFields,
  { project, tags, assignee = [], mentioned = [] }: SignalFacts,
): readonly string[] {
  if (field === 'tag') return tags.filter(([tag]) => tag === name).map(([, value]) => value);
  if (field === 'assignee') return assignee;
  if (field === 'mentioned') return mentioned;
  const value = field === 'project' ? project : signal[field];
  return value === null ? [] : [value];
}

function filterMatches({ is, value, field }: RuleFilter, values: readonly string[]): boolean {
  if (is === 'is_not') return !values.includes(value);
  if (is === 'contains') return values.some((each) => each.toLowerCase().includes(value.toLowerCase()));
  if (is === 'at_least' && field === 'level')
    return values.some((each) => levelRank(each) >= levelRank(value));
  return values.includes(value);
}

function levelRank(level: string): number {
  return levels.indexOf(level as (typeof levels)[number]);
}

// Terms of a search in SQL, over rows of issues. A merged issue counts for the one it was merged into.
import type {
  AssigneeTerm,
  HasField,
  IssueStateName,
  NumberRange,
  Pattern,
  ProjectRelease,
  ResolvedTerm,
} from '../../src/core/store/search-terms.ts';
import { environmentSet, levelSet, type Range, releaseSet, tagSet, userSet } from './facts.ts';
import { textCondition, valueCondition } from './patterns.ts';
import { bind, bindList, type Statement } from './statement.ts';

export interface TermScope {
  readonly projects: string;
  readonly range: Range | null;
  /** The statement has a condition on `issues.id` already. */
  readonly hasIssueSet?: boolean;
}

export function termConditions(
  statement: Statement,
  terms: readonly ResolvedTerm[],
  scope: TermScope,
): string[] {
  const isWord = (term: ResolvedTerm): boolean => term.field === 'text' && !term.negated;
  const words = terms.filter(isWord).flatMap((term) => (term.field === 'text' ? [term.patterns] : []));
  const conditions: string[] = [];
  // A negated set is no constraint of an index.
  const next = (): TermScope => {
    const hasIssueSet = scope.hasIssueSet || conditions.some((each) => /^\(*issues\.id IN/.test(each));
    return { ...scope, hasIssueSet };
  };
  for (const term of terms.filter((each) => !isWord(each))) {
    conditions.push(`${term.negated ? 'NOT ' : ''}(${conditionOf(statement, term, next())})`);
  }
  const each = words.map((patterns) => textCondition(statement, 'text', patterns));
  return each.length === 0 ? conditions : [...conditions, inSearchText(statement, each, next())];
}

function inSearchText(statement: Statement, conditions: readonly string[], scope: TermScope): string {
  const words = conditions.join(' AND ');
  const set = `SELECT issue_id FROM issue_search WHERE project_id IN (${scope.projects}) AND ${words}`;
  return inIssueSet(statement, set, scope);
}

const columns = {
  events: 'issues.events_count',
  users: 'issues.users_count',
  first_seen: 'issues.first_seen_ms',
  last_seen: 'issues.last_seen_ms',
  platform: 'issues.platform',
  transaction: 'issues.culprit',
} as const;

const neverTrue = '1 = 0';

function conditionOf(statement: Statement, term: ResolvedTerm, scope: TermScope): string {
  const { projects, range } = scope;
  const inSet = (set: string): string => inIssueSet(statement, set, scope);
  switch (term.field) {
    case 'is':
      return term.states.map((state) => states[state]).join(' OR ');
    case 'text':
    case 'message':
    case 'type':
    case 'file':
    case 'function':
      return inSearchText(statement, [textCondition(statement, term.field, term.patterns)], scope);
    case 'level':
      return either(term.levels, (level) => inSet(levelSet(statement, projects, range, level)));
    case 'tag': {
      const value = (column: string): string => tagValue(statement, column, term.patterns, term.isName);
      return inSet(tagSet(statement, projects, range, term.tag, value));
    }
    case 'has_tag':
      return inSet(tagSet(statement, projects, range, term.tag, () => '1 = 1'));
    case 'release':
      return inSet(releaseSet(projects, range, (column) => valueCondition(statement, column, term.patterns)));
    case 'environment':
      return inSet(
        environmentSet(projects, range, (column) => valueCondition(statement, column, term.patterns)),
      );
    case 'latest_release':
      return latestRelease(statement, term.releases, scope);
    case 'latest_first':
      return either(term.releases, ({ projectId, release }) => {
        const ofProject = `issues.project_id = ${bind(statement, projectId)}`;
        return `${ofProject} AND COALESCE(issues.first_release = ${bind(statement, release)}, ${neverTrue})`;
      });
    case 'project':
      return `issues.project_id IN (${bindList(statement, term.ids)})`;
    case 'first_release':
      return `COALESCE(${valueCondition(statement, 'issues.first_release', term.patterns)}, ${neverTrue})`;
    case 'platform':
    case 'transaction':
      return valueCondition(statement, columns[term.field], term.patterns);
    case 'user_hashes':
      return term.hashes.length === 0 ? neverTrue : inSet(userSet(statement, projects, range, term.hashes));
    case 'assigned':
      return assignedTo(statement, term.to);
    case 'issue':
      return ofIssues(bindList(statement, term.ids));
    case 'events':
    case 'users':
    case 'first_seen':
    case 'last_seen':
      return rangeCondition(statement, columns[term.field], term.ranges);
    case 'has':
      return has(statement, term.what, scope);
    // Keys of events alone: the parser takes none of them in a search for issues.
    default:
      return neverTrue;
  }
}

const states: Readonly<Record<IssueStateName, string>> = {
  unresolved: "issues.status = 'unresolved'",
  resolved: "issues.status = 'resolved'",
  ignored: "issues.status = 'ignored'",
  new: isUnresolved('new'),
  ongoing: isUnresolved('ongoing'),
  regressed: isUnresolved('regressed'),
  for_review: isUnresolved('new', 'regressed'),
  assigned: '(issues.assigned_to IS NOT NULL OR issues.assigned_team IS NOT NULL)',
  unassigned: '(issues.assigned_to IS NULL AND issues.assigned_team IS NULL)',
};

function isUnresolved(...substatuses: string[]): string {
  // COALESCE, because NULL is neither true nor, negated, false.
  const names = substatuses.map((name) => `'${name}'`).join(', ');
  return `(issues.status = 'unresolved' AND COALESCE(issues.substatus, '') IN (${names}))`;
}

function either<Value>(values: readonly Value[], conditionOfValue: (value: Value) => string): string {
  return values.length === 0 ? neverTrue : values.map((value) => `(${conditionOfValue(value)})`).join(' OR ');
}

/**
 * `set` selects ids of issues, merged ones too. From a second set on, `+` keeps SQLite from looking up each pair
 * of two sets in an index.
 */
function inIssueSet({ dbms }: Statement, set: string, { hasIssueSet }: TermScope): string {
  return `${dbms === 'sqlite' && hasIssueSet ? '+' : ''}issues.id IN (SELECT COALESCE(part.merged_into, part.id) FROM (${set}) AS fit
    JOIN issues part ON part.id = fit.issue_id)`;
}

function ofIssues(placeholders: string): string {
  return `issues.id IN (${placeholders}) OR issues.id IN
    (SELECT part.merged_into FROM issues part WHERE part.merged_into IS NOT NULL AND part.id IN (${placeholders}))`;
}

function tagValue(statement: Statement, column: string, patterns: readonly Pattern[], isName: boolean) {
  const versioned = patterns.map((pattern) => [...pattern.slice(0, -1), `${pattern.at(-1)} `, '']);
  return valueCondition(statement, column, isName ? [...patterns, ...versioned] : patterns);
}

function latestRelease(statement: Statement, releases: readonly ProjectRelease[], scope: TermScope): string {
  return either(releases, ({ projectId, release }) => {
    const version = bind(statement, release);
    const set = releaseSet(bind(statement, projectId), scope.range, (column) => `${column} = ${version}`);
    return inIssueSet(statement, set, scope);
  });
}

function assignedTo(statement: Statement, assignees: readonly AssigneeTerm[]): string {
  if (assignees.length === 0) return neverTrue;
  const oneOf = (column: string, ids: readonly number[]): string[] =>
    ids.length === 0 ? [] : [`COALESCE(${column}, 0) IN (${bindList(statement, ids)})`];
  return [
    ...oneOf(
      'issues.assigned_to',
      assignees.filter((each) => typeof each === 'number'),
    ),
    ...oneOf(
      'issues.assigned_team',
      assignees.flatMap((each) => (typeof each === 'object' ? [each.team] : [])),
    ),
    ...(assignees.includes('nobody') ? [states.unassigned] : []),
  ].join(' OR ');
}

export function rangeCondition(statement: Statement, column: string, ranges: readonly NumberRange[]): string {
  return either(ranges, ({ from, to: last }) =>
    [
      ...(from === null ? [] : [`${column} >= ${bind(statement, from)}`]),
      ...(last === null ? [] : [`${column} <= ${bind(statement, last)}`]),
    ].join(' AND '),
  );
}

function has(statement: Statement, field: HasField, scope: TermScope): string {
  const { projects, range } = scope;
  const inSet = (set: string): string => inIssueSet(statement, set, scope);
  switch (field) {
    case 'release':
      return inSet(releaseSet(projects, range, (column) => `${column} <> ''`));
    case 'environment':
      return inSet(environmentSet(projects, range, (column) => `${column} <> ''`));
    case 'user':
      // At any time: the events of each user would have to be read.
      return 'issues.users_count > 0';
    case 'assigned':
      return states.assigned;
    case 'link':
      return inSet(`SELECT issue_id FROM issue_links WHERE project_id IN (${projects})`);
    default:
      return neverTrue;
  }
}

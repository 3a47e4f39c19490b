// Search among an issue's events: columns in SQL, tags and texts in the newest stored bodies.
import { foldCase } from '../../src/core/parsing/fold-text.ts';
import { listSearchedParts, matchesPattern } from '../../src/core/parsing/search-text-form.ts';
import { type EventFilter, type EventTagsAndText, searchedBodiesMax } from '../../src/core/store/events.ts';
import type { Pattern, ResolvedTerm } from '../../src/core/store/search-terms.ts';
import type { Db, SqlValue } from '../db.ts';
import { readTagsAndText } from '../issues/tags/stored-tags.ts';
import { valueCondition } from '../searching/patterns.ts';
import { bindList, type Statement } from '../searching/statement.ts';
import { rangeCondition } from '../searching/terms.ts';

type BodyTerm = Extract<
  ResolvedTerm,
  { readonly field: 'text' | 'message' | 'type' | 'file' | 'function' | 'tag' | 'has_tag' }
>;

export function isBodyTerm(term: ResolvedTerm): term is BodyTerm {
  return ['text', 'message', 'type', 'file', 'function', 'tag', 'has_tag'].includes(term.field);
}

/** Over rows of events; `values` end with those of the conditions. */
export function eventConditions({ dbms }: Db, terms: readonly ResolvedTerm[], values: SqlValue[]): string[] {
  const statement: Statement = { dbms, values, sets: [] };
  return terms
    .filter((term) => !isBodyTerm(term))
    .map((term) => `COALESCE(${conditionOf(statement, term)}, 1 = 0) ${term.negated ? '= (1 = 0)' : ''}`);
}

const columns = {
  platform: 'events.platform',
  transaction: 'events.culprit',
  release: 'events.release',
  environment: 'events.environment',
  dist: 'events.dist',
  'sdk.name': 'events.sdk_name',
  id: 'events.event_id',
} as const;

function conditionOf(statement: Statement, term: ResolvedTerm): string {
  switch (term.field) {
    case 'level':
      return `events.level IN (${bindList(statement, term.levels)})`;
    case 'latest_release': {
      const releases = term.releases.map(({ release }) => release);
      return releases.length === 0 ? '1 = 0' : `events.release IN (${bindList(statement, releases)})`;
    }
    case 'project':
      return `events.project_id IN (${bindList(statement, term.ids)})`;
    case 'user_hashes': {
      if (term.hashes.length === 0) return '1 = 0';
      const placeholders = bindList(statement, term.hashes);
      return `(events.user_hash IN (${placeholders}) OR events.user_hash IN
        (SELECT user_hash FROM user_keys WHERE project_id = $1 AND key_hash IN (${placeholders})))`;
    }
    case 'received':
      return `(${rangeCondition(statement, 'events.received_at_ms', term.ranges)})`;
    case 'has':
      return term.what === 'assigned'
        ? '1 = 0'
        : `events.${term.what === 'user' ? 'user_hash' : term.what} IS NOT NULL`;
    default:
      return term.field in columns && 'patterns' in term
        ? valueCondition(statement, columns[term.field as keyof typeof columns], term.patterns)
        : '1 = 0';
  }
}

const batch = 250;

/** Rows that fit, in the order asked for, of the newest events that `where` leaves. */
export async function findByBody(
  db: Db,
  projectId: number,
  where: string,
  values: readonly SqlValue[],
  { terms = [], descending }: Pick<EventFilter, 'terms' | 'descending'>,
): Promise<number[]> {
  const rows = await db.all<{ id: number }>(
    `SELECT id FROM events WHERE ${where} ORDER BY received_at_ms DESC, id DESC LIMIT $${values.length + 1}`,
    [...values, searchedBodiesMax],
  );
  const ids = rows.map(({ id }) => id);
  const bodyTerms = terms.filter(isBodyTerm);
  const found: number[] = [];
  for (let at = 0; at < ids.length; at += batch) {
    const part = ids.slice(at, at + batch);
    const texts = await readTagsAndText(db, projectId, part);
    found.push(...part.filter((id) => bodyTerms.every((term) => isFulfilled(term, texts.get(id)))));
  }
  return descending ? found : found.reverse();
}

function isFulfilled(term: BodyTerm, event: EventTagsAndText = { tags: [], text: '' }): boolean {
  return matches(term, event) !== term.negated;
}

function matches(term: BodyTerm, { tags, text }: EventTagsAndText): boolean {
  switch (term.field) {
    case 'has_tag':
      return tags.some(([name]) => name === term.tag);
    case 'tag': {
      const values = tags.flatMap(([name, value]) => (name === term.tag ? [value] : []));
      return values.some((value) => term.patterns.some((pattern) => isValue(value, pattern, term.isName)));
    }
    default: {
      const pairs = tags.map(([name, value]) => `${name}:${value}`).join('\n');
      const folded = foldCase(term.field === 'text' ? `${text}\n${pairs}` : text);
      return term.patterns.some((pattern) =>
        matchesPattern(folded, listSearchedParts(term.field, pattern.map(foldCase))),
      );
    }
  }
}

function isValue(value: string, pattern: Pattern, isName: boolean): boolean {
  if (pattern.length === 1 && value === pattern[0]) return true;
  const versioned = isName ? [[...pattern.slice(0, -1), `${pattern.at(-1)} `, '']] : [];
  const wild = [...(pattern.length > 1 ? [pattern] : []), ...versioned];
  return wild.some((each) =>
    matchesPattern(
      value.toLowerCase(),
      each.map((part) => part.toLowerCase()),
    ),
  );
}

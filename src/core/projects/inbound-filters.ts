import {
  type FilterList,
  filterLists,
  filterSwitches,
  type InboundFilters,
  type InboundFiltersRequest,
} from '../../../schemas/inbound-filters.ts';
import { audited } from '../audit/audit.ts';
import { projectAuditEvent } from '../audit/events.ts';
import { createNotFoundError } from '../errors.ts';
import { formatCountWithNoun } from '../parsing/format/numbers.ts';
import type { Project } from '../store/projects.ts';

const noFilters: InboundFilters = {
  browser_extensions: false,
  web_crawlers: false,
  localhost: false,
  legacy_browsers: false,
  releases: [],
  error_messages: [],
  ip_addresses: [],
};

export function viewInboundFilters({ inboundFilters }: Project): InboundFilters {
  return { ...noFilters, ...inboundFilters };
}

/** What `input` does not name stays. Answers the project as it is then; 404 if it was deleted. */
export const updateInboundFilters = audited(
  async ({ store }, { id }: Project, input: InboundFiltersRequest) => {
    const before = await store.findProject(id);
    if (before === null) throw createNotFoundError('project');
    const was = viewInboundFilters(before);
    const inboundFilters = mergeInboundFilters(was, input);
    const next = inboundFilters ?? noFilters;
    if (JSON.stringify(next) === JSON.stringify(was)) return { result: before, auditEvent: null };
    const result = await store.changeProject(id, { inboundFilters });
    if (result === null) throw createNotFoundError('project');
    return { result, auditEvent: projectAuditEvent(result, 'project.filters_changed', summaryOf(was, next)) };
  },
);

/** Null where all are off then. */
export function mergeInboundFilters(
  was: InboundFilters | null,
  input: InboundFiltersRequest,
): InboundFilters | null {
  const before = was ?? noFilters;
  const switches = filterSwitches.map((name) => [name, input[name] ?? before[name]] as const);
  const lists = filterLists.map((name) => {
    const entries = input[name]?.map((entry) => entry.trim()) ?? before[name];
    return [name, [...new Set(entries)]] as const;
  });
  const merged = {
    ...noFilters,
    ...Object.fromEntries<boolean | readonly string[]>([...switches, ...lists]),
  };
  return JSON.stringify(merged) === JSON.stringify(noFilters) ? null : merged;
}

const listWords: Readonly<Record<FilterList, readonly [one: string, many: string]>> = {
  releases: ['release', 'releases'],
  error_messages: ['message', 'messages'],
  ip_addresses: ['IP address', 'IP addresses'],
};

/** Numbers only for lists: a message or an address may be personal, and the audit log is kept. */
function summaryOf(was: InboundFilters, next: InboundFilters): string {
  const switched = filterSwitches
    .filter((name) => was[name] !== next[name])
    .map((name) => `${name} ${next[name] ? 'on' : 'off'}`);
  const listed = filterLists
    .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(next[name]))
    .map((name) => formatCountWithNoun(next[name].length, ...listWords[name]));
  return [...switched, ...listed].join(', ');
}

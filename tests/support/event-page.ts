import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { NormalizedEvent } from '../../schemas/event.ts';
import { buildTitle } from '../../src/core/events/title.ts';
import { viewEvent } from '../../src/core/events/views.ts';
import { computeFingerprint, explainGrouping } from '../../src/core/grouping/fingerprint.ts';
import { viewGrouping } from '../../src/core/grouping/group-event.ts';
import type { IssueEventModel } from '../../src/core/page-models/issue/event.ts';
import { maskUser } from '../../src/core/page-models/issue/event.ts';
import { issueEventPage } from '../../src/web/issue/tabs.ts';
import { renderDocument } from '../../src/web/layout/document.ts';
import type { PageContext } from '../../src/web/page-context.ts';
import { eventId, normalized, receivedAtMs } from './events.ts';

const at = new Date(receivedAtMs).toISOString();

/** A page frame for a member with all permissions on issue 1. */
export function frameOf(query = ''): PageContext {
  return {
    base: '',
    assets: { css: '/a.css', js: '/a.js', icon: '/a.svg' },
    version: '1',
    timeZone: 'UTC',
    hasShortcuts: true,
    nowMs: receivedAtMs + 60_000,
    currentUser: { name: 'Ines', canAct: true, canManage: true, csrfToken: 't' },
    projects: [{ id: 1, name: 'shop' }],
    project: null,
    counts: {},
    jsonPath: null,
    path: '/issues/1',
    query: new URLSearchParams(query),
    notice: null,
  };
}

export function viewOf(event: NormalizedEvent) {
  const grouping = computeFingerprint(event);
  const stored = {
    eventId,
    issueId: 1,
    receivedAtMs,
    timestampMs: receivedAtMs - 400,
    level: event.level,
    platform: event.platform,
    title: buildTitle(event),
    culprit: '',
    release: null,
    dist: null,
    environment: null,
    sdkName: null,
    sdkVersion: null,
    domain: null,
    scrubbedCount: 2,
    needsMapping: true,
    payload: JSON.stringify(event),
    grouping,
    errors: [{ type: 'value_too_long', name: 'exception' }],
    attachments: [],
    olderEventId: null,
    newerEventId: null,
  };
  return { view: viewEvent(stored, (path) => path), grouping };
}

export function modelOf(event: NormalizedEvent): IssueEventModel {
  const { view, grouping } = viewOf(event);
  return {
    issue: {
      issue_id: 1,
      title: view.title,
      culprit: view.culprit,
      level: view.level,
      platform: view.platform,
      status: 'unresolved',
      substatus: 'new',
      resolution: null,
      ignore: null,
      events: 1,
      users: 1,
      users_capped: false,
      regressions: 0,
      first_seen: at,
      last_seen: at,
      first_release: null,
      last_release: null,
      merged_into: null,
      overflow: false,
      project: { project_id: 1, name: 'shop' },
      state_changed: at,
      assigned_to: null,
      grouping: { ...viewGrouping(grouping), hash: grouping.hash },
    },
    asked_id: 1,
    state_by: null,
    resolved_by: null,
    stored: { events: 1, capped: false, newest_event_id: eventId, oldest_event_id: eventId },
    reports: { count: 0, newest: null },
    days: [{ day: at.slice(0, 10), events: 1 }],
    releases: [],
    release_ids: {},
    merges: [],
    tag_count: 0,
    history_entries: 0,
    similar: [],
    members: [],
    teams: [],
    suspect_commit: null,
    links: [],
    suggested: [],
    new_link_url: null,
    tab: 'event',
    shown: {
      event: maskUser(view),
      hash: grouping.hash,
      grouping_parts: explainGrouping(event, grouping.hash),
      received_after_ms: 400,
      tag_spread: [],
      user_seen: null,
      failed_tests: null,
    },
    asked_event: 'latest',
    history: { entries: [], older: null },
  };
}

export function pageOf(raw: unknown, query = ''): string {
  const frame = frameOf(query);
  return renderDocument(issueEventPage(modelOf(normalized(raw)), frame), frame);
}

const elements = new Set(
  `html head meta title link script body a div header nav svg path use symbol defs pattern button span ul li form
   label input h1 h2 h3 h4 fieldset legend main p b bdi code strong small dl dt dd figure figcaption g rect line text
   details summary table caption thead tbody tr th td ol pre mark section aside textarea footer time kbd br
   dialog select option hr`.split(/\s+/),
);
const attributesMax = /^(?!on|style$|srcdoc$)/;

/** All text of a page; throws for unexpected elements and attributes. */
export function textOf(html: string): string {
  const texts: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('value' in node) texts.push(node.value);
    if ('tagName' in node) {
      if (!elements.has(node.tagName)) throw new Error(`<${node.tagName}> is none of ours`);
      for (const { name, value } of node.attrs) {
        if (!attributesMax.test(name)) throw new Error(`${name} is no attribute of ours`);
        if (name === 'href' && !/^[/#]/.test(value)) throw new Error(`a link leads to ${value}`);
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
  };
  walk(parse(html));
  return texts.join('');
}

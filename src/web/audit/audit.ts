import type { AuditEntryView, AuditPage } from '../../core/page-models/audit.ts';
import { heatmap } from '../charts/heatmap.ts';
import type { Choice } from '../components/controls.ts';
import { bidiIsolated, emptyState, noneText } from '../components/elements.ts';
import { iconMark, statusMark } from '../components/icons.ts';
import { type ListFilters, listPage } from '../components/list.ts';
import { type Column, column, rowHeader } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatDate, formatShortTime, formatTimeOfDay, timeElement } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const hoursADay = 24;
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const path = '/audit';

export function auditPage(model: AuditPage, context: PageContext): PageContent {
  const { filters: applied, total, entries, newer, older } = model;
  const query = { ...applied };
  const csv = pageLink(context, { path: '/audit.csv', query }, { class: 'btn' }, 'CSV');
  const json = pageLink(context, { path: '/audit.json', query }, { class: 'btn' }, 'JSON');
  return listPage(context, {
    path,
    // The specification's name of what the demo shows; everywhere else it is the audit log.
    title: 'Audit history',
    head: { actions: context.currentUser?.canManage === true ? [csv, ' ', json] : json },
    intro: chainNote(model, context),
    filters: filters(model),
    plot: total === 0 ? null : weekHeatmap(model.week),
    noRows: emptyList(model, context),
    isSection: true,
    caption: 'Audit log, newest first',
    class: 't list audit',
    columns: columns(context),
    rows: entries,
    pages: { query, newer, older, all: total, noun: ['entry', 'entries'] },
  });
}

function chainNote({ chain, entries }: AuditPage, context: PageContext): VNode {
  const broken = entries.filter(({ follows }) => !follows);
  const help = pageLink(context, { path: '/help', hash: 'chain' }, null, 'How to verify the whole log');
  const first = broken.at(-1);
  if (first !== undefined) {
    return html`<p class="note">
      ${statusMark('failed', 'The hash chain is broken')} at entry ${first.entry}: this entry or the one before it was changed after it was written. ${help}
    </p>`;
  }
  const since = chain.since === null ? '' : ` since ${formatDate(Date.parse(chain.since))}`;
  const mark = statusMark('resolved', 'These entries are intact');
  const newest = html`<code>${(chain.newest_hash.slice(0, 16).match(/.{4}/g) ?? []).join(' ')}</code>`;
  return html`<p class="note">
    ${mark}: each entry matches the hash of the one before it. ${counted(chain.entries, 'entry', 'entries')}${since}
    ; newest ${newest}. ${help}
  </p>`;
}

const kindNames: Readonly<Record<string, string>> = {
  'kind:member': 'Members',
  'kind:key': 'Keys',
  'kind:command': 'Command line',
  'kind:token': 'Workspace token',
  'kind:system': 'System',
  'kind:nobody': 'Anonymous',
};

function filters({ filters: applied, actors, actions, objects }: AuditPage): ListFilters {
  const named = (value: string): Choice => ({ value, name: value.replaceAll('_', ' ') });
  const withChosen = (all: readonly string[], chosen: string | null): Choice[] =>
    (chosen === null || all.includes(chosen) ? all : [...all, chosen]).map(named);
  const actorKinds = Object.entries(kindNames).map(([value, name]) => ({ value, name }));
  const day = (name: 'from' | 'to', label: string): Content[] => [
    html`<label class="vh" for=${name}>${label}</label>`,
    html`<input id=${name} name=${name} type="date" value=${applied[name]} />`,
  ];
  return {
    preserved: { id: applied.id, request: applied.request },
    choices: [
      {
        name: 'actor',
        label: 'Actor',
        any: 'Anyone',
        choices: [...actorKinds, ...actors],
        chosen: applied.actor,
      },
      {
        name: 'action',
        label: 'Action',
        any: 'Any action',
        choices: withChosen(actions, applied.action),
        chosen: applied.action,
      },
      {
        name: 'object',
        label: 'Object',
        any: 'Any object',
        choices: withChosen(objects, applied.object),
        chosen: applied.object,
      },
    ],
    more: [day('from', 'From'), day('to', 'To')],
  };
}

function emptyList({ chain }: AuditPage, context: PageContext): VNode {
  if (chain.entries === 0) {
    return emptyState(
      'The audit log is empty',
      'Every change made by a member, a key or the command line is recorded here.',
    );
  }
  return emptyState(
    'No entries match',
    `None of ${counted(chain.entries, 'entry', 'entries')} matches these filters.`,
    pageLink(context, '/audit', null, 'Clear filters'),
  );
}

function columns(context: PageContext): Array<Column<AuditEntryView>> {
  return [
    column('When', 'w5', 'soft nowrap', ({ at }) => when(at, context.nowMs)),
    { name: 'Actor and action', row: (entry) => entrySentence(entry, context) },
    column('Change', 'd2 w13', 'd2 soft', ({ summary }) => bidiIsolated(summary)),
    column('Source', 'd1 w8', 'd1', networkAndRequest),
    column('Chain', 'r d3 w5', 'r d3 nowrap', chainMark),
  ];
}

function entrySentence(entry: AuditEntryView, context: PageContext): VNode {
  const { actor, object, summary, network } = entry;
  const to = object.path === null ? null : { path: object.path, query: { project: null } };
  const linked =
    to === null ? bidiIsolated(object.name) : pageLink(context, to, null, bidiIsolated(object.name));
  const ofSelf = object.kind === 'member' && object.name === actor.name && entry.action.startsWith('session');
  const objectLink = ofSelf || object.name === '' ? null : linked;
  return rowHeader(
    html`<span class="cell"><strong>${bidiIsolated(actor.name)}</strong> ${entry.verb} ${objectLink}</span>`,
    actorKindText(entry),
    [
      ['f2', summary === '' ? null : bidiIsolated(summary)],
      ['f1', network === '' ? 'server' : network],
    ],
  );
}

function networkAndRequest({ network, request_id: id }: AuditEntryView): Content {
  return [
    network === '' ? noneText('server') : html`<code class="soft">${network}</code>`,
    id === null ? null : html`<small><code title=${id}>${id.slice(0, 8)}</code></small>`,
  ];
}

function when(at: string, nowMs: number): Content {
  const ms = Date.parse(at);
  const short = formatShortTime(ms, nowMs);
  const time = formatTimeOfDay(ms);
  return short === time
    ? timeElement(at, time, false)
    : [timeElement(at, short, false), html`<small>${time}</small>`];
}

const actorKindTexts: Readonly<Record<AuditEntryView['actor']['kind'], string>> = {
  member: 'member',
  token: 'workspace token',
  key: 'secret key',
  command: 'on the server',
  system: 'system',
  nobody: 'sign-in page',
};

function actorKindText({ actor: { kind, token } }: AuditEntryView): Content {
  if (kind !== 'member' || token === null) return actorKindTexts[kind];
  return ['member, API token ', bidiIsolated(token)];
}

function chainMark({ follows, hash }: AuditEntryView): Content {
  const text = follows ? 'matches the previous entry' : 'does not match the previous entry';
  const mark = iconMark(follows ? 'resolved' : 'failed', text);
  return [mark, ' ', html`<code class="dim">${hash.slice(0, 4)}</code>`];
}

/** 168 counts, Monday 00:00 UTC first. */
function weekHeatmap(week: readonly number[]): VNode {
  const plot = heatmap({
    hours: days.map((_, day) => week.slice(day * hoursADay, (day + 1) * hoursADay)),
    finding: [html`<b>Activity by weekday and hour</b>`, ', 90 days'],
    name: busiestHourText(week),
    nounPlural: 'entries',
  });
  return html`<div class="sec half">${plot}</div>`;
}

function busiestHourText(week: readonly number[]): string {
  const all = week.reduce((sum, entries) => sum + entries, 0);
  if (all === 0) return 'Entries by weekday and hour: none in 90 days.';
  const max = Math.max(...week);
  const slot = week.indexOf(max);
  const hour = String(slot % hoursADay).padStart(2, '0');
  const text = counted(max, 'entry', 'entries');
  return `Entries by weekday and hour: most on ${days[Math.floor(slot / hoursADay)]} at ${hour}:00, ${text} of ${count(all)}.`;
}

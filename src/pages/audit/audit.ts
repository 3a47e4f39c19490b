// The page of the audit history.
import type { VNode } from 'preact';
import type { AuditEntryView, AuditModel } from '../../core/workspace/audit.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent, QueryMembers } from '../frame.ts';
import { askForm, type Choice, select, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { empty, hidden, hiddenCaption, outside, pageHead, pager } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow } from '../parts/table.ts';
import { moment } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { dayInFull, shortMoment, timeOfDay } from '../words/times.ts';
import { weekHeat } from './week.ts';

/** Who did what and when, and whether the rows follow each other. */
export function auditPage(model: AuditModel, frame: Frame): PageContent {
  const { asked, total } = model;
  const csv = pageLink(frame, { path: '/audit.csv', query: { ...asked } }, { class: 'btn' }, 'CSV');
  const json = pageLink(frame, { path: '/audit.json', query: { ...asked } }, { class: 'btn' }, 'JSON');
  const mayExport = frame.visitor?.canManage === true;
  return {
    title: 'Audit history',
    main: [
      pageHead({ title: 'Audit history', acts: mayExport ? [csv, ' ', json] : json }),
      chainNote(model, frame),
      filters(model, frame),
      total === 0 ? nothing(model, frame) : [weekHeat(model.week), history(model, frame)],
    ],
  };
}

function chainNote({ chain, entries }: AuditModel, frame: Frame): VNode {
  const broken = entries.filter(({ follows }) => !follows);
  const help = pageLink(frame, { path: '/help', hash: 'chain' }, null, 'How to check it all');
  const first = broken.at(-1);
  if (first !== undefined) {
    const said = el('span', { class: 'mk failed' }, icon('failed'), 'The chain is broken');
    return el(
      'p',
      { class: 'note' },
      said,
      ` at entry ${first.entry}: it is not what was written, or the one before it is not. `,
      help,
    );
  }
  const since = chain.since === null ? '' : ` since ${dayInFull(Date.parse(chain.since))}`;
  const said = el('span', { class: 'mk resolved' }, icon('resolved'), 'These rows are whole');
  const newest = el('code', null, (chain.newest_hash.slice(0, 16).match(/.{4}/g) ?? []).join(' '));
  return el(
    'p',
    { class: 'note' },
    said,
    `: each follows the one before it. ${counted(chain.entries, 'entry', 'entries')}${since}; newest `,
    newest,
    '. ',
    help,
  );
}

const kindNames: Readonly<Record<string, string>> = {
  'kind:member': 'Members',
  'kind:key': 'Keys',
  'kind:command': 'Command line',
  'kind:token': 'The token',
  'kind:system': 'Notifier itself',
  'kind:nobody': 'Strangers',
};

function filters(model: AuditModel, frame: Frame): VNode {
  const { asked, actors } = model;
  const who: Choice[] = [
    { value: '', name: 'Anyone' },
    ...Object.entries(kindNames).map(([value, name]) => ({ value, name })),
    ...actors.map((name) => ({ value: name, name })),
  ];
  const named = (words: string, values: readonly string[], chosen: string | null): Choice[] => [
    { value: '', name: words },
    ...(chosen === null || values.includes(chosen) ? values : [...values, chosen]).map((value) => ({
      value,
      name: value.replaceAll('_', ' '),
    })),
  ];
  const day = (name: 'from' | 'to', label: string): Content[] => [
    el('label', { class: 'vh', for: name }, label),
    el('input', { id: name, name, type: 'date', value: asked[name] }),
  ];
  return askForm(
    frame,
    { path: '/audit', label: 'Filter', kept: { id: asked.id, request: asked.request } },
    ...select({ id: 'actor', name: 'actor', label: 'Actor' }, who, asked.actor),
    ...select(
      { id: 'action', name: 'action', label: 'Act' },
      named('Any act', model.actions, asked.action),
      asked.action,
    ),
    ...select(
      { id: 'object', name: 'object', label: 'Thing' },
      named('Any thing', model.objects, asked.object),
      asked.object,
    ),
    ...day('from', 'From'),
    ...day('to', 'To'),
    submit('Apply'),
  );
}

function nothing({ chain }: AuditModel, frame: Frame): VNode {
  if (chain.entries === 0) {
    return empty(
      'Nothing has been done yet',
      'Every act of a member, a key or the command line that changes something is written down here.',
    );
  }
  return empty(
    'Nothing fits',
    `None of ${counted(chain.entries, 'entry', 'entries')} fits what was asked.`,
    pageLink(frame, { path: '/audit' }, null, 'Show all'),
  );
}

function history(model: AuditModel, frame: Frame): VNode {
  const { entries, asked, total, newer, older } = model;
  const heads = [
    columnHead('When', 'w5'),
    columnHead('Who and what'),
    columnHead('Change', 'd2 w13'),
    columnHead('From', 'd1 w8'),
    columnHead('Chain', 'r d3 w5'),
  ];
  const near = (name: 'after' | 'before', cursor: string | null): QueryMembers | null =>
    cursor === null ? null : { ...asked, [name]: cursor };
  return el(
    'div',
    { class: 'sec' },
    el(
      'table',
      { class: 't list audit' },
      hiddenCaption('Audit history, newest first'),
      headRow(...heads),
      el('tbody', null, ...entries.map((entry) => row(entry, frame))),
    ),
    pager(frame, {
      path: '/audit',
      said: `${count(entries.length)} of ${counted(total, 'entry', 'entries')}`,
      newer: near('before', newer),
      older: near('after', older),
    }),
  );
}

function row(entry: AuditEntryView, frame: Frame): VNode {
  const { actor, object, summary, net, request_id: requestId } = entry;
  const thing = outside(object.name);
  const linked =
    object.path === null
      ? thing
      : pageLink(frame, { path: object.path, query: { project: null } }, null, thing);
  const ofSelf = object.kind === 'member' && object.name === actor.name && entry.action.startsWith('session');
  const from = net === '' ? 'itself' : net;
  return el(
    'tr',
    null,
    cell(when(entry.at, frame.nowMs), 'soft nowrap'),
    el(
      'th',
      { scope: 'row' },
      el(
        'span',
        { class: 'cell' },
        el('strong', null, outside(actor.name)),
        ` ${entry.verb} `,
        ofSelf || object.name === '' ? null : linked,
      ),
      el('span', { class: 'cul' }, actorKind(entry)),
      el(
        'span',
        { class: 'fold' },
        summary === '' ? null : el('span', { class: 'f2' }, outside(summary)),
        el('span', { class: 'f1' }, from),
      ),
    ),
    cell(outside(summary), 'd2 soft'),
    cell(
      [
        net === '' ? el('span', { class: 'dim' }, from) : el('code', { class: 'soft' }, net),
        requestId === null
          ? null
          : el('small', null, el('code', { title: requestId }, requestId.slice(0, 8))),
      ],
      'd1',
    ),
    cell(chainMark(entry), 'r d3 nowrap'),
  );
}

function when(at: string, nowMs: number): Content {
  const ms = Date.parse(at);
  const short = shortMoment(ms, nowMs);
  const time = timeOfDay(ms);
  return short === time ? moment(at, time, false) : [moment(at, short, false), el('small', null, time)];
}

function actorKind({ actor }: AuditEntryView): string {
  switch (actor.kind) {
    case 'member':
      return 'member';
    case 'token':
      return 'workspace token';
    case 'key':
      return 'secret key';
    case 'command':
      return 'on the server';
    case 'system':
      return 'system';
    case 'nobody':
      return 'at the door';
  }
}

function chainMark({ follows, hash }: AuditEntryView): Content {
  const said = follows ? 'follows the one before' : 'does not follow';
  const shape = follows ? 'resolved' : 'failed';
  return [
    el('span', { class: `mk ${shape}`, title: said }, icon(shape), hidden(said)),
    ' ',
    el('code', { class: 'dim' }, hash.slice(0, 4)),
  ];
}

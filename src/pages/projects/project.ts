// The page of one project: what arrives, its keys, lines to send, what it takes, what sends to it.
import type { VNode } from 'preact';
import type { KeyRowView, ProjectModel } from '../../core/workspace/projects/project.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { copyButton } from '../parts/controls.ts';
import { icon, type Shape } from '../parts/icons.ts';
import { empty, facts, hidden, hiddenCaption, outside, pageHead, pairs, section } from '../parts/layout.ts';
import { hashLink, pageLink } from '../parts/link.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { distance, shortMoment } from '../words/times.ts';
import { sentFigure } from './sent.ts';
import { snippetSection } from './snippets.ts';

/** A key that was made just now; it stands on this one answer and nowhere else. */
export interface MadeKey {
  readonly key_id: number;
  readonly kind: 'public' | 'secret';
  readonly text: string;
}

/** One project; `made` is shown by the answer to the act that made it. */
export function projectPage(model: ProjectModel, frame: Frame, made: MadeKey | null = null): PageContent {
  const { project, keys, sdks, domains } = model;
  return {
    title: project.name,
    crumbs: [{ name: 'Projects', path: '/projects' }],
    main: [
      head(model, frame),
      made === null ? null : shownOnce(made),
      el(
        'nav',
        { class: 'tabs', 'aria-label': 'On this page' },
        hashLink('p-out', null, 'What arrives'),
        hashLink('p-keys', null, 'Keys', el('span', { class: 'n' }, count(keys.length))),
        hashLink('p-snip', null, 'Lines to send'),
        hashLink('p-sdk', null, 'SDKs', el('span', { class: 'n' }, count(sdks.length))),
        hashLink('p-dom', null, 'Domains', el('span', { class: 'n' }, count(domains.length))),
      ),
      figures(model, frame),
      sentFigure(model.sent, frame),
      keySection(model, frame, made),
      snippetSection(model.snippets, 'p-snip'),
      el(
        'div',
        { class: 'cols even' },
        care(model, frame),
        sdkSection(model, frame),
        domainSection(model, frame),
      ),
    ],
  };
}

function head(
  { project, domains, open_issues: open, release_count: releases }: ProjectModel,
  frame: Frame,
): VNode {
  const query = { project: project.project_id };
  const mayManage = frame.visitor?.canManage === true;
  const [first, ...others] = domains;
  const where =
    first === undefined
      ? null
      : [
          pageLink(frame, { path: `/domains/${first.domain_id}` }, null, outside(first.domain)),
          others.length === 0 ? ', ' : ` and ${count(others.length)} more, `,
        ];
  const change = pageLink(
    frame,
    { path: `/projects/${project.project_id}/change` },
    { class: 'btn' },
    'Change…',
  );
  return pageHead({
    above: `Project ${project.project_id}`,
    title: outside(project.name),
    below: [where, 'made ', shortTime(project.created_at, frame.nowMs)],
    acts: [
      pageLink(frame, { path: '/issues', query }, { class: 'btn' }, 'Issues', number(open)),
      ' ',
      pageLink(frame, { path: '/releases', query }, { class: 'btn' }, 'Releases', number(releases)),
      mayManage ? [' ', change] : null,
    ],
  });
}

function number(value: number): VNode {
  return el('span', { class: 'n dim' }, count(value));
}

function shownOnce({ kind, text }: MadeKey): VNode {
  const isSecret = kind === 'secret';
  const said = isSecret ? ', shown this once. Only its fingerprint is kept.' : '. It may stand in pages.';
  return el(
    'div',
    { class: 'once', role: 'status' },
    el('p', null, el('span', { class: 'mk new' }, icon('new'), `New ${kind} key`), said),
    el('p', { class: 'line' }, el('code', { id: 'k-new' }, text), ' ', copyButton('k-new', 'the new key')),
  );
}

function figures(model: ProjectModel, frame: Frame): VNode {
  const { sent, last_event_at: last, newest_release: release, open_issues: open } = model;
  const lost = sent.sent - sent.kept;
  const before = sent.lost_share_before;
  const lostBefore = before === null ? '' : `, ${percent(before, 1, 1)} before`;
  const query = { project: model.project.project_id };
  return facts([
    { label: 'Kept, 30 d', figure: count(sent.kept), small: `of ${count(sent.sent)} sent` },
    {
      label: 'Not kept',
      figure: lost === 0 ? 'none' : count(lost),
      small: sent.sent === 0 ? 'nothing was sent' : `${percent(lost, sent.sent, 1)}${lostBefore}`,
    },
    {
      label: 'Last event',
      figure: last === null ? 'not yet' : ago(last, frame.nowMs),
      small: `${counted(model.events_24h, 'event')} in 24 h`,
    },
    {
      label: 'Open issues',
      figure: open === 0 ? 'none' : pageLink(frame, { path: '/issues', query }, null, count(open)),
    },
    {
      label: 'Newest release',
      figure:
        release === null
          ? 'none'
          : pageLink(frame, { path: `/releases/${release.release_id}` }, null, outside(release.version)),
      small: `${counted(model.release_count, 'release')} in all`,
    },
  ]);
}

function keySection({ project, keys }: ProjectModel, frame: Frame, made: MadeKey | null): VNode {
  const mayManage = frame.visitor?.canManage === true;
  const path = `/projects/${project.project_id}/keys`;
  const make = pageLink(frame, { path: `${path}/new` }, { class: 'btn small' }, 'Make a key…');
  const heads = [
    el('td', { class: 'lv' }),
    columnHead('Key'),
    columnHead('Last used', 'd2 w8'),
    columnHead('State', 'd1 w9'),
    mayManage ? columnHead(hidden('Acts'), 'r w7') : null,
  ];
  const rows = keys.map((key) => keyRow(key, frame, { path, mayManage, isNew: made?.key_id === key.key_id }));
  const table = el(
    'table',
    { class: 't list keylist' },
    hiddenCaption('Keys of this project'),
    headRow(...heads),
    el('tbody', null, ...rows),
  );
  const none = empty('No keys', 'Nothing can be sent to this project, and nothing read, without one.');
  return section(
    { id: 'p-keys', title: 'Keys', beside: mayManage ? make : null },
    keys.length === 0 ? none : table,
    el(
      'p',
      { class: 'hint legend' },
      'Replacing makes a new key at once; the old one goes on for as long as you say. Ended is ended: there is no way back.',
    ),
  );
}

const shapes: Readonly<Record<KeyRowView['state'], Shape>> = {
  live: 'up',
  ending: 'pending',
  expired: 'skipped',
  revoked: 'skipped',
};

interface KeyPlace {
  readonly path: string;
  readonly mayManage: boolean;
  readonly isNew: boolean;
}

function keyRow(key: KeyRowView, frame: Frame, { path, mayManage, isNew }: KeyPlace): VNode {
  const { last_used_at: used, state } = key;
  const shape = isNew ? 'new' : shapes[state];
  const word = keyStateWords(key, frame.nowMs);
  const usedWords = used === null ? el('span', { class: 'dim' }, 'not yet') : ago(used, frame.nowMs);
  const isOpen = state === 'live' || state === 'ending';
  const change = pageLink(
    frame,
    { path: `${path}/${key.key_id}` },
    { class: 'small' },
    'Replace, end…',
    hidden(` key ${key.key_id}`),
  );
  return el(
    'tr',
    null,
    cell(el('span', { class: `mk ${shape}`, title: word }, icon(shape), hidden(word)), 'lv'),
    el(
      'th',
      { scope: 'row' },
      el('span', { class: 'cell' }, el('code', null, shortKey(key.key))),
      el('span', { class: 'cul' }, scopeWords(key)),
      el(
        'span',
        { class: 'fold' },
        el('span', { class: 'f2' }, usedWords),
        el('span', { class: 'f1' }, mark(shape, word)),
      ),
    ),
    cell([usedWords, el('small', null, 'made ', shortTime(key.created_at, frame.nowMs))], 'd2'),
    cell([mark(shape, word), el('small', null, state === 'live' ? 'no end' : null)], 'd1'),
    mayManage ? cell(isOpen ? change : null, 'r nowrap') : null,
  );
}

/** How a key stands, in words. */
export function keyStateWords(key: KeyRowView, nowMs: number): string {
  const { state, expires_at: expires, revoked_at: revoked } = key;
  if (state === 'live') return 'Live';
  if (state === 'ending' && expires !== null) return `Ends in ${distance(Date.parse(expires) - nowMs)}`;
  const at = state === 'revoked' ? revoked : expires;
  const word = state === 'revoked' ? 'Taken back' : 'Ended';
  return at === null ? word : `${word} ${shortMoment(Date.parse(at), nowMs)}`;
}

/** A public key is long and stands whole in the lines to send; a secret is short already. */
function shortKey(key: string): string {
  return key.length > 28 ? `${key.slice(0, 15)}…${key.slice(-4)}` : key;
}

function scopeWords({ kind, label, imported }: KeyRowView): Content {
  const may = kind === 'public' ? 'public: sends events and reports' : 'secret: reads, and makes releases';
  return [may, imported ? ', taken over' : null, label === '' ? null : [', “', outside(label), '”']];
}

function care({ project, limits }: ProjectModel, frame: Frame): VNode {
  const mayManage = frame.visitor?.canManage === true;
  const own = project.scrub_fields.length;
  const fields = own === 0 ? 'on' : ['on, and ', outside(project.scrub_fields.join(', '))];
  const a = (value: number, what: string): string => `${counted(value, what)} a minute`;
  const rows: Array<readonly [Content, Content]> =
    limits === null
      ? [['Limits', 'none: they are switched off for this server']]
      : [
          ['A key', a(limits.events_per_minute, 'event')],
          ['An address', a(limits.events_per_address_per_minute, 'event')],
          ['Reports', `${a(limits.feedback_per_address_per_minute, 'report')} from an address`],
        ];
  const change = pageLink(frame, { path: `/projects/${project.project_id}/change` }, null, 'Change');
  return el(
    'section',
    { 'aria-labelledby': 'p-l' },
    el('h2', { id: 'p-l' }, 'Limits and care'),
    pairs([
      ...rows,
      ['Scrubbing', fields],
      ['Addresses', project.store_ip ? 'stored, cut to /24 and /48' : 'not stored'],
      ['Grouping', el('code', null, project.grouping)],
    ]),
    mayManage ? el('p', { class: 'small del' }, change) : null,
  );
}

function sdkSection({ sdks, events_total: total }: ProjectModel, frame: Frame): VNode {
  const rows = sdks.map((sdk) =>
    el(
      'tr',
      null,
      el(
        'th',
        { scope: 'row' },
        el('span', { class: 'cell' }, el('code', null, outside(`${sdk.name} ${sdk.version}`))),
        el(
          'span',
          { class: 'cul' },
          'since ',
          shortTime(sdk.first_seen, frame.nowMs),
          ', last ',
          ago(sdk.last_seen, frame.nowMs),
        ),
      ),
      cell(sdk.events === 0 ? 'asked only' : percent(sdk.events, total), 'r w6'),
    ),
  );
  const table = el('table', { class: 't mini' }, hiddenCaption('SDKs seen'), el('tbody', null, ...rows));
  return el(
    'section',
    { 'aria-labelledby': 'p-sdk' },
    el('h2', { id: 'p-sdk' }, 'SDKs seen'),
    sdks.length === 0 ? el('p', { class: 'soft' }, 'None: no SDK has sent anything yet.') : table,
  );
}

function domainSection({ domains, project }: ProjectModel, frame: Frame): VNode {
  const query = { project: project.project_id };
  const rows = domains.map((domain) =>
    el(
      'tr',
      null,
      cell(shapeMark(domain.verified ? 'up' : 'pending'), 'lv'),
      el(
        'th',
        { scope: 'row' },
        pageLink(frame, { path: `/domains/${domain.domain_id}` }, { class: 'cell' }, outside(domain.domain)),
        el('span', { class: 'cul' }, switchWords(domain)),
      ),
      cell(domain.verified ? 'proved' : 'not proved', 'r w6 soft nowrap'),
    ),
  );
  const table = el(
    'table',
    { class: 't mini' },
    hiddenCaption('Domains of this project'),
    el('tbody', null, ...rows),
  );
  return el(
    'section',
    { 'aria-labelledby': 'p-dom' },
    el(
      'div',
      { class: 'top' },
      el('h2', { id: 'p-dom' }, 'Domains'),
      pageLink(frame, { path: '/domains', query }, { class: 'small' }, 'All of them'),
    ),
    domains.length === 0
      ? el('p', { class: 'soft' }, 'None is listed: reports from visitors are refused until one is.')
      : table,
  );
}

/** What pages of a domain may do, in a line. */
function switchWords(domain: ProjectModel['domains'][number]): string {
  const reports = `reports ${domain.bug_reports ? 'on' : 'off'}`;
  const errors = domain.errors ? 'errors on' : 'errors off';
  const share = domain.sampling === 1 ? '' : `, ${percent(domain.sampling, 1)} of events`;
  return `${reports}, ${errors}${share}`;
}

// The page of one project: what arrives, its keys, lines to send, what it takes, what sends to it.
import type { VNode } from 'preact';
import type { ProjectModel } from '../../core/workspace/projects/project.ts';
import { crashFree } from '../delivery/release-words.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { facts, hiddenCaption, outside, pageHead } from '../parts/layout.ts';
import { hashLink, pageLink } from '../parts/link.ts';
import { shapeMark } from '../parts/mark.ts';
import { cell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { careSection, keepingSection } from './care.ts';
import { keySection, type MadeKey, shownOnce } from './keys.ts';
import { sentFigure } from './sent.ts';
import { snippetSection } from './snippets.ts';

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
        hashLink('p-keep', null, 'Quota'),
        hashLink('p-sdk', null, 'SDKs', el('span', { class: 'n' }, count(sdks.length))),
        hashLink('p-dom', null, 'Domains', el('span', { class: 'n' }, count(domains.length))),
      ),
      figures(model, frame),
      sentFigure(model.sent, frame),
      keySection(model, frame, made),
      snippetSection(
        model.snippets,
        project,
        { id: 'p-snip', title: 'Lines to send', path: `/projects/${project.project_id}` },
        frame,
      ),
      el(
        'div',
        { class: 'cols even' },
        keepingSection(model),
        careSection(model, frame),
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
    {
      label: 'Crash-free sessions',
      figure: release === null ? '–' : crashFree(release.sessions),
      small:
        release === null || release.sessions.total === 0
          ? 'no session came'
          : ['of ', count(release.sessions.total), ' on ', outside(release.version)],
    },
  ]);
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
      cell(domain.verified ? 'proved' : 'not proved', 'r soft'),
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

// The page of all domains, those that need a look first.
import type { VNode } from 'preact';
import {
  type DomainRowView,
  type DomainsModel,
  type DomainTab,
  domainTabs,
} from '../../core/workspace/domains/list.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingDialog, opener } from '../parts/asking.ts';
import { askForm, searchField, submit } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import {
  dash,
  empty,
  hidden,
  hiddenCaption,
  nothingFits,
  outside,
  pageHead,
  pager,
  tabs,
} from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { shortMoment } from '../words/times.ts';
import { newDomainAsking } from './forms.ts';
import { domainMark, inTime, proofLine, stateShape, wayNames } from './words.ts';

/** Projects that a dialog lets choose from. */
const choicesMax = 100;

const tabNames: Readonly<Record<DomainTab, string>> = {
  all: 'All',
  verified: 'Verified',
  waiting: 'Waiting',
  failing: 'Failing',
  ended: 'Ended',
  unproved: 'Not proved',
};

/** Listed hosts and proofs. */
export function domainsPage(model: DomainsModel, frame: Frame): PageContent {
  const { asked, counts, domains } = model;
  const mayManage = frame.visitor?.canManage === true;
  const shown = domainTabs.filter((each) => each === 'all' || each === asked.state || counts[each] > 0);
  return {
    title: 'Domains',
    main: [
      pageHead({ title: 'Domains', ...(mayManage ? { acts: addActs(frame) } : {}) }),
      tabs(
        frame,
        'State',
        shown.map((state) => ({
          name: tabNames[state],
          path: '/domains',
          query: { state: state === 'all' ? null : state, q: asked.q },
          count: count(counts[state]),
          isCurrent: asked.state === state,
        })),
      ),
      askForm(
        frame,
        { path: '/domains', label: 'Filter', kept: { state: asked.state === 'all' ? null : asked.state } },
        searchField('q', 'Search domains', 'Host', asked.q),
        submit('Apply'),
      ),
      domains.length === 0 ? nothing(model, frame) : table(model, frame),
    ],
  };
}

/** The way to a new domain; among more projects than a list shows, on a page of its own. */
function addActs(frame: Frame): Content {
  const choice = frame.project === null ? frame.projects : [frame.project];
  const word = 'Add a domain…';
  if (choice.length === 0 || choice.length > choicesMax) {
    return pageLink(frame, { path: '/domains/new' }, { class: 'btn primary' }, word);
  }
  const asking = newDomainAsking({ projects: choice.map(({ id, name }) => ({ project_id: id, name })) });
  return [...opener(frame, asking, { word, class: 'btn primary' }), askingDialog(frame, asking)];
}

function nothing({ counts, asked }: DomainsModel, frame: Frame): VNode {
  if (counts.all > 0) {
    const all = pageLink(frame, { path: '/domains' }, null, 'Show all domains');
    const why = asked.q === null ? 'None is in this state.' : ['No host holds ', outside(asked.q), '.'];
    return nothingFits(frame, 'No domain fits', why, all);
  }
  const add = pageLink(frame, { path: '/domains/new' }, null, 'Add the first');
  return empty(
    'No domain is listed',
    'Visitors may report from listed domains alone, and SDKs ask here what pages of a domain may send.',
    frame.visitor?.canManage === true ? add : 'An admin adds one.',
  );
}

function table(model: DomainsModel, frame: Frame): Content {
  const { asked, domains, found, newer, older } = model;
  const heads = [
    el('td', { class: 'lv' }),
    columnHead('Domain'),
    columnHead('State', 'd5 w8'),
    columnHead('Way', 'd3 w6'),
    columnHead('Project', 'd1 w8'),
    columnHead('Reports', 'd2 w6'),
    columnHead('Checked', 'd2 w7'),
    columnHead('Next', 'r d1 w6'),
  ];
  const all = el(
    'table',
    { class: 't list' },
    hiddenCaption('Domains, those that need a look first'),
    headRow(...heads),
    el('tbody', null, ...domains.map((each) => row(each, frame))),
  );
  if (newer === null && older === null) return all;
  const state = asked.state === 'all' ? null : asked.state;
  const way = (page: number | null) => (page === null ? null : { state, q: asked.q, page });
  const said = `${count(domains.length)} of ${counted(found, 'domain')}`;
  return [all, pager(frame, { path: '/domains', said, newer: way(newer), older: way(older) })];
}

function row(domain: DomainRowView, frame: Frame): VNode {
  const { host, host_unicode: unicode, proof, project, state } = domain;
  const [shape, word] = stateShape(state);
  const checked = proof?.last_checked_at ?? null;
  const checkedWords = checked === null ? dash() : ago(checked, frame.nowMs);
  const way = proof === null ? null : wayNames[proof.verified_by ?? proof.method];
  const reports = domain.domain?.bug_reports === true ? 'on' : 'off';
  const since = state === 'verified' ? (proof?.verified_at ?? null) : null;
  const sinceWords = since === null ? null : `since ${shortMoment(Date.parse(since), frame.nowMs)}`;
  return el(
    'tr',
    null,
    cell(el('span', { class: `mk ${shape}`, title: word }, icon(shape), hidden(word)), 'lv'),
    titleCell(frame, {
      path: `/domains/${domain.id}`,
      title: unicode,
      place: [unicode === host ? null : [el('code', null, outside(host)), ', '], secondLine(domain, frame)],
      folded: [
        el('span', { class: 'f5' }, domainMark(state)),
        way === null ? null : el('span', { class: 'f4' }, `by ${way}`),
        checked === null ? null : el('span', { class: 'f2' }, ago(checked, frame.nowMs)),
        el('span', { class: 'f2' }, `reports ${reports}`),
        el('span', { class: 'f1' }, outside(project.name)),
      ],
    }),
    cell([domainMark(state), sinceWords === null ? null : el('small', null, sinceWords)], 'd5'),
    cell(way ?? dash(), 'd3 soft'),
    cell(outside(project.name), 'd1 soft'),
    cell(reports === 'on' ? 'on' : el('span', { class: 'dim' }, 'off'), 'd2'),
    cell(checkedWords, 'd2 soft'),
    cell(inTime(proof?.next_check_at ?? null, frame.nowMs), 'r d1 soft'),
  );
}

function secondLine({ proof, domain, state }: DomainRowView, frame: Frame): Content {
  if (proof !== null) {
    const line = proofLine(proof, frame.nowMs);
    return domain === null ? `${line}, not listed` : line;
  }
  return state === 'verified' ? 'proved by a name above it' : 'nobody asked for a proof';
}

import type { VNode } from 'preact';
import {
  type DomainRowView,
  type DomainsModel,
  type DomainTab,
  domainTabs,
} from '../../core/workspace/domains/list.ts';
import { type Content, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingDialog, opener } from '../parts/asking.ts';
import { icon } from '../parts/icons.ts';
import { dash, empty, hidden, none, nothingFits, outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { listPage } from '../parts/list.ts';
import { type Column, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { shortMoment } from '../words/times.ts';
import { newDomainAsking } from './forms.ts';
import { domainMark, inTime, proofLine, stateShape, wayNames } from './words.ts';

const choicesMax = 100;

const tabNames: Readonly<Record<DomainTab, string>> = {
  all: 'All',
  verified: 'Verified',
  waiting: 'Pending',
  failing: 'Failing',
  ended: 'Expired',
  unproved: 'Not verified',
};

const path = '/domains';

export function domainsPage(model: DomainsModel, frame: Frame): PageContent {
  const { asked, counts, domains, found, newer, older } = model;
  const shown = domainTabs.filter((each) => each === 'all' || each === asked.state || counts[each] > 0);
  const state = asked.state === 'all' ? null : asked.state;
  return listPage(frame, {
    path,
    title: 'Domains',
    head: { acts: frame.visitor?.canManage === true ? addActs(frame) : null },
    tabs: {
      label: 'State',
      name: 'state',
      current: asked.state,
      usual: 'all',
      query: { state, q: asked.q },
      all: shown.map((each) => [each, tabNames[each], counts[each]]),
    },
    filters: { kept: { state }, search: { label: 'Search domains', hint: 'Host', value: asked.q } },
    nothing: nothing(model, frame),
    caption: 'Domains, those that need attention first',
    columns: columns(frame),
    rows: domains,
    pages: { query: { state, q: asked.q }, newer, older, all: found, noun: ['domain'], isForMany: true },
  });
}

/** A dialog; a separate page if there are too many projects for a select. */
function addActs(frame: Frame): Content {
  const choice = frame.project === null ? frame.projects : [frame.project];
  const word = 'Add domain…';
  if (choice.length === 0 || choice.length > choicesMax) {
    return pageLink(frame, { path: '/domains/new' }, { class: 'btn primary' }, word);
  }
  const asking = newDomainAsking({ projects: choice.map(({ id, name }) => ({ project_id: id, name })) });
  return [...opener(frame, asking, { word, class: 'btn primary' }), askingDialog(frame, asking)];
}

function nothing({ counts, asked }: DomainsModel, frame: Frame): VNode {
  if (counts.all > 0) {
    const all = pageLink(frame, { path }, null, 'Show all domains');
    const why = asked.q === null ? 'No domain has this state.' : ['No host contains ', outside(asked.q), '.'];
    return nothingFits(frame, 'No domains match', why, all);
  }
  const add = pageLink(frame, { path: '/domains/new' }, null, 'Add domain');
  return empty(
    'No domains yet',
    'Visitors can send bug reports only from domains listed here. SDKs check here what a domain may send.',
    frame.visitor?.canManage === true ? add : 'Only an admin can add one.',
  );
}

function columns(frame: Frame): Array<Column<DomainRowView>> {
  const checked = ({ proof }: DomainRowView): Content => {
    const at = proof?.last_checked_at ?? null;
    return at === null ? null : ago(at, frame.nowMs);
  };
  return [
    {
      class: 'lv',
      cell: ({ state }) => {
        const [shape, word] = stateShape(state);
        return html`<span class="mk ${shape}" title=${word}>${icon(shape)}${hidden(word)}</span>`;
      },
    },
    { name: 'Domain', row: (domain) => title(domain, checked(domain), frame) },
    { name: 'State', head: 'd5 w8', class: 'd5', cell: (domain) => stateCell(domain, frame.nowMs) },
    { name: 'Method', head: 'd3 w6', class: 'd3 soft', cell: (domain) => wayOf(domain) ?? dash() },
    { name: 'Project', head: 'd1 w8', class: 'd1 soft', cell: ({ project }) => outside(project.name) },
    {
      name: 'Reports',
      head: 'd2 w6',
      class: 'd2',
      cell: ({ domain }) => (domain?.bug_reports === true ? 'on' : none('off')),
    },
    { name: 'Checked', head: 'd2 w7', class: 'd2 soft', cell: (domain) => checked(domain) ?? dash() },
    {
      name: 'Next',
      head: 'r d1 w6',
      class: 'r d1 soft',
      cell: ({ proof }) => inTime(proof?.next_check_at ?? null, frame.nowMs),
    },
  ];
}

function title(domain: DomainRowView, checked: Content, frame: Frame): VNode {
  const { host, host_unicode: unicode, project } = domain;
  const way = wayOf(domain);
  return titleCell(frame, {
    path: `${path}/${domain.id}`,
    title: unicode,
    place: [unicode === host ? null : [html`<code>${outside(host)}</code>`, ', '], secondLine(domain, frame)],
    folded: [
      ['f5', domainMark(domain.state)],
      ['f4', way === null ? null : `by ${way}`],
      ['f2', checked],
      ['f2', `reports ${domain.domain?.bug_reports === true ? 'on' : 'off'}`],
      ['f1', outside(project.name)],
    ],
  });
}

function wayOf({ proof }: DomainRowView): string | null {
  return proof === null ? null : wayNames[proof.verified_by ?? proof.method];
}

function stateCell({ state, proof }: DomainRowView, nowMs: number): Content {
  const since = state === 'verified' ? (proof?.verified_at ?? null) : null;
  const words = since === null ? null : html`<small>since ${shortMoment(Date.parse(since), nowMs)}</small>`;
  return [domainMark(state), words];
}

function secondLine({ proof, domain, state }: DomainRowView, frame: Frame): Content {
  if (proof !== null) {
    const line = proofLine(proof, frame.nowMs);
    return domain === null ? `${line}, not listed` : line;
  }
  return state === 'verified' ? 'verified by a parent domain' : 'not verified';
}

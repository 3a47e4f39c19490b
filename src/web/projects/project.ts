import type { ReasonView } from '../../core/page-models/projects/outcomes.ts';
import type { ProjectModel } from '../../core/page-models/projects/project.ts';
import { histogram, type Stack } from '../charts/histogram.ts';
import { copyButton } from '../components/controls.ts';
import {
  bidiIsolated,
  codeBlock,
  facts,
  noneText,
  pageHead,
  plainSection,
  section,
  tabs,
} from '../components/elements.ts';
import { iconMark } from '../components/icons.ts';
import { column, dataTable, miniTable, rowHeader, scrollableTable } from '../components/table.ts';
import { crashFree } from '../delivery/labels.ts';
import { type Content, fragmentLink, html, pageLink, type VNode } from '../el.ts';
import { count, counted, percent, shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { filterSection } from './inbound-filters.ts';
import { type CreatedKeyView, keySection, newKeyNotice } from './keys.ts';
import { processingSection, retentionSection } from './processing.ts';

const stacks: readonly Stack[] = [
  { key: 'accepted', name: 'accepted', fill: 'plain' },
  { key: 'known', name: 'duplicate or filtered', fill: 'info' },
  { key: 'limited', name: 'over a limit', fill: 'warning' },
  { key: 'refused', name: 'refused', fill: 'fatal' },
];

/** Thirty days of events by outcome, with the reasons for those not stored. `id` is the anchor. */
function sentFigure({ sent, days, reasons }: ProjectModel['sent'], context: PageContext): VNode {
  const plot = histogram(context, {
    bars: days.map(({ from, to, counts }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      counts,
    })),
    stacks,
    noun: 'item',
    finding: [
      html`<b>${count(sent)}${sent === 1 ? ' item sent' : ' items sent'}</b>`,
      ' in 30 days, and the outcome of ',
      sent === 1 ? 'it' : 'them',
    ],
    height: 132,
  });
  return html`<div class="sec" id="p-out">${plot}${reasons.length === 0 ? null : reasonTable(reasons, context)}</div>`;
}

function reasonTable(reasons: readonly ReasonView[], context: PageContext): VNode {
  const howToFix = (each: ReasonView): Content => suggestion(each, context);
  const table = dataTable<ReasonView>(context, {
    caption: 'Discarded data by reason',
    class: 't small',
    rows: reasons,
    columns: [
      { name: 'Outcome', row: ({ outcome }) => rowHeader(outcomeTexts[outcome]) },
      {
        name: 'Reason',
        cell: (each) => [
          each.reason === '' ? noneText() : html`<code>${bidiIsolated(each.reason)}</code>`,
          html`<span class="fold"><span class="f2">${howToFix(each)}</span></span>`,
        ],
      },
      column('Category', 'd3', 'd3 soft', ({ category }) => bidiIsolated(category)),
      { name: 'Count', class: 'r', cell: ({ quantity }) => count(quantity) },
      { name: 'Share', class: 'r d5', cell: ({ share }) => percent(share, 1, 1) },
      column('How to fix', 'd2', 'd2 soft', howToFix),
    ],
  });
  return html`<details class="data" open><summary>Reasons, last 30 days</summary>${scrollableTable('Reason', table)}</details>`;
}

const outcomeTexts: Readonly<Record<ReasonView['outcome'], string>> = {
  accepted: 'accepted',
  duplicate: 'duplicate',
  filtered: 'filtered',
  rate_limited: 'over a limit',
  invalid: 'refused',
  failed: 'not stored',
  client_discard: 'lost by the client',
};

/** By outcome and reason, else by outcome: reasons in client reports may be anything. */
function suggestion({ outcome, reason }: ReasonView, context: PageContext): Content {
  const name = `${outcome} ${reason}`;
  const domains = (words: string): VNode => pageLink(context, '/domains', null, words);
  if (name === 'filtered bug_reports_disabled') {
    return [domains('Turn on feedback'), ' for that domain, or here for apps, if you want it'];
  }
  if (name === 'filtered unknown_domain') return [domains('Add domain'), ' it was sent from'];
  if (outcome === 'filtered' && inboundFilters.includes(reason)) {
    return [fragmentLink('p-filters', null, 'Inbound filter'), ' that is on'];
  }
  return (Object.hasOwn(suggestions, name) ? suggestions[name] : null) ?? fallbacks[outcome];
}

const inboundFilters: readonly string[] = [
  ...['browser-extensions', 'web-crawlers', 'localhost', 'legacy-browsers'],
  ...['release-version', 'error-message', 'ip-address'],
];

const suggestions: Readonly<Record<string, string>> = {
  'filtered origin_not_allowed':
    'the key was used from another origin: add the origin to the key if it is yours',
  'filtered unsupported': 'nothing: this kind of data is not stored',
  'client_discard sample_rate': 'nothing: the SDK samples events',
  'client_discard before_send': 'nothing: the application drops them',
  'client_discard event_processor': 'nothing: the application drops them',
  'client_discard network_error': 'check that clients can reach this server',
  'client_discard queue_overflow': "the SDK's queue was full: send less, or raise its size",
  'client_discard ratelimit_backoff':
    'held back by the SDK after a rate limit: send less, or raise the limit',
};

const fallbacks: Readonly<Record<ReasonView['outcome'], string>> = {
  accepted: 'nothing',
  duplicate: 'nothing: retries are normal',
  filtered: 'nothing, if that is intended',
  rate_limited: "sample events, or raise the server's limit",
  invalid: 'fix the sender: the response names the error',
  failed: 'the server could not store it: see the server log',
  client_discard: 'reported by the SDK, never received',
};

/** `newKey` is set only in the response to the action that created the key. */
export function projectPage(
  model: ProjectModel,
  context: PageContext,
  newKey: CreatedKeyView | null = null,
): PageContent {
  const { project, keys, sdks, domains } = model;
  return {
    title: project.name,
    breadcrumbs: [{ name: 'Projects', path: '/projects' }],
    main: [
      head(model, context),
      newKey === null ? null : newKeyNotice(newKey),
      html`<nav class="tabs" aria-label="On this page">
        ${fragmentLink('p-out', null, 'Events')}
        ${fragmentLink('p-keys', null, 'Keys', html`<span class="n">${count(keys.length)}</span>`)}
        ${fragmentLink('p-filters', null, 'Inbound filters')}
        ${fragmentLink('p-snip', null, 'SDK setup')}${fragmentLink('p-keep', null, 'Quota')}
        ${fragmentLink('p-sdk', null, 'SDKs', html`<span class="n">${count(sdks.length)}</span>`)}
        ${fragmentLink('p-dom', null, 'Domains', html`<span class="n">${count(domains.length)}</span>`)}
      </nav>`,
      projectFacts(model, context),
      sentFigure(model.sent, context),
      keySection(model, context, newKey),
      filterSection(model, context),
      snippetSection(model, context),
      html`<div class="cols even">
        ${retentionSection(model)}${processingSection(model, context)}${sdkSection(model, context)}
        ${domainSection(model, context)}
      </div>`,
    ],
  };
}

function head(
  { project, domains, last_event_at: last, open_issues: open, release_count: releases }: ProjectModel,
  context: PageContext,
): VNode {
  const query = { project: project.project_id };
  const mayManage = context.currentUser?.canManage === true;
  const [first, ...others] = domains;
  const sourceText =
    first === undefined
      ? null
      : [
          pageLink(context, `/domains/${first.domain_id}`, null, bidiIsolated(first.domain)),
          others.length === 0 ? ', ' : ` and ${count(others.length)} more, `,
        ];
  const path = `/projects/${project.project_id}`;
  const change = pageLink(context, `${path}/change`, { class: 'btn' }, 'Edit…');
  const ownership = pageLink(context, `${path}/ownership`, { class: 'btn' }, 'Ownership…');
  return pageHead({
    above: `Project ${project.project_id}`,
    title: bidiIsolated(project.name),
    below: [sourceText, 'created ', shortTime(project.created_at, context.nowMs)],
    actions: [
      last === null
        ? [
            pageLink(context, { path: '/setup', query }, { class: 'btn primary' }, 'Send your first event'),
            ' ',
          ]
        : null,
      pageLink(context, { path: '/issues', query }, { class: 'btn' }, 'Issues', number(open)),
      ' ',
      pageLink(context, { path: '/releases', query }, { class: 'btn' }, 'Releases', number(releases)),
      mayManage ? [' ', ownership, ' ', change] : null,
    ],
  });
}

function number(value: number): VNode {
  return html`<span class="n dim">${count(value)}</span>`;
}

function projectFacts(model: ProjectModel, context: PageContext): VNode {
  const { sent, last_event_at: last, newest_release: release, open_issues: open } = model;
  const lost = sent.sent - sent.accepted;
  const before = sent.lost_share_before;
  const lostBefore = before === null ? '' : `, ${percent(before, 1, 1)} before`;
  const query = { project: model.project.project_id };
  return facts([
    ['Accepted, 30 d', count(sent.accepted), `of ${count(sent.sent)} sent`],
    [
      'Discarded',
      lost === 0 ? 'none' : count(lost),
      sent.sent === 0 ? 'nothing received' : `${percent(lost, sent.sent, 1)}${lostBefore}`,
    ],
    [
      'Last event',
      last === null ? 'never' : timeAgo(last, context.nowMs),
      `${counted(model.events_24h, 'event')} in 24 h`,
    ],
    [
      'Unresolved issues',
      open === 0 ? 'none' : pageLink(context, { path: '/issues', query }, null, count(open)),
    ],
    [
      'Latest release',
      release === null
        ? 'none'
        : pageLink(context, `/releases/${release.release_id}`, null, bidiIsolated(release.version)),
      `${counted(model.release_count, 'release')} in all`,
    ],
    [
      'Crash-free sessions',
      release === null ? '–' : crashFree(release.sessions),
      release === null || release.sessions.total === 0
        ? 'no sessions'
        : ['of ', count(release.sessions.total), ' on ', bidiIsolated(release.version)],
    ],
  ]);
}

function sdkSection({ sdks, events_total: total }: ProjectModel, context: PageContext): VNode {
  const table = miniTable(
    'SDKs seen',
    sdks,
    {
      row: ({ name, version, first_seen: first, last_seen: last }) =>
        rowHeader(html`<span class="cell"><code>${bidiIsolated(`${name} ${version}`)}</code></span>`, [
          ...['since ', shortTime(first, context.nowMs), ', last ', timeAgo(last, context.nowMs)],
        ]),
    },
    {
      class: 'r w6',
      cell: ({ events }) => (events === 0 ? 'configuration only' : percent(events, total)),
    },
  );
  const none = html`<p class="soft">No SDK has sent anything yet.</p>`;
  return plainSection('p-sdk', 'SDKs seen', sdks.length === 0 ? none : table);
}

function domainSection({ domains, project }: ProjectModel, context: PageContext): VNode {
  const query = { project: project.project_id };
  const table = miniTable(
    'Domains of this project',
    domains,
    { class: 'lv', cell: ({ verified }) => iconMark(verified ? 'up' : 'pending') },
    {
      row: (each) =>
        rowHeader(
          pageLink(context, `/domains/${each.domain_id}`, { class: 'cell' }, bidiIsolated(each.domain)),
          switchText(each),
        ),
    },
    { class: 'r soft', cell: ({ verified }) => (verified ? 'verified' : 'not verified') },
  );
  const aside = pageLink(context, { path: '/domains', query }, { class: 'small' }, 'All domains');
  return section(
    { id: 'p-dom', title: 'Domains', aside, class: null },
    domains.length === 0
      ? html`<p class="soft">No domains: feedback from visitors is refused until you add one.</p>`
      : table,
  );
}

function switchText(domain: ProjectModel['domains'][number]): string {
  const reports = `reports ${domain.bug_reports ? 'on' : 'off'}`;
  const errors = domain.errors ? 'errors on' : 'errors off';
  const share = domain.sampling === 1 ? '' : `, ${percent(domain.sampling, 1)} of events`;
  return `${reports}, ${errors}${share}`;
}

// SDK setup snippets with the project's key and URL. Tabs are links, so they work without scripts.

const snippetField = 'lines';

function snippetSection({ snippets: all, project }: ProjectModel, context: PageContext): VNode {
  const { dsn, long_dsn: longDsn } = project;
  const [id, title] = ['p-snip', 'SDK setup'];
  // This may be the response to a POST to another path.
  const path = `/projects/${project.project_id}`;
  const requested = context.query.get(snippetField);
  const chosen = all.find((each) => each.id === requested) ?? all[0];
  if (chosen === undefined) {
    const noKeyText = 'There is no active public key. Create one to see the setup instructions.';
    return section({ id, title }, html`<p class="hint">${noKeyText}</p>`);
  }
  const choices = all.map((each) => ({
    name: each.title,
    path,
    query: { [snippetField]: each.id },
    hash: id,
    isCurrent: each === chosen,
  }));
  return section(
    { id, title },
    tabs(context, title, choices),
    codeBlock(`Setup for ${chosen.title}`, chosen.text, 'snip', `s-${chosen.id}`),
    html`<p class="under">
      ${copyButton(`s-${chosen.id}`, `the code for ${chosen.title}`)}
      <span class="hint">
        Any Sentry SDK works with this DSN, on servers, in browsers and on phones.
        ${
          longDsn === null || longDsn === dsn
            ? []
            : [' Behind a WordPress site it is ', html`<code>${longDsn}</code>`, '.']
        }
      </span>
    </p>`,
  );
}

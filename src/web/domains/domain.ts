import type { CheckView, DomainModel } from '../../core/page-models/domains/domain.ts';
import type { VerificationView } from '../../core/page-models/domains/list.ts';
import { actionButton, copyButton } from '../components/controls.ts';
import { bidiIsolated, facts, nameValueList, pageHead, section } from '../components/elements.ts';
import type { FormEntry } from '../components/form.ts';
import { capitalize, iconMark, statusMark } from '../components/icons.ts';
import { column, dataTable, rowHeader, scrollableTable } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import {
  counted,
  currentTimeZone,
  formatAge,
  formatDayAndTime,
  formatShortTime,
  shortTime,
  timeAgo,
} from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { removalSection, settingsSection, startVerificationForm } from './actions.ts';
import { domainMark, dueInText, methodNames } from './labels.ts';

interface MethodCheck {
  readonly type: 'dns_txt' | 'http_file' | 'html_meta';
  readonly ok: boolean;
  readonly code: string;
  readonly detail: string;
}

interface DomainPageParts {
  /** Set only in the response to "Check now". */
  readonly checks?: readonly MethodCheck[];
  readonly settings?: FormEntry;
  readonly verification?: FormEntry;
}

export function domainPage(
  model: DomainModel,
  context: PageContext,
  { checks = [], settings, verification }: DomainPageParts = {},
): PageContent {
  // Forms must return to this page, also in the response to an action.
  const pageContext = { ...context, path: `/domains/${model.id}` };
  const { proof } = model;
  return {
    title: model.host_unicode,
    breadcrumbs: [{ name: 'Domains', path: '/domains' }],
    main: [
      head(model, pageContext),
      note(model, pageContext),
      proof === null ? null : domainFacts(model, proof, pageContext),
      html`<div class="cols">
        <div class="col">
          ${checks.length === 0 ? null : checkResultsTable(checks)}
          ${proof === null || proof.status === 'revoked' ? null : methodsSection(proof)}${checkHistorySection(model, pageContext)}
          ${startVerificationForm(model, pageContext, verification)}${removalSection(model, pageContext)}
        </div>
        <aside class="aside" aria-label="What this domain may do">
          ${model.domain === null ? null : settingsSection(model.domain, pageContext, settings)}${usageSection(model, pageContext)}
        </aside>
      </div>`,
    ],
  };
}

function head({ id, host, host_unicode: unicode, project, proof }: DomainModel, context: PageContext): VNode {
  const isOpen = proof !== null && proof.status !== 'revoked';
  const word = proof?.status === 'lapsed' || proof?.status === 'expired' ? 'Start again' : 'Check now';
  const mayManage = context.currentUser?.canManage === true;
  const checkForm = actionButton(context, `/domains/${id}/check`, word, { class: 'btn primary' });
  const renew = actionButton(context, `/domains/${id}/token`, 'Create new token');
  const isChecked = isOpen && word === 'Check now';
  const by = proof?.verified_by ?? null;
  const since = proof?.verified_at ?? null;
  return pageHead({
    above: proof === null ? 'Domain' : ['Domain verification ', html`<code>${proof.id}</code>`],
    title: breakable(unicode),
    below: [
      unicode === host ? null : [html`<code>${bidiIsolated(host)}</code>`, ', '],
      'for ',
      pageLink(context, `/projects/${project.project_id}`, null, bidiIsolated(project.name)),
      proof === null ? null : proof.scope === 'subdomains' ? ', including subdomains' : ', this host only',
      by === null ? null : `, verified by ${methodNames[by]}`,
      since === null ? null : ` since ${formatShortTime(Date.parse(since), context.nowMs)}`,
    ],
    ...(mayManage && isOpen ? { actions: [checkForm, isChecked ? [' ', renew] : null] } : {}),
  });
}

function breakable(host: string): VNode {
  const labels = host.split('.');
  return bidiIsolated(labels.flatMap((part, at) => (at === 0 ? [part] : [html`<wbr />`, `.${part}`])));
}

function note({ state, proof, covered_by: coveringVerification }: DomainModel, context: PageContext): VNode {
  const sentence =
    coveringVerification === null ? noteText(state, proof, context) : coverageText(coveringVerification);
  return html`<p class="note">${domainMark(coveringVerification === null ? state : 'verified')}${sentence}</p>`;
}

function coverageText(verification: VerificationView): Content {
  return [
    ' by the verification of ',
    bidiIsolated(verification.domain_unicode),
    ', which includes subdomains.',
  ];
}

function noteText(state: DomainModel['state'], proof: VerificationView | null, context: PageContext) {
  const lastError = proof?.last_error_means ?? '';
  const until =
    proof?.expires_at == null
      ? ''
      : ` until ${formatDayAndTime(Date.parse(proof.expires_at))} ${currentTimeZone()}`;
  const again = 'Start again to get a new token.';
  const sdks = context.currentUser?.canManage === true ? ' SDKs that check this host get that answer.' : '';
  const texts: Readonly<Record<DomainModel['state'], string>> = {
    verified: ', and checked again every day. Keep the published record in place.',
    pending: `${until}. Publish one of the records below. ${lastError}`,
    failing: `. ${lastError} Everything still works. If it is not found for three days, the verification lapses.`,
    lapsed: `. ${lastError} It was not found for three days, so the verification lapsed. ${again}`,
    expired: `. ${lastError} It was not found within seven days. ${again}`,
    revoked: `. Its token is no longer accepted. ${again}`,
    unproved: `. Not verified.${sdks}`,
  };
  return texts[state];
}

function domainFacts(
  { project, other_projects: others }: DomainModel,
  proof: VerificationView,
  context: PageContext,
): VNode {
  const last = proof.last_checked_at;
  const every = proof.status === 'failing' ? 'every 6 h while failing' : 'every day once verified';
  const next = proof.status === 'pending' ? 'every hour while pending' : every;
  const issued = proof.expires_at ?? null;
  return facts([
    [
      'Last check',
      last === null ? 'not yet' : timeAgo(last, context.nowMs),
      proof.last_error ?? (last === null ? null : 'found'),
    ],
    [
      'Next check',
      dueInText(proof.next_check_at, context.nowMs),
      proof.next_check_at === null ? 'none' : next,
    ],
    ['Failures', proof.failures === 0 ? 'none' : String(proof.failures), 'in a row'],
    issued === null
      ? ['Method', methodNames[proof.method]]
      : ['Expires', `in ${formatAge(Date.parse(issued) - context.nowMs)}`, 'unless verified before'],
    [
      'Used by',
      pageLink(context, `/projects/${project.project_id}`, null, bidiIsolated(project.name)),
      others.length === 0 ? 'and by no other project' : `and by ${others.length} more projects`,
    ],
  ]);
}

function checkResultsTable(checks: readonly MethodCheck[]): VNode {
  const title = 'Result of this check';
  const table = dataTable<MethodCheck>(null, {
    caption: title,
    class: 't',
    rows: checks,
    columns: [
      { name: 'Method', row: ({ type }) => rowHeader(methodNames[type]) },
      column('Found', null, 'nowrap', ({ ok, code }) => [
        statusMark(ok ? 'passed' : 'failed', ok ? 'Found' : 'Not found'),
        ' ',
        html`<code class="dim">${code}</code>`,
      ]),
      column('Result', null, 'soft', ({ detail }) => detail),
    ],
  });
  return section({ id: 'd-found', title }, scrollableTable(title, table));
}

function usageSection({ domain, proof, project, other_projects: others }: DomainModel, context: PageContext) {
  const query = { project: project.project_id, domain: domain?.domain ?? null };
  const links = others.flatMap((each, at) => [
    at === 0 ? null : ', ',
    pageLink(context, `/domains/${each.domain_id}`, null, bidiIsolated(each.name)),
  ]);
  const list = nameValueList([
    ['Name', proof?.label == null ? null : bidiIsolated(proof.label)],
    ['Project', pageLink(context, `/projects/${project.project_id}`, null, bidiIsolated(project.name))],
    ['Also listed by', others.length === 0 ? 'no other project' : links],
    [
      'Feedback',
      domain === null
        ? null
        : pageLink(context, { path: '/feedback', query }, null, 'reports from this domain'),
    ],
  ]);
  return section({ id: 'd-who', title: 'Used by' }, list);
}

function methodsSection({ challenges }: VerificationView): VNode {
  const all = challenges.map((each) => methodSection(each));
  const words = ['', 'Publish this record.', 'Publish one of these two.', 'Publish one of these three.'];
  const sentence = `${words[challenges.length] ?? ''} Keep it in place: it is checked again every day.`;
  return section(
    { id: 'd-pub', title: 'Verification records' },
    html`<p class="soft pub">${sentence}</p>`,
    ...all,
  );
}

function methodSection(challenge: VerificationView['challenges'][number]): VNode {
  switch (challenge.type) {
    case 'dns_txt':
      return verificationMethodSection('w-dns', 'DNS record', 'the only method that includes subdomains', [
        ['Name', 'p-name', challenge.name],
        ['Type', 'p-type', 'TXT'],
        ['Value', 'p-value', challenge.value],
        ...(challenge.cname_also_ok === undefined
          ? []
          : [['Or a CNAME to', 'p-cname', challenge.cname_also_ok] as const]),
      ]);
    case 'http_file':
      return verificationMethodSection('w-file', 'File', 'plain text with only this content', [
        ['URL', 'p-url', challenge.url],
        ['Content', 'p-body', challenge.body],
      ]);
    case 'html_meta':
      return verificationMethodSection('w-meta', 'Meta tag', 'in the head of the home page', [
        ['URL', 'p-page', challenge.url],
        ['Tag', 'p-tag', challenge.tag],
      ]);
  }
}

type Line = readonly [label: string, id: string, value: string];

function verificationMethodSection(id: string, title: string, hint: string, lines: readonly Line[]): VNode {
  const line = ([label, lineId, value]: Line): Content =>
    html`<div class="line">
      <span class="dim small">${label}</span><code id=${lineId}>${value}</code>
      ${copyButton(lineId, label.toLowerCase())}
    </div>`;
  return html`<section class="way" aria-labelledby=${id}>
    <div class="top"><h3 id=${id}>${title}</h3><span class="small dim">${hint}</span></div>
    ${lines.map(line)}
  </section>`;
}

const methodOrder = ['dns_txt', 'http_file', 'html_meta'] as const;
const shownMax = 10;

function checkHistorySection({ looks: checks }: DomainModel, context: PageContext): VNode | null {
  if (checks.length === 0) return null;
  const methods = methodOrder.filter((method) =>
    checks.some(({ found }) => found.some(({ type }) => type === method)),
  );
  const [shown, rest] = [checks.slice(0, shownMax), checks.slice(shownMax)];
  return section(
    {
      id: 'd-looks',
      title: 'Checks',
      aside: html`<span class="small dim">${countText(checks.length)}</span>`,
    },
    scrollableTable('Checks', checkTable(shown, methods, context, 'Verification checks, newest first')),
    rest.length === 0
      ? null
      : html`<details class="data">
        <summary>${counted(rest.length, 'check')} before</summary>
        ${scrollableTable('Earlier checks', checkTable(rest, methods, context, 'Earlier checks'))}
      </details>`,
  );
}

function countText(checks: number): string {
  return checks < 50 ? counted(checks, 'check') : 'the latest 50 checks';
}

type Method = (typeof methodOrder)[number];

function checkTable(
  checks: readonly CheckView[],
  methods: readonly Method[],
  context: PageContext,
  caption: string,
): VNode {
  return dataTable<CheckView>(context, {
    caption,
    class: 't small',
    rows: checks,
    columns: [
      {
        name: 'When',
        row: ({ at, is_manual: isManual }) =>
          html`<th scope="row" class="nowrap">
            ${shortTime(at, context.nowMs)}<span class="cul">${isManual ? 'on request' : 'scheduled'}</span>
          </th>`,
      },
      ...methods.map((method) =>
        column<CheckView>(capitalize(methodNames[method]), null, 'nowrap', (check) =>
          resultCell(check, method),
        ),
      ),
      column('Result', null, 'soft', ({ status, means }) => [domainMark(status), ` ${means}`]),
    ],
  });
}

function resultCell({ found, outcome }: CheckView, method: Method): Content {
  const ownResult = found.find(({ type }) => type === method);
  if (ownResult === undefined) return html`<span class="dim">not checked</span>`;
  if (ownResult.code === 'ok') return statusMark('passed', 'found');
  const code = html`<code class="dim">${ownResult.code}</code>`;
  // If one method succeeded, the others are not failures.
  return outcome === 'ok' ? code : [iconMark('failed'), ' ', code];
}

import type { VNode } from 'preact';
import type { DomainModel } from '../../core/workspace/domains/domain.ts';
import type { ProofView } from '../../core/workspace/domains/list.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, copyButton, submit } from '../parts/controls.ts';
import { facts, hiddenCaption, outside, pageHead, pairs, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import { cell, columnHead, headRow, wide } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { dayAndTime, distance, shortMoment } from '../words/times.ts';
import { ending, proofAsk, switches } from './acts.ts';
import { lookedSection } from './looks.ts';
import { domainMark, inTime, wayNames } from './words.ts';

/** Result of one verification method, shown after "Check now". */
export interface FoundCheck {
  readonly type: 'dns_txt' | 'http_file' | 'html_meta';
  readonly ok: boolean;
  readonly code: string;
  readonly detail: string;
}

/** `checks` is set only in the response to "Check now". */
export function domainPage(
  model: DomainModel,
  asked: Frame,
  checks: readonly FoundCheck[] | null = null,
): PageContent {
  // Forms must return to this page, also in the response to an action.
  const frame = { ...asked, path: `/domains/${model.id}` };
  const { proof } = model;
  return {
    title: model.host_unicode,
    crumbs: [{ name: 'Domains', path: '/domains' }],
    main: [
      head(model, frame),
      note(model, frame),
      proof === null ? null : figures(model, proof, frame),
      html`<div class="cols">
        <div class="col">
          ${checks === null || checks.length === 0 ? null : looked(checks)}
          ${proof === null || proof.status === 'revoked' ? null : ways(proof)}${lookedSection(model, frame)}
          ${proofAsk(model, frame)}${ending(model, frame)}
        </div>
        <aside class="aside" aria-label="What this domain may do">
          ${model.domain === null ? null : switches(model.domain, frame)}${reliance(model, frame)}
        </aside>
      </div>`,
    ],
  };
}

function head({ id, host, host_unicode: unicode, project, proof }: DomainModel, frame: Frame): VNode {
  const isOpen = proof !== null && proof.status !== 'revoked';
  const word = proof?.status === 'lapsed' || proof?.status === 'expired' ? 'Start again' : 'Check now';
  const mayManage = frame.visitor?.canManage === true;
  const look = actForm(frame, `/domains/${id}/check`, null, submit(word, { class: 'btn primary' }));
  const renew = actForm(frame, `/domains/${id}/token`, null, submit('Create new token'));
  const isChecked = isOpen && word === 'Check now';
  const by = proof?.verified_by ?? null;
  const since = proof?.verified_at ?? null;
  return pageHead({
    above: proof === null ? 'Domain' : ['Domain verification ', html`<code>${proof.id}</code>`],
    title: breakable(unicode),
    below: [
      unicode === host ? null : [html`<code>${outside(host)}</code>`, ', '],
      'for ',
      pageLink(frame, { path: `/projects/${project.project_id}` }, null, outside(project.name)),
      proof === null ? null : proof.scope === 'subdomains' ? ', including subdomains' : ', this host only',
      by === null ? null : `, found by ${wayNames[by]}`,
      since === null ? null : ` since ${shortMoment(Date.parse(since), frame.nowMs)}`,
    ],
    ...(mayManage && isOpen ? { acts: [look, isChecked ? [' ', renew] : null] } : {}),
  });
}

/** Allows line breaks after dots. */
function breakable(host: string): VNode {
  const parts = host.split('.');
  return outside(parts.flatMap((part, at) => (at === 0 ? [part] : [html`<wbr />`, `.${part}`])));
}

function note({ state, proof, covered_by: cover }: DomainModel, frame: Frame): VNode {
  const said = cover === null ? noteWords(state, proof, frame) : coverWords(cover);
  return html`<p class="note">${domainMark(cover === null ? state : 'verified')}${said}</p>`;
}

function coverWords(cover: ProofView): Content {
  return [' by the verification of ', outside(cover.domain_unicode), ', which includes subdomains.'];
}

function noteWords(state: DomainModel['state'], proof: ProofView | null, frame: Frame): Content {
  const why = proof?.last_error_means ?? '';
  const until = proof?.expires_at == null ? '' : ` until ${dayAndTime(Date.parse(proof.expires_at))} UTC`;
  switch (state) {
    case 'verified':
      return ', and checked again every day. Keep the published record in place.';
    case 'pending':
      return `${until}. Publish one of the records below. ${why}`;
    case 'failing':
      return `. ${why} Everything still works. If it is not found for three days, the verification lapses.`;
    case 'lapsed':
      return `. ${why} It was not found for three days, so the verification lapsed. Start again to get a new token.`;
    case 'expired':
      return `. ${why} It was not found within seven days. Start again to get a new token.`;
    case 'revoked':
      return '. Its token is no longer accepted. Start again to get a new token.';
    case 'unproved':
      return frame.visitor?.canManage === true
        ? '. Not verified. SDKs that check this host get that answer.'
        : '. Not verified.';
  }
}

function figures({ project, other_projects: others }: DomainModel, proof: ProofView, frame: Frame): VNode {
  const last = proof.last_checked_at;
  const every = proof.status === 'failing' ? 'every 6 h while failing' : 'every day once verified';
  const next = proof.status === 'pending' ? 'every hour while pending' : every;
  const issued = proof.expires_at ?? null;
  return facts([
    {
      label: 'Last check',
      figure: last === null ? 'not yet' : ago(last, frame.nowMs),
      small: proof.last_error ?? (last === null ? null : 'found'),
    },
    {
      label: 'Next check',
      figure: inTime(proof.next_check_at, frame.nowMs),
      small: proof.next_check_at === null ? 'none' : next,
    },
    { label: 'Failures', figure: proof.failures === 0 ? 'none' : String(proof.failures), small: 'in a row' },
    issued === null
      ? { label: 'Method', figure: wayNames[proof.method] }
      : {
          label: 'Expires',
          figure: `in ${distance(Date.parse(issued) - frame.nowMs)}`,
          small: 'unless verified before',
        },
    {
      label: 'Used by',
      figure: pageLink(frame, { path: `/projects/${project.project_id}` }, null, outside(project.name)),
      small: others.length === 0 ? 'and by no other project' : `and by ${others.length} more projects`,
    },
  ]);
}

function looked(checks: readonly FoundCheck[]): VNode {
  const heads = [columnHead('Method'), columnHead('Found'), columnHead('Result')];
  const rows = checks.map((each) =>
    el(
      'tr',
      null,
      html`<th scope="row">${wayNames[each.type]}</th>`,
      cell(
        [
          mark(each.ok ? 'passed' : 'failed', each.ok ? 'Found' : 'Not found'),
          ' ',
          html`<code class="dim">${each.code}</code>`,
        ],
        'nowrap',
      ),
      cell(each.detail, 'soft'),
    ),
  );
  const table = html`<table class="t">
    ${hiddenCaption('Result of this check')}${headRow(...heads)}
    <tbody>${rows}</tbody>
  </table>`;
  return section({ id: 'd-found', title: 'Result of this check' }, wide('Result of this check', table));
}

function reliance({ domain, proof, project, other_projects: others }: DomainModel, frame: Frame): VNode {
  const query = { project: project.project_id, domain: domain?.domain ?? null };
  const links = others.flatMap((each, at) => [
    at === 0 ? null : ', ',
    pageLink(frame, { path: `/domains/${each.domain_id}` }, null, outside(each.name)),
  ]);
  return html`<section class="sec" aria-labelledby="d-who"><h2 id="d-who">Used by</h2>${pairs([
    ['Name', proof?.label == null ? null : outside(proof.label)],
    ['Project', pageLink(frame, { path: `/projects/${project.project_id}` }, null, outside(project.name))],
    ['Listed by', others.length === 0 ? 'no other project' : links],
    [
      'Feedback',
      domain === null
        ? null
        : pageLink(frame, { path: '/feedback', query }, null, 'reports from this domain'),
    ],
  ])}</section>`;
}

function ways({ challenges }: ProofView): VNode {
  const all = challenges.map((each) => way(each));
  const words = ['', 'Publish this record.', 'Publish one of these two.', 'Publish one of these three.'];
  const said = `${words[challenges.length] ?? ''} Keep it in place: it is checked again every day.`;
  return section(
    { id: 'd-pub', title: 'Verification records' },
    html`<p class="soft pub">${said}</p>`,
    ...all,
  );
}

function way(challenge: ProofView['challenges'][number]): VNode {
  switch (challenge.type) {
    case 'dns_txt':
      return wayOf('w-dns', 'DNS record', 'the only method that includes subdomains', [
        ['Name', 'p-name', challenge.name],
        ['Type', 'p-type', 'TXT'],
        ['Value', 'p-value', challenge.value],
        ...(challenge.cname_also_ok === undefined
          ? []
          : [['Or a CNAME to', 'p-cname', challenge.cname_also_ok] as const]),
      ]);
    case 'http_file':
      return wayOf('w-file', 'File', 'plain text with only this content', [
        ['URL', 'p-url', challenge.url],
        ['Content', 'p-body', challenge.body],
      ]);
    case 'html_meta':
      return wayOf('w-meta', 'Meta tag', 'in the head of the home page', [
        ['URL', 'p-page', challenge.url],
        ['Tag', 'p-tag', challenge.tag],
      ]);
  }
}

type Line = readonly [label: string, id: string, value: string];

function wayOf(id: string, title: string, hint: string, lines: readonly Line[]): VNode {
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

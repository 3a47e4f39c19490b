import type { VNode } from 'preact';
import { splitCulprit, splitTitle } from '../../core/page-models/issues/titles.ts';
import type { AttentionIssue, AttentionReason } from '../../core/page-models/overview/needs-attention.ts';
import type {
  OverviewModel,
  OverviewRelease,
  OverviewReport,
  OverviewRun,
} from '../../core/page-models/overview/overview.ts';
import { sparkline } from '../charts/sparkline.ts';
import { bidiIsolated } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { iconMark, statusMark } from '../components/mark.ts';
import { cell } from '../components/table.ts';
import { shortTime, timeAgo } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { count, counted, percent } from '../formatters/numbers.ts';
import type { PageContext } from '../page-context.ts';
import { overviewList, rowTable, titleHeader } from './list-elements.ts';
import { rangeNames } from './summary.ts';
import { expiringSoonSection, hasUptime, openIncidentsSection, uptimeSection } from './uptime.ts';

const releasesShown = 5;

export function overviewLists(model: OverviewModel, context: PageContext): Content[] {
  const { releases, test_runs: runs, reports, acts, watched } = model;
  return [
    overviewList(context, ['look-at', 'Needs attention', '/issues', 'All issues'], lookAt(model, context)),
    hasUptime(watched) ? [openIncidentsSection(watched, context), uptimeSection(watched, context)] : null,
    releases.length === 0
      ? null
      : overviewList(
          context,
          ['released', 'Releases', '/releases', 'All releases'],
          rowTable(
            'Latest releases',
            releases.slice(0, releasesShown).map((each) => release(each, context)),
          ),
        ),
    runs.length === 0
      ? null
      : overviewList(
          context,
          ['tests', 'Tests', '/test-runs', 'All runs'],
          rowTable(
            'Latest run of each suite',
            runs.map((each) => run(each, context)),
          ),
        ),
    watched === undefined ? null : expiringSoonSection(watched, context),
    reports.length === 0
      ? null
      : overviewList(
          context,
          ['reports', 'Feedback', '/feedback', 'All feedback'],
          rowTable(
            'Latest feedback',
            reports.map((each) => report(each, context)),
          ),
        ),
    acts.length === 0
      ? null
      : overviewList(
          context,
          ['acts', 'Audit log', '/audit', 'Full audit log'],
          html`<ol class="log">${acts.map((each) => act(each, context))}</ol>`,
        ),
  ];
}

function lookAt({ look_at: issues, range }: OverviewModel, frame: PageContext): VNode {
  if (issues.length > 0) {
    return rowTable(
      'Issues that need attention',
      issues.map((each) => issue(each, frame)),
    );
  }
  return html`<p class="calm">No unresolved issue had events in ${rangeNames[range]}.</p>`;
}

const reasonMarks: Readonly<Record<AttentionReason, VNode | null>> = {
  regressed: statusMark('regressed'),
  fatal: null,
  growing: statusMark('warning', 'Growing'),
  new: statusMark('new'),
  seen: null,
};

function issue(each: AttentionIssue, frame: PageContext): VNode {
  const { type, message } = splitTitle(each.title);
  const { function: code, text, file } = splitCulprit(each.culprit);
  const reason = reasonMarks[each.why];
  const name = `${counted(each.events, 'event')}, newest last`;
  const place = code === null ? bidiIsolated(text ?? file ?? '') : html`<code>${code}</code>`;
  return el(
    'tr',
    null,
    cell(iconMark(each.level), 'lv'),
    el(
      'th',
      { scope: 'row' },
      pageLink(
        frame,
        { path: `/issues/${each.issue_id}` },
        { class: 'cell' },
        html`<span class="ttl">
          <bdi>
            ${type === null ? null : html`<strong>${type}</strong>`}${type === null ? null : ' '}${message}
          </bdi>
        </span>`,
      ),
      html`<span class="cul">
        ${reason}${reason === null ? null : ' '}${bidiIsolated(each.project)} ${place}
      </span>`,
    ),
    cell(sparkline({ values: each.spark, name, stepPx: 3 }), 'sp d3'),
    cell(count(each.events), 'r'),
  );
}

function release(each: OverviewRelease, frame: PageContext): VNode {
  const { new_issues: fresh, regressed_issues: back } = each;
  const brought: Content[] = [
    back === 0 ? null : statusMark('regressed', `${count(back)} regressed`),
    back > 0 && fresh > 0 ? ', ' : null,
    fresh === 0 ? null : `${count(fresh)} new`,
    back + fresh === 0 ? html`<span class="dim">no new issues</span>` : null,
  ];
  return html`<tr>
    ${titleHeader(frame, `/releases/${each.release_id}`, each.version, bidiIsolated(each.project))}${cell(brought, 'k')}
    ${cell(timeAgo(each.date_created, frame.nowMs), 'r soft')}
  </tr>`;
}

function run(each: OverviewRun, frame: PageContext): VNode {
  const { tests, passed, shares } = each;
  const name = `Share of tests that passed in ${counted(shares.length, 'run')}, ${percent(passed, tests, 1)} in the latest`;
  return html`<tr>
    ${titleHeader(frame, `/test-runs/${each.test_run_id}`, each.project, bidiIsolated(each.suite ?? 'no suite'))}
    ${cell(sparkline({ values: shares, name, isLastOpen: false, stepPx: 3 }), 'sp d3')}${cell(endOf(each), 'k')}
    ${cell(percent(passed, tests, 1), 'r')}
  </tr>`;
}

function endOf({ status, failed, flaky, tests }: OverviewRun): VNode {
  if (status === 'failed' || status === 'error') {
    return statusMark('failed', failed === 0 ? 'failed' : `${count(failed)} failed`);
  }
  if (flaky > 0) return statusMark('flaky', `${count(flaky)} flaky`);
  return tests === 0 ? statusMark('skipped', 'no tests') : statusMark('passed', 'passed');
}

function report(each: OverviewReport, frame: PageContext): VNode {
  const place = [bidiIsolated(each.project), each.domain === '' ? null : [' ', bidiIsolated(each.domain)]];
  return html`<tr>
    ${titleHeader(frame, `/feedback/${each.feedback_id}`, each.message, place)}
    ${cell(timeAgo(each.date_created, frame.nowMs), 'r soft')}
  </tr>`;
}

function act({ at, actor, verb, object }: OverviewModel['acts'][number], frame: PageContext): VNode {
  const thing = bidiIsolated(object.name);
  const isSelf = object.kind === 'member' && object.name === actor.name;
  const linked =
    object.path === null
      ? thing
      : pageLink(frame, { path: object.path, query: { project: null } }, null, thing);
  return html`<li>
    ${shortTime(at, frame.nowMs)}
    <div>
      <strong>${bidiIsolated(actor.name)}</strong> ${verb}${isSelf || object.name === '' ? null : [' ', linked]}
    </div>
  </li>`;
}

import type { VNode } from 'preact';
import { placeParts, titleParts } from '../../core/workspace/issues/titles.ts';
import type { LookAtIssue, LookAtReason } from '../../core/workspace/overview/look-at.ts';
import type {
  OverviewModel,
  OverviewRelease,
  OverviewReport,
  OverviewRun,
} from '../../core/workspace/overview/overview.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { cell } from '../parts/table.ts';
import { ago, shortTime } from '../parts/time.ts';
import { spark } from '../plots/spark.ts';
import { count, counted, percent } from '../words/numbers.ts';
import { rangeWords } from './bulletin.ts';
import { named, part, table } from './parts.ts';
import { incidentsPart, runningOutPart, uptimePart, watches } from './watched.ts';

const releasesShown = 5;

export function lists(model: OverviewModel, frame: Frame): Content[] {
  const { releases, test_runs: runs, reports, acts, watched } = model;
  return [
    part(frame, ['look-at', 'Needs attention', '/issues', 'All issues'], lookAt(model, frame)),
    watches(watched) ? [incidentsPart(watched, frame), uptimePart(watched, frame)] : null,
    releases.length === 0
      ? null
      : part(
          frame,
          ['released', 'Releases', '/releases', 'All releases'],
          table(
            'Latest releases',
            releases.slice(0, releasesShown).map((each) => release(each, frame)),
          ),
        ),
    runs.length === 0
      ? null
      : part(
          frame,
          ['tests', 'Tests', '/test-runs', 'All runs'],
          table(
            'Latest run of each suite',
            runs.map((each) => run(each, frame)),
          ),
        ),
    watched === undefined ? null : runningOutPart(watched, frame),
    reports.length === 0
      ? null
      : part(
          frame,
          ['reports', 'Feedback', '/feedback', 'All feedback'],
          table(
            'Latest feedback',
            reports.map((each) => report(each, frame)),
          ),
        ),
    acts.length === 0
      ? null
      : part(
          frame,
          ['acts', 'Audit log', '/audit', 'Full audit log'],
          html`<ol class="log">${acts.map((each) => act(each, frame))}</ol>`,
        ),
  ];
}

function lookAt({ look_at: issues, range }: OverviewModel, frame: Frame): VNode {
  if (issues.length > 0) {
    return table(
      'Issues that need attention',
      issues.map((each) => issue(each, frame)),
    );
  }
  return html`<p class="calm">No unresolved issue had events in ${rangeWords[range]}.</p>`;
}

const reasonMarks: Readonly<Record<LookAtReason, VNode | null>> = {
  regressed: mark('regressed'),
  fatal: null,
  growing: mark('warning', 'Growing'),
  new: mark('new'),
  seen: null,
};

function issue(each: LookAtIssue, frame: Frame): VNode {
  const { type, message } = titleParts(each.title);
  const { function: code, text, file } = placeParts(each.culprit);
  const reason = reasonMarks[each.why];
  const name = `${counted(each.events, 'event')}, newest last`;
  const place = code === null ? outside(text ?? file ?? '') : html`<code>${code}</code>`;
  return el(
    'tr',
    null,
    cell(shapeMark(each.level), 'lv'),
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
        ${reason}${reason === null ? null : ' '}${outside(each.project)} ${place}
      </span>`,
    ),
    cell(spark({ values: each.spark, name, stepPx: 3 }), 'sp d3'),
    cell(count(each.events), 'r'),
  );
}

function release(each: OverviewRelease, frame: Frame): VNode {
  const { new_issues: fresh, regressed_issues: back } = each;
  const brought: Content[] = [
    back === 0 ? null : mark('regressed', `${count(back)} back`),
    back > 0 && fresh > 0 ? ', ' : null,
    fresh === 0 ? null : `${count(fresh)} new`,
    back + fresh === 0 ? html`<span class="dim">no new issues</span>` : null,
  ];
  return html`<tr>
    ${named(frame, `/releases/${each.release_id}`, each.version, outside(each.project))}${cell(brought, 'k')}
    ${cell(ago(each.date_created, frame.nowMs), 'r soft')}
  </tr>`;
}

function run(each: OverviewRun, frame: Frame): VNode {
  const { tests, passed, shares } = each;
  const name = `Share of tests that passed in ${counted(shares.length, 'run')}, ${percent(passed, tests, 1)} in the latest`;
  return html`<tr>
    ${named(frame, `/test-runs/${each.test_run_id}`, each.project, outside(each.suite ?? 'no suite'))}
    ${cell(spark({ values: shares, name, isLastOpen: false, stepPx: 3 }), 'sp d3')}${cell(endOf(each), 'k')}
    ${cell(percent(passed, tests, 1), 'r')}
  </tr>`;
}

function endOf({ status, failed, flaky, tests }: OverviewRun): VNode {
  if (status === 'failed' || status === 'error') {
    return mark('failed', failed === 0 ? 'failed' : `${count(failed)} failed`);
  }
  if (flaky > 0) return mark('flaky', `${count(flaky)} flaky`);
  return tests === 0 ? mark('skipped', 'no tests') : mark('passed', 'passed');
}

function report(each: OverviewReport, frame: Frame): VNode {
  const place = [outside(each.project), each.domain === '' ? null : [' ', outside(each.domain)]];
  return html`<tr>
    ${named(frame, `/feedback/${each.feedback_id}`, each.message, place)}
    ${cell(ago(each.date_created, frame.nowMs), 'r soft')}
  </tr>`;
}

function act({ at, actor, verb, object }: OverviewModel['acts'][number], frame: Frame): VNode {
  const thing = outside(object.name);
  const isSelf = object.kind === 'member' && object.name === actor.name;
  const linked =
    object.path === null
      ? thing
      : pageLink(frame, { path: object.path, query: { project: null } }, null, thing);
  return html`<li>
    ${shortTime(at, frame.nowMs)}
    <div>
      <strong>${outside(actor.name)}</strong> ${verb}${isSelf || object.name === '' ? null : [' ', linked]}
    </div>
  </li>`;
}

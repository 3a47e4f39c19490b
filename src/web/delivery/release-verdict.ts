import type { VNode } from 'preact';
import type { ReleaseModel } from '../../core/page-models/delivery/release.ts';
import { nameValueList, section } from '../components/elements.ts';
import type { IconName } from '../components/icons.ts';
import { pageLink } from '../components/link.ts';
import { statusMark } from '../components/mark.ts';
import { type Content, html } from '../el.ts';
import type { PageContext } from '../page-context.ts';
import { untrustedText } from './labels.ts';

type Verdict = ReleaseModel['verdict']['verdict'];
type CheckName = keyof ReleaseModel['verdict']['checks'];

const marks: Readonly<Record<Verdict, IconName>> = { pass: 'passed', fail: 'failed', unknown: 'skipped' };
const words: Readonly<Record<Verdict, string>> = { pass: 'Pass', fail: 'Fail', unknown: 'Unknown' };
const checkNames: ReadonlyArray<readonly [CheckName, string]> = [
  ['tests', 'Tests'],
  ['new_issues', 'New issues'],
  ['regressed_issues', 'Regressed issues'],
  ['crash_free', 'Crash-free sessions'],
  ['monitors', 'Monitors'],
];

export function verdictPart({ verdict: { verdict, checks } }: ReleaseModel, frame: PageContext): VNode {
  const rows = checkNames.map(([name, heading]): readonly [Content, Content] => [
    heading,
    [
      mark(checks[name].verdict),
      ' ',
      untrustedText(checks[name].reason),
      name === 'tests' ? failedCases(checks.tests, frame) : null,
    ],
  ]);
  return section({ id: 'verdict', title: 'Verdict', beside: mark(verdict) }, nameValueList(rows));
}

function mark(verdict: Verdict): VNode {
  return statusMark(marks[verdict], words[verdict]);
}

const casesShown = 5;

function failedCases(
  { failed_cases: cases }: ReleaseModel['verdict']['checks']['tests'],
  frame: PageContext,
): Content {
  if (cases.length === 0) return null;
  const lines = cases.slice(0, casesShown).map(
    ({ case_id: id, name, is_new: isNew }) => html`<li>
      ${pageLink(frame, { path: `/test-runs/cases/${encodeURIComponent(id)}` }, null, untrustedText(name))}
      ${isNew ? html`<span class="dim"> new failure</span>` : null}
    </li>`,
  );
  return html`<ul class="small">${lines}</ul>`;
}

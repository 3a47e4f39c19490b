// The issues of a release: new and back in one list, resolved in another.

import type { VNode } from 'preact';
import type { ShownIssue } from '../../core/workspace/delivery/kinds.ts';
import type { ReleaseModel } from '../../core/workspace/delivery/release.ts';
import { type Content, el } from '../el.ts';
import type { Frame } from '../frame.ts';
import type { Shape } from '../parts/icons.ts';
import { hiddenCaption, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark, shapeMark } from '../parts/mark.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { count, counted } from '../words/numbers.ts';
import { visible } from '../words/visible.ts';
import { told } from './words.ts';

/** Both lists; a release without either says nothing of issues. */
export function releaseIssues(model: ReleaseModel, frame: Frame): Content[] {
  const { release, new_issues: made, regressed_issues: back, resolved_issues: done } = model;
  const known = new Set(back.map(({ issue_id: id }) => id));
  const shown = [...back, ...made.filter(({ issue_id: id }) => !known.has(id))];
  const seen = pageLink(
    frame,
    { path: '/issues', query: { project: model.project.project_id, release: release.version, state: 'all' } },
    { class: 'small' },
    'Issues seen in it',
  );
  const all = release.issues.new + release.issues.regressed;
  return [
    shown.length === 0
      ? null
      : section(
          { id: 'new', title: 'New and back in this release', beside: seen },
          table('Issues that are new or back', shown, frame, known),
          all > shown.length ? more(shown.length, all) : null,
        ),
    done.length === 0
      ? null
      : section(
          { id: 'resolved', title: 'Resolved in it' },
          table('Issues resolved in this release', done, frame, known),
          release.issues.resolved > done.length ? more(done.length, release.issues.resolved) : null,
        ),
  ];
}

function more(shown: number, all: number): VNode {
  return el('p', { class: 'small dim' }, `The newest ${shown} of ${count(all)}.`);
}

function table(
  caption: string,
  issues: readonly ShownIssue[],
  frame: Frame,
  back: ReadonlySet<number>,
): VNode {
  const head = headRow(
    el('td', { class: 'lv' }),
    columnHead('Issue'),
    columnHead('Events', 'r d5 w5'),
    columnHead('Users', 'r d2 w5'),
    columnHead('Seen', 'd5 seen'),
    columnHead('State', 'd1 w8'),
  );
  const rows = issues.map((issue) => row(issue, back.has(issue.issue_id), frame));
  return el('table', { class: 't list' }, hiddenCaption(caption), head, el('tbody', null, ...rows));
}

function row(issue: ShownIssue, isBack: boolean, frame: Frame): VNode {
  const state = stateOf(issue, isBack);
  const seen = ago(issue.last_seen, frame.nowMs);
  return el(
    'tr',
    null,
    cell(shapeMark(issue.level as Shape), 'lv'),
    titleCell(frame, {
      path: `/issues/${issue.issue_id}`,
      title: visible(issue.title),
      place: issue.culprit === '' ? `#${issue.issue_id}` : [told(issue.culprit), `, #${issue.issue_id}`],
      folded: [
        el('span', { class: 'f1' }, state),
        el('span', { class: 'f5' }, counted(issue.events, 'event')),
        el('span', { class: 'f5' }, seen),
      ],
    }),
    cell(count(issue.events), 'r d5'),
    cell(count(issue.users), 'r d2'),
    cell(seen, 'd5 seen'),
    cell(state, 'd1'),
  );
}

/** An open issue that came back here is called so; what it is now follows where it is closed. */
function stateOf({ status, substatus }: ShownIssue, isBack: boolean): Content {
  if (status !== 'unresolved') return mark(status as Shape);
  if (isBack) return mark('regressed');
  return substatus === 'ongoing' || substatus === null
    ? el('span', { class: 'dim' }, 'Ongoing')
    : mark(substatus as Shape);
}

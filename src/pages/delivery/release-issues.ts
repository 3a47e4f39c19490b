import type { VNode } from 'preact';
import type { ReleaseModel } from '../../core/workspace/delivery/release.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { issueColumns } from '../issues/row.ts';
import { section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { tableOf } from '../parts/table.ts';
import { count } from '../words/numbers.ts';

/** New and regressed issues in one list, resolved ones in another; nothing without either. */
export function releaseIssues(model: ReleaseModel, frame: Frame): Content[] {
  const { release, new_issues: made, regressed_issues: back, resolved_issues: done } = model;
  const known = new Set(back.map(({ issue_id: id }) => id));
  const shown = [...back, ...made.filter(({ issue_id: id }) => !known.has(id))];
  const seen = pageLink(
    frame,
    { path: '/issues', query: { project: model.project.project_id, release: release.version, state: 'all' } },
    { class: 'small' },
    'Issues in this release',
  );
  const all = release.issues.new + release.issues.regressed;
  return [
    shown.length === 0
      ? null
      : section(
          { id: 'new', title: 'New and regressed in this release', beside: seen },
          table('New and regressed issues', shown, frame, known),
          all > shown.length ? more(shown.length, all) : null,
        ),
    done.length === 0
      ? null
      : section(
          { id: 'resolved', title: 'Resolved in this release' },
          table('Issues resolved in this release', done, frame, known),
          release.issues.resolved > done.length ? more(done.length, release.issues.resolved) : null,
        ),
  ];
}

function more(shown: number, all: number): VNode {
  return html`<p class="small dim">The latest ${shown} of ${count(all)}.</p>`;
}

function table(
  caption: string,
  rows: ReleaseModel['new_issues'],
  frame: Frame,
  back: ReadonlySet<number>,
): VNode {
  const { level, issue, hours, events, users, seen, state } = issueColumns(frame, false, back);
  return tableOf(frame, {
    caption,
    columns: [
      level,
      issue,
      hours,
      { ...events, head: 'r d5 w5' },
      { ...users, head: 'r d2 w5' },
      seen,
      { ...state, head: 'd1 w8' },
    ],
    rows,
  });
}

import type { VNode } from 'preact';
import type { ReleaseModel } from '../../core/page-models/delivery/release.ts';
import { section } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { dataTable } from '../components/table.ts';
import { type Content, html } from '../el.ts';
import { count } from '../formatters/numbers.ts';
import { issueColumns } from '../issues/columns.ts';
import type { PageContext } from '../page-context.ts';

/** New and regressed issues in one list, resolved ones in another; nothing without either. */
export function releaseIssues(model: ReleaseModel, context: PageContext): Content[] {
  const { release, new_issues: made, regressed_issues: back, resolved_issues: done } = model;
  const known = new Set(back.map(({ issue_id: id }) => id));
  const shown = [...back, ...made.filter(({ issue_id: id }) => !known.has(id))];
  const seen = pageLink(
    context,
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
          table('New and regressed issues', shown, context, known),
          all > shown.length ? more(shown.length, all) : null,
        ),
    done.length === 0
      ? null
      : section(
          { id: 'resolved', title: 'Resolved in this release' },
          table('Issues resolved in this release', done, context, known),
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
  frame: PageContext,
  back: ReadonlySet<number>,
): VNode {
  const { level, issue, trend, events, users, seen, assignee } = issueColumns(frame, false, back);
  return dataTable(frame, {
    caption,
    columns: [
      level,
      issue,
      trend,
      { ...events, head: 'r d5 w5' },
      { ...users, head: 'r d2 w5' },
      seen,
      assignee,
    ],
    rows,
  });
}

// `project regroup`: shows what grouping the stored events by the newest rule would change, or does it, while
// the server goes on.
import { setTimeout as sleep } from 'node:timers/promises';
import { audited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfProject } from '../../core/audit/told.ts';
import type { Deps } from '../../core/deps.ts';
import { lookAtRegroup, type RegroupOptions } from '../../core/regroup/look.ts';
import { runRegroup } from '../../core/regroup/regroup.ts';
import { viewRegroup } from '../../core/regroup/views.ts';
import type { Project } from '../../core/store/projects.ts';
import type { Answer, Command } from '../command.ts';
import { progressIn, table } from '../print.ts';
import { getProject } from '../which-project.ts';

/** Issues that people are shown by name; `--json` names a hundred. */
const shownMax = 20;
const idsMax = 10;

const notYet =
  'Nothing is changed yet: --yes does it. Make a backup first (notifier backup): it is the way back.';

export const projectRegroup: Command = {
  name: 'project regroup',
  summary:
    'Groups the stored events of a project by the newest rule: shows what would change, does it with --yes. Interrupted, the same command goes on.',
  usage: 'NAME [--yes]',
  options: {
    yes: { flag: 'do it; without it nothing is changed. A backup is the way back' },
  },
  examples: ['project regroup shop', 'project regroup shop --yes'],
  async run(context, words) {
    const deps = await context.deps();
    const project = await getProject(deps, words.positionals[0] ?? '');
    const progress = progressIn(context);
    const options: RegroupOptions = {
      sleep: (milliseconds) => sleep(milliseconds),
      onProgress: (what, events) => progress.tell(`${events.toLocaleString('en')} events ${what}`),
    };
    const answer = await regroup(deps, project, options, words.flag('yes'));
    progress.end();
    return answer;
  },
};

async function regroup(
  deps: Deps,
  project: Project,
  options: RegroupOptions,
  isAsked: boolean,
): Promise<Answer> {
  const look = await lookAtRegroup(deps, project, options);
  const done = isAsked ? await runRegroup(deps, project, look, options) : null;
  if (done !== null) await audited(deps, byCommandLine, toldOfProject(project, 'project.regrouped'));
  const view = viewRegroup(project, look, done?.run ?? null);
  return { json: view, text: textOf(view, isAsked) };
}

function textOf(view: ReturnType<typeof viewRegroup>, isAsked: boolean): string {
  const amount = (count: number, what: string): string =>
    `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
  const isNothing = view.events_moved + view.issues_joined + view.hashes_changed + view.keys_shown_anew === 0;
  const lines = [
    `Project ${view.project_id} "${view.name}": ${amount(view.events, 'event')} in ${amount(view.issues, 'issue')}, ` +
      `grouped by ${view.grouping}; the newest rule is ${view.grouping_after}.`,
  ];
  if (isNothing && view.grouping === view.grouping_after) return `${lines[0]}\nThere is nothing to change.\n`;
  const leave = `${amount(view.events_moved, 'event')} of ${amount(view.issues_split, 'issue')}`;
  const made = `${amount(view.issues_made, 'new issue')} made of them`;
  const joined = amount(view.issues_joined, 'issue');
  lines.push(
    view.applied
      ? `${leave} moved, ${made}; ${joined} joined another.`
      : `${leave} would move, ${made}; ${joined} would join another.`,
  );
  if (view.events_unreadable > 0) {
    lines.push(`Damaged, and left where they are: ${amount(view.events_unreadable, 'event')}.`);
  }
  if (view.splits.length > 0) lines.push('', splitTable(view));
  if (view.joins.length > 0) lines.push('', joinTable(view));
  if (view.applied) lines.push('', 'Done.');
  else if (!isAsked) lines.push('', notYet);
  return `${lines.join('\n')}\n`;
}

function splitTable({ splits, splits_count: count }: ReturnType<typeof viewRegroup>): string {
  const rows = splits
    .slice(0, shownMax)
    .map((split) => [
      split.issue_id,
      split.events,
      split.into === null ? 'a new issue' : `issue ${split.into}`,
      split.title,
    ]);
  return `${table(['Leave', 'Events', 'Go to', 'Title of the issue they leave'], rows)}${moreThan(count)}`;
}

function joinTable({ joins, joins_count: count }: ReturnType<typeof viewRegroup>): string {
  const rows = joins.slice(0, shownMax).map((join) => [idsOf(join.issue_ids), join.into, join.title]);
  return `${table(['Join', 'Into', 'Title of the issue that stands'], rows)}${moreThan(count)}`;
}

function moreThan(count: number): string {
  return count > shownMax
    ? `And ${(count - shownMax).toLocaleString('en')} more: --json names up to 100.\n`
    : '';
}

/** A fault can have been thousands of issues. */
function idsOf(ids: readonly number[]): string {
  const more = ids.length > idsMax ? [`and ${(ids.length - idsMax).toLocaleString('en')} more`] : [];
  return [...ids.slice(0, idsMax), ...more].join(' ');
}

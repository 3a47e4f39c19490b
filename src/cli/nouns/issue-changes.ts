// `issue resolve|ignore|reopen|merge|unmerge`: what POST /issues/{id} does, by its schema and its rules.
import { issueChangeRequest } from '../../../schemas/issues.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { viewIssueWhole } from '../../core/issues/views.ts';
import { updateIssue } from '../../core/issues/work.ts';
import type { Issue } from '../../core/store/issues.ts';
import type { Project } from '../../core/store/projects.ts';
import {
  type Answer,
  type Command,
  type CommandContext,
  CommandFailure,
  type ParsedWords,
  UsageError,
} from '../command.ts';
import { requestOf } from '../requests.ts';
import { ownerOption } from '../which-project.ts';
import { getOwnedIssue, issueList, issueShow, issueTable } from './issues.ts';

const issueResolve: Command = {
  name: 'issue resolve',
  summary: 'Calls issues done: now, with the next release, or in a given one. They come back as regressed.',
  usage: 'ISSUE_ID… [--in now|next_release|release] [--release VERSION] [--project NAME]',
  options: {
    in: 'now (default), next_release, or release with --release',
    release: 'the version they are done in',
    ...ownerOption,
  },
  examples: ['issue resolve 7', 'issue resolve 7 9 --in next_release', 'issue resolve 7 --release 1.4.1'],
  run(context, words) {
    const kind = impliedBy(words, 'in', ['release']);
    return change(context, words, { status: 'resolved', in: kind, release: words.text('release') });
  },
};

const issueIgnore: Command = {
  name: 'issue ignore',
  summary: 'Keeps issues quiet: for ever, until a date, or until so many more events or users.',
  usage: 'ISSUE_ID… [--until forever|date|count|users] [--date DATE | --count N [--window S] | --users N]',
  options: {
    until: 'forever (default), date, count or users; said by the next four as well',
    date: 'until then: RFC 3339, such as 2027-01-31T00:00:00Z',
    count: 'until so many more events',
    window: 'with --count: within so many seconds',
    users: 'until so many more users',
    ...ownerOption,
  },
  examples: [
    'issue ignore 7',
    'issue ignore 7 8 --date 2027-01-31T00:00:00Z',
    'issue ignore 7 --count 100 --window 3600',
  ],
  run(context, words) {
    const until = impliedBy(words, 'until', ['date', 'count', 'users']);
    if (words.text('window') !== undefined && until !== 'count') {
      throw new UsageError('--window stands with --count.');
    }
    const names = ['date', 'count', 'window', 'users'];
    const given = Object.fromEntries(names.map((name) => [name, words.text(name)]));
    return change(context, words, { status: 'ignored', until, ...given });
  },
};

const issueReopen: Command = {
  name: 'issue reopen',
  summary: 'Opens resolved or ignored issues again.',
  usage: 'ISSUE_ID… [--project NAME]',
  options: ownerOption,
  examples: ['issue reopen 7'],
  run: (context, words) => change(context, words, { status: 'unresolved' }),
};

const issueMerge: Command = {
  name: 'issue merge',
  summary: 'Files the events of other issues under one, now and from now on; `issue unmerge` takes it back.',
  usage: 'INTO_ISSUE_ID OTHER_ISSUE_ID… [--project NAME]',
  options: ownerOption,
  examples: ['issue merge 7 9 12'],
  async run(context, words) {
    const [into, ...others] = words.positionals;
    // The others are looked up first too: a word that is no id is named as the one it is.
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, into);
    const issues = [found];
    for (const other of others) issues.push((await getOwnedIssue(deps, words, other)).found);
    requireTwoGroups(issues);
    return act(context, [{ project, issueId: found.id }], { merge: others.join(',') });
  },
};

const issueUnmerge: Command = {
  name: 'issue unmerge',
  summary: 'Undoes a merge into an issue: the last one, or the one that is named. `issue show` lists them.',
  usage: 'ISSUE_ID [MERGE_ID] [--project NAME]',
  options: ownerOption,
  examples: ['issue unmerge 7', 'issue unmerge 7 3'],
  async run(context, words) {
    const deps = await context.deps();
    const { project, found } = await getOwnedIssue(deps, words, words.positionals[0]);
    const mergeId = words.positionals[1] ?? (await lastMerge(deps, project, found));
    return act(context, [{ project, issueId: found.id }], { undo_merge: mergeId });
  },
};

export const issueCommands = [
  issueList,
  issueShow,
  issueResolve,
  issueIgnore,
  issueReopen,
  issueMerge,
  issueUnmerge,
];

/** Issues that are one already cannot be merged; the API says of them only that there is nothing to merge. */
function requireTwoGroups(issues: readonly Issue[]): void {
  const heads = new Set(issues.map((issue) => issue.mergedInto ?? issue.id));
  if (heads.size > 1) return;
  const [head] = heads;
  const inside = issues.find((issue) => issue.id !== head);
  throw new CommandFailure(
    inside === undefined
      ? `Issue ${head} cannot be merged into itself.`
      : `Issue ${inside.id} is merged into issue ${head} already.`,
  );
}

type Given = Readonly<Record<string, string | undefined>>;

/**
 * The kind that an option says, or that the option it stands with implies. Throws UsageError for two that
 * clash.
 */
function impliedBy(words: ParsedWords, option: string, kinds: readonly string[]): string | undefined {
  const given = kinds.filter((kind) => words.text(kind) !== undefined);
  const [first, second] = given;
  if (second !== undefined) throw new UsageError(`--${first} and --${second} cannot stand together.`);
  const said = words.text(option);
  if (said !== undefined && first !== undefined && said !== first) {
    throw new UsageError(`--${first} stands with --${option} ${first}, not with --${option} ${said}.`);
  }
  return said ?? first;
}

async function change(context: CommandContext, words: ParsedWords, given: Given): Promise<Answer> {
  const deps = await context.deps();
  const targets = [];
  // All are found before the first is changed.
  for (const word of words.positionals) {
    const { project, found } = await getOwnedIssue(deps, words, word);
    targets.push({ project, issueId: found.id });
  }
  return act(context, targets, given);
}

async function act(
  context: CommandContext,
  targets: ReadonlyArray<{ project: Project; issueId: number }>,
  given: Given,
): Promise<Answer> {
  const asked = requestOf(issueChangeRequest, given);
  const deps = await context.deps();
  const changed = [];
  for (const { project, issueId } of targets) {
    await updateIssue(deps, project, issueId, asked, byCommandLine);
    changed.push(await viewIssueWhole(deps, project.id, issueId));
  }
  return { json: changed, text: issueTable(changed) };
}

async function lastMerge(deps: Deps, project: Project, issue: Issue): Promise<string> {
  const merges = await deps.store.listMerges(project.id, issue.mergedInto ?? issue.id);
  const standing = merges.find((merge) => merge.undoneAtMs === null);
  if (standing === undefined) throw new CommandFailure(`Nothing is merged into issue ${issue.id}.`);
  return String(standing.id);
}

// `prune` shows which events retention would remove, and with --yes removes them while the server runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { compact } from '../../../data/upkeep/compact.ts';
import { audited, byCommandLine } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { momentText } from '../../core/reading/moments.ts';
import { type Round, retentionRound } from '../../core/retention/retention.ts';
import { beginsAtOf, dueOf } from '../../core/retention/state.ts';
import type { Project } from '../../core/store/projects.ts';
import { giveUpIfFull, reserveOf } from '../../program/disk/reserve.ts';
import { readSetup } from '../../program/open-deps.ts';
import {
  type Answer,
  type Command,
  type CommandContext,
  exitCodes,
  type ParsedWords,
  UsageError,
} from '../command.ts';
import { isoText, progressIn, tableOf } from '../print.ts';
import { getProject } from '../which-project.ts';
import { configuredFile } from './database-file.ts';

export const prune: Command = {
  name: 'prune',
  summary:
    'Removes the events that retention keeps no longer, and shows them first. Counts stay, and of each issue the first event, the last, one a release and the newest 100. Interrupted, the same command goes on.',
  usage: '[--project NAME] [--dry-run | --yes] | --compact',
  options: {
    project: 'project id or name (default: all)',
    'dry-run': { flag: 'show what would go, and remove nothing' },
    yes: {
      flag: 'remove it too where it is held back: the first time, after a jump of the clock, with a limit set far lower',
    },
    compact: {
      flag: 'write the file of SQLite anew without what is free in it, with the server stopped; needs twice its room',
    },
  },
  examples: ['prune --dry-run', 'prune --yes', 'prune --project shop --json', 'prune --compact'],
  async run(context, words) {
    if (words.flag('compact')) {
      const others = words.flag('yes') || words.flag('dry-run') || words.text('project') !== undefined;
      if (others) throw new UsageError('--compact stands alone.');
      return compactFile(context);
    }
    if (words.flag('yes') && words.flag('dry-run')) {
      throw new UsageError('--yes and --dry-run cannot stand together.');
    }
    // A full disk must be detected first: removing rows needs space in the write-ahead log.
    await giveUpIfFull(reserveOf(readSetup(context.env).config));
    const deps = await context.deps();
    const name = words.text('project');
    const project = name === undefined ? null : await getProject(deps, name);
    const round = await roundOf(context, deps, words, project);
    const view = viewRound(round, await deps.store.listProjects(), words.flag('dry-run'));
    if (view.removed > 0) await tell(deps, project, view.removed);
    const isDone = view.held_back === null || words.flag('dry-run');
    return { json: view, text: textOf(view), code: isDone ? exitCodes.fine : exitCodes.failed };
  },
};

async function roundOf(
  context: CommandContext,
  deps: Deps,
  words: ParsedWords,
  project: Project | null,
): Promise<Round> {
  const progress = progressIn(context);
  const round = await retentionRound(deps, {
    projectId: project?.id,
    isAsked: words.flag('yes'),
    isLook: words.flag('dry-run'),
    isOver: () => false,
    sleep: (milliseconds) => sleep(milliseconds),
    onProgress: (events) => progress.tell(`${events.toLocaleString('en')} events removed`),
  });
  progress.end();
  return round;
}

async function tell(deps: Deps, project: Project | null, events: number): Promise<void> {
  const name = project?.name ?? 'all projects';
  await audited(deps, byCommandLine, {
    action: 'retention.run',
    object: { kind: 'project', id: project?.id ?? null, name },
    projectId: project?.id ?? null,
    summary: `${events.toLocaleString('en')} events`,
  });
}

function viewRound(
  { standing, plans, state, removed, bytes, vacuum }: Round,
  all: readonly Project[],
  isLook: boolean,
) {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const beginsAtMs = state === null ? null : beginsAtOf(state);
  return {
    retention: standing,
    stored: plans.reduce((sum, plan) => sum + plan.stored, 0),
    would_remove: dueOf(plans),
    removed: [...removed.values()].reduce((sum, events) => sum + events, 0),
    removed_bytes: bytes,
    dry_run: isLook,
    held_back: state?.heldBack ?? null,
    begins_at: beginsAtMs === null ? null : momentText(beginsAtMs),
    shrinks: vacuum === 'none' ? false : vacuum === 'steps' ? true : null,
    projects: plans.map((plan) => ({
      project_id: plan.projectId,
      name: names.get(plan.projectId) ?? '',
      events_stored: plan.stored,
      bytes: plan.bytes,
      by_age: plan.byAge,
      by_quota: plan.byQuota,
      removed: removed.get(plan.projectId) ?? 0,
    })),
  };
}

type RoundView = ReturnType<typeof viewRound>;

const standingWords: Readonly<Record<Round['standing'], string>> = {
  on: '',
  off: 'Retention is off: RETENTION_DAYS, RETENTION_EVENTS_PER_PROJECT and RETENTION_BYTES_PER_PROJECT are 0.\n',
  kept: 'This database keeps everything: it was made by seed --demo.\n',
};

const heldBackWords = {
  first: 'This database never had retention, so nothing is removed yet.',
  clock: 'The clock went more than two days further since it was watched last. Look whether it is right.',
  limits: 'A limit was set far lower than before.',
} as const;

function textOf(view: RoundView): string {
  if (view.retention !== 'on') return standingWords[view.retention];
  const projects = tableOf(
    {
      ...{ Project: 'name', Stored: 'events_stored', 'Too old': 'by_age' },
      ...{ 'Over the quota': 'by_quota', Removed: 'removed' },
    },
    view.projects,
  );
  const lines = [projects, '', sentenceOf(view)];
  if (view.shrinks === false) {
    lines.push(
      'The file does not shrink by itself, because it was made without auto_vacuum; what is free in it is used again. With the server stopped, notifier prune --compact changes that.',
    );
  }
  return lines.join('\n');
}

function sentenceOf(view: RoundView): string {
  if (view.would_remove === 0) return 'There is nothing to remove.';
  if (view.held_back !== null) {
    const begins = view.begins_at === null ? '' : ` It begins by itself on ${isoText(view.begins_at)} UTC.`;
    return `${heldBackWords[view.held_back]}${begins} notifier prune --yes removes it now.`;
  }
  if (view.dry_run) return 'Nothing is removed yet: notifier prune does it, and the server by itself.';
  return `${view.removed.toLocaleString('en')} events are removed; what they counted stays.`;
}

/** Rewrites the database file (VACUUM). The server must be stopped. */
async function compactFile({ env, err }: CommandContext): Promise<Answer | number> {
  const file = configuredFile(env);
  if (file === null) {
    err('DATABASE_URL names PostgreSQL, which has a statement of its own for this: VACUUM FULL.\n');
    return exitCodes.usage;
  }
  const { beforeBytes, afterBytes } = await compact(file);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const sizes = `${megabytes(afterBytes)} MB, ${megabytes(beforeBytes)} before`;
  return {
    json: { path: file, bytes_before: beforeBytes, bytes_after: afterBytes },
    text: `${file}: ${sizes}. It gives room back by itself now.`,
  };
}

// `prune` shows which events retention would remove, and with --yes removes them while the server runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { compact } from '../../../data/maintenance/compact.ts';
import { releaseReserveIfFull, reserveFromConfig } from '../../app/disk.ts';
import { readSetup } from '../../app/open-deps.ts';
import { commandLineSource, writeAuditEntry } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { formatTime } from '../../core/parsing/timestamps.ts';
import { type RetentionRun, runRetention } from '../../core/retention/retention.ts';
import { countEventsToRemove, startsAtMs } from '../../core/retention/state.ts';
import type { Project } from '../../core/store/projects.ts';
import {
  type Command,
  type CommandContext,
  type CommandResult,
  exitCodes,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import { createProgressLine, formatIsoTime, formatViewTable } from '../print.ts';
import { getProject } from '../project-option.ts';
import { configuredDatabaseFile } from './database-file.ts';

export const pruneCommand: Command = {
  name: 'prune',
  summary:
    'Delete the events that retention no longer keeps. Counts stay, and of each issue the first event, the last, one per release and the newest 100. If interrupted, run it again.',
  usage: '[--project NAME] [--dry-run | --yes] | --compact',
  options: {
    project: 'project ID or name (default: all projects)',
    'dry-run': { flag: 'show what would be deleted, without deleting it' },
    yes: {
      flag: 'delete even when retention is on hold: the first time, after a clock jump, or after a much lower limit was set',
    },
    compact: {
      flag: 'rewrite the SQLite file without its free space; stop the server first, and have twice its size free on disk',
    },
  },
  examples: ['prune --dry-run', 'prune --yes', 'prune --project shop --json', 'prune --compact'],
  async run(context, args) {
    if (args.flag('compact')) {
      const others = args.flag('yes') || args.flag('dry-run') || args.text('project') !== undefined;
      if (others) throw new UsageError('--compact cannot be used with other options.');
      return compactFile(context);
    }
    if (args.flag('yes') && args.flag('dry-run')) {
      throw new UsageError('--yes and --dry-run cannot be used together.');
    }
    // A full disk must be detected first: removing rows needs space in the write-ahead log.
    await releaseReserveIfFull(reserveFromConfig(readSetup(context.env).config));
    const deps = await context.deps();
    const name = args.text('project');
    const project = name === undefined ? null : await getProject(deps, name);
    const result = await runRetentionOf(context, deps, args, project);
    const view = viewRetentionRun(result, await deps.store.listProjects(), args.flag('dry-run'));
    if (view.removed > 0) await auditRetention(deps, project, view.removed);
    const isDone = view.held_back === null || args.flag('dry-run');
    return { json: view, text: textOf(view), code: isDone ? exitCodes.fine : exitCodes.failed };
  },
};

async function runRetentionOf(
  context: CommandContext,
  deps: Deps,
  args: ParsedArgs,
  project: Project | null,
): Promise<RetentionRun> {
  const progress = createProgressLine(context);
  const result = await runRetention(deps, {
    projectId: project?.id,
    isConfirmed: args.flag('yes'),
    isDryRun: args.flag('dry-run'),
    isOver: () => false,
    sleep: (milliseconds) => sleep(milliseconds),
    onProgress: (events) => progress.update(`${events.toLocaleString('en')} events deleted`),
  });
  progress.end();
  return result;
}

async function auditRetention(deps: Deps, project: Project | null, events: number): Promise<void> {
  const name = project?.name ?? 'all projects';
  await writeAuditEntry(deps, commandLineSource, {
    action: 'retention.run',
    object: { kind: 'project', id: project?.id ?? null, name },
    projectId: project?.id ?? null,
    summary: `${events.toLocaleString('en')} events`,
  });
}

function viewRetentionRun(
  { status, plans, state, removed, bytes, vacuum }: RetentionRun,
  all: readonly Project[],
  isDryRun: boolean,
) {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const beginsAtMs = state === null ? null : startsAtMs(state);
  return {
    retention: status,
    stored: plans.reduce((sum, plan) => sum + plan.stored, 0),
    would_remove: countEventsToRemove(plans),
    removed: [...removed.values()].reduce((sum, events) => sum + events, 0),
    removed_bytes: bytes,
    dry_run: isDryRun,
    held_back: state?.heldBack ?? null,
    begins_at: beginsAtMs === null ? null : formatTime(beginsAtMs),
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

type RetentionRunView = ReturnType<typeof viewRetentionRun>;

const retentionStateTexts: Readonly<Record<RetentionRun['status'], string>> = {
  on: '',
  off: 'Retention is off: RETENTION_DAYS, RETENTION_EVENTS_PER_PROJECT and RETENTION_BYTES_PER_PROJECT are 0.\n',
  kept: 'This database keeps everything, because it was created by seed --demo.\n',
};

const heldBackWords = {
  first: 'Retention was never on for this database, so nothing is deleted yet.',
  clock: 'The clock jumped more than two days ahead, so nothing is deleted. Check that it is right.',
  limits: 'A limit was set much lower than before, so nothing is deleted yet.',
} as const;

function textOf(view: RetentionRunView): string {
  if (view.retention !== 'on') return retentionStateTexts[view.retention];
  const projects = formatViewTable(
    {
      ...{ Project: 'name', Stored: 'events_stored', 'Too old': 'by_age' },
      ...{ 'Over the quota': 'by_quota', Deleted: 'removed' },
    },
    view.projects,
  );
  const lines = [projects, '', sentenceOf(view)];
  if (view.shrinks === false) {
    lines.push(
      'The file does not shrink, because it was created without auto_vacuum; its free space is reused. To change that, stop the server and run notifier prune --compact.',
    );
  }
  return lines.join('\n');
}

function sentenceOf(view: RetentionRunView): string {
  if (view.would_remove === 0) return 'Nothing to delete.';
  if (view.held_back !== null) {
    const begins =
      view.begins_at === null ? '' : ` It starts automatically on ${formatIsoTime(view.begins_at)} UTC.`;
    return `${heldBackWords[view.held_back]}${begins} To delete now: notifier prune --yes`;
  }
  if (view.dry_run) {
    return 'Nothing is deleted yet. To delete now: notifier prune. The server also does it automatically.';
  }
  return `${view.removed.toLocaleString('en')} events deleted; counts stay.`;
}

/** Rewrites the database file (VACUUM). The server must be stopped. */
async function compactFile({ env, err }: CommandContext): Promise<CommandResult | number> {
  const file = configuredDatabaseFile(env);
  if (file === null) {
    err('DATABASE_URL is a PostgreSQL database. Use its own statement instead: VACUUM FULL.\n');
    return exitCodes.usage;
  }
  const { beforeBytes, afterBytes } = await compact(file);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const sizes = `${megabytes(afterBytes)} MB, ${megabytes(beforeBytes)} before`;
  return {
    json: { path: file, bytes_before: beforeBytes, bytes_after: afterBytes },
    text: `${file}: ${sizes}. From now on it shrinks automatically.`,
  };
}

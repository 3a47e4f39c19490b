// `monitor import`: monitors, and components of a status page, from the files of other programs.
import { readFileSync } from 'node:fs';
import { parse, YAMLError } from 'yaml';
import { z } from 'zod';
import { monitorRequest } from '../../../schemas/monitors.ts';
import { statusPageChangeRequest } from '../../../schemas/status-pages.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import { getNamespaceUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { RestError } from '../../core/errors.ts';
import { parseId } from '../../core/ids.ts';
import { type ForeignMonitor, readForeignMonitors } from '../../core/monitors/foreign-monitors.ts';
import { heartbeatPath } from '../../core/monitors/heartbeat.ts';
import { createMonitor, updateMonitor } from '../../core/monitors/monitors.ts';
import { updateStatusPage } from '../../core/status-pages/status-pages.ts';
import { parseValue } from '../../http/api/parse-parameters.ts';
import { type Command, CommandError, exitCodes } from '../command.ts';
import { sanitizeForTerminal } from '../print.ts';
import { getOwnerProjectId } from '../project-option.ts';
import { toCommandError } from '../schema-options.ts';

const fileBytesMax = 5 * 1024 * 1024;

interface Imported {
  readonly name: string;
  readonly state: 'created' | 'exists' | 'refused';
  readonly monitor_id: number | null;
  readonly why: string;
  readonly left: readonly string[];
  /** Shown only once. */
  readonly heartbeat_url: string | null;
}

/** Rolls back what a dry run wrote, which says more than checking alone would. */
class DryRun extends Error {}

export const importMonitors: Command = {
  name: 'monitor import',
  summary: 'Create monitors from config.yaml of Gatus or a JSON backup of Uptime Kuma.',
  usage: 'FILE [--dry-run] [--status-page ID] [--project NAME]',
  options: {
    'dry-run': { flag: 'say what would be created and what is not taken over, and change nothing' },
    'status-page': 'ID of a status page that gets a component for each monitor, with its group',
    project: 'project ID or name (default: none)',
  },
  examples: ['monitor import config.yaml --dry-run', 'monitor import kuma-backup.json --status-page 1'],
  async run(context, args) {
    const { from, monitors } = readMonitorsFile(args.positionals[0] ?? '');
    const isDry = args.flag('dry-run');
    const page = args.text('status-page');
    const pageId = page === undefined ? null : parseId(page);
    if (page !== undefined && pageId === null) throw new CommandError('--status-page must be an ID.');
    const deps = await context.deps();
    const projectId = await getOwnerProjectId(deps, args);
    let all: readonly Imported[] = [];
    const importing = deps.store.transaction(async (store) => {
      all = await importAll({ ...deps, store }, projectId, monitors);
      if (pageId !== null) await addComponents({ ...deps, store }, pageId, monitors, all);
      if (isDry) throw new DryRun();
    });
    await importing.catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw toCommandError(error);
    });
    const shown = all.map((each) => (isDry ? { ...each, monitor_id: null, heartbeat_url: null } : each));
    const count = (state: Imported['state']): number => all.filter((each) => each.state === state).length;
    const created = `${isDry ? 'Would create' : 'Created'} ${count('created')} of ${all.length} monitors of ${from}`;
    return {
      json: { from, dry_run: isDry, monitors: shown },
      text: [...shown.map((each) => lineOf(each, isDry)), `${created}.`].join('\n'),
      code: count('refused') === 0 ? exitCodes.fine : exitCodes.failed,
    };
  },
};

function readMonitorsFile(path: string) {
  const shown = sanitizeForTerminal(path);
  try {
    const bytes = readFileSync(path);
    if (bytes.length > fileBytesMax) throw new CommandError(`${shown} is larger than 5 MiB.`);
    // JSON is YAML too.
    const found = readForeignMonitors(parse(bytes.toString('utf8')));
    if (found !== null) return found;
  } catch (error) {
    if (error instanceof z.ZodError) {
      const [issue] = error.issues;
      throw new CommandError(`${shown}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`);
    }
    if (error instanceof YAMLError || error instanceof SyntaxError) {
      throw new CommandError(
        `${shown} cannot be read: ${sanitizeForTerminal(error.message.split('\n')[0] ?? '')}`,
      );
    }
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new CommandError(`${shown} cannot be read (${code}).`);
  }
  throw new CommandError(
    `${shown} has neither endpoints (config.yaml of Gatus) nor a monitorList (JSON backup of Uptime Kuma).`,
  );
}

async function importAll(deps: Deps, projectId: number | null, monitors: readonly ForeignMonitor[]) {
  const existingMonitors = (await deps.store.listMonitors(projectId)).filter(
    (each) => each.projectId === projectId,
  );
  const keyOf = (name: string, group: unknown): string =>
    `${typeof group === 'string' ? group : ''}\n${name}`;
  const names = new Map(existingMonitors.map(({ id, name, group }) => [keyOf(name, group), id]));
  const all: Imported[] = [];
  for (const monitor of monitors) {
    const key = keyOf(monitor.name, monitor.request?.['group']);
    const known = names.get(key);
    const done = known === undefined ? await importOne(deps, projectId, monitor) : existing(monitor, known);
    if (done.monitor_id !== null) names.set(key, done.monitor_id);
    all.push(done);
  }
  return all;
}

function existing({ name }: ForeignMonitor, id: number): Imported {
  return { name, state: 'exists', monitor_id: id, why: '', left: [], heartbeat_url: null };
}

async function importOne(
  deps: Deps,
  projectId: number | null,
  { name, request, isPaused, unsupported: left }: ForeignMonitor,
): Promise<Imported> {
  const refused = { name, state: 'refused', monitor_id: null, left, heartbeat_url: null } as const;
  if (request === null) return { ...refused, why: left.join('; '), left: [] };
  try {
    const fields = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
    const settings = parseValue(monitorRequest, fields);
    const { monitor, token } = await createMonitor(deps, projectId, settings, commandLineSource);
    if (isPaused) await updateMonitor(deps, projectId, monitor.id, { paused: true }, commandLineSource);
    const heartbeatUrl = token === null ? null : `${getNamespaceUrl(deps.config)}${heartbeatPath(token)}`;
    return { name, state: 'created', monitor_id: monitor.id, why: '', left, heartbeat_url: heartbeatUrl };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { ...refused, why: (toCommandError(error) as Error).message };
  }
}

async function addComponents(
  deps: Deps,
  pageId: number,
  monitors: readonly ForeignMonitor[],
  all: readonly Imported[],
): Promise<void> {
  const added = all.flatMap(({ name, state, monitor_id: id }, at) => {
    const group = monitors[at]?.request?.['group'];
    return state !== 'created' || id === null
      ? []
      : [{ name, monitors: [id], group: typeof group === 'string' ? group : '' }];
  });
  const change = ({ components }: { components: ReadonlyArray<{ id: number; name: string }> }) => ({
    ...parseValue(statusPageChangeRequest, {
      components: [...components.map(({ id, name }) => ({ component_id: id, name })), ...added],
    }),
  });
  await updateStatusPage(deps, null, pageId, change, commandLineSource);
}

function lineOf(
  { name, state, monitor_id: id, why: reason, left: skipped, heartbeat_url: url }: Imported,
  isDry: boolean,
) {
  const outcome = {
    created: isDry ? 'would be created' : `created as monitor ${id}`,
    exists: `exists already as monitor ${id}`,
    refused: `not created: ${reason}`,
  }[state];
  const rest = skipped.length === 0 ? '' : `; not taken over: ${skipped.join(', ')}`;
  const urlNote = url === null ? '' : `; heartbeat URL, shown only once: ${url}`;
  return sanitizeForTerminal(`${name}: ${outcome}${rest}${urlNote}`);
}

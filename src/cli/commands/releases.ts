import { type ReleaseVerdictView, releaseVerdictQuery } from '../../../schemas/releases.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { formatPercent } from '../../core/parsing/format/numbers.ts';
import { deleteRelease, findReleaseByVersion } from '../../core/releases/releases.ts';
import { getReleaseVerdict } from '../../core/releases/verdict.ts';
import { viewRelease } from '../../core/releases/views.ts';
import type { Project } from '../../core/store/projects.ts';
import type { Release } from '../../core/store/releases.ts';
import { type Command, exitCodes, type ParsedArgs } from '../command.ts';
import { formatIsoTime, formatTable, sanitizeForTerminal } from '../print.ts';
import { getSelectedProject, getWithProject, ownerOption, projectOption } from '../project-option.ts';
import { resourceCommands } from '../resource.ts';
import {
  limitOption,
  optionsFromSchema,
  parseLimit,
  parseRequest,
  printHiddenRowCount,
  readFieldValues,
} from '../schema-options.ts';

const thresholds = { schema: releaseVerdictQuery };

const releaseVerdictCommand: Command = {
  name: 'release check',
  aliases: ['release verdict'],
  onlyReads: true,
  summary:
    'Show whether a release passes: its tests, issues, crash-free sessions and monitors. Exit code 1 if not.',
  usage: 'VERSION',
  options: { ...optionsFromSchema(thresholds), ...ownerOption },
  examples: ['release check shop@1.4.2', 'release check shop@1.4.2 --new-issues-max 3 --json'],
  async run(context, args) {
    const query = parseRequest(releaseVerdictQuery, readFieldValues(args, thresholds));
    const deps = await context.deps();
    const { found } = await releaseNamed(deps, args);
    const verdict = await getReleaseVerdict(deps, found, query);
    return {
      json: verdict,
      text: textOf(verdict),
      code: verdict.verdict === 'fail' ? exitCodes.failed : exitCodes.fine,
    };
  },
};

function textOf({ version, verdict, checks }: ReleaseVerdictView): string {
  const rows = Object.entries(checks).map(([name, check]) => [
    name.replaceAll('_', ' '),
    check.verdict,
    check.reason,
  ]);
  return `Release ${sanitizeForTerminal(version)}: ${verdict}\n\n${formatTable(['Check', 'Verdict', 'Reason'], rows)}`;
}

function releaseNamed(deps: Deps, args: ParsedArgs) {
  const version = args.positionals[0] ?? '';
  const find = (project: Project) => findReleaseByVersion(deps, project, version);
  return getWithProject(deps, args, `release ${version}`, find);
}

const versionUsage = 'VERSION [--project NAME]';

export const releaseCommands = resourceCommands({
  name: 'release',
  view: (release: Release, deps) => viewRelease(deps, release),
  title: ({ version }) => version,
  target: releaseNamed,
  list: {
    summary: 'List the releases of a project, newest first.',
    usage: '[--limit 50] [--project NAME]',
    options: { ...limitOption, ...projectOption },
    examples: ['release list', 'release list --limit 5 --json'],
    async read(context, args) {
      const rows = parseLimit(args);
      const deps = await context.deps();
      const newest = { orderBy: 'date_created', descending: true, ...rows } as const;
      const page = await deps.store.listReleases((await getSelectedProject(deps, args)).id, newest);
      printHiddenRowCount(context, page.rows.length, page.total, 'releases');
      return page.rows;
    },
    emptyText: 'No releases.',
    columns: {
      Version: 'version',
      'Created (UTC)': ({ date_created: at }) => formatIsoTime(at),
      'Released (UTC)': ({ date_released: at }) => formatIsoTime(at),
      'New issues': ({ issues }) => issues.new,
      Regressed: ({ issues }) => issues.regressed,
      'Crash-free': ({ sessions: { crash_free_share: share } }) =>
        share === null ? null : formatPercent(share, 1, 2),
      Deploys: 'deploy_count',
    },
  },
  show: {
    summary: 'Show one release with its issues, sessions, deploys, artifacts and test runs.',
    usage: versionUsage,
    options: ownerOption,
    read: async (_deps, { found }) => found,
  },
  others: [releaseVerdictCommand],
  remove: {
    summary: 'Delete a release and its deploys. Its events and issues stay.',
    usage: versionUsage,
    options: ownerOption,
    async run(deps, { project, found }) {
      await deleteRelease(deps, project, found.id, commandLineSource);
      return found;
    },
  },
});

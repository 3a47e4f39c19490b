import { type ReleaseVerdictView, releaseVerdictQuery } from '../../../schemas/releases.ts';
import { findReleaseByVersion } from '../../core/releases/releases.ts';
import { getReleaseVerdict } from '../../core/releases/verdict.ts';
import { type Command, exitCodes } from '../command.ts';
import { formatTable, sanitizeForTerminal } from '../print.ts';
import { getWithProject, ownerOption } from '../project-option.ts';
import { optionsFromSchema, parseRequest, readFieldValues } from '../schema-options.ts';

const thresholds = { schema: releaseVerdictQuery };

export const releaseVerdictCommand: Command = {
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
    const version = args.positionals[0] ?? '';
    const { found } = await getWithProject(deps, args, `release ${version}`, (project) =>
      findReleaseByVersion(deps, project, version),
    );
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

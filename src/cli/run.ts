import { programVersion } from '../app/layers/version.ts';
import { silentLog } from '../app/log.ts';
import { type OpenedDeps, openDeps } from '../app/open-deps.ts';
import { toStartFailure } from '../app/start-failure.ts';
import { ConfigError, DependencyNotReadyError } from '../core/config/start-errors.ts';
import { commandName } from '../core/parsing/command-name.ts';
import { editDistance, findNearest } from '../core/parsing/nearest-name.ts';
import { backupCommand, restoreCommand } from './admin/backup.ts';
import { doctorCommand } from './admin/doctor.ts';
import { exportCommand } from './admin/export.ts';
import { importCommand } from './admin/import.ts';
import { migrateCommand } from './admin/migrate.ts';
import { pruneCommand } from './admin/prune.ts';
import { serveCommand } from './admin/serve.ts';
import {
  type Command,
  type CommandContext,
  commandHelp,
  exitCodes,
  type Output,
  parseCommandArgs,
  UnknownOptionError,
  UsageError,
  usageLine,
} from './command.ts';
import { channelCommands } from './commands/channels.ts';
import { domainCommands } from './commands/domains.ts';
import { eventShowCommand } from './commands/events.ts';
import { feedbackCommands } from './commands/feedback.ts';
import { inboundFilterCommands } from './commands/inbound-filters.ts';
import { incidentCommands } from './commands/incidents.ts';
import { issueCommands } from './commands/issues.ts';
import { keyCommands, tokenRotateCommand } from './commands/keys.ts';
import { mcpCommand } from './commands/mcp.ts';
import { memberCommands, memberRole, verifyAuditCommand } from './commands/members.ts';
import { maintenanceCommands, monitorCommands } from './commands/monitors.ts';
import { outcomesCommand } from './commands/outcomes.ts';
import { personalTokenCommands } from './commands/personal-tokens.ts';
import { projectCommands, projectRename } from './commands/projects.ts';
import { releaseCommands } from './commands/releases.ts';
import { reportCommands } from './commands/reports.ts';
import { statusPageCommands, statusPageSubscriberCommands } from './commands/status-pages.ts';
import { teamCommands } from './commands/teams.ts';
import { userCommands } from './commands/users.ts';
import { contractCommands } from './contract/contract.ts';
import { printJson } from './print.ts';
import { toCommandError } from './schema-options.ts';

const versionCommand: Command = {
  name: 'version',
  summary: 'Show the versions of Notifier and Node.',
  async run() {
    const versions = { notifier: programVersion(), node: process.versions.node };
    return { json: versions, text: `notifier ${versions.notifier}, Node ${versions.node}` };
  },
};

export const commands: readonly Command[] = [
  serveCommand,
  ...projectCommands,
  ...keyCommands,
  ...inboundFilterCommands,
  ...domainCommands,
  ...channelCommands,
  ...monitorCommands,
  ...maintenanceCommands,
  ...incidentCommands,
  ...reportCommands,
  ...statusPageCommands,
  ...statusPageSubscriberCommands,
  ...issueCommands,
  eventShowCommand,
  ...feedbackCommands,
  ...userCommands,
  ...releaseCommands,
  outcomesCommand,
  ...memberCommands,
  ...teamCommands,
  ...personalTokenCommands,
  mcpCommand,
  pruneCommand,
  tokenRotateCommand,
  verifyAuditCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
  exportCommand,
  importCommand,
  ...contractCommands,
  versionCommand,
];

export type CommandIo = Omit<CommandContext, 'deps'>;

/** Runs one command line, without the program name. Returns the exit code: see `exitCodes`. */
export async function runCommandLine(argv: readonly string[], io: CommandIo): Promise<number> {
  if (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h' || argv[0] === 'help') {
    io.out(overview());
    return argv.length === 0 ? exitCodes.usage : exitCodes.fine;
  }
  if (argv[0] === '--version') return runCommandLine(['version', ...argv.slice(1)], io);
  const found = findCommand(argv);
  if (found === null) {
    const ofNoun = commands.filter((command) => command.name.split(' ')[0] === argv[0]);
    const verb = argv[1] ?? '';
    if (ofNoun.length > 0 && ['', '--help', '-h'].includes(verb)) {
      io.out(`${listing(ofNoun)}\n`);
      return verb === '' ? exitCodes.usage : exitCodes.fine;
    }
    io.err(`${unknownCommandText(argv)}\n`);
    return exitCodes.usage;
  }
  return runFound(found.command, found.rest, io);
}

function unknownCommandText(argv: readonly string[]): string {
  const noun = commands.some((command) => command.name.split(' ')[0] === argv[0]);
  const entered = argv.slice(0, noun || argv.length > 1 ? 2 : 1).join(' ');
  // A single word may be meant as a noun.
  const distance = (name: string): number =>
    Math.min(
      editDistance(entered, name),
      ...(argv.length === 1 ? [editDistance(entered, name.split(' ')[0] ?? '')] : []),
    );
  const nearest = findNearest(
    entered,
    commands.map(({ name }) => name),
    distance,
  );
  const more = noun ? `notifier ${argv[0]} --help` : 'notifier --help';
  return `Unknown command "${entered}".${nearest === null ? '' : ` Did you mean "${nearest}"?`} See ${more}.`;
}

async function runFound(command: Command, argv: readonly string[], io: CommandIo): Promise<number> {
  let opened: OpenedDeps | null = null;
  const context: CommandContext = {
    ...io,
    async deps() {
      opened ??= await openDeps(io.env, {
        log: silentLog,
        warn: (line) => io.err(`${line}\n`),
        makesFile: command.onlyReads !== true,
      });
      return opened.deps;
    },
  };
  try {
    const args = parseCommandArgs(command, argv);
    if (args.flag('help')) {
      const others = commands.filter(({ name }) => name.startsWith(`${command.name} `));
      io.out(`${commandHelp(command)}${others.length === 0 ? '' : `\n${listing(others)}\n`}`);
      return exitCodes.fine;
    }
    const answer = await command.run(context, args);
    if (typeof answer === 'number') return answer;
    if (args.flag('json')) printJson(io, answer.json);
    else io.out(lineOf(typeof answer.text === 'string' ? answer.text : await answer.text()));
    return answer.code ?? exitCodes.fine;
  } catch (error) {
    return printError(command, toCommandError(error), io);
  } finally {
    await (opened as OpenedDeps | null)?.close();
  }
}

function lineOf(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function printError(command: Command, error: unknown, io: Output): number {
  if (error instanceof UnknownOptionError) {
    io.err(`${error.message}\n`);
    return exitCodes.usage;
  }
  if (error instanceof UsageError) {
    io.err(`${error.message}\n\nUsage: ${usageLine(command)}\n`);
    return exitCodes.usage;
  }
  if (error instanceof ConfigError || error instanceof DependencyNotReadyError) {
    const { code, sentence } = toStartFailure(error);
    io.err(`${sentence}\n`);
    return code;
  }
  io.err(`${error instanceof Error ? error.message : String(error)}\n`);
  return exitCodes.failed;
}

function findCommand(argv: readonly string[]): { command: Command; rest: readonly string[] } | null {
  const entered = argv.slice(0, 2).join(' ');
  const two = [...commands, memberRole, projectRename].find(
    ({ name, aliases }) => name === entered || aliases?.includes(entered),
  );
  if (two !== undefined) return { command: two, rest: argv.slice(2) };
  const one = commands.find(({ name, aliases }) => name === argv[0] || aliases?.includes(argv[0] ?? ''));
  return one === undefined ? null : { command: one, rest: argv.slice(1) };
}

function overview(): string {
  const hint = commandName === 'notifier' ? '' : ` Here, \`notifier\` is \`${commandName}\`.`;
  return `Notifier: error tracking, uptime and status pages for Sentry SDKs.\n\n${listing(commands)}\n\nRun any command with --help to see its options. Most commands accept --json. Settings are described in .env.example.${hint}\n`;
}

function listing(some: readonly Command[]): string {
  const width = Math.max(...some.map((command) => command.name.length)) + 2;
  return some.map((command) => `  notifier ${command.name.padEnd(width)}${command.summary}`).join('\n');
}

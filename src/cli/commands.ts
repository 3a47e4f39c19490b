// Every command, in the order of the help.
import { programVersion } from '../program/version.ts';
import type { Command } from './command.ts';
import { contractCommands } from './contract/contract.ts';
import { channelCommands } from './nouns/channels.ts';
import { domainCommands } from './nouns/domains.ts';
import { eventShow } from './nouns/events.ts';
import { feedbackCommands } from './nouns/feedback.ts';
import { incidentCommands } from './nouns/incidents.ts';
import { issueCommands } from './nouns/issue-changes.ts';
import { keyCommands, tokenRotate } from './nouns/keys.ts';
import { memberCommands, verifyAuditCommand } from './nouns/members.ts';
import { maintenanceCommands, monitorCommands } from './nouns/monitors.ts';
import { outcomes } from './nouns/outcomes.ts';
import { projectCommands } from './nouns/projects.ts';
import { reportCommands } from './nouns/reports.ts';
import { statusPageCommands } from './nouns/status-pages.ts';
import { backupCommand, restoreCommand } from './upkeep/backup.ts';
import { doctorCommand } from './upkeep/doctor.ts';
import { exportCommand } from './upkeep/export.ts';
import { importCommand } from './upkeep/import.ts';
import { migrateCommand } from './upkeep/migrate.ts';
import { prune } from './upkeep/prune.ts';

const serveCommand: Command = {
  name: 'serve',
  summary: 'Starts the server (npm start does the same).',
  hasJson: false,
  async run(context) {
    // Loaded here: no other command needs the server and its pages, which are most of the program.
    const { serve } = await import('../program/serve.ts');
    const { writeStandardOutput } = await import('../program/standard-output.ts');
    return serve(() => context.env, { write: writeStandardOutput }, process.stderr);
  },
};

const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the version of the program and of Node.',
  async run() {
    const versions = { notifier: programVersion(), node: process.versions.node };
    return { json: versions, text: `notifier ${versions.notifier}, Node ${versions.node}` };
  },
};

export const commands: readonly Command[] = [
  serveCommand,
  ...projectCommands,
  ...keyCommands,
  ...domainCommands,
  ...channelCommands,
  ...monitorCommands,
  ...maintenanceCommands,
  ...incidentCommands,
  ...reportCommands,
  ...statusPageCommands,
  ...issueCommands,
  eventShow,
  ...feedbackCommands,
  outcomes,
  ...memberCommands,
  prune,
  tokenRotate,
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

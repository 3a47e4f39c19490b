// Every command, in the order of the help.
import type { Command } from './command.ts';
import { contractCommand } from './contract/contract.ts';
import { channelCommands } from './nouns/channels.ts';
import { domainCommands } from './nouns/domains.ts';
import { eventShow } from './nouns/events.ts';
import { feedbackCommands } from './nouns/feedback.ts';
import { incidentCommands } from './nouns/incidents.ts';
import { issueCommands } from './nouns/issue-changes.ts';
import { keyCommands, tokenRotate } from './nouns/keys.ts';
import { maintenanceCommands } from './nouns/maintenance.ts';
import { memberCommands } from './nouns/members.ts';
import { monitorCommands } from './nouns/monitors.ts';
import { outcomes } from './nouns/outcomes.ts';
import { projectCommands } from './nouns/projects.ts';
import { reportCommands } from './nouns/reports.ts';
import { statusPageCommands } from './nouns/status-pages.ts';
import { serveCommand, versionCommand } from './program.ts';
import { backupCommand, restoreCommand } from './upkeep/backup.ts';
import { doctorCommand } from './upkeep/doctor.ts';
import { exportCommand } from './upkeep/export.ts';
import { importCommand } from './upkeep/import.ts';
import { migrateCommand } from './upkeep/migrate.ts';
import { prune } from './upkeep/prune.ts';
import { verifyAuditCommand } from './upkeep/verify-audit.ts';

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
  contractCommand,
  versionCommand,
];

// Every command, in the order of the help.
import {
  channelAdd,
  channelChange,
  channelList,
  channelRemove,
  channelShow,
  channelTest,
} from './alerts/channels.ts';
import type { Command } from './command.ts';
import { contractCommand } from './contract/contract.ts';
import { domainVerify } from './domain-verify.ts';
import { domainAdd, domainList, domainRemove, domainSet } from './domains.ts';
import { eventShow } from './events.ts';
import { feedbackDelete, feedbackList, feedbackShow } from './feedback.ts';
import {
  incidentList,
  incidentOpen,
  incidentRemove,
  incidentShow,
  incidentUpdate,
} from './incidents/incidents.ts';
import { issueIgnore, issueMerge, issueReopen, issueResolve, issueUnmerge } from './issue-changes.ts';
import { issueList, issueShow } from './issues.ts';
import { keyCreate, keyList, keyRevoke, keyRotate, keySet } from './keys.ts';
import {
  monitorAdd,
  monitorChange,
  monitorList,
  monitorPause,
  monitorRemove,
  monitorRenew,
  monitorResume,
  monitorShow,
} from './monitors/monitors.ts';
import {
  maintenanceChange,
  maintenanceList,
  maintenancePlan,
  maintenanceRemove,
  maintenanceShow,
} from './monitors/windows.ts';
import { outcomes } from './outcomes.ts';
import { memberAdd, memberLink, memberList, memberRemove, memberRole } from './people/members.ts';
import { verifyAuditCommand } from './people/verify-audit.ts';
import { projectDelete } from './project-delete.ts';
import { projectRegroup } from './project-regroup.ts';
import { projectCreate, projectList, projectRename, projectSet } from './projects.ts';
import { reportList, reportMake, reportRemove, reportShow } from './reports/reports.ts';
import { reportSend, reportSent, reportUnsend } from './reports/schedules.ts';
import { serveCommand } from './serve.ts';
import {
  statusPageAdd,
  statusPageChange,
  statusPageList,
  statusPageRemove,
  statusPageSay,
  statusPageShow,
} from './status-pages/status-pages.ts';
import { prune } from './storage/prune.ts';
import { tokenRotate } from './token.ts';
import { backupCommand } from './upkeep/backup.ts';
import { doctorCommand } from './upkeep/doctor.ts';
import { exportCommand } from './upkeep/export.ts';
import { importCommand } from './upkeep/import.ts';
import { migrateCommand } from './upkeep/migrate.ts';
import { restoreCommand } from './upkeep/restore.ts';
import { versionCommand } from './version.ts';

export const commands: readonly Command[] = [
  serveCommand,
  projectCreate,
  projectList,
  projectSet,
  projectRename,
  projectRegroup,
  projectDelete,
  keyCreate,
  keyList,
  keySet,
  keyRotate,
  keyRevoke,
  domainAdd,
  domainList,
  domainSet,
  domainRemove,
  domainVerify,
  channelAdd,
  channelList,
  channelShow,
  channelChange,
  channelTest,
  channelRemove,
  monitorAdd,
  monitorList,
  monitorShow,
  monitorChange,
  monitorPause,
  monitorResume,
  monitorRenew,
  monitorRemove,
  maintenancePlan,
  maintenanceList,
  maintenanceShow,
  maintenanceChange,
  maintenanceRemove,
  incidentOpen,
  incidentList,
  incidentShow,
  incidentUpdate,
  incidentRemove,
  reportList,
  reportMake,
  reportShow,
  reportRemove,
  statusPageAdd,
  statusPageList,
  statusPageShow,
  statusPageChange,
  statusPageSay,
  statusPageRemove,
  reportSend,
  reportSent,
  reportUnsend,
  issueList,
  issueShow,
  issueResolve,
  issueIgnore,
  issueReopen,
  issueMerge,
  issueUnmerge,
  eventShow,
  feedbackList,
  feedbackShow,
  feedbackDelete,
  outcomes,
  memberAdd,
  memberList,
  memberRole,
  memberLink,
  memberRemove,
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

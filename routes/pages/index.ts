// All pages and acts of the workspace: one list, one line a noun.
import type { Declaration } from '../../src/http/pages/declare.ts';
import { alertPages } from './alerts/channels.ts';
import { artifactPages } from './artifacts.ts';
import { auditPages } from './audit.ts';
import { domainPages } from './domains.ts';
import { feedbackPages } from './feedback.ts';
import { helpPages } from './help.ts';
import { incidentPages } from './incidents/incidents.ts';
import { issuePages } from './issue.ts';
import { issueListPages } from './issues.ts';
import { livePages } from './live.ts';
import { memberPages } from './members.ts';
import { overviewPages } from './overview.ts';
import { projectPages } from './projects.ts';
import { releasePages } from './releases.ts';
import { reportPages } from './reports.ts';
import { searchPages } from './search.ts';
import { testRunPages } from './test-runs.ts';
import { monitorPages } from './uptime/monitors.ts';
import { statusPagePages } from './uptime/status-pages.ts';

/** The declarations of every page, file and act. */
export function workspacePages(): Declaration[] {
  return [
    ...overviewPages(),
    ...issueListPages(),
    ...issuePages(),
    ...feedbackPages(),
    ...livePages(),
    ...searchPages(),
    ...projectPages(),
    ...domainPages(),
    ...monitorPages(),
    ...incidentPages(),
    ...statusPagePages(),
    ...alertPages(),
    ...releasePages(),
    ...testRunPages(),
    ...artifactPages(),
    ...reportPages(),
    ...auditPages(),
    ...memberPages(),
    ...helpPages(),
  ];
}

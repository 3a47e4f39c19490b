// The stored form of a report. Titles and names are looked up when it is read, so deleted texts disappear.

import type { ReportTotals } from '../../../../schemas/reports.ts';
import type { Incident } from '../../store/incidents.ts';
import type { SavedReport, SavedReportSummary } from '../../store/reports.ts';
import type { Store } from '../../store/store.ts';
import { affectedNames } from '../monitoring/incident-views.ts';
import type { ReportBody } from './body.ts';

type Project = ReportBody['projects'][number];
type Users = Pick<Project, 'users' | 'users_or_more'>;

type StoredReportBody = Omit<ReportBody, 'projects' | 'top_issues' | 'alerts' | 'incidents'> & {
  /** Missing in reports stored by versions that did not count users. */
  readonly projects: ReadonlyArray<Omit<Project, keyof Users> & Partial<Users>>;
  readonly top_issues: ReadonlyArray<Omit<ReportBody['top_issues'][number], 'title' | 'culprit'>>;
  readonly incidents: ReadonlyArray<Omit<ReportBody['incidents'][number], 'title' | 'cause' | 'affects'>>;
  readonly alerts: ReadonlyArray<Omit<ReportBody['alerts'][number], 'name'>>;
};

export function serializeReport(body: ReportBody): Pick<SavedReport, 'sums' | 'body'> {
  const stored: StoredReportBody = {
    ...body,
    top_issues: body.top_issues.map(({ title: _title, culprit: _culprit, ...issue }) => issue),
    incidents: body.incidents.map(
      ({ title: _title, cause: _cause, affects: _affects, ...incident }) => incident,
    ),
    alerts: body.alerts.map(({ name: _name, ...sent }) => sent),
  };
  return { sums: JSON.stringify(body.sums), body: JSON.stringify(stored) };
}

export async function loadReportBody(
  store: Pick<Store, 'findIssueAnywhere' | 'listIncidentsOf' | 'listChannels'>,
  { body }: Pick<SavedReport, 'body'>,
): Promise<ReportBody> {
  const stored = JSON.parse(body) as StoredReportBody;
  const [issues, incidents, channels] = await Promise.all([
    Promise.all(stored.top_issues.map(({ issue_id: id }) => store.findIssueAnywhere(id))),
    store.listIncidentsOf(stored.incidents.map(({ incident_id: id }) => id)),
    store.listChannels(),
  ]);
  return {
    ...stored,
    projects: stored.projects.map((each) => ({
      ...each,
      users: each.users ?? null,
      users_or_more: each.users_or_more ?? false,
    })),
    top_issues: stored.top_issues.map((issue, at) => {
      const { title = null, culprit = null } = issues[at] ?? {};
      return { ...issue, title, culprit };
    }),
    incidents: stored.incidents.map((incident) => ({
      ...incident,
      ...namesOf(incidents.find(({ id }) => id === incident.incident_id)),
    })),
    alerts: stored.alerts.map((sent) => ({
      ...sent,
      name: channels.find(({ id }) => id === sent.channel_id)?.name ?? null,
    })),
  };
}

/** Replaces names that older versions stored. */
function namesOf(
  incident: Incident | undefined,
): Pick<ReportBody['incidents'][number], 'title' | 'cause' | 'affects'> {
  return incident === undefined
    ? { title: null, cause: '', affects: [] }
    : { title: incident.title, cause: incident.cause, affects: affectedNames(incident) };
}

export function parseReportTotals({ sums }: Pick<SavedReportSummary, 'sums'>): ReportTotals {
  return JSON.parse(sums) as ReportTotals;
}

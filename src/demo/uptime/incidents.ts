import type { IncidentChangeRequest } from '../../../schemas/incidents.ts';
import { createIncident, updateIncident } from '../../core/incidents/incidents.ts';
import { dayMs, minuteMs } from '../../core/parsing/durations.ts';
import { formatTime } from '../../core/parsing/timestamps.ts';
import type { Colleague } from '../shared/company.ts';
import { type DemoContext, type Step, timeAgoMs } from '../shared/context.ts';
import { auditActor } from '../shared/people.ts';
import { checkMessage, type Outage, type OutageUpdate, publicUpdate, recoveredAtMs } from './outage.ts';
import { cardPayments, getMonitorBySlug, outages, recordStateChange } from './outages.ts';

export function incidentSteps(demo: DemoContext): Step[] {
  return outages.flatMap((outage) => outageSteps(demo, outage));
}

interface IncidentRef {
  id: number;
}

/** A monitor that is down opens its incident; for a slow one a person does. The lead acknowledges it. */
function outageSteps(demo: DemoContext, outage: Outage): Step[] {
  const { title, severity, monitor, kind, code = '', lead, cause = null, postMortem, end } = outage;
  const last = end === undefined ? [] : [publicUpdate(end.minute, lead, end.body, 'resolved')];
  const updates = [...outage.updates, ...last];
  const startedAtMs = timeAgoMs(demo.nowMs, outage.days);
  const upAtMs = recoveredAtMs(outage, startedAtMs);
  const incident: IncidentRef = { id: 0 };
  const checkStep = (atMs: number, result: 'up' | typeof kind, checkCode: string, message: string): Step => {
    const check = { atMs, result, code: checkCode, durationMs: null, message };
    return { atMs, run: () => recordStateChange(demo, monitor, check) };
  };
  return [
    checkStep(startedAtMs, kind, code, checkMessage(outage)),
    {
      atMs: startedAtMs + outage.acknowledgedMinute * minuteMs,
      async run() {
        const { id, projectId } = await getMonitorBySlug(demo, monitor);
        const open = await demo.deps.store.openOfMonitor(id);
        if (open !== null) {
          incident.id = open;
          await change(demo, open, lead, { acknowledged: true, title, severity, lead });
          return;
        }
        const input = { title, severity, lead, monitors: [id], started_at: formatTime(startedAtMs) };
        incident.id = (await createIncident(demo.deps, projectId, input, auditActor(demo, lead))).id;
      },
    },
    ...updates.map((update) =>
      updateStep(demo, incident, startedAtMs, update, update.to === 'identified' ? cause : null),
    ),
    ...linkSteps(demo, incident, outage, startedAtMs),
    checkStep(upAtMs, 'up', kind === 'degraded' ? code : '', ''),
    ...(postMortem === undefined
      ? []
      : [changeStep(demo, incident, startedAtMs + dayMs, lead, () => postMortemChange(postMortem))]),
  ];
}

function updateStep(
  demo: DemoContext,
  incident: IncidentRef,
  startedAtMs: number,
  update: OutageUpdate,
  cause: string | null,
): Step {
  const { minute, by, isPublic, body, to } = update;
  const change = {
    message: body,
    public: isPublic,
    ...(to === undefined ? {} : { state: to }),
    ...(cause === null ? {} : { cause }),
  };
  return changeStep(demo, incident, startedAtMs + minute * minuteMs, by, () => change);
}

function changeStep(
  demo: DemoContext,
  incident: IncidentRef,
  atMs: number,
  by: Colleague,
  changes: () => IncidentChangeRequest | Promise<IncidentChangeRequest>,
): Step {
  return { atMs, run: async () => change(demo, incident.id, by, await changes()) };
}

async function change(
  demo: DemoContext,
  id: number,
  by: Colleague,
  changes: IncidentChangeRequest,
): Promise<void> {
  await updateIncident(demo.deps, null, id, changes, auditActor(demo, by));
}

function linkSteps(demo: DemoContext, incident: IncidentRef, outage: Outage, startedAtMs: number): Step[] {
  const { release, issue, monitor, lead, acknowledgedMinute } = outage;
  const link = (minute: number, changes: () => IncidentChangeRequest | Promise<IncidentChangeRequest>) =>
    changeStep(demo, incident, startedAtMs + minute * minuteMs, lead, changes);
  if (outage === cardPayments) {
    return [
      link(9, () => issueLink(demo, 'capture-502')),
      link(10, () => releaseLink(demo, monitor, '2.31.0')),
      link(11, () => testRunLink(demo)),
    ];
  }
  const minute = acknowledgedMinute + 1;
  return [
    ...(release === undefined ? [] : [link(minute, () => releaseLink(demo, monitor, release))]),
    ...(issue === undefined ? [] : [link(minute, () => issueLink(demo, issue))]),
  ];
}

async function releaseLink(demo: DemoContext, slug: string, version: string): Promise<IncidentChangeRequest> {
  const { projectId } = await getMonitorBySlug(demo, slug);
  const found = await demo.deps.store.findReleaseByVersion(projectId ?? 0, version);
  return { link: { kind: 'release', id: found?.id ?? 0 } };
}

function issueLink({ issueIds }: DemoContext, key: string): IncidentChangeRequest {
  return { link: { kind: 'issue', id: issueIds.get(key) ?? 0 } };
}

async function testRunLink({ deps, projects }: DemoContext): Promise<IncidentChangeRequest> {
  const filter = { limit: 1, offset: 0, descending: true, orderBy: 'created_at' } as const;
  const { rows } = await deps.store.listTestRuns(projects['checkout-api'].id, filter);
  return { link: { kind: 'test_run', id: rows[0]?.id ?? 0 } };
}

function postMortemChange(postMortem: NonNullable<Outage['postMortem']>): IncidentChangeRequest {
  const { isPublic, text, wentWell, actions } = postMortem;
  const rows = actions.map(
    ([action, owner, isDone]) => `| ${action} | ${owner} | ${isDone ? 'done' : 'due'} |`,
  );
  const markdown = `## What happened\n\n${text}\n\n## What went well\n\n${wentWell}\n\n## What changes\n\n| What | Who | State |\n|---|---|---|\n${rows.join('\n')}\n`;
  return { post_mortem: markdown, post_mortem_public: isPublic };
}

import type { IncidentChangeRequest } from '../../../schemas/incidents.ts';
import { createIncident, updateIncident } from '../../core/incidents/incidents.ts';
import { dayMs, minuteMs } from '../../core/parsing/durations.ts';
import { formatTime } from '../../core/parsing/timestamps.ts';
import type { Colleague } from '../shared/company.ts';
import { type DemoContext, outageMinutes, type Step, timeAgoMs } from '../shared/context.ts';
import { auditActor } from '../shared/people.ts';
import { jun, mara, type OutageUpdate, type PastOutage, publicUpdate, teamUpdate } from './outage.ts';
import {
  checkMessage,
  getMonitorBySlug,
  pastOutages,
  recordStateChange,
  recoveredMinute,
  slowSearchMinutes,
} from './outages.ts';

export function incidentSteps(demo: DemoContext): Step[] {
  return [
    ...pastOutages.flatMap((outage) => pastSteps(demo, outage)),
    ...cardPayments(demo),
    ...slowSearch(demo),
  ];
}

interface IncidentRef {
  id: number;
}

function pastSteps(demo: DemoContext, outage: PastOutage): Step[] {
  const { monitor, kind, code = '', lead, cause } = outage;
  const startedAtMs = timeAgoMs(demo.nowMs, outage.days);
  const incident: IncidentRef = { id: 0 };
  const postMortemRequest = postMortemChange(outage);
  return [
    ...openSteps(demo, incident, { ...outage, code, reason: checkMessage(outage), startedAtMs }),
    ...outage.updates.map((update) =>
      updateStep(demo, incident, startedAtMs, update, update.to === 'identified' ? cause : null),
    ),
    ...linkSteps(demo, incident, outage, startedAtMs),
    {
      atMs: startedAtMs + recoveredMinute(outage) * minuteMs,
      run: () =>
        recordStateChange(demo, monitor, {
          atMs: startedAtMs + recoveredMinute(outage) * minuteMs,
          result: 'up',
          code: kind === 'degraded' ? code : '',
          durationMs: null,
          message: '',
        }),
    },
    ...(postMortemRequest === null
      ? []
      : [changeStep(demo, incident, startedAtMs + dayMs, lead, () => postMortemRequest)]),
  ];
}

interface IncidentStart {
  readonly title: string;
  readonly severity: 'critical' | 'minor';
  readonly monitor: string;
  readonly kind: 'down' | 'degraded';
  readonly code: string;
  readonly reason: string;
  readonly startedAtMs: number;
  readonly acknowledgedMinute: number;
  readonly lead: Colleague;
}

/** A monitor that is down opens its incident; for a slow one a person does. The lead acknowledges it. */
function openSteps(demo: DemoContext, incident: IncidentRef, start: IncidentStart): Step[] {
  const { title, severity, monitor, kind, code, reason, startedAtMs, acknowledgedMinute, lead } = start;
  return [
    {
      atMs: startedAtMs,
      run: () =>
        recordStateChange(demo, monitor, {
          atMs: startedAtMs,
          result: kind,
          code,
          durationMs: null,
          message: reason,
        }),
    },
    {
      atMs: startedAtMs + acknowledgedMinute * minuteMs,
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

function linkSteps(
  demo: DemoContext,
  incident: IncidentRef,
  outage: PastOutage,
  startedAtMs: number,
): Step[] {
  const { release, issue, monitor, lead, acknowledgedMinute } = outage;
  const atMs = startedAtMs + (acknowledgedMinute + 1) * minuteMs;
  return [
    ...(release === undefined
      ? []
      : [changeStep(demo, incident, atMs, lead, async () => releaseLink(demo, monitor, release))]),
    ...(issue === undefined ? [] : [changeStep(demo, incident, atMs, lead, () => issueLink(demo, issue))]),
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

function postMortemChange({ postMortem }: PastOutage): IncidentChangeRequest | null {
  if (postMortem === undefined) return null;
  const { isPublic, text, wentWell, actions } = postMortem;
  const rows = actions.map(
    ([action, owner, isDone]) => `| ${action} | ${owner} | ${isDone ? 'done' : 'due'} |`,
  );
  const markdown = `## What happened\n\n${text}\n\n## What went well\n\n${wentWell}\n\n## What changes\n\n| What | Who | State |\n|---|---|---|\n${rows.join('\n')}\n`;
  return { post_mortem: markdown, post_mortem_public: isPublic };
}

const cardPaymentUpdates: readonly OutageUpdate[] = [
  teamUpdate(3, mara, 'On it. Tomas, please hold further deploys of checkout-api.'),
  publicUpdate(6, mara, 'Card payments fail with an error. No card is charged twice.'),
  teamUpdate(
    21,
    jun,
    'Provider support, case 8841-C: their EU cluster refuses requests with three retries inside 2 s. So it may be both: their limit, and our new retry.',
  ),
  publicUpdate(
    28,
    mara,
    'Our payment provider confirms trouble on its side. You can still order and pay by bank transfer; your basket is kept.',
  ),
  teamUpdate(95, jun, 'Taking the release back is being tried on staging.'),
];

function cardPayments(demo: DemoContext): Step[] {
  const startedAtMs = timeAgoMs(demo.nowMs, 0, 0, outageMinutes);
  const incident: IncidentRef = { id: 0 };
  const link = (minute: number, changes: () => IncidentChangeRequest | Promise<IncidentChangeRequest>) =>
    changeStep(demo, incident, startedAtMs + minute * minuteMs, mara, changes);
  return [
    ...openSteps(demo, incident, {
      title: 'Card payments are failing',
      severity: 'critical',
      monitor: 'payments-gateway',
      kind: 'down',
      code: '502',
      reason: 'returns status 502',
      startedAtMs,
      acknowledgedMinute: 2,
      lead: mara,
    }),
    ...cardPaymentUpdates.map((update) => updateStep(demo, incident, startedAtMs, update, null)),
    link(9, () => issueLink(demo, 'capture-502')),
    link(10, () => releaseLink(demo, 'payments-gateway', '2.31.0')),
    link(11, async () => {
      const { id } = demo.projects['checkout-api'];
      const filter = { limit: 1, offset: 0, descending: true, orderBy: 'created_at' } as const;
      const { rows } = await demo.deps.store.listTestRuns(id, filter);
      return { link: { kind: 'test_run', id: rows[0]?.id ?? 0 } };
    }),
  ];
}

function slowSearch(demo: DemoContext): Step[] {
  const startedAtMs = timeAgoMs(demo.nowMs, 0, 0, slowSearchMinutes);
  const incident: IncidentRef = { id: 0 };
  const updates: readonly OutageUpdate[] = [
    teamUpdate(11, jun, 'The index is being rebuilt after the night’s import.', 'identified'),
    publicUpdate(
      19,
      jun,
      'Product search is slow while an index is rebuilt. Results are complete and take 2 to 3 seconds.',
      'monitoring',
    ),
  ];
  return [
    ...openSteps(demo, incident, {
      title: 'Product search is slow',
      severity: 'minor',
      monitor: 'product-search',
      kind: 'degraded',
      code: '200',
      reason: 'takes longer than 1,000 ms',
      startedAtMs,
      acknowledgedMinute: 8,
      lead: jun,
    }),
    ...updates.map((each) =>
      updateStep(demo, incident, startedAtMs, each, each.minute === 11 ? 'an index is being rebuilt' : null),
    ),
  ];
}

import type { IncidentChangeRequest } from '../../../schemas/incidents.ts';
import { createIncident, updateIncident } from '../../core/incidents/incidents.ts';
import { dayMs, minuteMs } from '../../core/parsing/durations.ts';
import { formatTime } from '../../core/parsing/timestamps.ts';
import type { Colleague } from '../shared/company.ts';
import { type DemoContext, outageMinutes, type Step, timeAgoMs } from '../shared/context.ts';
import { auditActor } from '../shared/people.ts';
import { jun, mara, type OutageUpdate, type PastOutage } from './outage.ts';
import {
  checkMessage,
  getMonitorBySlug,
  pastOutages,
  recordStateChange,
  recoveredMinute,
  slowSearchMinutes,
} from './outages.ts';

export function incidentSteps(world: DemoContext): Step[] {
  return [
    ...pastOutages.flatMap((past) => pastSteps(world, past)),
    ...cardPayments(world),
    ...slowSearch(world),
  ];
}

interface Opened {
  id: number;
}

function pastSteps(world: DemoContext, past: PastOutage): Step[] {
  const { monitor, kind, code, title, severity, acknowledgedMinute, lead, cause } = past;
  const startedAtMs = timeAgoMs(world.nowMs, past.days);
  const incident: Opened = { id: 0 };
  const learnt = postMortemChange(past);
  return [
    ...openSteps(world, incident, {
      title,
      severity,
      monitor,
      kind,
      code,
      reason: checkMessage(past),
      startedAtMs,
      acknowledgedMinute,
      lead,
    }),
    ...past.updates.map((update) =>
      updateStep(world, incident, startedAtMs, update, update.to === 'identified' ? cause : null),
    ),
    ...linkSteps(world, incident, past, startedAtMs),
    {
      atMs: startedAtMs + recoveredMinute(past) * minuteMs,
      take: () =>
        recordStateChange(world, monitor, {
          atMs: startedAtMs + recoveredMinute(past) * minuteMs,
          result: 'up',
          code: kind === 'degraded' ? code : '',
          durationMs: null,
          message: '',
        }),
    },
    ...(learnt === null
      ? []
      : [changeStep(world, incident, startedAtMs + dayMs, past.postMortem?.by ?? lead, () => learnt)]),
  ];
}

interface Opening {
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
function openSteps(world: DemoContext, incident: Opened, opening: Opening): Step[] {
  const { title, severity, monitor, kind, code, reason, startedAtMs, acknowledgedMinute, lead } = opening;
  return [
    {
      atMs: startedAtMs,
      take: () =>
        recordStateChange(world, monitor, {
          atMs: startedAtMs,
          result: kind,
          code,
          durationMs: null,
          message: reason,
        }),
    },
    {
      atMs: startedAtMs + acknowledgedMinute * minuteMs,
      async take() {
        const { id, projectId } = await getMonitorBySlug(world, monitor);
        const open = await world.deps.store.openOfMonitor(id);
        if (open !== null) {
          incident.id = open;
          await change(world, open, lead, { acknowledged: true, title, severity, lead });
          return;
        }
        const input = { title, severity, lead, monitors: [id], started_at: formatTime(startedAtMs) };
        incident.id = (await createIncident(world.deps, projectId, input, auditActor(world, lead))).id;
      },
    },
  ];
}

function updateStep(
  world: DemoContext,
  incident: Opened,
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
  return changeStep(world, incident, startedAtMs + minute * minuteMs, by, () => change);
}

function changeStep(
  world: DemoContext,
  incident: Opened,
  atMs: number,
  by: Colleague,
  changes: () => IncidentChangeRequest | Promise<IncidentChangeRequest>,
): Step {
  return { atMs, take: async () => change(world, incident.id, by, await changes()) };
}

async function change(
  world: DemoContext,
  id: number,
  by: Colleague,
  changes: IncidentChangeRequest,
): Promise<void> {
  await updateIncident(world.deps, null, id, changes, auditActor(world, by));
}

function linkSteps(world: DemoContext, incident: Opened, past: PastOutage, startedAtMs: number): Step[] {
  const { release, issue, monitor, lead, acknowledgedMinute } = past;
  const atMs = startedAtMs + (acknowledgedMinute + 1) * minuteMs;
  return [
    ...(release === null
      ? []
      : [changeStep(world, incident, atMs, lead, async () => releaseLink(world, monitor, release))]),
    ...(issue === null ? [] : [changeStep(world, incident, atMs, lead, () => issueLink(world, issue))]),
  ];
}

async function releaseLink(
  world: DemoContext,
  slug: string,
  version: string,
): Promise<IncidentChangeRequest> {
  const { projectId } = await getMonitorBySlug(world, slug);
  const found = await world.deps.store.findReleaseByVersion(projectId ?? 0, version);
  return { link: { kind: 'release', id: found?.id ?? 0 } };
}

function issueLink({ issueIds }: DemoContext, key: string): IncidentChangeRequest {
  return { link: { kind: 'issue', id: issueIds.get(key) ?? 0 } };
}

function postMortemChange({ postMortem }: PastOutage): IncidentChangeRequest | null {
  if (postMortem === null) return null;
  const { isPublic, text, wentWell, actions } = postMortem;
  const rows = actions.map(([what, who, isDone]) => `| ${what} | ${who} | ${isDone ? 'done' : 'due'} |`);
  const markdown = `## What happened\n\n${text}\n\n## What went well\n\n${wentWell}\n\n## What changes\n\n| What | Who | State |\n|---|---|---|\n${rows.join('\n')}\n`;
  return { post_mortem: markdown, post_mortem_public: isPublic };
}

const cardPaymentUpdates: readonly OutageUpdate[] = [
  {
    minute: 3,
    by: mara,
    isPublic: false,
    body: 'On it. Tomas, please hold further deploys of checkout-api.',
  },
  {
    minute: 6,
    by: mara,
    isPublic: true,
    body: 'Card payments fail with an error. No card is charged twice.',
  },
  {
    minute: 21,
    by: jun,
    isPublic: false,
    body: 'Provider support, case 8841-C: their EU cluster refuses requests with three retries inside 2 s. So it may be both: their limit, and our new retry.',
  },
  {
    minute: 28,
    by: mara,
    isPublic: true,
    body: 'Our payment provider confirms trouble on its side. You can still order and pay by bank transfer; your basket is kept.',
  },
  { minute: 95, by: jun, isPublic: false, body: 'Taking the release back is being tried on staging.' },
];

function cardPayments(world: DemoContext): Step[] {
  const startedAtMs = timeAgoMs(world.nowMs, 0, 0, outageMinutes);
  const incident: Opened = { id: 0 };
  const link = (minute: number, changes: () => IncidentChangeRequest | Promise<IncidentChangeRequest>) =>
    changeStep(world, incident, startedAtMs + minute * minuteMs, mara, changes);
  return [
    ...openSteps(world, incident, {
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
    ...cardPaymentUpdates.map((update) => updateStep(world, incident, startedAtMs, update, null)),
    link(9, () => issueLink(world, 'capture-502')),
    link(10, () => releaseLink(world, 'payments-gateway', '2.31.0')),
    link(11, async () => {
      const { id } = world.projects['checkout-api'];
      const filter = { limit: 1, offset: 0, descending: true, orderBy: 'created_at' } as const;
      const { rows } = await world.deps.store.listTestRuns(id, filter);
      return { link: { kind: 'test_run', id: rows[0]?.id ?? 0 } };
    }),
  ];
}

function slowSearch(world: DemoContext): Step[] {
  const startedAtMs = timeAgoMs(world.nowMs, 0, 0, slowSearchMinutes);
  const incident: Opened = { id: 0 };
  const updates: readonly OutageUpdate[] = [
    {
      minute: 11,
      by: jun,
      isPublic: false,
      body: 'The index is being rebuilt after the night’s import.',
      to: 'identified',
    },
    {
      minute: 19,
      by: jun,
      isPublic: true,
      body: 'Product search is slow while an index is rebuilt. Results are complete and take 2 to 3 seconds.',
      to: 'monitoring',
    },
  ];
  return [
    ...openSteps(world, incident, {
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
      updateStep(world, incident, startedAtMs, each, each.minute === 11 ? 'an index is being rebuilt' : null),
    ),
  ];
}

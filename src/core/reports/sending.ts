// Sending reports when their time has come: one message a channel, which waits in the database like any other
// and is tried again. Several servers may see that it is due; one of them puts it off and writes the message.
import { newMessageId } from '../alerts/messages/message.ts';
import { isQuiet } from '../alerts/quiet-hours.ts';
import type { AuditBy } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { defuseLinks, oneLine } from '../reading/one-line.ts';
import type { KeptChannel, NewDelivery } from '../store/alerting.ts';
import type { Project } from '../store/projects.ts';
import type { ReportSchedule } from '../store/reports/schedules.ts';
import { bodyOfKept } from '../workspace/reports/kept.ts';
import { latestSent, nextSendMs } from './calendar.ts';
import { mailOf } from './mail.ts';
import { makeReport } from './making.ts';
import { periodOfReport } from './views.ts';
import { letterOf } from './words.ts';

/** Where it is said to whom reports are sent. */
const stopPath = '/reports/schedules';

interface Sending {
  /** Where links lead, without a slash at the end; null for none. */
  readonly pagesUrl: string | null;
  readonly by: AuditBy;
  /** Whether all is ending. */
  isOver(): boolean;
  /** Takes a failure, which keeps no other from being sent. */
  tell(error: unknown): void;
}

/** Sends what is due now. A server that stood still sends the newest alone. */
export async function sendDue(deps: Deps, sending: Sending): Promise<void> {
  for (const schedule of await deps.store.listDueSchedules(deps.now())) {
    if (sending.isOver()) return;
    await sendOne(deps, schedule, sending).catch(sending.tell);
  }
}

async function sendOne(deps: Deps, schedule: ReportSchedule, sending: Sending): Promise<void> {
  const { store } = deps;
  const channel = await store.findKeptChannel(schedule.channelId);
  if (channel === null) return void (await store.deleteReportSchedule(schedule.id));
  const { projectId } = schedule;
  const project = projectId === null ? null : await store.findProject(projectId);
  // It goes with its project, which is being deleted.
  if (projectId !== null && project === null) return;
  // What a quiet channel is to be told waits until its hours are over; a paused one is told nothing.
  if (isQuiet(channel.quietHours, deps.now())) return;
  const isPaused = channel.state === 'paused';
  const delivery = isPaused ? null : await deliveryFor(deps, schedule, { channel, project }, sending);
  const nextMs = nextSendMs(schedule, deps.now());
  await store.together(async (within) => {
    const isOurs = await within.putOffSchedule(schedule, nextMs);
    if (isOurs && delivery !== null) await within.addDelivery(delivery);
  });
}

async function deliveryFor(
  deps: Deps,
  schedule: ReportSchedule,
  { channel, project }: { readonly channel: KeptChannel; readonly project: Project | null },
  { pagesUrl, by, isOver }: Sending,
): Promise<NewDelivery> {
  const { projectId, kind } = schedule;
  const period = latestSent(schedule, deps.now());
  const { report } = await makeReport(deps, projectId, period.id, by, isOver);
  const title = kind === 'week' ? 'Weekly report' : 'Monthly report';
  const letter = letterOf(periodOfReport(report), await bodyOfKept(deps.store, report));
  const of = project === null ? 'all projects' : defuseLinks(oneLine(project.name));
  const why = `“${oneLine(channel.name)}” is sent the report of each ${kind}.`;
  const path = `/reports/${report.period}`;
  const own = projectId === null ? path : `${path}?project=${projectId}`;
  const parts = { pagesUrl, path: own, why, stopPath };
  const { text, html } = mailOf({ ...letter, title: `${letter.title}: ${of}` }, parts);
  return {
    projectId,
    channelId: channel.id,
    messageId: newMessageId(deps),
    atMs: deps.now(),
    subject: `${title}: ${letter.title}, ${of}`,
    rule: title,
    why,
    path,
    body: text,
    html,
  };
}

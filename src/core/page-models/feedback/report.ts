// Data of the page of one report. The contact is masked; revealing it is a separate, audited action.
import { viewEventSummary } from '../../events/views.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { formatTime, parseTime } from '../../parsing/timestamps.ts';
import type { StoredEvent } from '../../store/events.ts';
import type { FeedbackWithDetails, StoredFeedback } from '../../store/feedback.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';
import { viewMaskedFeedback } from './list.ts';

const breadcrumbsShown = 12;
const breadcrumbCharactersMax = 300;
const othersShown = 5;
const otherCharactersMax = 160;
/** The rest is available through the API. */
const jsonCharactersMax = 20_000;

export type FeedbackModel = Awaited<ReturnType<typeof feedbackModel>>;

export interface ContactModel {
  readonly name: string | null;
  readonly email: string | null;
}

export async function findFeedbackOfPath(context: RequestContext): Promise<FeedbackWithDetails> {
  const id = pathId(context, 'feedback_id', 'A report with this number');
  const found = await Promise.all(
    context.projects.map((each) => context.deps.store.findFeedback(each.id, id)),
  );
  const report = found.find((each) => each !== null);
  if (report === undefined || report === null) throw pageNotFound('A report with this number');
  return report;
}

export async function feedbackModel(context: RequestContext) {
  const { feedback, details, screenshots } = await findFeedbackOfPath(context);
  const { store } = context.deps;
  const event =
    feedback.eventId === null ? null : await store.findEvent(feedback.projectId, feedback.eventId);
  return {
    report: {
      ...viewMaskedFeedback(feedback),
      project: context.projects.find(({ id }) => id === feedback.projectId)?.name ?? '',
      viewport: viewportOf(details.viewport),
      console: jsonText(details.console),
      metadata: jsonText(details.metadata),
      screenshots: screenshots.map((each, at) => ({
        path: `/feedback/${feedback.id}/screenshots/${at + 1}`,
        width: each.width,
        height: each.height,
        size: each.sizeBytes,
        name: each.name,
      })),
    },
    event: event === null ? null : viewEventOf(event, feedback),
    others: await othersOf(context, feedback),
  };
}

function viewEventOf(event: StoredEvent, { createdAtMs }: StoredFeedback) {
  const atMs = event.timestampMs ?? event.receivedAtMs;
  return { ...viewEventSummary(event), before_ms: createdAtMs - atMs, trail: lastBreadcrumbs(event, atMs) };
}

async function othersOf({ deps }: RequestContext, feedback: StoredFeedback) {
  if (feedback.issueId === null) return [];
  const { rows } = await deps.store.listFeedback(feedback.projectId, {
    issueId: feedback.issueId,
    spam: false,
    descending: true,
    limit: othersShown + 1,
    offset: 0,
  });
  return rows
    .filter(({ id }) => id !== feedback.id)
    .slice(0, othersShown)
    .map(({ id, message, createdAtMs }) => ({
      feedback_id: id,
      message: cutText(message, otherCharactersMax),
      created_at: formatTime(createdAtMs),
    }));
}

function lastBreadcrumbs(event: StoredEvent, atMs: number) {
  const { breadcrumbs } = JSON.parse(event.payload) as { breadcrumbs?: unknown };
  const values = Array.isArray(breadcrumbs) ? breadcrumbs : recordOf(breadcrumbs)['values'];
  if (!Array.isArray(values)) return [];
  return values.slice(-breadcrumbsShown).map((each) => {
    const step = recordOf(each);
    const stepMs = parseTime(step['timestamp']);
    return {
      /** Milliseconds before the event; null if the breadcrumb has no time. */
      before_ms: stepMs === null ? null : atMs - stepMs,
      category: textOf(step['category']) ?? textOf(step['type']) ?? '',
      text: cutText(breadcrumbText(step), breadcrumbCharactersMax),
    };
  });
}

function breadcrumbText(step: Readonly<Record<string, unknown>>): string {
  const data = recordOf(step['data']);
  const text = textOf(step['message']) ?? textOf(data['to']) ?? textOf(data['url']);
  return text ?? (Object.keys(data).length === 0 ? '' : JSON.stringify(data));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function viewportOf(value: unknown) {
  const { width, height } = recordOf(value);
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : null;
}

function jsonText(value: unknown): string | null {
  const isEmpty = value === null || value === undefined || Object.keys(recordOf(value)).length === 0;
  if (isEmpty && typeof value !== 'string') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return text === '' ? null : cutText(text, jsonCharactersMax);
}

import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { IncidentLink, IncidentWithoutUpdates, LinkKind } from '../store/incidents.ts';
import type { RequestContext } from './request-context.ts';

export type LinkedIncidentView = ReturnType<typeof viewOf>;

type CauseKind = Extract<LinkKind, 'issue' | 'release' | 'test_run'>;

const paths: Readonly<Record<CauseKind, string>> = {
  issue: '/issues',
  release: '/releases',
  test_run: '/test-runs',
};
const kinds = Object.keys(paths) as CauseKind[];
const lookbackMs = 90 * dayMs;
const incidentsShown = 3;

/** Newest first; an empty object without incidents. */
export async function viewLinkedIncidents(
  context: RequestContext,
  kind: CauseKind,
  ids: readonly number[],
): Promise<{ readonly incidents?: readonly LinkedIncidentView[] }> {
  const { nowMs } = context;
  const tie = { side: 'cause', kind, ids } as const;
  const all = await context.deps.store.listLinkedIncidents(tie, nowMs - lookbackMs);
  const views = all
    .filter(({ severity }) => severity !== 'planned')
    .toSorted((one, other) => other.startedAtMs - one.startedAtMs)
    .flatMap((incident) => {
      const causes = causesOf(incident);
      const cause = causes.find((link) => link.kind === kind && ids.includes(link.id));
      return cause === undefined ? [] : [viewOf(incident, cause, causes, nowMs)];
    });
  if (views.length === 0) return {};
  return { incidents: views.slice(0, incidentsShown) };
}

/** Linked causes; for each kind without any, the most likely suggestion. */
function causesOf({ links }: IncidentWithoutUpdates): IncidentLink[] {
  const active = links.filter(({ isDismissed }) => !isDismissed);
  return kinds.flatMap((kind) => {
    const ofKind = active.filter((link) => link.kind === kind);
    const linked = ofKind.filter(({ linkedBy }) => linkedBy !== null);
    return linked.length > 0 ? linked : ofKind.slice(0, 1);
  });
}

function viewOf(
  incident: IncidentWithoutUpdates,
  cause: IncidentLink,
  causes: readonly IncidentLink[],
  nowMs: number,
) {
  const { id, title, severity, state, startedAtMs, resolvedAtMs } = incident;
  return {
    incident_id: id,
    title,
    severity,
    state,
    started_at: formatTime(startedAtMs),
    resolved_at: formatTime(resolvedAtMs),
    lasted_ms: Math.max(0, (resolvedAtMs ?? nowMs) - startedAtMs),
    linked_by: cause.linkedBy,
    beside: causes.flatMap((link) => {
      const kind = kinds.find((each) => each === link.kind);
      return link === cause || kind === undefined
        ? []
        : [{ kind, name: link.name, path: `${paths[kind]}/${link.id}` }];
    }),
  };
}

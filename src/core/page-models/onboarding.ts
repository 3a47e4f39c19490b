// Onboarding data until the first event arrives: snippets, keys and rejected requests.

import { createDsnsForApi } from '../config/public-urls.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { isKeyValid } from '../projects/keys.ts';
import { viewDsns } from '../projects/views.ts';
import type { OutcomeHour } from '../store/outcomes.ts';
import type { Project, ProjectKey } from '../store/projects.ts';
import type { RequestContext } from './request-context.ts';
import { buildSnippets, type Snippet } from './snippets.ts';

const refusalsMs = 7 * dayMs;

export interface OnboardingModel {
  readonly waiting: true;
  readonly project: { readonly project_id: number; readonly name: string } | null;
  readonly since: string;
  readonly public_key: string | null;
  /** Null if the URL cannot be written as a DSN. */
  readonly dsn: string | null;
  readonly long_dsn: string | null;
  /** The last four characters of the newest secret key. */
  readonly secret_key_end: string | null;
  readonly domains: readonly string[];
  readonly snippets: readonly Snippet[];
  readonly refused: ReadonlyArray<{
    readonly outcome: string;
    readonly reason: string;
    readonly quantity: number;
  }>;
}

export async function onboardingModel(visit: RequestContext): Promise<OnboardingModel> {
  const { deps, nowMs, apiUrl, projects } = visit;
  const project = visit.project ?? projects[0] ?? null;
  const since = formatTime(nowMs);
  if (project === null) {
    const nothing = { public_key: null, secret_key_end: null, domains: [], snippets: [], refused: [] };
    return { waiting: true, project: null, since, ...viewDsns(null), ...nothing };
  }
  const keys = await deps.store.listKeys(project.id);
  const publicKey = newest(keys, 'public', nowMs)?.publicKey ?? null;
  const target = publicKey === null ? null : { apiUrl, publicKey, projectId: project.id };
  const outcomes = await deps.store.listOutcomes(project.id, nowMs - refusalsMs, nowMs + 1);
  const domains = await deps.store.listDomains(project.id);
  return {
    waiting: true,
    project: named(project),
    since,
    public_key: publicKey,
    ...viewDsns(target === null ? null : createDsnsForApi(target)),
    secret_key_end: newest(keys, 'secret', nowMs)?.lastFour ?? null,
    domains: domains.map(({ host }) => host),
    snippets: target === null ? [] : buildSnippets(target),
    refused: sumRejected(outcomes),
  };
}

function named({ id, name }: Project): { project_id: number; name: string } {
  return { project_id: id, name };
}

function newest(
  keys: readonly ProjectKey[],
  kind: ProjectKey['kind'],
  nowMs: number,
): ProjectKey | undefined {
  return keys.filter((key) => key.kind === kind && isKeyValid(key, nowMs)).at(-1);
}

function sumRejected(hours: readonly OutcomeHour[]): OnboardingModel['refused'] {
  const sums = new Map<string, { outcome: string; reason: string; quantity: number }>();
  for (const { outcome, reason, quantity } of hours) {
    if (outcome === 'accepted' || outcome === 'duplicate') continue;
    const name = `${outcome} ${reason}`;
    const sum = sums.get(name) ?? { outcome, reason, quantity: 0 };
    sum.quantity += quantity;
    sums.set(name, sum);
  }
  return [...sums.values()].sort((one, other) => other.quantity - one.quantity);
}

// What ends soon, or holds no more: certificates that monitors saw, and proofs of domains.
import { asOf } from '../../domains/states.ts';
import { momentText } from '../../reading/moments.ts';
import { dayMs } from '../../reading/spans.ts';
import type { DomainProof } from '../../store/domains.ts';
import { isLookedAt } from '../uptime/monitors.ts';
import { type Look, lookedAt } from '../visit.ts';

/** From so many days on an end is soon. */
const endsSoonDays = 30;

export interface EndingView {
  readonly what: 'certificate' | 'proof';
  readonly project_id: number | null;
  readonly name: string;
  /** The page of it, below the base. */
  readonly path: string;
  /** When a certificate ends; null for a proof. */
  readonly ends_at: string | null;
  /** How a proof stands; null for a certificate. */
  readonly state: DomainProof['status'] | null;
  /** Why a proof does not hold, as the API says it; null where nothing is known. */
  readonly error: string | null;
}

/** The next end first, then proofs that do not hold. */
export async function endingSoon(look: Look): Promise<EndingView[]> {
  const [monitors, proofs] = await Promise.all([
    look.deps.store.listMonitors(),
    Promise.all(lookedAt(look).map(({ id }) => look.deps.store.listProofs(id))),
  ]);
  const soon = look.nowMs + endsSoonDays * dayMs;
  const certificates = monitors
    .filter((each) => isLookedAt(look, each.projectId))
    .flatMap(({ slug, name, projectId, certificateEndsAtMs: endsAtMs }) =>
      endsAtMs === null || endsAtMs > soon ? [] : [{ slug, name, projectId, endsAtMs }],
    )
    .toSorted((one, other) => one.endsAtMs - other.endsAtMs);
  const fallen = proofs
    .flat()
    .map((proof) => asOf(proof, look.nowMs))
    .filter(({ status }) => status === 'failing' || status === 'lapsed' || status === 'expired');
  return [
    ...certificates.map(({ slug, name, projectId, endsAtMs }) => ({
      what: 'certificate' as const,
      project_id: projectId,
      name,
      path: `/monitors/${slug}`,
      ends_at: momentText(endsAtMs),
      state: null,
      error: null,
    })),
    ...fallen.map(({ id, projectId, domain, status, lastError }) => ({
      what: 'proof' as const,
      project_id: projectId,
      name: domain,
      path: `/domains/${id}`,
      ends_at: null,
      state: status,
      error: lastError,
    })),
  ];
}

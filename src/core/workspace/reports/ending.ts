// What ends soon, or holds no more: certificates that monitors saw, and proofs of domains.
import { asOf } from '../../domains/states.ts';
import { momentText } from '../../reading/moments.ts';
import { dayMs } from '../../reading/spans.ts';
import type { DomainProof } from '../../store/domains.ts';
import { isLookedAt } from '../uptime/monitors.ts';
import { lookedAt, uptimeOf, type Visit } from '../visit.ts';

/** From so many days on an end is soon. */
const endsSoonDays = 30;

export interface EndingView {
  readonly what: 'certificate' | 'proof';
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
export async function endingSoon(visit: Visit): Promise<EndingView[]> {
  const [monitors, proofs] = await Promise.all([
    uptimeOf(visit).listMonitors(),
    Promise.all(lookedAt(visit).map(({ id }) => visit.deps.store.listProofs(id))),
  ]);
  const soon = visit.nowMs + endsSoonDays * dayMs;
  const certificates = monitors
    .filter((each) => isLookedAt(visit, each.projectId))
    .flatMap(({ slug, name, certificateEndsAtMs: endsAtMs }) =>
      endsAtMs === null || endsAtMs > soon ? [] : [{ slug, name, endsAtMs }],
    )
    .toSorted((one, other) => one.endsAtMs - other.endsAtMs);
  const fallen = proofs
    .flat()
    .map((proof) => asOf(proof, visit.nowMs))
    .filter(({ status }) => status === 'failing' || status === 'lapsed' || status === 'expired');
  return [
    ...certificates.map(({ slug, name, endsAtMs }) => ({
      what: 'certificate' as const,
      name,
      path: `/monitors/${slug}`,
      ends_at: momentText(endsAtMs),
      state: null,
      error: null,
    })),
    ...fallen.map(({ id, domain, status, lastError }) => ({
      what: 'proof' as const,
      name: domain,
      path: `/domains/${id}`,
      ends_at: null,
      state: status,
      error: lastError,
    })),
  ];
}

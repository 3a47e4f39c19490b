// The world of Delivery and Records: what went out and where to, what tests said, what files came, whose the
// hosts are, and who did what. A pure function of seed and time; what a page does not ask for is not made.
import type { AuditEntry, NewAuditEntry } from '../../../core/store/audit.ts';
import type { Domain, DomainProof } from '../../../core/store/domains.ts';
import type { Deploy, Release } from '../../../core/store/releases.ts';
import { demoProjects } from '../company.ts';
import { type PlannedRelease, plannedReleases } from '../plan.ts';
import { type Trouble, troubleAt } from '../story.ts';
import { auditOf } from './audit.ts';
import { domainsOf, proofsOf } from './domains.ts';
import { type DemoFile, filesOf } from './files.ts';
import { arrivedIn, type HealthHour, healthOf } from './health.ts';
import { deploysOf, releaseOf } from './releases.ts';
import { type DemoRun, testRunsOf } from './runs.ts';

/** How many of each lists show: the newest. */
export const shown = { releases: 18, deploys: 46, testRuns: 40, artifacts: 64, auditEntries: 220 } as const;

/** Newest first, where nothing else is said; older ones than lists show are there for who names them. */
export interface DeliveryWorld {
  readonly seed: string;
  readonly nowMs: number;
  readonly trouble: Trouble;
  readonly planned: readonly PlannedRelease[];
  readonly releases: readonly Release[];
  readonly deploys: readonly Deploy[];
  readonly runs: readonly DemoRun[];
  readonly files: readonly DemoFile[];
  readonly domains: readonly Domain[];
  readonly proofs: readonly DomainProof[];
  /** The whole chain, the oldest first. */
  readonly audit: readonly AuditEntry[];
  /** Hours of a project with the releases that had sessions in them, the oldest first. */
  health(projectId: number): readonly HealthHour[];
  /** The version that was live in an environment at a moment; null where none was. */
  versionAt(projectId: number, environment: string, atMs: number): string | null;
}

/**
 * The world at a time. `elsewhere` tells the audit history of what is made in other parts: monitors,
 * channels, acts on issues; it is asked when somebody looks at that history.
 */
export function deliveryWorld(
  seed: string,
  nowMs: number,
  elsewhere: () => readonly NewAuditEntry[] = () => [],
): DeliveryWorld {
  const trouble = troubleAt(seed, nowMs);
  const planned = plannedReleases(seed, nowMs);
  const deploys = deploysOf(seed, planned, nowMs);
  const once = {
    releases: lazily(() => planned.map((release) => releaseOf(seed, release, nowMs))),
    runs: lazily(() => testRunsOf(seed, nowMs, { trouble, planned })),
    files: lazily(() => filesOf(planned, nowMs)),
    audit: lazily(() => auditOf(seed, nowMs, elsewhere())),
    domains: lazily(() => domainsOf(seed, nowMs)),
    proofs: lazily(() => proofsOf(seed, nowMs)),
  };
  const health = new Map(
    demoProjects.map(({ id }) => [
      id,
      lazily(() =>
        healthOf(seed, id, { nowMs, trouble, planned, arrived: arrivedIn(deploys, id, 'production') }),
      ),
    ]),
  );
  return {
    seed,
    nowMs,
    trouble,
    planned,
    deploys,
    get releases() {
      return once.releases();
    },
    get runs() {
      return once.runs();
    },
    get files() {
      return once.files();
    },
    get domains() {
      return once.domains();
    },
    get proofs() {
      return once.proofs();
    },
    get audit() {
      return once.audit();
    },
    health: (projectId) => health.get(projectId)?.() ?? [],
    versionAt: (projectId, environment, atMs) =>
      arrivedIn(deploys, projectId, environment).find(({ fromMs }) => fromMs <= atMs)?.version ?? null,
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

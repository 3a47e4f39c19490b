// What a search finds of releases, deploys, test runs, artifacts and domains: by a text, or by an exact name.
import type { ExactName, FoundKind, FoundThing } from '../../../core/store/workspace.ts';
import type { DeliveryWorld } from '../../world/delivery/world.ts';
import { shown } from '../../world/delivery/world.ts';
import type { FindThings } from '../finding.ts';
import { listedArtifacts } from './artifacts.ts';
import { ofProjects, searching } from './lists.ts';
import { listedReleases } from './releases.ts';
import { listedRuns } from './test-runs.ts';

type DeliveryKind = Extract<FoundKind, 'releases' | 'deploys' | 'test_runs' | 'artifacts' | 'domains'>;

interface DeliveryFinders {
  readonly byKind: Readonly<Record<DeliveryKind, FindThings>>;
  /** What has exactly that name, of these kinds. */
  named(projectIds: readonly number[], name: ExactName, limit: number): FoundThing[];
}

/** A thing with the texts that it is found by, and its exact names. */
interface Findable {
  readonly thing: FoundThing;
  readonly texts: ReadonlyArray<string | null>;
  readonly names: readonly ExactName[];
}

/** The finders of a world. */
export function deliveryFinders(world: DeliveryWorld): DeliveryFinders {
  const finder =
    (findables: () => Findable[]): FindThings =>
    (projectIds, text, limit) => {
      if (text.trim() === '') return [];
      const fits = searching(text);
      return within(findables(), projectIds, ({ texts }) => fits(...texts), limit);
    };
  return {
    byKind: {
      releases: finder(() => releases(world)),
      deploys: finder(() => deploys(world)),
      test_runs: finder(() => testRuns(world)),
      artifacts: finder(() => artifacts(world)),
      domains: finder(() => domains(world)),
    },
    named: (projectIds, name, limit) =>
      [releases, testRuns, artifacts, domains].flatMap((kind) =>
        within(
          kind(world),
          projectIds,
          ({ names }) => names.some(({ by, value }) => by === name.by && value === name.value),
          limit,
        ),
      ),
  };
}

/** In the order in which the world has them: the newest first. */
function within(
  findables: readonly Findable[],
  projectIds: readonly number[],
  fits: (findable: Findable) => boolean,
  limit: number,
): FoundThing[] {
  const things = findables.filter(fits).map(({ thing }) => thing);
  return ofProjects(things, projectIds).slice(0, limit);
}

function releases(world: DeliveryWorld): Findable[] {
  return listedReleases(world).map(({ id, projectId, version, ref, lastCommit, createdAtMs }) => ({
    thing: thing('releases', { id, projectId, createdAtMs }, version, ref ?? ''),
    texts: [version, ref],
    names: [{ by: 'version', value: version }, ...commitNames([ref, lastCommit])],
  }));
}

function deploys(world: DeliveryWorld): Findable[] {
  return world.deploys.slice(0, shown.deploys).map((deploy) => ({
    thing: thing('deploys', deploy, deploy.version, deploy.environment, deploy.status),
    texts: [deploy.version, deploy.environment, deploy.name],
    names: [],
  }));
}

function testRuns(world: DeliveryWorld): Findable[] {
  return listedRuns(world).map((run) => ({
    thing: thing('test_runs', run, run.suite ?? '', run.branch ?? '', run.status),
    texts: [run.suite, run.branch, run.commit, run.release],
    names: [{ by: 'number', value: run.id }, ...commitNames([run.commit])],
  }));
}

function artifacts(world: DeliveryWorld): Findable[] {
  return listedArtifacts(world).map((artifact) => ({
    thing: thing('artifacts', artifact, artifact.name, artifact.release ?? ''),
    texts: [artifact.name],
    names: [{ by: 'sha256', value: artifact.sha256 }],
  }));
}

function domains(world: DeliveryWorld): Findable[] {
  return world.domains
    .map(
      (domain): Findable => ({
        thing: thing('domains', domain, domain.host, ''),
        texts: [domain.host],
        names: [{ by: 'host', value: domain.host }],
      }),
    )
    .sort((one, other) => other.thing.atMs - one.thing.atMs || other.thing.id - one.thing.id);
}

function thing(
  kind: DeliveryKind,
  of: { readonly id: number; readonly projectId: number; readonly createdAtMs: number },
  title: string,
  place: string,
  state = '',
): FoundThing {
  return { kind, id: of.id, projectId: of.projectId, title, place, state, atMs: of.createdAtMs };
}

function commitNames(commits: ReadonlyArray<string | null>): ExactName[] {
  return commits.flatMap((value): ExactName[] => (value === null ? [] : [{ by: 'commit', value }]));
}

// Releases with their commits, and the deploys that took them to their places.
import { minuteMs } from '../../../core/reading/spans.ts';
import type { Deploy, Release } from '../../../core/store/releases.ts';
import { between, hashOf, hex, pick } from '../chance.ts';
import { type DemoMember, demoMembers, demoProjects, home } from '../company.ts';
import { backAndForth, type PlannedRelease } from '../plan.ts';
import { checkoutApi, deployIdOf, mobileShell, shopWeb, wpSite } from '../story.ts';
import { subjectsOf, troubleFile, troubleSubject } from './words.ts';

/** Who writes code. */
const authors = demoMembers.filter(({ role }) => role !== 'viewer');

/** The address of a project's code. */
export function repositoryOf(projectId: number): string {
  return `https://git.${home}/${slugOf(projectId)}`;
}

/** A project by the name that people use. */
export function slugOf(projectId: number): string {
  return demoProjects.find(({ id }) => id === projectId)?.slug ?? '';
}

/** The commit that a release was built from. */
export function commitOf(seed: string, releaseId: number): string {
  return hex(40, seed, 'commit', releaseId, 0);
}

/** Who took a release to production. */
function deployerOf(seed: string, { id, isTrouble }: PlannedRelease): DemoMember {
  const jun = authors.find(({ name }) => name === 'Jun Park');
  return isTrouble && jun !== undefined ? jun : pick(authors, seed, 'deployer', id);
}

/** A release as the store knows it. */
export function releaseOf(seed: string, planned: PlannedRelease, nowMs: number): Release {
  const { id, projectId, version, madeAtMs, deployedAtMs } = planned;
  const commits = commitsOf(seed, planned);
  const isOut = deployedAtMs <= nowMs;
  return {
    id,
    projectId,
    version,
    ref: commitOf(seed, id),
    url: `${repositoryOf(projectId)}/releases/${version}`,
    status: 'open',
    createdAtMs: madeAtMs,
    updatedAtMs: isOut ? deployedAtMs : madeAtMs,
    dateStartedMs: madeAtMs - 4 * minuteMs,
    dateReleasedMs: isOut ? deployedAtMs : null,
    commitCount: commits.length,
    lastCommit: commitOf(seed, id),
    commits: JSON.stringify(commits),
    refs: JSON.stringify([{ repository: slugOf(projectId), commit: commitOf(seed, id) }]),
    metadata: JSON.stringify({
      pipeline: between(2000, 9000, seed, 'pipeline', id),
      builder: `ci-2.${home}`,
    }),
  };
}

function commitsOf(seed: string, { id, projectId, madeAtMs, isTrouble }: PlannedRelease) {
  const all = subjectsOf(projectId);
  const count = between(2, Math.min(9, all.length), seed, 'commits', id);
  const first = hashOf(seed, 'subject', id) % all.length;
  let atMs = madeAtMs - 9 * minuteMs;
  return Array.from({ length: count }, (_, index) => {
    const author = pick(authors, seed, 'author', id, index);
    const isFault = isTrouble && index === 0;
    const commit = {
      id: index === 0 ? commitOf(seed, id) : hex(40, seed, 'commit', id, index),
      repository: slugOf(projectId),
      message: isFault ? troubleSubject : all[(first + index) % all.length],
      author_name: author.name,
      author_email: `${author.name.split(' ')[0]?.toLowerCase()}@${home}`,
      timestamp: new Date(atMs).toISOString(),
      ...(isFault ? { patch_set: [{ path: troubleFile, type: 'M' }] } : {}),
    };
    atMs -= between(40, 300, seed, 'between', id, index) * minuteMs;
    return commit;
  });
}

/** What tells a deploy from another of its release. */
interface DeployPlan {
  readonly nth: number;
  readonly environment: 'staging' | 'production' | 'preview';
  readonly atMs: number;
  readonly status?: 'failure';
  readonly comment?: string;
}

/** The deploys of some releases up to a time, the newest first. */
export function deploysOf(seed: string, releases: readonly PlannedRelease[], nowMs: number): Deploy[] {
  return releases
    .flatMap((release) => deployPlans(release, releases).map((plan) => deployOf(seed, release, plan)))
    .filter(({ createdAtMs }) => createdAtMs <= nowMs)
    .sort((one, other) => other.createdAtMs - one.createdAtMs || other.id - one.id);
}

function deployPlans(release: PlannedRelease, all: readonly PlannedRelease[]): DeployPlan[] {
  const { id, projectId, version, madeAtMs, stagedAtMs, deployedAtMs } = release;
  const plans: DeployPlan[] = [
    { nth: 1, environment: 'staging', atMs: stagedAtMs },
    { nth: 2, environment: 'production', atMs: deployedAtMs },
  ];
  const after = all.find((each) => each.projectId === projectId && each.idBefore === id && each.isTakenBack);
  if (after !== undefined) {
    const comment = `Back to ${version} while ${after.version} is looked at`;
    plans.push({ nth: 3, environment: 'production', atMs: backAndForth(after).backAtMs, comment });
  }
  const next = all.find((each) => each.isTrouble && each.projectId === projectId);
  const againAtMs = release.isTakenBack ? backAndForth(release).againAtMs : null;
  // Where a hotfix came in its place, it came no more.
  if (againAtMs !== null && (next === undefined || againAtMs < next.deployedAtMs)) {
    const comment = projectId === checkoutApi ? 'It was the gateway; forward again' : 'Forward again, mended';
    plans.push({ nth: 4, environment: 'production', atMs: againAtMs, comment });
  }
  const minor = Number(version.split('.')[1]);
  if (projectId === shopWeb && minor % 3 === 0) {
    plans.push({ nth: 5, environment: 'preview', atMs: madeAtMs + 3 * minuteMs });
  }
  if (failsOnStaging(projectId, minor)) {
    const comment = 'No space left on the device';
    plans.push({ nth: 6, environment: 'staging', status: 'failure', atMs: madeAtMs + 8 * minuteMs, comment });
  }
  if (projectId === mobileShell && minor % 2 === 0) {
    const atMs = deployedAtMs - 16 * minuteMs;
    const comment = 'The store refused the signature';
    plans.push({ nth: 6, environment: 'production', status: 'failure', atMs, comment });
  }
  return plans;
}

function failsOnStaging(projectId: number, minor: number): boolean {
  return (projectId === shopWeb && minor % 6 === 0) || (projectId === wpSite && minor % 2 === 0);
}

function deployOf(seed: string, release: PlannedRelease, plan: DeployPlan): Deploy {
  const { id: releaseId, projectId, version } = release;
  const { nth, environment, atMs, status = 'success', comment = null } = plan;
  const id = deployIdOf(releaseId, nth);
  const seconds = status === 'failure' ? 9 : between(48, 170, seed, 'took', id);
  const slug = slugOf(projectId);
  return {
    id,
    projectId,
    releaseId,
    version,
    environment,
    name: `${slug} ${version} to ${environment}`,
    url: `https://ci.${home}/${slug}/deploys/${id}`,
    status,
    createdAtMs: atMs,
    dateStartedMs: atMs - seconds * 1000,
    dateFinishedMs: atMs,
    revision: commitOf(seed, releaseId),
    repository: repositoryOf(projectId),
    deployedBy: environment === 'production' ? deployerOf(seed, release).name : 'CI',
    comment,
    key: `${slug}-${version}-${environment}-${nth}`,
  };
}

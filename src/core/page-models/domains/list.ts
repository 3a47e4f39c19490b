import { domainToUnicode } from 'node:url';
import type { Config } from '../../config/config.ts';
import { describeCheckFailure } from '../../domains/checks.ts';
import { countsAsVerified, expireIfDue } from '../../domains/verification-states.ts';
import { viewDomain, viewVerification } from '../../domains/views.ts';
import type { Domain, DomainVerification } from '../../store/domains.ts';
import type { Project } from '../../store/projects.ts';
import { pageNumberParam } from '../list-params.ts';
import { invalidPageInput, type RequestContext, viewedProjects } from '../request-context.ts';

export type DomainState = DomainVerification['status'] | 'unproved';

export type VerificationView = ReturnType<typeof viewVerificationWithError>;

export type DomainRowView = ReturnType<typeof viewDomainRow>;

export const domainTabs = ['all', 'verified', 'waiting', 'failing', 'ended', 'unproved'] as const;

export type DomainTab = (typeof domainTabs)[number];

const tabOf: Readonly<Record<DomainState, DomainTab>> = {
  verified: 'verified',
  pending: 'waiting',
  failing: 'failing',
  lapsed: 'failing',
  expired: 'ended',
  revoked: 'ended',
  unproved: 'unproved',
};

const rowsAPage = 200;

export type DomainsModel = Awaited<ReturnType<typeof domainsModel>>;

export async function domainsModel(context: RequestContext) {
  const word = context.query.get('state') || 'all';
  const state = domainTabs.find((each) => each === word);
  if (state === undefined) throw invalidPageInput(`state is one of ${domainTabs.join(', ')}.`);
  const q = context.query.get('q')?.trim().slice(0, 255) || null;
  const rows = (await Promise.all(viewedProjects(context).map((each) => rowsOf(context, each)))).flat();
  const counts = { all: rows.length, verified: 0, waiting: 0, failing: 0, ended: 0, unproved: 0 };
  for (const row of rows) counts[tabOf[row.state] as Exclude<DomainTab, 'all'>] += 1;
  const text = q?.toLowerCase() ?? '';
  const fitting = rows
    .filter((row) => state === 'all' || tabOf[row.state] === state)
    .filter((row) => row.host.includes(text) || row.host_unicode.toLowerCase().includes(text))
    .sort(compareByState);
  const page = pageNumberParam(context);
  const from = (page - 1) * rowsAPage;
  return {
    filters: { state, q, page },
    counts,
    found: fitting.length,
    domains: fitting.slice(from, from + rowsAPage),
    newer: page > 1 ? page - 1 : null,
    older: from + rowsAPage < fitting.length ? page + 1 : null,
  };
}

async function rowsOf({ deps, nowMs }: RequestContext, project: Project): Promise<DomainRowView[]> {
  const [domains, stored] = await Promise.all([
    deps.store.listDomains(project.id),
    deps.store.listDomainVerifications(project.id),
  ]);
  const proofs = stored.map((proof) => expireIfDue(proof, nowMs));
  const shown = new Set<DomainVerification>();
  const listed = domains.map((domain) => {
    const proof = findVerificationOfHost(proofs, domain.host);
    if (proof !== null) shown.add(proof);
    return viewDomainRow(project, domain, proof, proofs, deps.config);
  });
  const unlisted = proofs.filter((proof) => !shown.has(proof));
  return [...listed, ...unlisted.map((proof) => viewDomainRow(project, null, proof, proofs, deps.config))];
}

export function findVerificationOfHost(
  proofs: readonly DomainVerification[],
  host: string,
): DomainVerification | null {
  const name = host.replace(/^\*\./, '');
  const isWildcard = name !== host;
  const matching = proofs.filter(
    (proof) => proof.domain === name && (!isWildcard || proof.scope === 'subdomains'),
  );
  return matching.find(countsAsVerified) ?? matching.at(-1) ?? null;
}

export function viewDomainRow(
  project: Project,
  domain: Domain | null,
  proof: DomainVerification | null,
  proofs: readonly DomainVerification[],
  config: Config,
) {
  const host = domain?.host ?? proof?.domain ?? '';
  const view = domain === null ? null : viewDomain(domain, proofs);
  // Without one of its own, a parent domain may cover it.
  const state: DomainState = proof?.status ?? (view?.verified === true ? 'verified' : 'unproved');
  return {
    /** The number of a listed domain, otherwise the id of a verification. */
    id: domain === null ? (proof?.id ?? '') : String(domain.id),
    host,
    host_unicode: unicodeOf(host),
    project: { project_id: project.id, name: project.name },
    state,
    domain: view,
    proof: proof === null ? null : viewVerificationWithError(proof, config),
  };
}

export function viewVerificationWithError(proof: DomainVerification, config: Config) {
  const { lastError } = proof;
  return {
    ...viewVerification(proof, config),
    last_error_means: lastError === null ? null : describeCheckFailure(lastError),
  };
}

/** Names that the URL parser refuses stay as they are. */
function unicodeOf(host: string): string {
  const name = host.replace(/^\*\./, '');
  return `${host.slice(0, host.length - name.length)}${domainToUnicode(name) || name}`;
}

const stateOrder: readonly DomainState[] = [
  'failing',
  'lapsed',
  'pending',
  'expired',
  'unproved',
  'verified',
  'revoked',
];

function compareByState(one: DomainRowView, other: DomainRowView): number {
  const byState = stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state);
  return byState || (one.host < other.host ? -1 : one.host > other.host ? 1 : 0);
}

// Hosts of the company and the proofs that they are its own: four proved, one of them for two projects, one
// awaited, one that fails, one that never came.
import { hash } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '../../../core/reading/spans.ts';
import type { Domain, DomainProof } from '../../../core/store/domains.ts';
import { floorTo, weekOf, weekStartMs } from '../calendar.ts';
import { between } from '../chance.ts';
import { home } from '../company.ts';
import { checkoutApi, mobileShell, shopWeb, wpSite } from '../story.ts';

interface HostPlan {
  readonly id: number;
  readonly projectId: number;
  readonly host: string;
  readonly bugReports: boolean;
  readonly sampling?: number;
  readonly method: DomainProof['method'];
  readonly state: 'verified' | 'pending' | 'failing' | 'expired';
  readonly addedAtMs: number;
}

/** By their numbers. */
export const hostPlans: readonly HostPlan[] = [
  {
    id: 1,
    projectId: shopWeb,
    host: `shop.${home}`,
    bugReports: true,
    method: 'dns_txt',
    state: 'verified',
    addedAtMs: Date.UTC(2026, 7, 4, 9, 12),
  },
  {
    id: 2,
    projectId: checkoutApi,
    host: `api.${home}`,
    bugReports: false,
    sampling: 0.5,
    method: 'http_file',
    state: 'verified',
    addedAtMs: Date.UTC(2026, 7, 4, 9, 40),
  },
  {
    id: 3,
    projectId: mobileShell,
    host: `shop.${home}`,
    bugReports: true,
    method: 'dns_txt',
    state: 'verified',
    addedAtMs: Date.UTC(2026, 7, 5, 13, 5),
  },
  {
    id: 4,
    projectId: wpSite,
    host: `blog.${home}`,
    bugReports: false,
    method: 'html_meta',
    state: 'verified',
    addedAtMs: Date.UTC(2026, 7, 11, 8, 31),
  },
  {
    id: 5,
    projectId: wpSite,
    host: `old.${home}`,
    bugReports: false,
    method: 'html_meta',
    state: 'failing',
    addedAtMs: Date.UTC(2026, 7, 11, 8, 44),
  },
  {
    id: 6,
    projectId: shopWeb,
    host: `lab.${home}`,
    bugReports: false,
    method: 'http_file',
    state: 'expired',
    addedAtMs: Date.UTC(2026, 10, 5, 14, 20),
  },
  {
    id: 7,
    projectId: wpSite,
    host: `careers.${home}`,
    bugReports: false,
    method: 'any',
    state: 'pending',
    addedAtMs: Date.UTC(2026, 10, 9, 9, 26),
  },
];

/** A pending proof is waited for so long. */
const awaitedMs = 7 * dayMs;

/** The listed hosts, by their numbers. */
export function domainsOf(seed: string, nowMs: number): Domain[] {
  return hostPlans
    .filter(({ addedAtMs }) => addedAtMs <= nowMs)
    .map((plan) => ({
      id: plan.id,
      projectId: plan.projectId,
      host: plan.host,
      bugReports: plan.bugReports,
      errors: true,
      sampling: plan.sampling ?? 1,
      allowedOrigins: [],
      verificationId: plan.state === 'verified' || plan.state === 'failing' ? proofIdOf(seed, plan.id) : null,
      createdAtMs: plan.addedAtMs,
    }));
}

/** Their proofs, as the last looks left them. */
export function proofsOf(seed: string, nowMs: number): DomainProof[] {
  return hostPlans.filter(({ addedAtMs }) => addedAtMs <= nowMs).map((plan) => proofOf(seed, plan, nowMs));
}

/** The id of a host's proof. */
export function proofIdOf(seed: string, hostId: number): string {
  return `dv_${wordOf(`${seed} proof ${hostId}`, 22)}`;
}

/** So many letters and digits of base64url without its signs. */
function wordOf(text: string, characters: number): string {
  return hash('sha512', text, 'base64url').replaceAll(/[-_]/g, '').slice(0, characters);
}

/** Careers gets a new token every Monday morning: nobody publishes it. */
export function askedAgainAtMs(week: number): number {
  return weekStartMs(week) + 9 * hourMs + 26 * minuteMs;
}

function proofOf(seed: string, plan: HostPlan, nowMs: number): DomainProof {
  const issuedAtMs = plan.state === 'pending' ? lastAskedAtMs(nowMs) : plan.addedAtMs;
  const begun = {
    id: proofIdOf(seed, plan.id),
    projectId: plan.projectId,
    domain: plan.host,
    scope: 'host',
    method: plan.method,
    label: null,
    token: hash('sha256', `${seed} token ${plan.id} ${issuedAtMs}`, 'base64url'),
    tokenIssuedAtMs: issuedAtMs,
    createdAtMs: plan.addedAtMs,
    expiresAtMs: null,
    verifiedAtMs: null,
    verifiedBy: null,
    failures: 0,
    failingSinceMs: null,
    lastError: null,
  } as const;
  switch (plan.state) {
    case 'pending':
      return awaited(begun, nowMs);
    case 'expired':
      return ended(begun, nowMs);
    case 'failing':
      return failing(begun, plan, nowMs);
    case 'verified':
      return { ...begun, ...verifiedSince(plan), ...dailyLook(seed, plan, nowMs) };
  }
}

type Begun = Omit<DomainProof, 'status' | 'lastCheckedAtMs' | 'nextCheckAtMs'>;

function verifiedSince({ method, addedAtMs }: HostPlan) {
  const verifiedBy = method === 'any' ? 'dns_txt' : method;
  return { status: 'verified', verifiedBy, verifiedAtMs: addedAtMs + 34 * minuteMs } as const;
}

/** Looked at once a day, at a time of its own. */
function dailyLook(seed: string, { id, addedAtMs }: HostPlan, nowMs: number) {
  const ownMs = between(0, 1439, seed, 'look', id) * minuteMs;
  const lookedAtMs = floorTo(nowMs - ownMs, dayMs) + ownMs;
  const firstAtMs = addedAtMs + 34 * minuteMs;
  const lastAtMs = Math.max(lookedAtMs, firstAtMs);
  return { lastCheckedAtMs: Math.min(lastAtMs, nowMs), nextCheckAtMs: lookedAtMs + dayMs };
}

function lastAskedAtMs(nowMs: number): number {
  const week = weekOf(nowMs);
  const atMs = askedAgainAtMs(week);
  return atMs <= nowMs ? atMs : askedAgainAtMs(week - 1);
}

/** Looked for every hour, and not found. */
function awaited(begun: Begun, nowMs: number): DomainProof {
  const { tokenIssuedAtMs } = begun;
  const looks = Math.floor((nowMs - tokenIssuedAtMs) / hourMs);
  const lastAtMs = looks === 0 ? null : tokenIssuedAtMs + looks * hourMs;
  return {
    ...begun,
    status: 'pending',
    expiresAtMs: tokenIssuedAtMs + awaitedMs,
    lastCheckedAtMs: lastAtMs,
    nextCheckAtMs: (lastAtMs ?? tokenIssuedAtMs) + hourMs,
    failures: looks,
    failingSinceMs: looks === 0 ? null : tokenIssuedAtMs + hourMs,
    lastError: looks === 0 ? null : 'nxdomain',
  };
}

function ended(begun: Begun, nowMs: number): DomainProof {
  const endMs = begun.tokenIssuedAtMs + awaitedMs;
  if (endMs > nowMs) return { ...awaited(begun, nowMs), lastError: 'status_404' };
  return {
    ...begun,
    status: 'expired',
    lastCheckedAtMs: endMs - hourMs,
    nextCheckAtMs: null,
    failures: awaitedMs / hourMs - 1,
    failingSinceMs: begun.tokenIssuedAtMs + hourMs,
    lastError: 'status_404',
  };
}

/**
 * The theme brings another project's token with it each time that it is brought up to date, every other day;
 * somebody puts it right before three days are over.
 */
function failing(begun: Begun, plan: HostPlan, nowMs: number): DomainProof {
  const everyMs = 6 * hourMs;
  const ownMs = 7 * hourMs + 58 * minuteMs;
  const sinceMs = floorTo(nowMs - ownMs, 2 * dayMs) + ownMs;
  const looks = 1 + Math.floor((nowMs - sinceMs) / everyMs);
  const lastAtMs = sinceMs + (looks - 1) * everyMs;
  return {
    ...begun,
    ...verifiedSince(plan),
    status: 'failing',
    lastCheckedAtMs: lastAtMs,
    nextCheckAtMs: lastAtMs + everyMs,
    failures: looks,
    failingSinceMs: sinceMs,
    lastError: 'mismatch',
  };
}

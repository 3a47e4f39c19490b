// Domain verifications in every state. Responses to the checks are made up: no network access.
import type { Deps } from '../core/deps.ts';
import { createDomain } from '../core/domains/domains.ts';
import {
  checkVerification,
  createVerification,
  recheckVerification,
  revokeVerification,
} from '../core/domains/verifications.ts';
import { hourMs } from '../core/parsing/durations.ts';
import type { DomainCheckClient } from '../core/ports/domain-check-client.ts';
import type { VerificationMethod } from '../core/store/domains.ts';
import type { Slug } from './shared/company.ts';
import { apiHost, blogHost, shopHost, siteHost } from './shared/company.ts';
import { type DemoContext, type Step, stepAgo, timeAgoMs } from './shared/context.ts';

interface Host {
  readonly slug: Slug;
  readonly host: string;
  readonly reports: boolean;
  readonly sampling?: number;
}

interface DemoVerification {
  readonly slug: Slug;
  readonly host: string;
  readonly method: 'any' | VerificationMethod;
  readonly scope?: 'subdomains';
  readonly days: number;
  /** Days ago until which the token was published; it still is by default, null if it never was. */
  readonly publishedUntil?: number | null;
  /** Hours ago of the checks, the oldest first. */
  readonly checks: readonly number[];
  readonly revokedDays?: number;
}

const hosts: readonly Host[] = [
  { slug: 'shop-web', host: shopHost, reports: true },
  { slug: 'shop-web', host: blogHost, reports: false },
  { slug: 'checkout-api', host: apiHost, reports: false, sampling: 0.5 },
  { slug: 'wp-site', host: siteHost, reports: true },
  { slug: 'wp-site', host: blogHost, reports: false },
  { slug: 'wp-site', host: `careers.${siteHost}`, reports: false },
  { slug: 'wp-site', host: `old.${siteHost}`, reports: false },
  { slug: 'mobile-shell', host: shopHost, reports: true },
  { slug: 'worker-queue', host: `worker.${siteHost}`, reports: false },
];

const verifications: readonly DemoVerification[] = [
  { slug: 'shop-web', host: shopHost, method: 'dns_txt', days: 110, checks: [2630, 600, 29, 5] },
  { slug: 'mobile-shell', host: shopHost, method: 'dns_txt', days: 109, checks: [2610, 580, 27, 4] },
  { slug: 'checkout-api', host: apiHost, method: 'http_file', days: 110, checks: [2629, 33, 9] },
  {
    slug: 'wp-site',
    host: siteHost,
    method: 'dns_txt',
    scope: 'subdomains',
    days: 103,
    checks: [2460, 26, 3],
  },
  { slug: 'wp-site', host: blogHost, method: 'html_meta', days: 81, checks: [1940, 35, 11] },
  {
    slug: 'wp-site',
    host: `careers.${siteHost}`,
    method: 'any',
    days: 1.1,
    publishedUntil: null,
    checks: [25, 12, 3, 0.4],
  },
  {
    slug: 'wp-site',
    host: `old.${siteHost}`,
    method: 'html_meta',
    days: 70,
    publishedUntil: 1,
    checks: [1670, 200, 12, 0.6],
  },
  {
    slug: 'shop-web',
    host: `lab.${siteHost}`,
    method: 'http_file',
    days: 15,
    publishedUntil: null,
    checks: [350, 300, 200, 180],
  },
  {
    slug: 'wp-site',
    host: `shop-2019.${siteHost}`,
    method: 'dns_txt',
    days: 60,
    publishedUntil: 20,
    checks: [1430, 470, 440, 380],
  },
  {
    slug: 'checkout-api',
    host: `sandbox.${siteHost}`,
    method: 'dns_txt',
    days: 48,
    checks: [1150],
    revokedDays: 14,
  },
];

export function domainSteps(demo: DemoContext): Step[] {
  const { deps, projects } = demo;
  return hosts.map(({ slug, host, reports, sampling }) => ({
    atMs: projects[slug].createdAtMs + hourMs / 2,
    async run() {
      await createDomain(deps, projects[slug], { domain: host, bug_reports: reports, sampling }, null);
    },
  }));
}

export function verificationSteps(demo: DemoContext): Step[] {
  const { deps, projects } = demo;
  return verifications.flatMap((proof, index) => {
    const { slug, host, method, scope = 'host', days, checks, revokedDays } = proof;
    const project = projects[slug];
    const label = index % 3 === 0 ? 'requested by Mara' : undefined;
    let id = '';
    const revoke = () => revokeVerification(deps, project, id, null);
    return [
      stepAgo(demo, { days }, async () => {
        const input = { domain: host, method, scope, label } as const;
        id = (await createVerification(deps, project, input, null)).proof.id;
      }),
      ...checks.map((hours, nth) =>
        stepAgo(demo, { hours }, async () =>
          nth === 0 ? checkVerification(deps, project, { id }, null) : recheck(demo, slug, id),
        ),
      ),
      ...(revokedDays === undefined ? [] : [stepAgo(demo, { days: revokedDays }, revoke)]),
    ];
  });
}

async function recheck({ deps, projects }: DemoContext, slug: Slug, id: string): Promise<void> {
  const proof = await deps.store.findDomainVerification(projects[slug].id, id);
  if (proof !== null) await recheckVerification(deps, proof);
}

/** A network that answers only for published tokens. `nowMs` is the current time of the demo. */
export function demoProber({ store, now }: Pick<Deps, 'store' | 'now'>, nowMs: number): DomainCheckClient {
  const publishedAt = async (host: string, method: VerificationMethod): Promise<string[]> => {
    const isPublished = verifications.some(
      ({ publishedUntil: days = 0, ...each }) =>
        each.host === host && each.method === method && days !== null && now() <= timeAgoMs(nowMs, days),
    );
    if (!isPublished) return [];
    const projects = await store.listProjects();
    const created = await Promise.all(projects.map(({ id }) => store.listDomainVerifications(id)));
    return created.flat().flatMap(({ domain, token }) => (domain === host ? [token] : []));
  };
  return {
    async texts(name) {
      const [label, ...rest] = name.split('.');
      const tokens = label === '_notifier-challenge' ? await publishedAt(rest.join('.'), 'dns_txt') : [];
      if (tokens.length === 0) return { ok: false, code: 'nxdomain' };
      return { ok: true, found: tokens.map((token) => `token=${token}`) };
    },
    async aliases() {
      return { ok: false, code: 'no_record' };
    },
    async page(host, path) {
      const isFile = path !== '/';
      const [token] = await publishedAt(host, isFile ? 'http_file' : 'html_meta');
      if (host.startsWith('old.')) return pageWith(token ?? 'anothers-token-entirely');
      if (token === undefined) return { ok: false, code: 'status_404' };
      return isFile
        ? {
            ok: true,
            found: { contentType: 'text/plain', bytes: Buffer.from(`notifier-verification=${token}`) },
          }
        : pageWith(token);
    },
  };
}

function pageWith(token: string) {
  const html = `<!doctype html><html><head><meta name="notifier-site-verification" content="${token}"></head></html>`;
  return { ok: true, found: { contentType: 'text/html', bytes: Buffer.from(html) } } as const;
}

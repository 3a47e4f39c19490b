import { promises as dns } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DnsRecordType } from '../core/ports/monitor-check-client.ts';
import { isPublicAddress } from './addresses.ts';
import { OutboundFailure, toOutboundFailure } from './failure.ts';

/** A web site has fewer addresses. */
const addressesMax = 16;
const textCharactersMax = 8 * 1024;
const aliasesMax = 8;

export interface NameResolver {
  /** All IPv4, then all IPv6 addresses; at least one. @throws {OutboundFailure} */
  addresses(host: string): Promise<readonly string[]>;
  /** All TXT records, strings joined, as latin1; at least one. @throws {OutboundFailure} */
  texts(name: string): Promise<readonly string[]>;
}

export interface RecordResolver {
  /** Records as texts, such as `10 mail.shop.test`; at least one. @throws {OutboundFailure} */
  records(name: string, kind: DnsRecordType): Promise<readonly string[]>;
}

type DnsClient = NameResolver & RecordResolver;

interface ResolverOptions {
  /** `address` or `address:port`. Empty: the system's resolver. Several must give the same answer. */
  readonly servers: readonly string[];
  readonly timeoutMs?: number;
  readonly tries?: number;
  readonly otherFamilyMs?: number;
  readonly allowPrivate?: boolean;
}

export function createResolver(options: ResolverOptions): DnsClient {
  if (options.servers.length < 2) return singleView(options.servers, options);
  const views = options.servers.map((server) => singleView([server], options));
  return agreeingViews(views, options.allowPrivate ?? false);
}

// Only answers that all resolvers gave, against DNS poisoning. One private address refuses the name.
function agreeingViews(views: readonly DnsClient[], allowPrivate: boolean): DnsClient {
  return {
    async addresses(host) {
      const answers = await allAnswers(views.map((view) => view.addresses(host)));
      if (!allowPrivate && !answers.flat().every(isPublicAddress)) {
        throw new OutboundFailure('refused_address');
      }
      return intersect(answers);
    },
    async texts(name) {
      return intersect(await allAnswers(views.map((view) => view.texts(name))));
    },
    async records(name, kind) {
      return intersect(await allAnswers(views.map((view) => view.records(name, kind))));
    },
  };
}

/** Waits for all, to avoid unhandled rejections, then throws the first failure. */
async function allAnswers<Answer>(queries: ReadonlyArray<Promise<Answer>>): Promise<Answer[]> {
  const settled = await Promise.allSettled(queries);
  return settled.map((answer) => {
    if (answer.status === 'rejected') throw toOutboundFailure(answer.reason, 'unreachable');
    return answer.value;
  });
}

function intersect(answers: ReadonlyArray<readonly string[]>): readonly string[] {
  const [first = [], ...others] = answers;
  const common = first.filter((value) => others.every((values) => values.includes(value)));
  if (common.length === 0) throw new OutboundFailure('mismatch');
  return common;
}

function singleView(servers: readonly string[], options: ResolverOptions): DnsClient {
  // A new Resolver each: no caching, and slow queries of one check do not delay others.
  const newResolver = () => {
    const timeout = options.timeoutMs ?? 1000;
    // Without maxTimeout each try waits twice as long as the previous one.
    const resolver = new dns.Resolver({ timeout, maxTimeout: timeout, tries: options.tries ?? 2 });
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  };
  return {
    addresses: (host) =>
      resolveWithAliases(host, newResolver, (resolver, alias) =>
        addressesOf(resolver, alias, options.otherFamilyMs ?? 500),
      ),
    texts: (name) =>
      resolveWithAliases(name, newResolver, (resolver, alias) =>
        queryRecords(resolver, alias, 'TXT', textCharactersMax),
      ),
    async records(name, kind) {
      const query: DnsQuery = (resolver, name) => queryRecords(resolver, name, kind);
      if (kind !== 'CNAME') return resolveWithAliases(name, newResolver, query);
      return query(newResolver(), name).catch((error: unknown) => {
        throw toOutboundFailure(error, 'unreachable');
      });
    },
  };
}

type Resolver = InstanceType<typeof dns.Resolver>;
type DnsQuery = (resolver: Resolver, name: string) => Promise<readonly string[]>;

/** Follows up to 8 CNAMEs for resolvers that do not return the target's records. */
async function resolveWithAliases(name: string, newResolver: () => Resolver, query: DnsQuery) {
  for (let current = name, hops = 0; hops <= aliasesMax; hops += 1) {
    try {
      return await query(newResolver(), current);
    } catch (error) {
      const failure = toOutboundFailure(error, 'unreachable');
      if (failure.code !== 'no_record') throw failure;
      const alias = await aliasOf(newResolver(), current);
      if (alias === null) throw failure;
      current = alias;
    }
  }
  throw new OutboundFailure('bad_response');
}

async function aliasOf(resolver: Resolver, name: string): Promise<string | null> {
  try {
    const [alias] = await resolver.resolveCname(name);
    return alias === undefined || alias === '' ? null : alias;
  } catch {
    return null;
  }
}

async function addressesOf(
  resolver: Resolver,
  host: string,
  otherFamilyMs: number,
): Promise<readonly string[]> {
  const [four, six] = await resolveBothFamilies(resolver, host, otherFamilyMs);
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > addressesMax) throw new OutboundFailure('too_large');
  if (found.length > 0) return found;
  // The more specific failure: IPv6 may have failed for a name without IPv4.
  const failures = [four, six].flatMap((answer) =>
    answer.status === 'rejected' ? [toOutboundFailure(answer.reason, 'unreachable')] : [],
  );
  throw failures.find((failure) => failure.code !== 'no_record') ?? new OutboundFailure('no_record');
}

/** Both families, or one if the other takes longer (RFC 8305 section 3). */
async function resolveBothFamilies(resolver: Resolver, host: string, otherFamilyMs: number) {
  const queries = [resolver.resolve4(host), resolver.resolve6(host)] as const;
  const settled = Promise.allSettled(queries);
  const over = new AbortController();
  const oneInTime = Promise.any(queries).then(
    () => sleep(otherFamilyMs, undefined, { signal: over.signal }).catch(() => {}),
    () => settled,
  );
  await Promise.race([settled, oneInTime]);
  over.abort();
  resolver.cancel();
  return await settled;
}

const recordsMax = 64;
const recordCharactersMax = 16 * 1024;

const questions: Readonly<Record<DnsRecordType, (of: Resolver, name: string) => Promise<string[]>>> = {
  A: (of, name) => of.resolve4(name),
  AAAA: (of, name) => of.resolve6(name),
  async CAA(of, name) {
    const records = await of.resolveCaa(name);
    return records.map((record) => {
      const tag = Object.keys(record).find((each) => each !== 'critical' && each !== 'type');
      return `${record.critical} ${tag} ${record[tag as keyof typeof record]}`;
    });
  },
  CNAME: (of, name) => of.resolveCname(name),
  MX: async (of, name) =>
    (await of.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  NS: (of, name) => of.resolveNs(name),
  SRV: async (of, name) =>
    (await of.resolveSrv(name)).map((each) => `${each.priority} ${each.weight} ${each.port} ${each.name}`),
  TXT: async (of, name) => (await of.resolveTxt(name)).map((strings) => strings.join('')),
};

/** Returns at least one record. Throws Node's DNS error or OutboundFailure. */
export async function queryRecords(
  resolver: Resolver,
  name: string,
  kind: DnsRecordType,
  charactersMax = recordCharactersMax,
): Promise<readonly string[]> {
  const records = await questions[kind](resolver, name);
  const characters = records.reduce((sum, record) => sum + record.length, 0);
  if (records.length > recordsMax || characters > charactersMax) throw new OutboundFailure('too_large');
  if (records.length === 0) throw new OutboundFailure('no_record');
  return records;
}

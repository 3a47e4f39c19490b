import type { DomainProber, Probe } from '../ports/prober.ts';
import type { CheckFailure, ProofMethod } from '../store/domains.ts';
import {
  aliasTargetOf,
  challengeName,
  type DnsPlace,
  fileBytesMax,
  filePath,
  isHeadOver,
  judgeFile,
  judgePage,
  pageBytesMax,
  pagePath,
  recordMatches,
} from './challenges.ts';

export interface CheckResult {
  readonly type: ProofMethod;
  readonly ok: boolean;
  readonly code: 'ok' | CheckFailure;
  readonly detail: string;
}

export interface CheckTask {
  readonly domain: string;
  readonly token: string;
  readonly methods: readonly ProofMethod[];
  readonly allMethods: readonly ProofMethod[];
  readonly place: DnsPlace;
  /** A random label. If it has the record too, the record is a wildcard and proves nothing. */
  readonly siblingLabel: string;
}

/** Runs all methods in parallel; results are in the order of `task.methods`. Never rejects. */
export async function performChecks(task: CheckTask, prober: DomainProber): Promise<CheckResult[]> {
  return await Promise.all(
    task.methods.map(async (type) => {
      const failure = await performers[type](task, prober);
      return failure === null
        ? { type, ok: true, code: 'ok' as const, detail: 'The verification token was found.' }
        : { type, ok: false, code: failure, detail: sentenceFor(failure) + instead(type, task) };
    }),
  );
}

const wayWords: Readonly<Record<ProofMethod, string>> = {
  dns_txt: 'a DNS record',
  http_file: 'the file',
  html_meta: 'the meta tag',
};

function instead(type: ProofMethod, { allMethods, place }: CheckTask): string {
  const others = allMethods.filter((each) => each !== type).map((each) => wayWords[each]);
  const alias =
    type === 'dns_txt' && place.host !== null ? [' A CNAME counts as well as the TXT record.'] : [];
  const other = others.length === 0 ? [] : [` You can also publish ${others.join(' or ')}.`];
  return [...alias, ...other].join('');
}

type Performer = (task: CheckTask, prober: DomainProber) => Promise<CheckFailure | null>;

const performers: Readonly<Record<ProofMethod, Performer>> = {
  dns_txt: async (task, prober) => {
    const { domain, token, siblingLabel, place } = task;
    const name = challengeName(domain, place);
    if (name === null) return 'no_record';
    if (await isProvedByAlias(task, name, prober)) return null;
    const [records, sibling] = await Promise.all([
      prober.texts(name),
      prober.texts(`${siblingLabel}.${domain}`),
    ]);
    if (!records.ok) return records.code;
    const proves = (found: Probe<readonly string[]>) =>
      found.ok && found.found.some((record) => recordMatches(record, token));
    // A wildcard record answers for every name, so it was not published for this challenge.
    return proves(records) && !proves(sibling) ? null : 'mismatch';
  },
  http_file: async ({ domain, token }, prober) => {
    const accept = 'text/plain, */*;q=0.5';
    const page = await prober.page(domain, filePath, { bytesMax: fileBytesMax, accept });
    return page.ok ? judgeFile(page.found, token) : page.code;
  },
  html_meta: async ({ domain, token }, prober) => {
    const limits = { bytesMax: pageBytesMax, accept: 'text/html', isCut: true, isEnough: isHeadOver };
    const page = await prober.page(domain, pagePath, limits);
    return page.ok ? judgePage(page.found, token) : page.code;
  },
};

async function isProvedByAlias(
  { domain, token, siblingLabel, place }: CheckTask,
  name: string,
  prober: DomainProber,
): Promise<boolean> {
  const target = aliasTargetOf(token, place);
  if (target === null) return false;
  const names = [name, `${siblingLabel}.${domain}`];
  const [own, sibling] = await Promise.all(names.map((each) => prober.aliases(each)));
  const proves = (found: Probe<readonly string[]> | undefined): boolean =>
    found?.ok === true && found.found.some((each) => each.toLowerCase().replace(/\.$/, '') === target);
  return proves(own) && !proves(sibling);
}

const sentences: ReadonlyMap<string, string> = new Map([
  ['nxdomain', 'The name does not exist in DNS.'],
  ['no_record', 'The verification token is not published there yet.'],
  ['mismatch', 'Another verification token is published there.'],
  ['timeout', 'There was no complete response in time.'],
  ['refused_address', 'The name does not resolve to a public address.'],
  ['tls', 'The certificate could not be verified.'],
  ['too_large', 'The response is too large.'],
  ['redirect', 'The response redirects to a place that is not followed.'],
  ['unreachable', 'The server could not be reached.'],
  ['bad_response', 'The response is invalid.'],
]);

export function sentenceFor(failure: CheckFailure): string {
  return sentences.get(failure) ?? 'The server responded with a status other than 200.';
}

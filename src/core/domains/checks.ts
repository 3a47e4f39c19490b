import type { DomainCheckClient, ProbeResult } from '../ports/domain-check-client.ts';
import type { Meter } from '../ports/metrics.ts';
import type { CheckFailure, VerificationMethod } from '../store/domains.ts';
import {
  checkVerificationFile,
  cnameTargetFor,
  type DnsChallengeSettings,
  fileBytesMax,
  pageBytesMax,
  txtRecordMatches,
  txtRecordName,
  verificationFilePath,
  verificationPagePath,
} from './challenges.ts';

export interface CheckResult {
  readonly type: VerificationMethod;
  readonly ok: boolean;
  readonly code: 'ok' | CheckFailure;
  readonly detail: string;
}

interface CheckTask {
  readonly domain: string;
  readonly token: string;
  readonly methods: readonly VerificationMethod[];
  readonly allMethods: readonly VerificationMethod[];
  readonly dnsSettings: DnsChallengeSettings;
  /** A random label. If it has the record too, the record is a wildcard and proves nothing. */
  readonly siblingLabel: string;
}

/** Runs all methods in parallel; results are in the order of `task.methods`. Never rejects. */
export async function runDomainChecks(task: CheckTask, client: DomainCheckClient): Promise<CheckResult[]> {
  return await Promise.all(
    task.methods.map(async (type) => {
      const failure = await checkers[type](task, client);
      return failure === null
        ? { type, ok: true, code: 'ok' as const, detail: 'The verification token was found.' }
        : {
            type,
            ok: false,
            code: failure,
            detail: describeCheckFailure(failure) + describeAlternatives(type, task),
          };
    }),
  );
}

const methodText: Readonly<Record<VerificationMethod, string>> = {
  dns_txt: 'a DNS record',
  http_file: 'the file',
  html_meta: 'the meta tag',
};

function describeAlternatives(type: VerificationMethod, { allMethods, dnsSettings }: CheckTask): string {
  const others = allMethods.filter((each) => each !== type).map((each) => methodText[each]);
  const alias =
    type === 'dns_txt' && dnsSettings.host !== null ? [' A CNAME counts as well as the TXT record.'] : [];
  const other = others.length === 0 ? [] : [` You can also publish ${others.join(' or ')}.`];
  return [...alias, ...other].join('');
}

type MethodChecker = (task: CheckTask, client: DomainCheckClient) => Promise<CheckFailure | null>;

const checkers: Readonly<Record<VerificationMethod, MethodChecker>> = {
  dns_txt: async (task, client) => {
    const { domain, token, siblingLabel, dnsSettings } = task;
    const name = txtRecordName(domain, dnsSettings);
    if (name === null) return 'no_record';
    if (await isVerifiedByCname(task, name, client)) return null;
    const [records, sibling] = await Promise.all([
      client.texts(name),
      client.texts(`${siblingLabel}.${domain}`),
    ]);
    if (!records.ok) return records.code;
    const proves = (found: ProbeResult<readonly string[]>) =>
      found.ok && found.found.some((record) => txtRecordMatches(record, token));
    // A wildcard record answers for every name, so it was not published for this challenge.
    return proves(records) && !proves(sibling) ? null : 'mismatch';
  },
  http_file: async ({ domain, token }, client) => {
    const accept = 'text/plain, */*;q=0.5';
    const page = await client.page(domain, verificationFilePath, { bytesMax: fileBytesMax, accept });
    return page.ok ? checkVerificationFile(page.found, token) : page.code;
  },
  html_meta: async ({ domain, token }, client) => {
    const { checkMetaTag, isHeadComplete } = await import('./meta-tag.ts');
    const limits = { bytesMax: pageBytesMax, accept: 'text/html', isCut: true, isEnough: isHeadComplete };
    const page = await client.page(domain, verificationPagePath, limits);
    return page.ok ? checkMetaTag(page.found, token) : page.code;
  },
};

async function isVerifiedByCname(
  { domain, token, siblingLabel, dnsSettings }: CheckTask,
  name: string,
  client: DomainCheckClient,
): Promise<boolean> {
  const target = cnameTargetFor(token, dnsSettings);
  if (target === null) return false;
  const names = [name, `${siblingLabel}.${domain}`];
  const [recordProbe, siblingProbe] = await Promise.all(names.map((each) => client.aliases(each)));
  const proves = (found: ProbeResult<readonly string[]> | undefined): boolean =>
    found?.ok === true && found.found.some((each) => each.toLowerCase().replace(/\.$/, '') === target);
  return proves(recordProbe) && !proves(siblingProbe);
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

export function describeCheckFailure(failure: CheckFailure): string {
  return sentences.get(failure) ?? 'The server responded with a status other than 200.';
}

export function withProberMetrics(client: DomainCheckClient, meter: Meter): DomainCheckClient {
  const counted = <Found>(probe: ProbeResult<Found>): ProbeResult<Found> => {
    meter.count('domainChecks', [probe.ok ? 'ok' : metricLabelOf(probe.code)]);
    return probe;
  };
  return {
    texts: async (name) => counted(await client.texts(name)),
    aliases: async (name) => counted(await client.aliases(name)),
    page: async (host, path, options) => counted(await client.page(host, path, options)),
  };
}

/** Only the hundreds of a status code, so that the metric has few label values. */
function metricLabelOf(code: string): string {
  const [, hundred] = /(\d)\d\d$/.exec(code) ?? [];
  return hundred === undefined ? code : `http_${hundred}xx`;
}

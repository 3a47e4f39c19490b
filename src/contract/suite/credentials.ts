// Contract suite, section 5: credentials. Bodies are valid, so that only the key is wrong.
import type { Check, RequestTemplate, Suite } from '../check-types.ts';
import { contractMark, envelopeType, jsonType, probeEvent } from './request-parts.ts';
import { probeDeploy, probeProof, probeRelease, probeTestRun } from './server.ts';

type Headers = ReadonlyArray<readonly [string, string]>;

interface Probe {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: { readonly json: unknown } | string;
  readonly statement: string;
}

interface BadCredential {
  readonly name: string;
  readonly title: string;
  readonly headers: Headers;
  readonly statement: '5.missing-key' | '5.invalid-key';
}

const unknownPublic = ['X-Notifier-Key', `${contractMark.replace('-', '_')}_unknown_key_0000`] as const;
const unknownBearer = ['Authorization', `Bearer ${contractMark.replace('-', '_')}_unknown_key_0000`] as const;

const publicProbes: readonly Probe[] = [
  probe('store', '/store', { json: probeEvent }, '4.store-credential'),
  probe(
    'envelope',
    '/envelope',
    `{}\n{"type":"event"}\n${JSON.stringify(probeEvent)}\n`,
    '4.envelope-credential',
  ),
];

const secretProbes: readonly Probe[] = [
  probe('releases', '/releases', { json: probeRelease }, '4.releases-credential'),
  probe('deploys', '/deploys', { json: probeDeploy }, '4.deploys-credential'),
  probe('test-runs', '/test-runs', { json: probeTestRun }, '4.test-runs-credential'),
];

const feedback = {
  message: `${contractMark}: must be refused`,
  url: 'https://{{domain}}/',
  domain: '{{domain}}',
};
const sdk = { sdk: { name: contractMark, version: '1.0.0' }, domain: '{{domain}}' };

/** Section 5 does not say which key these take; an unknown one is invalid as either. */
const openProbes: readonly Probe[] = [
  probe('feedback', '/feedback', { json: feedback }, '5.invalid-key'),
  probe('sdk-verify', '/sdk-verify', { json: sdk }, '5.invalid-key'),
  probe('proof', '/domain-verifications', { json: probeProof }, '5.invalid-key'),
  {
    name: 'proof-read',
    method: 'GET',
    path: '/domain-verifications/{{proof_id}}',
    statement: '5.invalid-key',
  },
  probe('proof-check', '/domain-verifications/{{proof_id}}/check', { json: {} }, '5.invalid-key'),
];

const notPublic: readonly BadCredential[] = [
  bad('no-key', 'without a key', [], '5.missing-key'),
  bad('unknown-key', 'with an unknown key', [unknownPublic], '5.invalid-key'),
  bad('empty-key', 'with an empty key', [['X-Notifier-Key', '']], '5.missing-key'),
  bad(
    'secret-as-public',
    'with the secret key in X-Notifier-Key',
    [['X-Notifier-Key', '{{secret_key}}']],
    '5.invalid-key',
  ),
  bad(
    'bearer-only',
    'with only the bearer secret key',
    [['Authorization', 'Bearer {{secret_key}}']],
    '5.missing-key',
  ),
  bad(
    'public-as-bearer',
    'with the public key as bearer',
    [['Authorization', 'Bearer {{public_key}}']],
    '5.missing-key',
  ),
];

const notSecret: readonly BadCredential[] = [
  bad('no-key', 'without a key', [], '5.missing-key'),
  bad('unknown-key', 'with an unknown bearer key', [unknownBearer], '5.invalid-key'),
  bad(
    'public-key-header',
    'with the public key in its header',
    [['X-Notifier-Key', '{{public_key}}']],
    '5.missing-key',
  ),
  bad(
    'public-as-bearer',
    'with the public key as bearer',
    [['Authorization', 'Bearer {{public_key}}']],
    '5.invalid-key',
  ),
  bad(
    'secret-in-key-header',
    'with the secret key in X-Notifier-Key',
    [['X-Notifier-Key', '{{secret_key}}']],
    '5.missing-key',
  ),
];

const nobody: readonly BadCredential[] = [
  bad('unknown-key', 'with keys that are nobody’s', [unknownPublic, unknownBearer], '5.invalid-key'),
];

export const credentialSuite: Suite = mergeSuites([
  ...publicProbes.flatMap((each) => notPublic.map((credential) => refusal(each, credential))),
  ...secretProbes.flatMap((each) => notSecret.map((credential) => refusal(each, credential))),
  ...openProbes.flatMap((each) => nobody.map((credential) => refusal(each, credential))),
]);

function refusal(each: Probe, credential: BadCredential): Suite {
  const name = `${each.name}-${credential.name}`;
  const request: RequestTemplate = {
    name,
    method: each.method,
    path: each.path,
    headers: [each.name === 'envelope' ? envelopeType : jsonType, ...credential.headers],
    ...(each.body === undefined ? {} : { body: each.body }),
  };
  const check: Check = {
    name: `401-${name}`,
    title: `${each.method} ${each.path} is refused ${credential.title}`,
    group: 'Credentials',
    severity: 'required',
    section: '5',
    statements: [credential.statement, each.statement, '5.unauthorized-body', '7.unauthorized-code'],
    request: name,
    expect: [{ is: 'error', status: 401, code: 'rest_forbidden' }],
  };
  return { requests: [request], checks: [check] };
}

function mergeSuites(suites: readonly Suite[]): Suite {
  return {
    requests: suites.flatMap((each) => each.requests),
    checks: suites.flatMap((each) => each.checks),
  };
}

function probe(name: string, path: string, body: Probe['body'], statement: string): Probe {
  return { name, method: 'POST', path, statement, ...(body === undefined ? {} : { body }) };
}

function bad(
  name: string,
  title: string,
  headers: Headers,
  statement: BadCredential['statement'],
): BadCredential {
  return { name, title, headers, statement };
}

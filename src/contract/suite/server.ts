// Contract suite: server-side calls (releases, deploys, test runs, artifacts, domain verification).
import type { Check, Suite } from '../check-types.ts';
import { contractMark, get, jsonType, post, publicKey, secretKey } from './request-parts.ts';

/** All runs share one release; a recording makes its own, to see the answer to its creation. */
const version = '{{release_version}}';

export const probeRelease = { version };
export const probeDeploy = { version, environment: 'development', key: contractMark };
export const probeTestRun = {
  name: contractMark,
  status: 'passed',
  total: 1,
  tests: [{ name: `${contractMark}: probe`, status: 'passed' }],
};
const probeArtifact = { release: version, files: [{ name: `~/${contractMark}.js`, content: '/* probe */' }] };
export const probeProof = { domain: '{{proof_domain}}' };

const proofIdMembers = ['id', 'verification_id', 'domain_verification_id', 'proof_id'];

const noArtifacts = {
  status: 404,
  because: 'the specification shows no path for artifacts, and there is none at /artifacts',
};

export const serverSuite: Suite = {
  requests: [
    post('release', '/releases', [secretKey], probeRelease),
    post('deploy', '/deploys', [secretKey], probeDeploy),
    post('test-run', '/test-runs', [secretKey], probeTestRun, { captures: { test_run_id: ['test_run_id'] } }),
    post('artifacts-public-key', '/artifacts', [publicKey], probeArtifact),
    post('artifacts-no-key', '/artifacts', [], probeArtifact),
    post('proof', '/domain-verifications', [secretKey], probeProof, {
      captures: { proof_id: proofIdMembers },
    }),
    get('proof-read', '/domain-verifications/{{proof_id}}', [secretKey]),
    post(
      'proof-check',
      '/domain-verifications/{{proof_id}}/check',
      [secretKey],
      {},
      {
        after: ['proof-read'],
      },
    ),
    {
      ...get('proof-read-again', '/domain-verifications/{{proof_id}}', [secretKey]),
      after: ['proof-check'],
    },
    {
      name: 'proof-check-no-body',
      method: 'POST',
      path: '/domain-verifications/{{proof_id}}/check',
      headers: [jsonType, secretKey],
      after: ['proof-check'],
    },
  ],
  checks: [
    ...written('releases', 'release', 'release', '4.releases'),
    ...written('deploys', 'deploy', 'deploy', '4.deploys'),
    ...written('test-runs', 'test run', 'test-run', '4.test-runs'),
    server('test-runs-answers-test-run-id', '/test-runs answers test_run_id', '4', 'test-run', {
      statements: ['4.test-runs', '2.test-run-id', '4.identifiers', '2.accepted-identifiers'],
      expect: [{ is: 'success' }, { is: 'match', path: 'test_run_id', pattern: '^[^\\s]+$' }],
    }),
    server(
      'artifacts-refuse-public-key',
      'Artifact calls refuse the public key',
      '4',
      'artifacts-public-key',
      {
        statements: ['4.artifacts-credential'],
        expect: [{ is: 'error', status: 401, code: 'rest_forbidden' }],
        unless: noArtifacts,
      },
    ),
    server('artifacts-refuse-no-key', 'Artifact calls refuse a missing key', '4', 'artifacts-no-key', {
      statements: ['4.artifacts-credential'],
      expect: [{ is: 'error', status: 401, code: 'rest_forbidden' }],
      unless: noArtifacts,
    }),
    proof('proof-is-created', 'POST /domain-verifications creates a proof', 'proof', {
      statements: ['4.proof-create'],
      expect: [{ is: 'success' }],
    }),
    proof('proof-answers-accepted', '/domain-verifications answers accepted, a boolean', 'proof', {
      statements: ['2.accepted-boolean', '4.proof-create'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
    }),
    proof('proof-answers-its-id', 'The answer carries the id of the proof', 'proof', {
      statements: ['4.proof-create', '2.accepted-identifiers', '2.proof-in-path'],
      expect: [{ is: 'captured', name: 'proof_id' }],
    }),
    proof('proof-is-read', 'GET /domain-verifications/{id} answers the record', 'proof-read', {
      statements: ['4.proof-read', '2.proof-in-path'],
      expect: [{ is: 'success' }, { is: 'text', pattern: '{{proof_id}}|{{proof_domain}}' }],
    }),
    proof('proof-is-checked', 'POST /domain-verifications/{id}/check answers a result', 'proof-check', {
      statements: ['4.proof-check', '2.proof-in-path'],
      expect: [{ is: 'success' }, { is: 'text', pattern: '^\\{"' }],
    }),
    proof('proof-check-needs-no-body', 'The check needs no body', 'proof-check-no-body', {
      statements: ['4.proof-check'],
      expect: [{ is: 'success' }],
    }),
    proof('proof-is-reusable', 'After a check the same proof is still there', 'proof-read-again', {
      statements: ['4.proof-reusable', '4.proof-read'],
      expect: [{ is: 'success' }, { is: 'text', pattern: '{{proof_id}}|{{proof_domain}}' }],
    }),
  ],
};

function written(path: string, noun: string, request: string, statement: string): Check[] {
  return [
    server(`${path}-accepts`, `POST /${path} creates a ${noun}`, '4', request, {
      statements: [statement, `${statement}-credential`, '4.json-requests'],
      expect: [{ is: 'success' }],
    }),
    server(`${path}-takes-bearer`, `The bearer secret key is the credential of /${path}`, '5', request, {
      statements: ['5.secret-key-bearer', '5.server-secret'],
      expect: [{ is: 'success' }],
    }),
    server(`${path}-answers-accepted`, `/${path} answers accepted, a boolean`, '2', request, {
      statements: ['2.accepted-boolean', '2.accepted-object', statement],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
    }),
  ];
}

function server(
  name: string,
  title: string,
  section: string,
  request: string,
  rest: Pick<Check, 'statements' | 'expect' | 'unless'>,
): Check {
  return { name, title, section, request, group: 'Server side', severity: 'required', ...rest };
}

function proof(
  name: string,
  title: string,
  request: string,
  rest: Pick<Check, 'statements' | 'expect'>,
): Check {
  const section = name === 'proof-answers-accepted' ? '2' : '4';
  return { name, title, section, request, group: 'Domain proofs', severity: 'required', ...rest };
}

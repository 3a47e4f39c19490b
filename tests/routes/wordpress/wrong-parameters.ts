// Parameters that are missing or wrong, in WordPress's sentences.
import { type Complaint, invalid, missing, type Row, wrongType } from './expectations.ts';
import { type Keys, post } from './shared-rows.ts';

export function missingParameters(keys: Keys): Row[] {
  const rows: ReadonlyArray<readonly [string, string, readonly string[]]> = [
    ['/releases', '{}', ['version']],
    ['/releases', '{"version":null}', ['version']],
    ['/releases', '{"version":"  "}', ['version']],
    ['/releases', '', ['version']],
    ['/releases', '0', ['version']],
    ['/releases', '[1,2]', ['version']],
    ['/releases', '"version"', ['version']],
    ['/deploys', '{}', ['version', 'environment']],
    ['/deploys', '{"environment":"production"}', ['version']],
    ['/deploys', '{"version":"1"}', ['environment']],
    ['/feedback', '{}', ['message']],
    ['/sdk-verify', '{}', ['sdk']],
    ['/sdk-verify', '{"sdk":null}', ['sdk']],
    ['/domain-verifications', '{}', ['domain']],
    ['/domains', '{"bug_reports":true}', ['domain']],
    ['/store', '{}', ['message']],
    ['/store', '{"message":""}', ['message']],
    ['/store', '{"message":null,"platform":"php"}', ['message']],
  ];
  return rows.map(([path, sent, names]) => ({
    ...post(keys, path, sent),
    name: `POST ${path} ${sent}`,
    status: 400,
    body: missing(...names),
  }));
}

const eventIdPattern = '^([0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$';
const enumOf = (name: string, members: string): Complaint => [
  name,
  'rest_not_in_enum',
  `${name} is not one of ${members}.`,
];
const tooLong = (name: string, characters: string): Complaint => [
  name,
  'rest_too_long',
  `${name} must be at most ${characters} characters long.`,
];
const badEventId: Complaint = [
  'event_id',
  'rest_invalid_pattern',
  `event_id does not match pattern ${eventIdPattern}.`,
];
const requiredMember = (name: string, parent: string): Complaint => [
  parent,
  'rest_property_required',
  `${name} is a required property of ${parent}.`,
];

export function wrongParameters(keys: Keys): Row[] {
  const rows: ReadonlyArray<readonly [string, string, readonly Complaint[]]> = [
    ['/store', '{"message":5}', [wrongType('message', 'string,object')]],
    ['/store', '{"message":true}', [wrongType('message', 'string,object')]],
    ['/store', '{"message":"m","platform":5}', [wrongType('platform', 'string')]],
    ['/store', '{"message":"m","platform":["php"]}', [wrongType('platform', 'string')]],
    ['/store', '{"message":"m","event_id":"x"}', [badEventId]],
    ['/store', '{"message":"m","event_id":7}', [wrongType('event_id', 'string')]],
    [
      '/store',
      '{"platform":1.5,"event_id":"x","message":1}',
      [wrongType('platform', 'string'), badEventId, wrongType('message', 'string,object')],
    ],
    ['/releases', '{"version":5}', [wrongType('version', 'string,null')]],
    ['/releases', '{"version":["1"]}', [wrongType('version', 'string,null')]],
    ['/releases', '{"version":"1","status":"closed"}', [enumOf('status', 'open, archived, and null')]],
    ['/releases', `{"version":"1","ref":"${'r'.repeat(251)}"}`, [tooLong('ref', '250')]],
    ['/releases', `{"version":"1","url":"${'u'.repeat(2049)}"}`, [tooLong('url', '2,048')]],
    ['/releases', '{"version":"1","finalize":"maybe"}', [wrongType('finalize', 'boolean,null')]],
    ['/releases', '{"version":"1","commits":{"a":1}}', [wrongType('commits', 'array,null')]],
    ['/releases', '{"version":"1","commits":[5]}', [wrongType('commits[0]', 'object', 'commits')]],
    [
      '/releases',
      '{"version":"1","commits":[{"id":"a"},{"message":"m"}]}',
      [['commits', 'rest_property_required', 'id is a required property of commits[1].']],
    ],
    [
      '/releases',
      `{"version":"1","commits":[{"id":"${'c'.repeat(65)}"}]}`,
      [['commits', 'rest_too_long', 'commits[0][id] must be at most 64 characters long.']],
    ],
    [
      '/releases',
      '{"version":"1","commits":[{"id":"a","patch_set":[{"path":"p","type":"X"}]}]}',
      [['commits', 'rest_not_in_enum', 'commits[0][patch_set][0][type] is not one of A, M, and D.']],
    ],
    [
      '/releases',
      '{"version":"1","refs":[{"commit":"c"}]}',
      [['refs', 'rest_property_required', 'repository is a required property of refs[0].']],
    ],
    [
      '/releases',
      '{"version":"1","status":"closed","ref":5}',
      [enumOf('status', 'open, archived, and null'), wrongType('ref', 'string,null')],
    ],
    [
      '/releases',
      '{"ref":5,"status":"closed","version":"1"}',
      [wrongType('ref', 'string,null'), enumOf('status', 'open, archived, and null')],
    ],
    [
      '/releases',
      '{"status":7,"version":false}',
      [wrongType('status', 'string,null'), wrongType('version', 'string,null')],
    ],
    ['/deploys', '{"version":"1","environment":5}', [wrongType('environment', 'string,null')]],
    ['/deploys', `{"version":"1","environment":"e","name":"${'n'.repeat(65)}"}`, [tooLong('name', '64')]],
    [
      '/deploys',
      '{"version":"1","environment":"e","status":"gone"}',
      [
        enumOf(
          'status',
          'queued, in_progress, success, failure, error, cancelled, inactive, started, succeeded, failed, timed_out, and null',
        ),
      ],
    ],
    ['/deploys', '{"version":"1","environment":"e","deploy":5}', [wrongType('deploy', 'object,null')]],
    ['/domain-verifications', '{"domain":5}', [wrongType('domain', 'string,null')]],
    ['/domain-verifications', `{"domain":"${'d'.repeat(255)}"}`, [tooLong('domain', '254')]],
    [
      '/domain-verifications',
      '{"domain":"shop.example","method":"smoke","scope":"all"}',
      [
        enumOf('method', 'any, dns_txt, http_file, html_meta, and null'),
        enumOf('scope', 'host, subdomains, and null'),
      ],
    ],
    [
      '/domains',
      '{"domain":"a.example","bug_reports":"perhaps"}',
      [wrongType('bug_reports', 'boolean,null')],
    ],
    [
      '/domains',
      '{"domain":"a.example","sampling":2}',
      [['sampling', 'rest_out_of_bounds', 'sampling must be between 0 (inclusive) and 1 (inclusive)']],
    ],
    ['/domains', '{"domain":"a.example","sampling":"half"}', [wrongType('sampling', 'number,null')]],
    [
      '/domains',
      `{"domain":"a.example","allowed_origins":${JSON.stringify(Array.from({ length: 51 }, () => 'o'))}}`,
      [['allowed_origins', 'rest_too_many_items', 'allowed_origins must contain at most 50 items.']],
    ],
    ['/sdk-verify', '{"sdk":{"name":"n"}}', [requiredMember('version', 'sdk')]],
    ['/sdk-verify', '{"sdk":"n"}', [wrongType('sdk', 'object')]],
    ['/sdk-verify', '{"sdk":{"name":5,"version":"1"}}', [wrongType('sdk[name]', 'string', 'sdk')]],
    [
      '/sdk-verify',
      '{"sdk":{"name":"n","version":"1"},"platform":5,"event_id":"x"}',
      [wrongType('platform', 'string,null'), badEventId],
    ],
  ];
  return rows.map(([path, sent, complaints]) => ({
    ...post(keys, path, sent),
    name: `POST ${path} ${sent.slice(0, 80)}`,
    status: 400,
    body: invalid(...complaints),
  }));
}

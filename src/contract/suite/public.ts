// What the specification says of the public surface: /feedback and /sdk-verify. Data only.
import type { Check, Suite } from '../check.ts';
import { mark, post, publicKey } from './request-parts.ts';

const origin = ['Origin', 'https://{{domain}}'] as const;
const otherOrigin = ['Origin', 'https://{{domain_off}}'] as const;

const report = {
  message: `${mark}: probe bug report, safe to delete`,
  url: 'https://{{domain}}/',
  domain: '{{domain}}',
};

const sdk = { sdk: { name: mark, version: '1.0.0' }, domain: '{{domain}}', url: 'https://{{domain}}/' };

/** However a server spells the switch for bug reports. */
const reportSwitch = '^(bug.?reports?|feedback|visitor.?reports?)(.?enabled)?$';

const needsDomain = {
  status: 403,
  because: 'bug reports are not enabled for {{domain}}: name a domain with --domain',
  withoutOption: 'domain',
} as const;

export const publicSuite: Suite = {
  requests: [
    post('feedback-enabled', '/feedback', [publicKey, origin], report),
    post('feedback-disabled', '/feedback', [publicKey, otherOrigin], {
      ...report,
      url: 'https://{{domain_off}}/',
      domain: '{{domain_off}}',
    }),
    post('sdk-verify', '/sdk-verify', [publicKey, origin], sdk, {
      after: ['store-event'],
      captures: { project_id: ['project.id'] },
    }),
    post('sdk-verify-other-domain', '/sdk-verify', [publicKey, otherOrigin], {
      ...sdk,
      domain: '{{domain_off}}',
      url: 'https://{{domain_off}}/',
    }),
  ],
  checks: [
    surface('feedback-accepts-report', 'POST /feedback takes a report where they are enabled', '4', {
      request: 'feedback-enabled',
      statements: ['4.feedback', '4.feedback-enabled'],
      expect: [{ is: 'success' }],
      unless: needsDomain,
    }),
    surface('feedback-answers-accepted', '/feedback answers accepted, a boolean', '2', {
      request: 'feedback-enabled',
      statements: ['2.accepted-boolean', '2.accepted-object', '4.feedback'],
      expect: [
        { is: 'member', path: 'accepted', type: 'boolean' },
        { is: 'equal', path: 'accepted', value: true },
      ],
      unless: needsDomain,
    }),
    surface('feedback-refused-when-off', 'A report is refused where they are not enabled', '4', {
      request: 'feedback-disabled',
      statements: ['4.feedback-enabled'],
      expect: [{ is: 'refused' }, { is: 'error' }],
    }),
    surface('sdk-verify-answers', 'POST /sdk-verify answers JSON', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify', '4.json-answers'],
      expect: [{ is: 'success' }],
    }),
    surface('sdk-verify-has-flags', '/sdk-verify answers feature flags', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify-flags'],
      expect: [{ is: 'success' }, { is: 'flags' }],
    }),
    surface('sdk-verify-flags-of-domain', 'The flags of a domain are what its reports meet', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify-flags', '4.feedback-enabled'],
      expect: [{ is: 'success' }, { is: 'switch', pattern: reportSwitch, request: 'feedback-enabled' }],
    }),
    surface('sdk-verify-flags-of-other-domain', 'Those of another domain are its own', '4', {
      request: 'sdk-verify-other-domain',
      statements: ['4.sdk-verify-flags', '4.feedback-enabled'],
      expect: [{ is: 'success' }, { is: 'switch', pattern: reportSwitch, request: 'feedback-disabled' }],
    }),
    surface('sdk-verify-has-statistics', '/sdk-verify answers SDK statistics', '4', {
      request: 'sdk-verify',
      statements: ['4.sdk-verify-statistics'],
      expect: [{ is: 'success' }, { is: 'statistics' }],
    }),
  ],
};

function surface(
  name: string,
  title: string,
  section: string,
  rest: Pick<Check, 'statements' | 'expect' | 'request' | 'unless'>,
): Check {
  return { name, title, section, group: 'Public surface', severity: 'required', ...rest };
}

// Our own answers as a compatibility profile; identifies the error situation that a profile translates.
import { type CompatibilityProfile, compatibilityProfile } from './compatibility-profile.ts';

const forbiddenWords = 'Sorry, you are not allowed to do that.';
const written = { created: 201, repeated: 200 };
const read = { ok: 200 };

const resources = [
  'issue',
  'event',
  'release',
  'deploy',
  'artifact',
  'test_run',
  'test_case',
  'feedback',
  'domain',
  'domain_verification',
];

export const defaultProfile: CompatibilityProfile = compatibilityProfile.parse({
  dialect: 1,
  name: 'notifier',
  order: 'credential-first',
  success: {
    'POST /store': written,
    'POST /envelope': written,
    'POST /feedback': written,
    'POST /sdk-verify': read,
    'POST /domain-verifications': written,
    'GET /domain-verifications/{id}': read,
    'POST /domain-verifications/{id}/check': read,
    'POST /releases': written,
    'POST /deploys': written,
    'POST /test-runs': written,
    'POST /artifacts': written,
  },
  refusals: {
    unauthorized: { status: 401, code: 'rest_forbidden', message: forbiddenWords },
    unknown_domain: forbidden('unknown_domain'),
    bug_reports_disabled: forbidden('bug_reports_disabled'),
    rate_limited: {
      status: 429,
      code: 'rest_too_many_requests',
      message: 'Too many requests. Please retry later.',
    },
    payload_too_large: { status: 400, code: 'rest_payload_too_large' },
    invalid_encoding: { status: 400, code: 'notifier_invalid_encoding' },
    invalid_envelope: { status: 400, code: 'notifier_invalid_envelope' },
    empty_envelope: { status: 400, code: 'notifier_empty_envelope' },
    duplicate_item: { status: 400, code: 'notifier_duplicate_item' },
    invalid_json: { status: 400, code: 'rest_invalid_json' },
    no_route: {
      status: 404,
      code: 'rest_no_route',
      message: 'No route was found matching the URL and request method.',
    },
    ...Object.fromEntries(resources.map((resource) => [`invalid_${resource}_id`, invalidId(resource)])),
  },
  identifiers: {
    'POST /feedback': { feedback_id: 'feedback_id' },
    'POST /sdk-verify': { verification_id: 'verification_id', flags: 'flags', stats: 'stats' },
    'POST /domain-verifications': { id: 'id' },
    'GET /domain-verifications/{id}': { id: 'id' },
    'POST /domain-verifications/{id}/check': { id: 'id' },
    'POST /releases': { release_id: 'release_id' },
    'POST /deploys': { deploy_id: 'deploy_id', release_id: 'release_id' },
  },
});

function forbidden(reason: string): unknown {
  return { status: 403, code: 'rest_forbidden', reason, message: forbiddenWords };
}

function invalidId(resource: string): unknown {
  const message = `Invalid ${resource.replaceAll('_', ' ')} ID.`;
  return { status: 404, code: `notifier_${resource}_invalid_id`, message };
}

// Import rules of src/core, by folder, lowest layer first.

export interface ImportRule {
  readonly from: readonly string[];
  readonly packages?: readonly string[];
}

const aids = [
  'src/core/ids.ts',
  'src/core/errors.ts',
  'src/core/concurrency-limit.ts',
  'src/core/batch-queue.ts',
  'src/core/periodic-job.ts',
  'src/core/fair-share.ts',
] as const;
export const basicModules = ['schemas', 'src/core/parsing', ...aids] as const;
const commonModules = [
  ...basicModules,
  'src/core/config',
  'src/core/store',
  'src/core/ports',
  'src/core/deps.ts',
] as const;
export const coreImportRules: Readonly<Record<string, ImportRule>> = {
  'src/core/ids.ts': { from: [] },
  'src/core/errors.ts': { from: [] },
  'src/core/concurrency-limit.ts': { from: [] },
  'src/core/batch-queue.ts': { from: [] },
  'src/core/periodic-job.ts': { from: [] },
  'src/core/fair-share.ts': { from: [] },
  'src/core/parsing': {
    from: [
      'schemas',
      'src/core/errors.ts',
      'src/wordpress/php/json-decode.ts',
      'src/wordpress/php/json-tokens.ts',
    ],
  },
  'src/core/config': { from: ['src/core/parsing'] },
  'src/core/store': { from: ['schemas', 'src/core/parsing'] },
  'src/core/ports': { from: ['schemas', 'src/core/store', 'src/core/concurrency-limit.ts'] },
  'src/core/deps.ts': { from: ['schemas', 'src/core/config', 'src/core/store', 'src/core/ports'] },
  'src/core/wordpress-components': { from: basicModules },
  'src/core/normalize': { from: [...basicModules, 'src/core/wordpress-components'] },
  'src/core/security-reports': { from: basicModules },
  'src/core/otlp': { from: ['src/core/parsing'] },
  'src/core/inbound-filters': { from: basicModules },
  'src/core/grouping': { from: [...basicModules, 'src/core/store', 'src/core/wordpress-components'] },
  'src/core/scrub': {
    from: [...basicModules, 'src/core/store', 'src/core/ports', 'src/wordpress/php/json-decode.ts'],
  },
  'src/core/outcomes': { from: commonModules },
  'src/core/releases': { from: [...commonModules, 'src/core/audit', 'src/core/scrub'] },
  'src/core/domains': {
    from: [...commonModules, 'src/core/audit', 'src/core/scrub'],
    packages: ['parse5', 'tldts'],
  },
  'src/core/saved-views': { from: [...commonModules, 'src/core/audit', 'src/core/members'] },
  'src/core/search': { from: [...commonModules, 'src/core/events', 'src/core/releases/version.ts'] },
  'src/core/issues': {
    from: [
      ...commonModules,
      'src/core/scrub',
      'src/core/grouping',
      'src/core/releases',
      'src/core/audit',
      'src/core/events',
    ],
  },
  'src/core/source-maps': {
    // A late source map may change an event's fingerprint.
    from: [
      ...commonModules,
      'src/core/scrub',
      'src/core/releases',
      'src/core/wordpress-components',
      'src/core/grouping',
      'src/core/events/prepare.ts',
      'src/core/events/compress-payload.ts',
    ],
  },
  'src/core/retention': { from: commonModules },
  'src/core/regroup': { from: [...commonModules, 'src/core/grouping'] },
  'src/core/test-runs': {
    from: [...commonModules, 'src/core/audit', 'src/core/scrub', 'src/core/releases'],
    packages: ['saxes'],
  },
  'src/core/events': {
    from: [
      ...commonModules,
      'src/core/normalize',
      'src/core/scrub',
      'src/core/grouping',
      'src/core/inbound-filters',
      'src/core/wordpress-components',
    ],
  },
  'src/core/feedback': { from: [...commonModules, 'src/core/audit', 'src/core/scrub', 'src/core/domains'] },
  'src/core/users': {
    from: [...commonModules, 'src/core/audit', 'src/core/events', 'src/core/feedback', 'src/core/issues'],
  },
  'src/core/alerts': {
    from: [...commonModules, 'src/core/audit', 'src/core/domains', 'src/core/grouping', 'src/core/issues'],
    packages: ['http_ece', 'standardwebhooks', 'zod'],
  },
  'src/core/monitors': {
    from: [...commonModules, 'src/core/audit', 'src/core/scrub'],
    packages: ['croner', 'zod'],
  },
  'src/core/incidents': { from: [...commonModules, 'src/core/audit'] },
  'src/core/reports': {
    from: [...commonModules, 'src/core/audit', 'src/core/page-models', 'src/core/alerts'],
  },
  'src/core/status-pages': {
    from: [...commonModules, 'src/core/audit', 'src/core/domains', 'src/core/alerts', 'src/core/feedback'],
  },
  'src/core/doctor': { from: [...commonModules, 'src/core/retention', 'src/core/projects'] },
  'src/core/export-import': { from: ['schemas', 'src/core'], packages: ['zod'] },
  'src/core/audit': { from: [...commonModules, 'src/core/scrub'] },
  'src/core/members': { from: [...commonModules, 'src/core/audit', 'src/core/projects'] },
  'src/core/sign-in': {
    from: [...commonModules, 'src/core/audit', 'src/core/members'],
    packages: ['openid-client', '@simplewebauthn/server', 'zod'],
  },
  'src/core/projects': {
    from: [...commonModules, 'src/core/audit', 'src/core/scrub', 'src/core/domains', 'src/core/outcomes'],
  },
  'src/core/envelopes': {
    from: [
      ...commonModules,
      'src/core/audit',
      'src/core/scrub',
      'src/core/grouping',
      'src/core/events',
      'src/core/inbound-filters',
      'src/core/feedback',
      'src/core/monitors',
      'src/wordpress/php/json-decode.ts',
      'src/wordpress/php/json-tokens.ts',
    ],
  },
};

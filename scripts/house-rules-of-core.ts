// Import rules of src/core, by folder, lowest layer first.

export interface RoomRule {
  readonly from: readonly string[];
  readonly packages?: readonly string[];
}

const aids = [
  'src/core/ids.ts',
  'src/core/errors.ts',
  'src/core/turns.ts',
  'src/core/in-step.ts',
  'src/core/rounds.ts',
  'src/core/fair-share.ts',
] as const;
export const ground = ['schemas', 'src/core/reading', ...aids] as const;
const shelves = [
  ...ground,
  'src/core/config',
  'src/core/store',
  'src/core/ports',
  'src/core/deps.ts',
] as const;
export const rulesOfCore: Readonly<Record<string, RoomRule>> = {
  'src/core/ids.ts': { from: [] },
  'src/core/errors.ts': { from: [] },
  'src/core/turns.ts': { from: [] },
  'src/core/in-step.ts': { from: [] },
  'src/core/rounds.ts': { from: [] },
  'src/core/fair-share.ts': { from: [] },
  'src/core/reading': {
    from: [
      'schemas',
      'src/core/errors.ts',
      'src/wordpress/php/json-plain.ts',
      'src/wordpress/php/json-values.ts',
    ],
  },
  'src/core/config': { from: ['src/core/reading'] },
  'src/core/store': { from: ['schemas', 'src/core/reading'] },
  'src/core/ports': { from: ['schemas', 'src/core/store', 'src/core/turns.ts'] },
  'src/core/deps.ts': { from: ['schemas', 'src/core/config', 'src/core/store', 'src/core/ports'] },
  'src/core/site-code': { from: ground },
  'src/core/normalize': { from: [...ground, 'src/core/site-code'] },
  'src/core/security-reports': { from: ground },
  'src/core/grouping': { from: [...ground, 'src/core/store', 'src/core/site-code'] },
  'src/core/scrub': { from: [...ground, 'src/core/store', 'src/core/ports'] },
  'src/core/outcomes': { from: shelves },
  'src/core/releases': { from: [...shelves, 'src/core/audit', 'src/core/scrub'] },
  'src/core/domains': {
    from: [...shelves, 'src/core/audit', 'src/core/scrub'],
    packages: ['parse5', 'tldts'],
  },
  'src/core/issues': {
    from: [...shelves, 'src/core/scrub', 'src/core/grouping', 'src/core/releases', 'src/core/audit'],
  },
  'src/core/source-maps': {
    // A late source map may change an event's fingerprint.
    from: [
      ...shelves,
      'src/core/scrub',
      'src/core/releases',
      'src/core/site-code',
      'src/core/grouping',
      'src/core/events/key.ts',
      'src/core/events/pack.ts',
    ],
  },
  'src/core/retention': { from: shelves },
  'src/core/regroup': { from: [...shelves, 'src/core/grouping'] },
  'src/core/test-runs': { from: [...shelves, 'src/core/scrub', 'src/core/releases'], packages: ['saxes'] },
  'src/core/events': {
    from: [...shelves, 'src/core/normalize', 'src/core/scrub', 'src/core/grouping', 'src/core/site-code'],
  },
  'src/core/feedback': { from: [...shelves, 'src/core/audit', 'src/core/scrub', 'src/core/domains'] },
  'src/core/alerts': {
    from: [...shelves, 'src/core/audit', 'src/core/domains'],
    packages: ['standardwebhooks'],
  },
  'src/core/monitors': { from: [...shelves, 'src/core/audit', 'src/core/scrub'], packages: ['croner'] },
  'src/core/incidents': { from: [...shelves, 'src/core/audit'] },
  'src/core/reports': {
    from: [...shelves, 'src/core/audit', 'src/core/workspace', 'src/core/alerts'],
  },
  'src/core/status-pages': { from: [...shelves, 'src/core/audit', 'src/core/domains'] },
  'src/core/doctor': { from: [...shelves, 'src/core/retention', 'src/core/projects'] },
  'src/core/portable': { from: ['schemas', 'src/core'], packages: ['zod'] },
  'src/core/audit': { from: [...shelves, 'src/core/scrub'] },
  'src/core/members': { from: [...shelves, 'src/core/audit'] },
  'src/core/projects': {
    from: [...shelves, 'src/core/audit', 'src/core/scrub', 'src/core/domains', 'src/core/outcomes'],
  },
  'src/core/envelopes': {
    from: [
      ...shelves,
      'src/core/audit',
      'src/core/scrub',
      'src/core/grouping',
      'src/core/events',
      'src/core/feedback',
      'src/core/monitors',
      'src/wordpress/php/json-plain.ts',
    ],
  },
};

// Allowed imports of each module, types included, lowest layer first (docs/architecture.md).

import { ground, type RoomRule, rulesOfCore } from './house-rules-of-core.ts';

/** A file belongs to the longest matching path. Explain additions that break the order of layers. */
export const houseRules: Readonly<Record<string, RoomRule>> = {
  schemas: { from: [], packages: ['zod'] },

  'src/wordpress/php': { from: [] },
  'src/wordpress/schema': { from: ['src/wordpress/php'] },
  'src/wordpress/response': { from: ['src/wordpress/php'] },
  'src/wordpress/request': {
    from: ['src/wordpress/php', 'src/wordpress/schema', 'src/wordpress/response'],
    packages: ['zod'],
  },
  'src/wordpress/rest': {
    from: ['src/wordpress/php', 'src/wordpress/schema', 'src/wordpress/response', 'src/wordpress/request'],
  },

  ...rulesOfCore,

  'src/core/workspace': { from: ['schemas', 'src/core'] },

  'src/demo': { from: ['schemas', 'src/core'] },

  'src/pages': {
    from: ['schemas', 'src/core/workspace', 'src/core/reading'],
    packages: ['htm', 'preact', 'preact-render-to-string', 'd3-scale', 'd3-shape', 'marked', 'zod'],
  },

  // Besides interfaces, the few rules that are needed inside transactions.
  data: {
    from: [
      'schemas',
      'data/drivers',
      'src/core/errors.ts',
      'src/core/fair-share.ts',
      'src/core/reading',
      'src/core/store',
      'src/core/ports/log.ts',
      'src/core/ports/measures.ts',
      'src/core/audit/chain.ts',
      'src/core/events/pack.ts',
      'src/core/events/told.ts',
      'src/core/grouping/versions.ts',
      'src/core/incidents/following.ts',
      'src/core/incidents/of-rules.ts',
      'src/core/issues/life.ts',
      'src/core/releases/deploys.ts',
      'src/core/releases/order.ts',
      'src/core/releases/version.ts',
      'src/core/source-maps/artifacts.ts',
      'src/core/source-maps/late-runs.ts',
      'src/core/status-pages/states.ts',
      'src/core/test-runs/test-runs.ts',
    ],
  },
  'data/drivers': {
    from: ['data/db.ts', 'src/core/errors.ts', 'src/core/ports/measures.ts'],
    packages: ['better-sqlite3', 'pg'],
  },
  'data/upkeep': {
    from: [
      ...ground,
      'data',
      'data/drivers',
      'src/core/store',
      'src/core/doctor/facts.ts',
      'src/workers/start-worker.ts',
    ],
    packages: ['better-sqlite3'],
  },

  'src/outbound': {
    from: ['src/core/reading/cut-text.ts', 'src/core/reading/one-line.ts'],
    packages: ['undici', 'nodemailer'],
  },
  // Same rate limit rules as in one process.
  'src/redis': {
    from: ['src/core/ports/limit-store.ts', 'src/http/limits/limit-store.ts'],
    packages: ['@redis/client'],
  },
  'src/workers': { from: ['src/core/turns.ts', 'src/core/errors.ts'] },
  'src/symbolication': { from: ['schemas', 'src/core/reading/cut-text.ts', 'src/workers'] },
  'src/contract': { from: ['schemas'], packages: ['zod'] },

  'src/dialect': { from: ['schemas', 'src/wordpress'] },
  'src/http/sight': { from: [] },
  'src/http/bodies': { from: ['schemas', 'src/core'], packages: ['@fastify/busboy', 'yauzl'] },
  'src/http/server': { from: ['src/core', 'src/http/bodies'], packages: ['express'] },
  'src/http/uploads': { from: ['src/core', 'src/http/bodies', 'src/workers'] },
  'src/http/limits': {
    from: ['src/core', 'src/wordpress', 'src/http/bodies'],
    packages: ['express', 'express-rate-limit'],
  },
  'src/http/api': {
    from: [
      'schemas',
      'src/core',
      'src/wordpress',
      'src/dialect',
      'src/http/bodies',
      'src/http/limits',
      'src/http/sight',
    ],
    packages: ['express', 'express-rate-limit', 'zod'],
  },
  'src/http/pages': {
    from: [
      'schemas',
      'src/core',
      'src/pages',
      'src/http/bodies',
      'src/http/limits',
      'src/http/server',
      'src/http/sight',
    ],
    packages: ['express', 'express-rate-limit', 'helmet', 'zod'],
  },
  'src/http/status': {
    from: ['src/core', 'src/pages', 'src/http/pages', 'src/http/sight'],
    packages: ['express'],
  },
  'src/http/heavy': {
    from: ['schemas', 'src/core', 'src/wordpress', 'src/http/api', 'src/http/bodies', 'src/workers'],
    packages: ['zod'],
  },
  'src/http/sentry-cli': {
    from: ['src/core', 'src/http/api', 'src/http/bodies', 'src/http/limits', 'src/http/uploads'],
    packages: ['express', 'zod'],
  },

  routes: {
    from: [
      'schemas',
      'src/core',
      'src/http/api',
      'src/http/bodies',
      'src/http/sentry-cli',
      'src/http/uploads',
    ],
    packages: ['express'],
  },
  'routes/pages': {
    from: ['schemas', 'src/core', 'src/pages', 'src/http/pages', 'src/http/api/parse-body.ts'],
    packages: ['zod'],
  },

  'src/program': {
    from: [
      'schemas',
      'src/core',
      'src/wordpress',
      'src/dialect',
      'src/http',
      'src/demo',
      'src/workers',
      'src/pages/frame.ts',
      'src/outbound',
      'src/redis',
      'src/symbolication',
      'data/open-store.ts',
      'data/migrate.ts',
      'routes',
    ],
    packages: ['express', 'helmet', 'pino', 'prom-client'],
  },
  'src/cli': {
    from: [
      'schemas',
      'src/core',
      'src/wordpress',
      'src/http/api',
      'src/program',
      'src/cli/contract',
      'src/cli/upkeep',
    ],
    packages: ['zod'],
  },
  'src/cli/upkeep': { from: ['schemas', 'src/cli', 'src/core', 'src/program', 'src/redis', 'data/upkeep'] },
  'src/cli/contract': { from: ['src/cli', 'src/contract', 'src/dialect', 'src/program'] },
  'src/cli.ts': { from: ['src/cli', 'src/program'] },
  'src/server.ts': { from: ['src/program'] },
  'src/index.ts': { from: ['src/program', 'src/core/config/options.ts'] },
  scripts: {
    from: ['src/core', 'src/demo', 'src/program'],
    packages: ['playwright-core', 'acorn', 'acorn-walk'],
  },
};

// The table of the house: what each room may import, `import type` included, from the ground up. Held by
// scripts/check-house.ts; the reasons are in docs/architecture.md and under D-99 and D-106.

import { ground, type RoomRule, rulesOfCore } from './house-rules-of-core.ts';

/**
 * Every file belongs to the longest path here that fits its own. An arrow that the table does not allow runs
 * up, or into a room that has its own world; a table that has to grow for one says why.
 */
export const houseRules: Readonly<Record<string, RoomRule>> = {
  schemas: { from: [], packages: ['zod'] },

  // WordPress's server knows nothing of error monitoring: it can be lifted out.
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

  // What a page shows, as its `.json` twin says it: made from the views of the nouns.
  'src/core/workspace': { from: ['schemas', 'src/core'] },

  // The demo is one scenario, loaded through the services.
  'src/demo': { from: ['schemas', 'src/core'] },

  // Pages are pure functions of such a model; they ask nothing of anybody. What a form takes stands with it.
  'src/pages': {
    from: ['schemas', 'src/core/workspace', 'src/core/reading'],
    packages: ['htm', 'preact', 'preact-render-to-string', 'd3-scale', 'd3-shape', 'marked', 'zod'],
  },

  // The store keeps what core/store promises, and asks the few rules that hold within a transaction.
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
  // Copies and looks at whole databases, which no rule of the core asks for.
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

  // Each of these stands alone: another project could use it.
  'src/outbound': {
    from: ['src/core/reading/cut-text.ts', 'src/core/reading/one-line.ts'],
    packages: ['undici', 'nodemailer'],
  },
  // The rules of a window are those of one server.
  'src/redis': {
    from: ['src/core/ports/limit-store.ts', 'src/http/limits/limit-store.ts'],
    packages: ['@redis/client'],
  },
  'src/workers': { from: ['src/core/turns.ts', 'src/core/errors.ts'] },
  'src/symbolication': { from: ['schemas', 'src/core/reading/cut-text.ts', 'src/workers'] },
  'src/contract': { from: ['schemas'], packages: ['zod'] },

  'src/dialect': { from: ['schemas', 'src/wordpress'] },
  // What requests are counted by: whoever finds the route says it.
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
  // Status pages are shown to crowds: kept as bytes, before all limits.
  'src/http/status': {
    from: ['src/core', 'src/pages', 'src/http/pages', 'src/http/sight'],
    packages: ['express'],
  },
  // A thread makes of a request what the API makes of it.
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
    packages: ['zod'], // A form is held to the schema of the API (D-198).
  },

  // What starts and stops puts everything together; the command line is on top, the entries open both.
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
  // Backups are made of the database's file, beside the store.
  'src/cli/upkeep': { from: ['schemas', 'src/cli', 'src/core', 'src/program', 'src/redis', 'data/upkeep'] },
  'src/cli/contract': { from: ['src/cli', 'src/contract', 'src/dialect', 'src/program'] },
  'src/cli.ts': { from: ['src/cli', 'src/program'] },
  'src/server.ts': { from: ['src/program'] },
  'src/index.ts': { from: ['src/program', 'src/core/config/options.ts'] },
  // Pictures of the pages are made by a browser.
  scripts: {
    from: ['src/core', 'src/demo', 'src/program'],
    packages: ['playwright-core', 'acorn', 'acorn-walk'],
  },
};

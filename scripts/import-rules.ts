// Allowed imports of each module, types included, lowest layer first (docs/architecture.md).

import { basicModules, coreImportRules, type ImportRule } from './import-rules-core.ts';

/** A file belongs to the longest matching path. Explain additions that break the order of layers. */
export const importRules: Readonly<Record<string, ImportRule>> = {
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

  ...coreImportRules,

  'src/core/page-models': { from: ['schemas', 'src/core'] },

  'src/mcp': {
    from: ['schemas', 'src/core'],
    packages: [
      '@modelcontextprotocol/sdk/server/mcp.js',
      '@modelcontextprotocol/sdk/server/stdio.js',
      '@modelcontextprotocol/sdk/server/streamableHttp.js',
      '@modelcontextprotocol/sdk/types.js',
      'zod',
    ],
  },

  'src/demo': { from: ['schemas', 'src/core'] },

  'src/web': {
    from: [
      'schemas',
      // What the form of each type shows.
      'src/core/alerts/messages/channel-type.ts',
      'src/core/alerts/messages/channel-types.ts',
      'src/core/page-models',
      'src/core/parsing',
      'src/core/saved-views',
      'src/core/status-pages/languages',
      'src/core/store/issue-queries.ts',
    ],
    packages: ['htm', 'preact', 'preact-render-to-string', 'd3-scale', 'd3-shape', 'marked', 'zod'],
  },

  // Besides interfaces, the few rules that are needed inside transactions.
  data: {
    from: [
      'schemas',
      'data/drivers',
      'src/core/errors.ts',
      'src/core/fair-share.ts',
      'src/core/parsing',
      'src/core/store',
      'src/core/ports/log.ts',
      'src/core/ports/metrics.ts',
      'src/core/audit/actions.ts',
      'src/core/audit/chain.ts',
      'src/core/events/compress-payload.ts',
      'src/core/events/search-text.ts',
      'src/core/grouping/group-event.ts',
      'src/core/incidents/automatic.ts',
      'src/core/issues/state-transitions.ts',
      'src/core/releases/deploys.ts',
      'src/core/releases/compare-releases.ts',
      'src/core/users/personal-terms.ts',
      'src/core/releases/version.ts',
      'src/core/source-maps/artifacts.ts',
      'src/core/source-maps/resymbolication-scheduler.ts',
      'src/core/status-pages/states.ts',
      'src/core/test-runs/test-runs.ts',
    ],
  },
  'data/drivers': {
    from: ['data/db.ts', 'src/core/concurrency-limit.ts', 'src/core/errors.ts', 'src/core/ports/metrics.ts'],
    packages: ['better-sqlite3', 'pg'],
  },
  'data/maintenance': {
    from: [
      ...basicModules,
      'data',
      'data/drivers',
      'src/core/store',
      'src/core/doctor/facts.ts',
      'src/workers/start-worker.ts',
    ],
    packages: ['better-sqlite3'],
  },

  'src/net': {
    from: [
      'src/core/concurrency-limit.ts',
      'src/core/parsing/cut-text.ts',
      'src/core/parsing/display-text.ts',
      'src/core/ports',
    ],
    packages: ['undici', 'nodemailer'],
  },
  // Same rate limit rules as in one process.
  'src/redis': {
    from: ['src/core/ports/limit-store.ts', 'src/http/limits/limit-store.ts'],
    packages: ['@redis/client'],
  },
  'src/workers': { from: ['src/core/concurrency-limit.ts', 'src/core/errors.ts'] },
  'src/symbolication': { from: ['schemas', 'src/core/parsing/cut-text.ts', 'src/core/ports', 'src/workers'] },
  'src/contract': { from: ['schemas'], packages: ['zod'] },

  'src/compatibility': { from: ['schemas', 'src/wordpress'] },
  'src/http/logging': { from: [] },
  'src/http/bodies': { from: ['schemas', 'src/core'], packages: ['@fastify/busboy', 'yauzl'] },
  'src/http/server': { from: ['src/core', 'src/http/bodies'], packages: ['express'] },
  'src/http/uploads': {
    from: ['src/core', 'src/http/bodies', 'src/workers', 'src/wordpress/response/json-media-type.ts'],
  },
  'src/http/limits': {
    from: ['src/core', 'src/wordpress', 'src/http/bodies'],
    packages: ['express', 'express-rate-limit'],
  },
  'src/http/api': {
    from: [
      'schemas',
      'src/core',
      'src/wordpress',
      'src/compatibility',
      'src/http/bodies',
      'src/http/limits',
      'src/http/logging',
    ],
    packages: ['express', 'express-rate-limit', 'zod'],
  },
  'src/http/pages': {
    from: [
      'schemas',
      'src/core',
      'src/web',
      'src/http/bodies',
      'src/http/limits',
      'src/http/server',
      'src/http/logging',
    ],
    packages: ['express', 'express-rate-limit', 'helmet', 'zod'],
  },
  'src/http/status': {
    from: ['schemas', 'src/core', 'src/web', 'src/http/pages', 'src/http/logging'],
    packages: ['express'],
  },
  'src/http/large-bodies': {
    from: ['schemas', 'src/core', 'src/wordpress', 'src/http/api', 'src/http/bodies', 'src/workers'],
    packages: ['zod'],
  },
  'src/http/openapi': { from: ['schemas', 'src/core/errors.ts', 'src/http/api'], packages: ['zod'] },
  'src/http/sentry-cli': {
    from: ['src/core', 'src/http/api', 'src/http/bodies', 'src/http/limits', 'src/http/uploads'],
    packages: ['express', 'zod'],
  },

  'src/http/mcp': { from: ['src/core', 'src/http/api', 'src/http/bodies', 'src/mcp'] },

  routes: {
    from: [
      'schemas',
      'src/core',
      'src/http/api',
      'src/http/openapi',
      'src/http/bodies',
      'src/http/sentry-cli',
      'src/http/uploads',
      'src/wordpress/php/values.ts',
    ],
    packages: ['express', 'zod'],
  },
  'routes/pages': {
    from: [
      'schemas',
      'src/core',
      'src/web',
      'src/http/pages',
      'src/http/api/parse-parameters.ts',
      // The reference of the API shows the whole route table.
      'routes/index.ts',
      'routes/heartbeats.ts',
      'routes/openapi',
    ],
    packages: ['zod'],
  },

  'src/app': {
    from: [
      'schemas',
      'src/core',
      'src/wordpress',
      'src/compatibility',
      'src/http',
      'src/demo',
      'src/workers',
      'src/web/page-context.ts',
      'src/net',
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
      'src/app',
      'src/mcp',
      'src/cli/contract',
      'src/cli/admin',
    ],
    packages: ['yaml', 'zod'],
  },
  'src/cli/admin': { from: ['schemas', 'src/cli', 'src/core', 'src/app', 'src/redis', 'data/maintenance'] },
  'src/cli/contract': { from: ['src/cli', 'src/contract', 'src/compatibility', 'src/app'] },
  'src/cli.ts': { from: ['src/cli', 'src/app'] },
  'src/server.ts': { from: ['src/app'] },
  'src/index.ts': { from: ['src/app', 'src/core/config/options.ts'] },
  scripts: {
    from: ['src/core', 'src/demo', 'src/app'],
    packages: ['playwright-core', 'acorn', 'acorn-walk', 'parse5'],
  },
};

// What kits for servers say of themselves and of the machines they run on: names and shapes from their public
// documents.
import type { Dice } from '../demo/dice.ts';

type Bag = Record<string, unknown>;

interface ServerKit {
  readonly platform: string;
  readonly sdk: Bag;
  readonly extension: string;
  readonly roots: readonly string[];
  readonly libraries: readonly string[];
  readonly lines: readonly string[];
  readonly faults: readonly string[];
  readonly mechanism: Bag;
  readonly runtime: Bag;
  readonly modules: Bag;
}

export const serverKits: readonly ServerKit[] = [
  {
    platform: 'php',
    sdk: {
      name: 'sentry.php.wordpress',
      version: '8.11.0',
      packages: [{ name: 'composer:sentry/sentry', version: '4.18.1' }],
    },
    extension: '.php',
    roots: [
      '/var/www/html/wp-content/plugins',
      '/var/www/html/wp-content/themes',
      '/srv/www/app',
      '/var/www/html',
    ],
    libraries: [
      '/var/www/html/wp-includes/class-wp-hook.php',
      '/var/www/html/wp-includes/plugin.php',
      '/var/www/html/wp-includes/template-loader.php',
      '/var/www/html/wp-blog-header.php',
      '/var/www/html/wp-settings.php',
      '/var/www/html/wp-content/plugins/woocommerce/includes/class-wc-checkout.php',
      '/var/www/html/vendor/laravel/framework/src/Illuminate/Pipeline/Pipeline.php',
    ],
    lines: [
      "\t\t$% = get_option( '%' );",
      '        return $this->%->%($%);',
      '\t}',
      "\t\tif ( ! isset( $args['%'] ) ) {",
      "        throw new RuntimeException('%');",
      '\t\tforeach ( $% as $% ) {',
      '    public function %(string $%): array',
    ],
    faults: [
      'TypeError',
      'Error',
      'RuntimeException',
      'ErrorException',
      'PDOException',
      'Exception',
      'Warning',
    ],
    mechanism: { type: 'generic', handled: false, data: { code: 0 } },
    runtime: { name: 'php', version: '8.3.11', sapi: 'fpm-fcgi' },
    modules: { 'sentry/sentry': '4.18.1', 'guzzlehttp/psr7': '2.8.0', 'psr/log': '3.0.2' },
  },
  {
    platform: 'node',
    sdk: {
      name: 'sentry.javascript.node',
      version: '11.11.0',
      integrations: [
        'InboundFilters',
        'FunctionToString',
        'LinkedErrors',
        'RequestData',
        'Console',
        'Http',
        'NodeFetch',
        'OnUncaughtException',
        'OnUnhandledRejection',
        'ContextLines',
        'LocalVariablesAsync',
        'Context',
        'ChildProcess',
        'Modules',
        'Express',
      ],
      packages: [{ name: 'npm:@sentry/node', version: '11.11.0' }],
    },
    extension: '.js',
    roots: ['/app/src', '/app/dist', '/srv/app', '/usr/src/app'],
    libraries: [
      'node:internal/process/task_queues',
      'node:internal/async_hooks',
      'node:internal/modules/cjs/loader',
      '/app/node_modules/express/lib/router/layer.js',
      '/app/node_modules/express/lib/router/index.js',
      '/app/node_modules/axios/lib/core/AxiosError.js',
      '/app/node_modules/pg/lib/client.js',
    ],
    lines: [
      '  const % = await %.%(%);',
      '    return %.map((%) => %.%);',
      '  }',
      '  if (!%) {',
      "    throw new Error('%');",
      '  } catch (error) {',
      "import { % } from './%.js';",
      'export async function %(%, %) {',
    ],
    faults: ['TypeError', 'Error', 'AxiosError', 'RangeError', 'MongoServerError', 'SequelizeDatabaseError'],
    mechanism: { type: 'auto.middleware.express', handled: false },
    runtime: { name: 'node', version: 'v24.11.0' },
    modules: { express: '5.1.0', axios: '1.13.2', pg: '8.16.3', typescript: '5.9.3' },
  },
  {
    platform: 'python',
    sdk: {
      name: 'sentry.python.django',
      version: '2.44.0',
      integrations: [
        'argv',
        'atexit',
        'celery',
        'dedupe',
        'django',
        'excepthook',
        'logging',
        'modules',
        'redis',
        'stdlib',
        'threading',
      ],
      packages: [{ name: 'pypi:sentry-sdk', version: '2.44.0' }],
    },
    extension: '.py',
    roots: ['/app', '/srv/app', '/code/src'],
    libraries: [
      '/usr/local/lib/python3.12/site-packages/django/core/handlers/exception.py',
      '/usr/local/lib/python3.12/site-packages/django/core/handlers/base.py',
      '/usr/local/lib/python3.12/site-packages/requests/sessions.py',
      '/usr/local/lib/python3.12/site-packages/celery/app/trace.py',
      '/usr/local/lib/python3.12/site-packages/sqlalchemy/engine/base.py',
    ],
    lines: [
      '        % = self.%.%(%)',
      '    return %[%]',
      '        raise ValueError("%")',
      '    for % in %:',
      '    def %(self, %, **kwargs):',
      '    try:',
      '    except Exception as e:',
      '',
    ],
    faults: ['ValueError', 'KeyError', 'AttributeError', 'TypeError', 'OperationalError', 'HTTPError'],
    mechanism: { type: 'django', handled: false },
    runtime: {
      name: 'CPython',
      version: '3.12.8',
      build: '3.12.8 (main, Dec  4 2024, 20:38:09) [GCC 12.2.0]',
    },
    modules: { django: '5.2.8', celery: '5.5.3', 'sentry-sdk': '2.44.0', requests: '2.32.5' },
  },
];

export function serverContexts(dice: Dice, kit: ServerKit): Bag {
  return {
    trace: { trace_id: dice.hex(32), span_id: dice.hex(16), parent_span_id: dice.hex(16) },
    runtime: kit.runtime,
    os: {
      name: 'Linux',
      version: '6.8.0-45-generic',
      kernel_version: '6.8.0-45-generic',
      build: '#45-Ubuntu SMP',
    },
    ...(kit.platform === 'node'
      ? {
          app: {
            app_start_time: `2026-10-0${dice.between(1, 9)}T0${dice.between(0, 9)}:12:33.120Z`,
            app_memory: dice.between(50, 400) * 1_048_576,
          },
          device: {
            arch: 'x64',
            boot_time: '2026-10-01T03:11:00.000Z',
            memory_size: 16_765_272_064,
            free_memory: dice.between(1, 16) * 1_073_741_824,
            processor_count: 8,
            cpu_description: 'Intel(R) Xeon(R) CPU @ 2.20GHz',
            processor_frequency: 2_200,
          },
          culture: { locale: 'en-US', timezone: 'UTC' },
          cloud_resource: {},
        }
      : {}),
  };
}

import { createDsnsForApi, type DsnParts } from '../config/public-urls.ts';
import { buildSnippets } from './snippets.ts';

export interface Platform {
  /** Also used in URLs. */
  readonly id: string;
  readonly title: string;
  /** Null where nothing has to be installed. */
  readonly install: string | null;
  readonly file: string | null;
  readonly configure: string | null;
  readonly test: string;
}

type PlatformRow = readonly [
  id: string,
  title: string,
  install: string | null,
  file: string | null,
  configure: ((dsn: string) => string) | null,
  test: string,
];

const browserInit =
  (sdk: string) =>
  (dsn: string): string =>
    `import * as Sentry from "@sentry/${sdk}";

Sentry.init({
  dsn: "${dsn}",
  environment: "production",
  release: "my-app@1.0.0",
});`;

/** A timer, so that the error is not caught by what runs the script. */
const browserTest = 'setTimeout(() => { throw new Error("Test error"); });';

const platforms: readonly PlatformRow[] = [
  [
    'javascript',
    'JavaScript',
    'npm install @sentry/browser',
    'src/main.js',
    browserInit('browser'),
    browserTest,
  ],
  [
    'react',
    'React',
    'npm install @sentry/react',
    'src/main.tsx',
    browserInit('react'),
    '<button onClick={() => { throw new Error("Test error") }}>Test</button>',
  ],
  [
    'vue',
    'Vue',
    'npm install @sentry/vue',
    'src/main.js',
    (dsn) => `import * as Sentry from "@sentry/vue";

const app = createApp(App);
Sentry.init({
  app,
  dsn: "${dsn}",
  environment: "production",
  release: "my-app@1.0.0",
});`,
    '<button @click="() => { throw new Error(\'Test error\') }">Test</button>',
  ],
  [
    'nextjs',
    'Next.js',
    'npm install @sentry/nextjs',
    'instrumentation-client.ts and sentry.server.config.ts',
    browserInit('nextjs'),
    '"use client";\nexport default () => <button onClick={() => { throw new Error("Test error") }}>Test</button>;',
  ],
  [
    'node',
    'Node.js',
    'npm install @sentry/node',
    'instrument.mjs, started with node --import ./instrument.mjs',
    browserInit('node'),
    browserTest,
  ],
  [
    'php',
    'PHP',
    'composer require sentry/sentry',
    'index.php, before anything else',
    (dsn) => `\\Sentry\\init([
    'dsn' => '${dsn}',
    'environment' => 'production',
    'release' => 'my-app@1.0.0',
]);`,
    "\\Sentry\\captureException(new Exception('Test error'));",
  ],
  [
    'wordpress',
    'WordPress',
    'wp plugin install wp-sentry-integration --activate',
    'wp-config.php',
    (dsn) => `define( 'WP_SENTRY_PHP_DSN', '${dsn}' );
define( 'WP_SENTRY_BROWSER_DSN', '${dsn}' );
define( 'WP_SENTRY_ENV', 'production' );`,
    'wp eval "throw new Exception( \'Test error\' );"',
  ],
  [
    'python',
    'Python',
    'pip install sentry-sdk',
    'the first module that is imported',
    (dsn) => `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
    environment="production",
    release="my-app@1.0.0",
)`,
    'raise Exception("Test error")',
  ],
  [
    'ruby',
    'Ruby',
    'bundle add sentry-ruby',
    'the start of the application',
    (dsn) => `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
  config.environment = "production"
  config.release = "my-app@1.0.0"
end`,
    'Sentry.capture_exception(RuntimeError.new("Test error"))',
  ],
  [
    'go',
    'Go',
    'go get github.com/getsentry/sentry-go',
    'main.go',
    (dsn) => `err := sentry.Init(sentry.ClientOptions{
	Dsn:         "${dsn}",
	Environment: "production",
	Release:     "my-app@1.0.0",
})`,
    'sentry.CaptureException(errors.New("Test error"))\nsentry.Flush(2 * time.Second)',
  ],
];

/** Only curl if the key cannot be part of a DSN. */
export function buildPlatforms(target: DsnParts): Platform[] {
  const dsn = createDsnsForApi(target)?.dsn;
  const ofSdks = dsn === undefined ? [] : platforms.map((row) => platformOf(row, dsn));
  const curl = buildSnippets(target).find(({ id }) => id === 'curl');
  const shell = { id: 'curl', title: 'curl', install: null, file: null, configure: null };
  return curl === undefined ? ofSdks : [...ofSdks, { ...shell, test: curl.text }];
}

function platformOf([id, title, install, file, configure, test]: PlatformRow, dsn: string): Platform {
  return { id, title, install, file, configure: configure?.(dsn) ?? null, test };
}

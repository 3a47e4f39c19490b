import { createDsnsForApi, type DsnParts } from '../config/public-urls.ts';

export interface Snippet {
  /** Also used in URLs. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Sentry SDKs are left out if the key cannot be part of a DSN. */
export function buildSnippets(target: DsnParts): Snippet[] {
  const { apiUrl, publicKey } = target;
  const dsns = createDsnsForApi(target);
  const curl = [
    `curl ${apiUrl}/store -H 'X-Notifier-Key: ${publicKey}' \\`,
    `  -H 'Content-Type: application/json' -d '{"message":"Hello from curl","platform":"other"}'`,
  ];
  const browser = [
    `fetch('${apiUrl}/store', {`,
    "  method: 'POST',",
    `  headers: { 'X-Notifier-Key': '${publicKey}' },`,
    "  body: JSON.stringify({ message: 'Hello from a page', platform: 'javascript' }),",
    '});',
  ];
  const shell: Snippet = { id: 'curl', title: 'Shell', text: curl.join('\n') };
  if (dsns === null) return [{ id: 'browser', title: 'Browser', text: browser.join('\n') }, shell];
  return [...sdkSnippets(dsns.dsn), shell];
}

function sdkSnippets(dsn: string): Snippet[] {
  const lines = (id: string, title: string, ...text: string[]): Snippet => ({
    id,
    title,
    text: text.join('\n'),
  });
  return [
    lines(
      'browser',
      'Browser',
      `import * as Sentry from '@sentry/browser';`,
      `Sentry.init({ dsn: '${dsn}' });`,
      `Sentry.captureMessage('Hello from a page');`,
    ),
    lines(
      'node',
      'Node',
      `import * as Sentry from '@sentry/node';`,
      `Sentry.init({ dsn: '${dsn}' });`,
      `Sentry.captureMessage('Hello from Node');`,
    ),
    lines(
      'php',
      'PHP',
      `// composer require sentry/sentry`,
      `\\Sentry\\init(['dsn' => '${dsn}']);`,
      `\\Sentry\\captureMessage('Hello from PHP');`,
    ),
    lines(
      'wordpress',
      'WordPress',
      `// wp-config.php, with the plugin "Sentry for WordPress" (wp-sentry-integration)`,
      `define( 'WP_SENTRY_PHP_DSN', '${dsn}' );`,
      `define( 'WP_SENTRY_BROWSER_DSN', '${dsn}' );`,
      `// then: wp eval "throw new Exception( 'Hello from WordPress' );"`,
    ),
    lines(
      'python',
      'Python',
      'import sentry_sdk',
      `sentry_sdk.init(dsn="${dsn}")`,
      'sentry_sdk.capture_message("Hello from Python")',
    ),
    lines(
      'ruby',
      'Ruby',
      `require "sentry-ruby"`,
      `Sentry.init { |config| config.dsn = "${dsn}" }`,
      `Sentry.capture_message("Hello from Ruby")`,
    ),
    lines(
      'go',
      'Go',
      `sentry.Init(sentry.ClientOptions{Dsn: "${dsn}"})`,
      `sentry.CaptureMessage("Hello from Go")`,
      'sentry.Flush(2 * time.Second)',
    ),
  ];
}

import { createDsnsForApi, type DsnParts } from '../config/public-urls.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import { isKeyValid } from '../projects/keys.ts';
import { viewDsns } from '../projects/views.ts';
import type { OutcomeHour } from '../store/counts.ts';
import type { ProjectKey } from '../store/projects.ts';
import type { RequestContext } from './request-context.ts';
import { buildSnippets } from './snippets.ts';

const refusalsMs = 7 * dayMs;

export type OnboardingModel = Awaited<ReturnType<typeof setupModel>>;

/** For /setup, which stays after the first event and names its issue. */
export async function setupModel(context: RequestContext) {
  const model = await onboardingModel(context);
  if (model.project === null) return model;
  const first = { orderBy: 'id', descending: false, limit: 1, offset: 0 } as const;
  const [issue] = (await context.deps.store.listIssues(model.project.project_id, first)).rows;
  if (issue === undefined) return model;
  return { ...model, waiting: false, first_issue: { issue_id: issue.id, title: issue.title } };
}

export async function onboardingModel(context: RequestContext) {
  const { deps, nowMs, apiUrl, projects } = context;
  const project = context.project ?? projects[0] ?? null;
  const since = formatTime(nowMs);
  if (project === null) {
    return {
      ...{ waiting: true, first_issue: null, project: null, since, ...viewDsns(null) },
      ...{ public_key: null, public_key_id: null, secret_key_end: null },
      ...{ domains: [], snippets: [], platforms: [], refused: [] },
    };
  }
  const keys = await deps.store.listKeys(project.id);
  const key = newest(keys, 'public', nowMs);
  const publicKey = key?.publicKey ?? null;
  await deps.outcomes.flush();
  const target = publicKey === null ? null : { apiUrl, publicKey, projectId: project.id };
  const outcomes = await deps.store.listOutcomes(project.id, nowMs - refusalsMs, nowMs + 1);
  const domains = await deps.store.listDomains(project.id);
  return {
    waiting: true,
    first_issue: null,
    project: { project_id: project.id, name: project.name },
    since,
    public_key: publicKey,
    public_key_id: key?.id ?? null,
    /** Null if the URL cannot be written as a DSN. */
    ...viewDsns(target === null ? null : createDsnsForApi(target)),
    /** The last four characters of the newest secret key. */
    secret_key_end: newest(keys, 'secret', nowMs)?.lastFour ?? null,
    domains: domains.map(({ host }) => host),
    snippets: target === null ? [] : buildSnippets(target),
    platforms: target === null ? [] : buildPlatforms(target),
    refused: sumRejected(outcomes),
  };
}

function newest(
  keys: readonly ProjectKey[],
  kind: ProjectKey['kind'],
  nowMs: number,
): ProjectKey | undefined {
  return keys.filter((key) => key.kind === kind && isKeyValid(key, nowMs)).at(-1);
}

function sumRejected(hours: readonly OutcomeHour[]) {
  const sums = new Map<string, { outcome: string; reason: string; quantity: number }>();
  for (const { outcome, reason, quantity } of hours) {
    if (outcome === 'accepted' || outcome === 'duplicate') continue;
    const name = `${outcome} ${reason}`;
    const sum = sums.get(name) ?? { outcome, reason, quantity: 0 };
    sum.quantity += quantity;
    sums.set(name, sum);
  }
  return [...sums.values()].sort((one, other) => other.quantity - one.quantity);
}

interface Platform {
  /** Also used in URLs. */
  readonly id: string;
  readonly title: string;
  /** Null where nothing has to be installed. */
  readonly install: string | null;
  readonly file: string | null;
  readonly configure: string | null;
  readonly test: string;
}

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

const platforms = [
  {
    id: 'javascript',
    title: 'JavaScript',
    install: 'npm install @sentry/browser',
    file: 'src/main.js',
    configure: browserInit('browser'),
    test: browserTest,
  },
  {
    id: 'react',
    title: 'React',
    install: 'npm install @sentry/react',
    file: 'src/main.tsx',
    configure: browserInit('react'),
    test: '<button onClick={() => { throw new Error("Test error") }}>Test</button>',
  },
  {
    id: 'vue',
    title: 'Vue',
    install: 'npm install @sentry/vue',
    file: 'src/main.js',
    configure: (dsn: string) => `import * as Sentry from "@sentry/vue";

const app = createApp(App);
Sentry.init({
  app,
  dsn: "${dsn}",
  environment: "production",
  release: "my-app@1.0.0",
});`,
    test: '<button @click="() => { throw new Error(\'Test error\') }">Test</button>',
  },
  {
    id: 'nextjs',
    title: 'Next.js',
    install: 'npm install @sentry/nextjs',
    file: 'instrumentation-client.ts and sentry.server.config.ts',
    configure: browserInit('nextjs'),
    test: '"use client";\nexport default () => <button onClick={() => { throw new Error("Test error") }}>Test</button>;',
  },
  {
    id: 'node',
    title: 'Node.js',
    install: 'npm install @sentry/node',
    file: 'instrument.mjs, started with node --import ./instrument.mjs',
    configure: browserInit('node'),
    test: browserTest,
  },
  {
    id: 'php',
    title: 'PHP',
    install: 'composer require sentry/sentry',
    file: 'index.php, before anything else',
    configure: (dsn: string) => `\\Sentry\\init([
    'dsn' => '${dsn}',
    'environment' => 'production',
    'release' => 'my-app@1.0.0',
]);`,
    test: "\\Sentry\\captureException(new Exception('Test error'));",
  },
  {
    id: 'wordpress',
    title: 'WordPress',
    install: 'wp plugin install wp-sentry-integration --activate',
    file: 'wp-config.php',
    configure: (dsn: string) => `define( 'WP_SENTRY_PHP_DSN', '${dsn}' );
define( 'WP_SENTRY_BROWSER_DSN', '${dsn}' );
define( 'WP_SENTRY_ENV', 'production' );`,
    test: 'wp eval "throw new Exception( \'Test error\' );"',
  },
  {
    id: 'python',
    title: 'Python',
    install: 'pip install sentry-sdk',
    file: 'the first module that is imported',
    configure: (dsn: string) => `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
    environment="production",
    release="my-app@1.0.0",
)`,
    test: 'raise Exception("Test error")',
  },
  {
    id: 'ruby',
    title: 'Ruby',
    install: 'bundle add sentry-ruby',
    file: 'the start of the application',
    configure: (dsn: string) => `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
  config.environment = "production"
  config.release = "my-app@1.0.0"
end`,
    test: 'Sentry.capture_exception(RuntimeError.new("Test error"))',
  },
  {
    id: 'go',
    title: 'Go',
    install: 'go get github.com/getsentry/sentry-go',
    file: 'main.go',
    configure: (dsn: string) => `err := sentry.Init(sentry.ClientOptions{
	Dsn:         "${dsn}",
	Environment: "production",
	Release:     "my-app@1.0.0",
})`,
    test: 'sentry.CaptureException(errors.New("Test error"))\nsentry.Flush(2 * time.Second)',
  },
];

/** Only curl if the key cannot be part of a DSN. */
function buildPlatforms(target: DsnParts): Platform[] {
  const dsn = createDsnsForApi(target)?.dsn;
  const ofSdks =
    dsn === undefined ? [] : platforms.map((each) => ({ ...each, configure: each.configure(dsn) }));
  const curl = buildSnippets(target).find(({ id }) => id === 'curl');
  const shell = { id: 'curl', title: 'curl', install: null, file: null, configure: null };
  return curl === undefined ? ofSdks : [...ofSdks, { ...shell, test: curl.text }];
}

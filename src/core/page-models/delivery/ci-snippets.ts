// Commands for build servers; more are in docs/ci.md and docs/source-maps.md.
import type { Snippet } from '../snippets.ts';

type CiSnippetKind = 'releases' | 'deploys' | 'test-runs' | 'artifacts';

/** Through stdin, because other processes can see the arguments of a program. */
const withKey = 'echo "Authorization: Bearer $NOTIFIER_SECRET_KEY" | curl -H @-';

export function ciSnippets(kind: CiSnippetKind, apiUrl: string): Snippet[] {
  const call = (path: string): string => `${withKey} --fail-with-body -sS ${apiUrl}${path}`;
  switch (kind) {
    case 'releases':
      return [
        {
          id: 'curl',
          title: 'From a build server',
          text: `${call('/releases')} \\\n  -d version="$VERSION" -d ref="$COMMIT" -d finalize=true`,
        },
        {
          id: 'sentry-cli',
          title: 'With sentry-cli',
          text: `${sentryEnvironment(apiUrl)}\nsentry-cli releases new "$VERSION" --finalize`,
        },
      ];
    case 'deploys':
      return [
        {
          id: 'curl',
          title: 'From a build server',
          text: `${call('/deploys')} \\\n  -d version="$VERSION" -d environment=production -d status=succeeded -d key="$BUILD"`,
        },
        {
          id: 'sentry-cli',
          title: 'With sentry-cli',
          text: `${sentryEnvironment(apiUrl)}\nsentry-cli deploys new --release "$VERSION" --env production`,
        },
      ];
    case 'test-runs':
      return [
        {
          id: 'curl',
          title: 'JUnit XML or CTRF, from a build server',
          text: `${call('/test-runs')} \\\n  -F "run_env[key]=$BUILD" -F "run_env[commit_sha]=$COMMIT" -F "run_env[branch]=$BRANCH" \\\n  -F "data=@junit.xml"`,
        },
      ];
    case 'artifacts':
      return [
        {
          id: 'curl',
          title: 'One script and its map',
          text: `${call('/artifacts')} \\\n  -F "release=$VERSION" -F "minified_url=https://www.example.com/assets/app.min.js" \\\n  -F "minified_file=@dist/app.min.js" -F "source_map=@dist/app.min.js.map"`,
        },
        {
          id: 'sentry-cli',
          title: 'All of a build, with sentry-cli',
          text: `${sentryEnvironment(apiUrl)}\nsentry-cli sourcemaps inject dist\nsentry-cli sourcemaps upload --release "$VERSION" dist`,
        },
      ];
  }
}

export function buildServerCommands(apiUrl: string): string {
  return [
    sentryEnvironment(apiUrl),
    'sentry-cli releases new shop@1.2.0',
    'sentry-cli sourcemaps upload --release shop@1.2.0 dist/',
    `${withKey} ${apiUrl}/test-runs -F report=@junit.xml`,
  ].join('\n');
}

function sentryEnvironment(apiUrl: string): string {
  const { origin } = new URL(apiUrl);
  return `export SENTRY_URL=${origin} SENTRY_AUTH_TOKEN="$NOTIFIER_SECRET_KEY" SENTRY_ORG=any SENTRY_PROJECT=any`;
}

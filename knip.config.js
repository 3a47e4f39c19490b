// What nobody imports comes to light here: files, exports, packages (part of `npm run lint`). Run once for all
// that is there, and once with --production, where an export that only tests use counts as unused unless its
// own file uses it too: what exists for its test alone is no part of the program.
const isProduction = process.argv.includes('--production');

export default {
  entry: [
    'src/*.{ts,js}!',
    'src/bin/*.cjs!',
    '{src,data}/**/worker.ts!',
    // What browsers get; served as text.
    'src/web/assets/js/*.js!',
    'src/web/assets/push-worker.js!',
    // Strips of days stand on the page that the script is tried on.
    'src/web/charts/day-strip.ts!',
    'scripts/*.ts',
    'tests/**/*.test.ts',
    // Programs that tests start by their path.
    'tests/faults/flood/process.ts',
    'tests/browser/build-shops.ts',
    'tests/clients/*-with-sentry-node.ts',
    'tests/support/run-and-report.ts',
    'tests/data/support/{delete-until-killed,fill-disk,keep-database,prune-until-killed,write-until-killed,write-until-refused}.ts',
    'tests/faults/support/*.ts',
    'tests/wordpress/reference/server.ts',
  ],
  project: ['{src,routes,schemas,data}/**/*.{ts,js}!', '{scripts,tests}/**/*.ts'],
  ignore: ['tests/fixtures/**'],
  // Tests run these from node_modules/.bin or name them to a program.
  ignoreDependencies: [
    '@bugsnag/source-maps',
    '@honeybadger-io/rollup-plugin',
    '@sentry/cli',
    '@sentry/vite-plugin',
    'jest-ctrf-json-reporter',
    'jest-junit',
    'playwright-ctrf-json-reporter',
    'rollbar-sourcemap-webpack-plugin',
  ],
  ignoreBinaries: ['taskset', 'unshare'],
  ignoreExportsUsedInFile: isProduction,
};

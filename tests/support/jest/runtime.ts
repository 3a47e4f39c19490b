// How Jest loads a test file: as Node itself would. The program and its packages are loaded once in a
// worker, where Jest's own runtime loads them again for each test file, which took longer than most files'
// tests. What lies below `tests/` is each test file's own (D-123).
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ModernFakeTimers } from '@jest/fake-timers';

interface Config {
  readonly moduleNameMapper: readonly (readonly [pattern: string, path: string])[];
}

interface GlobalConfig {
  readonly collectCoverage?: boolean;
  readonly watch: boolean;
  readonly watchAll: boolean;
}

const require = createRequire(import.meta.url);
const testsFolder = new URL('../../', import.meta.url).href;
let isHooked = false;
let files = 0;
let globals: Record<string, unknown> = {};

/** What jest-circus made for the test file that runs, and Jest's fake timers. */
export function currentGlobals(): Readonly<Record<string, unknown>> {
  return globals;
}

/** Jest's runtime, as far as its runner and jest-circus ask for one. */
// biome-ignore lint/style/noDefaultExport: Jest's form.
export default function openRuntime(config: Config, ...more: readonly unknown[]) {
  const { collectCoverage, watch, watchAll } = more.at(-1) as GlobalConfig;
  if (watch || watchAll) {
    throw new Error(
      'Jest’s watch mode would test the program as it was at the start: npm run test:watch -- FILE',
    );
  }
  if (collectCoverage) {
    throw new Error('Jest would count nothing here: NODE_V8_COVERAGE=coverage npm test, then npx c8 report');
  }
  hookNames(config);
  files += 1;
  const query = `?${files}`;
  const timers = fakeTimers(config);
  return {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime(ofCircus: object) {
      globals = { ...ofCircus, jest: timers };
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => import(pathToFileURL(path).href + query),
    getSourceMaps: () => null,
    getAllCoverageInfoCopy: () => null,
    enterTestCode() {},
    leaveTestCode() {},
    teardown: () => timers.useRealTimers(),
  };
}

/**
 * The names that jest.config.js leads elsewhere. And a test file has a query in its address, which it hands
 * on to all that it imports below `tests/`, so that each test file has its own.
 */
function hookNames({ moduleNameMapper }: Config): void {
  if (isHooked) return;
  isHooked = true;
  const names = moduleNameMapper.map(([pattern, path]) => ({
    pattern: new RegExp(pattern),
    url: pathToFileURL(path).href,
  }));
  registerHooks({
    resolve(name, context, next) {
      const found = next(names.find(({ pattern }) => pattern.test(name))?.url ?? name, context);
      const query = /^file:.*(\?\d+)$/.exec(context.parentURL ?? '')?.[1];
      const isShared = !found.url.startsWith(testsFolder) || found.url === import.meta.url;
      return query === undefined || isShared ? found : { ...found, url: found.url + query };
    },
  });
}

/** jest-circus holds the list of tests and whom it tells of them: each test file has one of its own. */
function requireAnew(path: string): unknown {
  delete require.cache[path];
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  return require(path);
}

/** `jest` as far as tests ask for it. */
function fakeTimers(config: Config) {
  let made: ModernFakeTimers | undefined;
  const timers = (): ModernFakeTimers => {
    const { ModernFakeTimers: Timers } = require('@jest/fake-timers');
    const all = made ?? (new Timers({ config, global: globalThis }) as ModernFakeTimers);
    made = all;
    return all;
  };
  return {
    useFakeTimers: (options?: object) => timers().useFakeTimers(options),
    useRealTimers: () => made?.useRealTimers(),
    advanceTimersByTimeAsync: (milliseconds: number) => timers().advanceTimersByTimeAsync(milliseconds),
  };
}

// A Jest runtime that uses Node's module loader, so that src and packages are loaded once per worker. Modules
// below tests/ are loaded per test file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks, stripTypeScriptTypes } from 'node:module';
import { relative } from 'node:path';
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
const sources = new Map<string, string>();
let globals: Record<string, unknown> = {};

export function currentGlobals(): Readonly<Record<string, unknown>> {
  return globals;
}

/** The parts of jest-runtime that the runner and jest-circus use. */
// biome-ignore lint/style/noDefaultExport: Jest's form.
export default function openRuntime(config: Config, ...more: readonly unknown[]) {
  const [testPath, { collectCoverage, watch, watchAll }] = more.slice(-2) as [string, GlobalConfig];
  if (watch || watchAll) {
    throw new Error(
      'Jest’s watch mode would test the program as it was at the start: npm run test:watch -- FILE',
    );
  }
  if (collectCoverage) {
    throw new Error('Jest would count nothing here: NODE_V8_COVERAGE=coverage npm test, then npx c8 report');
  }
  hookNames(config);
  const query = queryOf(testPath);
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

// The same in each run: the compile cache knows modules by their URLs.
function queryOf(path: string): string {
  return `?${createHash('sha1').update(relative(process.cwd(), path)).digest('hex').slice(0, 12)}`;
}

// Applies moduleNameMapper, and adds a query to URLs below tests/, so that each test file has its own module
// instances.
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
      const query = /^file:.*(\?[\da-f]{12})$/.exec(context.parentURL ?? '')?.[1];
      const isShared = !found.url.startsWith(testsFolder) || found.url === import.meta.url;
      return query === undefined || isShared ? found : { ...found, url: found.url + query };
    },
    // Stripped once, not once for each test file.
    load(url, context, next) {
      const [file = ''] = url.split('?');
      if (file === url || !file.startsWith(testsFolder)) return next(url, context);
      let source = sources.get(file);
      if (source === undefined) {
        source = stripTypeScriptTypes(readFileSync(new URL(file), 'utf8'));
        sources.set(file, source);
      }
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

/** jest-circus keeps tests and event handlers in module state. */
function requireAnew(path: string): unknown {
  delete require.cache[path];
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  return require(path);
}

/** The part of `jest` that tests use. */
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

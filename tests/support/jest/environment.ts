// Jest environment that runs tests in the process's own realm (see jest.config.js) and restores global state.
import { flushCompileCache } from 'node:module';
import { watchdog } from './watchdog.ts';

// A worker with nothing left to do ends at once: freeing its memory takes longer than the half second that Jest
// waits. Coverage is written at a usual exit.
if (process.send !== undefined && process.env['NODE_V8_COVERAGE'] === undefined) {
  process.once('beforeExit', (code) => {
    process.emit('exit', code);
    process.kill(process.pid, 'SIGKILL');
  });
}

// biome-ignore lint/style/noDefaultExport: Jest's form.
export default function openEnvironment(_config?: unknown, context?: { readonly testPath: string }) {
  const { console, process } = globalThis;
  const { env, exit } = process;
  const variables = { ...env };
  return {
    global: globalThis,
    fakeTimers: null,
    fakeTimersModern: null,
    moduleMocker: null,
    exportConditions: () => ['node', 'import'],
    getVmContext: () => null,
    setup: async () => watchdog().begins(context?.testPath ?? ''),
    handleTestEvent({ name, test }: { readonly name: string; readonly test?: { readonly name: string } }) {
      if (name === 'test_start') watchdog().begins(`${context?.testPath}: ${test?.name}`);
    },
    teardown: async () => {
      // Written after each file: at the end of the worker it would take longer than Jest waits.
      flushCompileCache();
      globalThis.console = console;
      process.exit = exit;
      process.env = env;
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
    },
  };
}

// Where test files run: in the process's own realm, not in one of their own (jest.config.js says why). What a
// file changes of the process is put back after it.
import { flushCompileCache } from 'node:module';
import { watchdog } from './watchdog.ts';

/** Jest's test environment. */
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
    // Jest asks that there is one; nothing runs in it.
    getVmContext: () => null,
    setup: async () => watchdog().begins(context?.testPath ?? ''),
    handleTestEvent({ name, test }: { readonly name: string; readonly test?: { readonly name: string } }) {
      if (name === 'test_start') watchdog().begins(`${context?.testPath}: ${test?.name}`);
    },
    teardown: async () => {
      // What was compiled is written down now: all of it at the worker's end took longer than Jest waits for
      // that, which then says that tests leak, and ends it in the middle.
      flushCompileCache();
      globalThis.console = console;
      process.exit = exit;
      process.env = env;
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
    },
  };
}

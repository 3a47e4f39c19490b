// What test files share in a worker, and what they do not.
import { describe, expect, it } from '@jest/globals';
import openEnvironment from './environment.ts';
import openRuntime from './runtime.ts';

describe('a test file', () => {
  it('has what lies below tests/ to itself, and shares the program', () => {
    const [query] = /\?\d+$/.exec(import.meta.url) ?? [];
    expect(query).toBeDefined();
    expect(import.meta.resolve('../needs.ts').endsWith(`/needs.ts${query}`)).toBe(true);
    expect(import.meta.resolve('../../../src/core/turns.ts')).toMatch(/turns\.ts$/);
  });

  it('leaves the process as it was', async () => {
    const { env, exit } = process;
    const { PATH } = env;
    const { console } = globalThis;
    const environment = openEnvironment();
    process.env['PATH'] = 'elsewhere';
    process.env['LEFT_BEHIND'] = '1';
    process.env = {};
    process.exit = (() => {}) as never;
    globalThis.console = {} as never;
    await environment.teardown();
    expect(process.env).toBe(env);
    expect([env['PATH'], env['LEFT_BEHIND']]).toEqual([PATH, undefined]);
    expect([process.exit === exit, globalThis.console === console]).toEqual([true, true]);
  });

  it('is not covered: the program is loaded by Node itself', () => {
    const covered = { collectCoverage: true, watch: false, watchAll: false };
    expect(() => openRuntime({ moduleNameMapper: [] }, covered)).toThrow('NODE_V8_COVERAGE=');
  });

  it('is not watched: a changed program would not be loaded again', () => {
    const watched = { watch: true, watchAll: false };
    expect(() => openRuntime({ moduleNameMapper: [] }, watched)).toThrow('npm run test:watch');
  });
});

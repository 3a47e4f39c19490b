// What the tests of a block or file share. Not in app.ts, which programs outside of Jest load too.
import { afterAll, beforeAll, it } from '@jest/globals';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';

/**
 * One app for all tests of a block or file, opened before the first and closed after the last. Not to be used
 * outside of a test.
 */
export function sharedApp(options: TestAppOptions = {}): TestApp {
  return shared(() => openTestApp(options));
}

/** What `open` opens before the first test of a block and the last one closes, in the place of a `let`. */
export function shared<Opened extends { close(): Promise<unknown> }>(open: () => Promise<Opened>): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  return new Proxy({} as Opened, {
    get: (_target, name) => Reflect.get(opened ?? {}, name),
    set: (_target, name, value) => Reflect.set(opened ?? {}, name, value),
  });
}

/**
 * One test of all cases, for those that change nothing where each test of a file opens an app of its own. What
 * fails says its case.
 */
export function itForAll<Case extends readonly [unknown, ...unknown[]]>(
  cases: readonly Case[],
  name: string,
  check: (...given: Case) => Promise<void> | void,
): void {
  it(name, async () => {
    for (const given of cases) {
      try {
        await check(...given);
      } catch (error) {
        if (error instanceof Error) error.message = `${JSON.stringify(given)}: ${error.message}`;
        throw error;
      }
    }
  });
}

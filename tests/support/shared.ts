// What the tests of a block or file share. Not in app.ts, which programs outside of Jest load too.
import { afterAll, beforeAll } from '@jest/globals';
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

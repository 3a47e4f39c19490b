// What the tests of a block or file share. Not in app.ts, which programs outside of Jest load too.
import { afterAll, afterEach, beforeAll, beforeEach, it } from '@jest/globals';
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts';

/**
 * One app for all tests of a block or file, opened before the first and closed after the last. Not to be used
 * outside of a test.
 */
export function sharedApp(options: TestAppOptions = {}): TestApp {
  return shared(() => openTestApp(options));
}

interface Closable {
  close?(): unknown;
  stop?(): unknown;
  remove?(): unknown;
  end?(): unknown;
}

/** What `open` opens before the first test of a block and the last one closes, in the place of a `let`. */
export function shared<Opened extends Closable>(open: () => Opened | Promise<Opened>): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => close(opened));
  return latest(() => opened);
}

/** The same for each test of a block anew. What was opened last is closed first. */
export function forEachTest<Opened extends Closable>(open: () => Opened | Promise<Opened>): Opened {
  let opened: Opened | undefined;
  const closeAfterTest = closerAfterTest();
  beforeEach(async () => {
    opened = closeAfterTest(await open());
  });
  return latest(() => opened);
}

let closing: Closable[] = [];

/**
 * Answers a function that has what a test opens closed after that test, before any afterEach that is declared later.
 */
export function closerAfterTest(): <Opened extends Closable>(opened: Opened) => Opened {
  afterEach(async () => {
    const last = closing.toReversed();
    closing = [];
    for (const each of last) await close(each);
  });
  return (opened) => {
    closing.push(opened);
    return opened;
  };
}

async function close(opened: Closable | undefined): Promise<void> {
  const end = opened?.close ?? opened?.stop ?? opened?.remove ?? opened?.end;
  await end?.call(opened);
}

function latest<Opened extends object>(opened: () => Opened | undefined): Opened {
  return new Proxy({} as Opened, {
    get: (_target, name) => Reflect.get(opened() ?? {}, name),
    set: (_target, name, value) => Reflect.set(opened() ?? {}, name, value),
    // For `{ ...store }`.
    ownKeys: () => Reflect.ownKeys(opened() ?? {}),
    getOwnPropertyDescriptor: (_target, name) => Reflect.getOwnPropertyDescriptor(opened() ?? {}, name),
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

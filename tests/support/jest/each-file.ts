// What every test file has: a test that asserts nothing fails, and an answer of another status says what it
// was.
import { beforeEach, expect } from '@jest/globals';

/** An answer of any client of HTTP. */
interface Answer {
  readonly status: number;
  readonly text?: unknown;
  readonly body?: unknown;
}

// A test that asserts nothing cannot fail: here it does.
beforeEach(() => expect.hasAssertions());

expect.extend({
  toHaveStatus(answer: Answer, status: number) {
    return {
      pass: answer.status === status,
      message: () =>
        `expected the status ${this.isNot ? 'not ' : ''}${status}, and it is ${answer.status}: ${bodyOf(answer)}`,
    };
  },
});

function bodyOf({ text, body }: Answer): string {
  const said = typeof text === 'string' && text !== '' ? text : JSON.stringify(body);
  return (said ?? 'without a body').slice(0, 2_000);
}

declare module 'expect' {
  interface Matchers<R> {
    /** Of an answer: whether it has this status. Where it has not, what it said is shown. */
    toHaveStatus(status: number): R;
  }
}

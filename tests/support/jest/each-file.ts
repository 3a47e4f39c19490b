// Loaded before each test file.
import { beforeEach, expect } from '@jest/globals';

interface Answer {
  readonly status: number;
  readonly text?: unknown;
  readonly body?: unknown;
}

// Fails tests without assertions.
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
    /** Checks the status of a response; the failure message shows its body. */
    toHaveStatus(status: number): R;
  }
}

// What was stored is answered as stored: nothing between the commit and the answer may fail.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';
import { doors } from '../support/doors.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

describe('G6: stored, then 500', () => {
  it.each([
    ['a tag', '"tags":{"a":1e400}', 'tags.a'],
    ['a level', '"level":-1e400', 'level'],
    ['a line number', '"stacktrace":{"frames":[{"lineno":1e400}]}', 'stacktrace.frames.0.lineno'],
    ['a flag', '"exception":[{"mechanism":{"handled":1e400}}]', 'exception.values.0.mechanism.handled'],
    ['an entry of extra', '"extra":{"a":[{"b":1e400}]}', 'extra.a'],
    ['an unknown field', '"unheard_of":1e400', 'unheard_of'],
    ['a context', '"contexts":{"app":{"a":-1e400}}', 'contexts.app'],
    ['variables of a frame', '"stacktrace":[{"vars":[1e400]}]', 'stacktrace.frames.0.vars'],
    ['a time', '"timestamp":1e400', 'timestamp'],
  ])('%s past the range of numbers is set aside, noted and not repeated', async (_name, field, noted) => {
    for (const door of doors) {
      const { status, body } = await door.send(app, `{"message":"x",${field}}`);
      expect({ door: door.name, status }).toEqual({ door: door.name, status: 201 });
      expect(body.errors).toContainEqual({ type: 'invalid_data', name: noted });
    }
  });
});

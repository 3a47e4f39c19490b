import { describe, expect, it } from '@jest/globals';
import { batchEventsMax, parseUpload } from '../../../src/core/envelopes/parse-upload.ts';

const kindOf = (text: string): string => parseUpload(Buffer.from(text)).kind;

describe('what was sent', () => {
  it.each([
    ['an envelope', '{}\n{"type":"event"}\n{}', 'envelope'],
    ['an envelope whose header looks like an event', '{"message":"x"}\n{"type":"event"}\n{}', 'envelope'],
    ['an envelope with blank lines', '{}\n\n{"type":"session"}\n', 'envelope'],
    ['one event on one line', '{"message":"x"}', 'events'],
    ['one event and blanks', '{"exception":[]}\r\n \n', 'events'],
    ['one event on many lines', '{\n"message":\n"x"\n}', 'events'],
    ['a list of events', '{"events":[{}]}', 'events'],
    ['a list of events on many lines', '{\n "events": [\n {}\n ]\n}\n', 'events'],
  ])('is %s', (_name, text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it('may be an event of a megabyte on one line', () => {
    expect(kindOf(JSON.stringify({ message: 'x', extra: { pad: 'x'.repeat(1_000_000) } }))).toBe('events');
  });

  it.each([
    ['', 'notifier_empty_envelope'],
    ['{}', 'notifier_empty_envelope'],
    ['{"event_id":"a","type":"event","platform":"php"}', 'notifier_empty_envelope'],
    ['{"__proto__":{"message":"x"}}', 'notifier_empty_envelope'],
    ['{"events":{}}', 'notifier_empty_envelope'],
    ['{"events":{"a":{}}}', 'notifier_invalid_envelope'],
    ['[{"message":"x"}]', 'notifier_invalid_envelope'],
    ['"message"', 'notifier_invalid_envelope'],
    [
      JSON.stringify({ events: Array.from({ length: batchEventsMax + 1 }, () => ({})) }),
      'notifier_invalid_envelope',
    ],
  ])('is refused: %s', (text, code) => {
    expect(() => parseUpload(Buffer.from(text))).toThrow(expect.objectContaining({ code, status: 400 }));
  });
});

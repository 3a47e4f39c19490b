// The most expensive events for their size: deep, wide, long, many small items.
import { isLargeJson } from '../../src/core/parsing/item-json.ts';
import { frames, many, names, shares } from './wide-json.ts';

export type Event = (bytes: number) => string;

/** Each makes an event of about the given size. */
export const heavyEvents: Readonly<Record<string, Event>> = {
  'keys that become one': (bytes) =>
    `{"message":"x","extra":{${many(bytes, (index) => `"pwd=hunter${index}":1`)}}}`,
  'tags by name': (bytes) => `{"message":"x","tags":{${names(bytes)}}}`,
  'tags by index': (bytes) => `{"message":"x","tags":{${many(bytes, (index) => `"${index}":1`)}}}`,
  'tags as pairs': (bytes) => `{"message":"x","tags":[${many(bytes, () => '[1,1]')}]}`,
  'empty breadcrumbs': (bytes) => `{"message":"x","breadcrumbs":[${many(bytes, () => '{}')}]}`,
  'breadcrumbs of 8 KB': (bytes) =>
    `{"message":"x","breadcrumbs":[${many(bytes, () => `{"message":"${'a 1'.repeat(2_700)}"}`)}]}`,
  'unknown fields': (bytes) => `{"message":"x",${names(bytes)}}`,
  'a fingerprint of numbers': (bytes) => `{"message":"x","fingerprint":[${many(bytes, () => '1')}]}`,
  'a fingerprint of texts': (bytes) => `{"message":"x","fingerprint":[${many(bytes, () => '"a"')}]}`,
  'frames of one stack': (bytes) =>
    `{"exception":[{"type":"E","stacktrace":${frames(bytes, '{"lineno":1}')}}]}`,
  'frames of 50 exceptions': (bytes) =>
    `{"exception":[${shares(50, bytes, (each) => `{"type":"E","stacktrace":${frames(each, '{"function":"f"}')}}`)}]}`,
  'frames of scripts': (bytes) =>
    `{"release":"1","exception":[${shares(50, bytes, (each) => `{"type":"E","stacktrace":${frames(each, '{"abs_path":"https://a.example/b.js","lineno":1,"colno":9}')}}`)}]}`,
  'frames of 256 threads': (bytes) =>
    `{"message":"x","threads":[${shares(256, bytes, (each) => `{"id":1,"stacktrace":${frames(each, '{"lineno":1}')}}`)}]}`,
  'variables of 2,500 frames': (bytes) =>
    `{"exception":[${shares(50, bytes, (each) => `{"type":"E","stacktrace":{"frames":[${shares(50, each, (own) => `{"vars":[${many(own + 60, () => '1')}]}`)}]}}`)}]}`,
  'extra of tiny members': (bytes) =>
    `{"message":"x","extra":{${shares(20, bytes, (each, index) => `"e${index}":{${names(each)}}`)}}}`,
  'five bags of numbers': (bytes) =>
    `{"message":"x",${['extra', 'contexts', 'csp', 'unheard'].map((bag) => `"${bag}":{${shares(40, bytes / 5, (each, index) => `"e${index}":{"a":[${many(each, () => '1')}]}`)}}`).join(',')},"debug_meta":{"images":[${many(bytes / 5, () => '{}')}]}}`,
  'contexts of texts': (bytes) =>
    `{"message":"x","contexts":{${many(bytes, (index) => `"k${index}":{"a":"${'x1 '.repeat(20)}"}`)}}}`,
  'extra of texts': (bytes) =>
    `{"message":"x","extra":{${many(bytes, (index) => `"k${index}":"${'4111 1111 1111 1111 bearer abc '.repeat(500)}"`)}}}`,
  'source lines': (bytes) =>
    `{"exception":[{"type":"E","stacktrace":{"frames":[${many(bytes, () => `{"context_line":"${'x='.repeat(500)}","pre_context":["${'y:1 '.repeat(250)}"]}`)}]}}]}`,
  'headers of a request': (bytes) =>
    `{"message":"x","request":{"headers":{${many(bytes, (index) => `"k${index}":"v"`)}}}}`,
  modules: (bytes) => `{"message":"x","modules":{${many(bytes, (index) => `"k${index}":"1"`)}}}`,
  'floats with exponents': (bytes) => `{"message":"x","extra":{"a":[${many(bytes, () => '1e1')}]}}`,
  'integers of 19 digits': (bytes) =>
    `{"message":"x","extra":{"a":[${many(bytes, () => '1234567890123456789')}]}}`,
  '90 levels, again and again': (bytes) =>
    `{"message":"x","extra":[${many(bytes, () => `${'['.repeat(90)}${']'.repeat(90)}`)}]}`,
  'nothing but escapes': (bytes) => `{"message":"x","extra":{"a":"${'\\u00e9'.repeat(bytes / 6)}"}}`,
  'one long text': (bytes) => `{"message":"${'password=hunter2 1.2.3.4 a@b.example '.repeat(bytes / 40)}"}`,
  'texts of open calls': (bytes) =>
    `{"message":"x","extra":{${many(bytes, (index) => `"k${index}":"${'login(auth('.repeat(720)}"`)}}}`,
  'texts of names of secrets': (bytes) =>
    `{"message":"x","breadcrumbs":[${many(bytes, () => `{"message":"${"'password', 'x' PASSWORD ".repeat(40)}"}`)}]}`,
  'texts that are nearly JSON': (bytes) =>
    `{"message":"x","extra":{"a":[${many(bytes, (index) => (index % 2 === 0 ? '"[\\"]"' : '"{\\"a\\":]}"'))}]}}`,
  'texts of nothing but names': (bytes) =>
    `{"message":"x","extra":{${many(0.9 * bytes, (index) => `"k${index}":"${'pin→`auth(cookie\\": pwd: '.repeat(80)}"`)}}}`,
  'a template of parameters': (bytes) =>
    `{"logentry":{"message":"${'c%2ds='.repeat(1_300)}","params":[${many(bytes - 8_000, () => '"c%2ds="')}]}}`,
  'parameters that are secrets': (bytes) =>
    `{"logentry":{"message":"x","formatted":"${'a'.repeat(8_000)}","params":{${many(bytes - 8_000, (index) => `"pwd${index}":"aaaab${index}"`)}}}}`,
  'characters of four bytes': (bytes) => `{"message":"x","extra":{"a":"${'👍🏽'.repeat(bytes / 10)}"}}`,
  'empty lists': (bytes) => `{"message":"x","unheard":[${many(bytes, () => '[]')}]}`,
  'names of prototypes': (bytes) =>
    `{"message":"x","extra":{${many(bytes, () => '"__proto__":{"constructor":1}')}}}`,
  blanks: (bytes) => `{"message":"x"}${' '.repeat(bytes)}`,
};

/** The largest such event that is still processed on the main thread. */
export function lightest(event: Event): Buffer {
  for (let bytes = 65_000; bytes > 1_000; bytes = Math.floor(bytes * 0.9)) {
    const body = Buffer.from(event(bytes));
    if (!isLargeJson(body)) return body;
  }
  return Buffer.from(event(1_000));
}

// The worst bodies that we know, by route: deep, wide, long, many small ones of everything. For the benchmark
// and for the test that holds the main thread's turns to what reading a benign body of that size takes.

import { isHeavy } from '../../src/core/json-weight.ts';

export interface HeavyBody {
  readonly name: string;
  /** Below the namespace, or from the root where it begins with `//`. */
  readonly path: string;
  readonly credential: 'public' | 'secret' | 'none';
  readonly contentType?: string;
  body(): Buffer;
}

const mebibyte = 1_048_576;
/** What JSON around the wide part may take. */
const spare = 400;

/** `piece` again and again with commas between, up to so many bytes. */
function many(bytesMax: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  let length = 0;
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    if (length + next.length + 1 > bytesMax) return pieces.join(',');
    pieces.push(next);
    length += next.length + 1;
  }
}

/** So many objects or lists, each as wide as its share of a body allows. */
function shares(count: number, bytes: number, one: (bytes: number, index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(Math.floor(bytes / count) - 80, index)).join(',');
}

type Event = (bytes: number) => string;

const names = (bytes: number) => many(bytes, (index) => `"k${index}":1`);
const frames = (bytes: number, frame: string) => `{"frames":[${many(bytes, () => frame)}]}`;

/** Events of about so many bytes. */
export const heavyEvents: Readonly<Record<string, Event>> = {
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
  'characters of four bytes': (bytes) => `{"message":"x","extra":{"a":"${'👍🏽'.repeat(bytes / 10)}"}}`,
  'empty lists': (bytes) => `{"message":"x","unheard":[${many(bytes, () => '[]')}]}`,
  'names of prototypes': (bytes) =>
    `{"message":"x","extra":{${many(bytes, () => '"__proto__":{"constructor":1}')}}}`,
  blanks: (bytes) => `{"message":"x"}${' '.repeat(bytes)}`,
};

function eventBodies(): HeavyBody[] {
  return Object.entries(heavyEvents).flatMap(([name, event]): HeavyBody[] => [
    { name, path: '/store', credential: 'public', body: () => Buffer.from(event(mebibyte - spare)) },
    {
      name: `${name}, as much as is read in place`,
      path: '/store',
      credential: 'public',
      body: () => lightest(event),
    },
  ]);
}

/** As many bytes of an event as are read where they come in. */
function lightest(event: Event): Buffer {
  for (let bytes = 65_000; bytes > 1_000; bytes = Math.floor(bytes * 0.9)) {
    const body = Buffer.from(event(bytes));
    if (!isHeavy(body)) return body;
  }
  return Buffer.from(event(1_000));
}

const envelope = (items: readonly string[]): Buffer => Buffer.from(`{}\n${items.join('\n')}\n`);
const item = (type: string, payload: string, header = ''): string =>
  `{"type":"${type}","length":${Buffer.byteLength(payload)}${header}}\n${payload}`;
const event = (name: string, bytes: number): string => (heavyEvents[name] as Event)(bytes);

const envelopes: ReadonlyArray<readonly [string, () => Buffer]> = [
  ...Object.keys(heavyEvents).map(
    (name) => [name, () => envelope([item('event', event(name, mebibyte - spare))])] as const,
  ),
  [
    '500 events in a list',
    () =>
      Buffer.from(`{"events":[${shares(500, 5 * mebibyte, (bytes) => event('tags by name', bytes - 100))}]}`),
  ],
  [
    '5 wide events in a list',
    () =>
      Buffer.from(
        `{"events":[${shares(5, 5 * mebibyte, (bytes) => event('variables of 2,500 frames', bytes - 200))}]}`,
      ),
  ],
  [
    '500 small events in a list',
    () => Buffer.from(`{"events":[${shares(500, 64_000, () => '{"message":"x 1"}')}]}`),
  ],
  [
    'a document of empty lists',
    () => Buffer.from(`{"message":"x","a":[${many(5 * mebibyte - spare, () => '[]')}]}`),
  ],
  ['a document of blanks', () => Buffer.from(`{"message":"x"}${'\n'.repeat(5 * mebibyte - spare)}`)],
  [
    '500 wide headers',
    () =>
      envelope(Array.from({ length: 500 }, () => item('unheard', '', `,"a":[${many(8_000, () => '1')}]`))),
  ],
  ['blank lines', () => Buffer.from(`{}\n${'\n'.repeat(5 * mebibyte - spare)}{"type":"unheard"}\n`)],
  ['lines without headers', () => Buffer.from(`{}\n${'{"type":"unheard"}\n\n'.repeat(499)}`)],
  [
    '500 client reports',
    () =>
      envelope(
        Array.from({ length: 500 }, () =>
          item('client_report', `{"discarded_events":[${many(9_000, () => '{}')}]}`),
        ),
      ),
  ],
  [
    '4 wide sessions',
    () =>
      envelope(
        Array.from({ length: 4 }, () =>
          item('sessions', `{"aggregates":[${many(mebibyte - spare, () => '{}')}]}`),
        ),
      ),
  ],
  [
    '4 wide bug reports',
    () =>
      envelope(
        Array.from({ length: 4 }, () =>
          item('feedback', `{"contexts":{"feedback":{"message":"x"}},"tags":{${names(mebibyte - spare)}}}`),
        ),
      ),
  ],
  [
    '100 small bug reports',
    () =>
      envelope(
        Array.from({ length: 100 }, () =>
          item('user_report', '{"comments":"x","name":"a","email":"a@b.example"}'),
        ),
      ),
  ],
];

const feedbackBytes = 8 * mebibyte - 2_000;
const reports: ReadonlyArray<readonly [string, () => string]> = [
  ['wide metadata', () => `{"message":"x","metadata":{${names(feedbackBytes)}}}`],
  ['unknown fields', () => `{"message":"x",${names(feedbackBytes)}}`],
  ['empty console lines', () => `{"message":"x","console":[${many(feedbackBytes, () => '{}')}]}`],
  [
    '9,999 console lines',
    () =>
      `{"message":"x","console":[${Array.from({ length: 9_999 }, () => `{"message":"${'x1 '.repeat(250)}"}`).join(',')}]}`,
  ],
  ['a wide window', () => `{"message":"x","viewport":{"width":1,"height":1,${names(feedbackBytes)}}}`],
  ['a wide context', () => `{"message":"x","contexts":{"feedback":{${names(feedbackBytes)}}}}`],
  [
    'a large screenshot',
    () => `{"message":"x","screenshots":[{"data":"${jpegOfFillBytes(4.9 * mebibyte).toString('base64')}"}]}`,
  ],
  ['a long text', () => `{"message":"${'password=hunter2 1.2.3.4 '.repeat(feedbackBytes / 26)}"}`],
  ['empty lists', () => `{"message":"x","unheard":[${many(feedbackBytes, () => '[]')}]}`],
];

/** An image that says its size only at its very end. */
function jpegOfFillBytes(bytes: number): Buffer {
  const end = Buffer.from('ffc0000b080001000101011100', 'hex');
  return Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(Math.floor(bytes) - 20, 0xff), end]);
}

const wide = (before: string, bytes = mebibyte - spare) => `{${before}"unheard":{${names(bytes)}}}`;
const commits = (bytes: number, commit: string) => `{"version":"1","commits":[${many(bytes, () => commit)}]}`;
const patches = (bytes: number) => many(bytes, () => '{"path":"a","type":"A"}');

const others: ReadonlyArray<readonly [string, string, HeavyBody['credential'], () => string]> = [
  ['unknown fields', '/releases', 'secret', () => `{"version":"1",${names(mebibyte - spare)}}`],
  ['a wide unknown field', '/releases', 'secret', () => wide('"version":"1",')],
  ['empty commits', '/releases', 'secret', () => commits(mebibyte - spare, '{}')],
  ['commits', '/releases', 'secret', () => commits(mebibyte - spare, '{"id":"a"}')],
  [
    'patches of commits',
    '/releases',
    'secret',
    () =>
      `{"version":"1","commits":[${shares(40, mebibyte - spare, (bytes) => `{"id":"a","patch_set":[${patches(bytes)}]}`)}]}`,
  ],
  ['wide metadata', '/releases', 'secret', () => `{"version":"1","metadata":{${names(mebibyte - spare)}}}`],
  [
    'a wide deploy',
    '/deploys',
    'secret',
    () => `{"deploy":{"version":"1","environment":"e",${names(mebibyte - spare)}}}`,
  ],
  [
    'unknown fields',
    '/deploys',
    'secret',
    () => `{"version":"1","environment":"e",${names(mebibyte - spare)}}`,
  ],
  [
    'wide origins',
    '/domains',
    'secret',
    () => `{"domain":"a.example","allowed_origins":[${many(mebibyte - spare, () => '"https://a.example"')}]}`,
  ],
  [
    'unknown fields',
    '/sdk-verify',
    'public',
    () => `{"sdk":{"name":"a","version":"1"},"domain":"a.example",${names(mebibyte - spare)}}`,
  ],
  [
    'a wide sdk',
    '/sdk-verify',
    'public',
    () => `{"sdk":{"name":"a","version":"1",${names(mebibyte - spare)}},"domain":"a.example"}`,
  ],
  [
    'unknown fields',
    '/domain-verifications',
    'secret',
    () => `{"domain":"a.example",${names(mebibyte - spare)}}`,
  ],
  ['a wide merge', '/issues/1', 'secret', () => `{"merge":[${many(mebibyte - spare, () => '1')}]}`],
  [
    'a wide batch',
    '//wp-json/batch/v1',
    'none',
    () => `{"requests":[${many(mebibyte - spare, () => '{"path":"/"}')}]}`,
  ],
  [
    'wide requests of a batch',
    '//wp-json/batch/v1',
    'none',
    () =>
      `{"requests":[${shares(25, mebibyte - spare, (bytes) => `{"path":"/notifier/v1/releases","body":{${names(bytes)}}}`)}]}`,
  ],
  [
    'unknown fields',
    '//api/0/organizations/o/releases/',
    'secret',
    () => `{"version":"1",${names(5 * mebibyte - spare)}}`,
  ],
  [
    'commits',
    '//api/0/organizations/o/releases/',
    'secret',
    () => commits(5 * mebibyte - spare, '{"id":"a"}'),
  ],
  [
    'patches of commits',
    '//api/0/organizations/o/releases/',
    'secret',
    () =>
      `{"version":"1","commits":[${shares(90, 5 * mebibyte - spare, (bytes) => `{"id":"a","patch_set":[${patches(bytes)}]}`)}]}`,
  ],
  [
    'a wide deploy',
    '//api/0/organizations/o/releases/1/deploys/',
    'secret',
    () => wide('"environment":"e",', 5 * mebibyte - spare),
  ],
  [
    'chunks',
    '//api/0/organizations/o/artifactbundle/assemble/',
    'secret',
    () =>
      `{"checksum":"${'a'.repeat(40)}","chunks":[${many(5 * mebibyte - spare, () => `"${'b'.repeat(40)}"`)}]}`,
  ],
  [
    'a small wide report',
    '/test-runs',
    'secret',
    () => `{"results":{"tool":{"name":"x"},"summary":{"tests":1},"tests":[${many(64_000, () => '{}')}]}}`,
  ],
  [
    'small cases',
    '/test-runs',
    'secret',
    () =>
      `{"results":{"tool":{"name":"x"},"summary":{"tests":1},"tests":[${many(64_000, (index) => `{"name":"t${index}","status":"passed","duration":1}`)}]}}`,
  ],
  [
    'a small wide field',
    '/test-runs',
    'secret',
    () => `{"results":{"tool":{"name":"x"},"summary":{"tests":1},"tests":[],"extra":{${names(64_000)}}}}`,
  ],
  ['a wide list', '/store', 'public', () => `[${many(mebibyte - spare, () => '{}')}]`],
];

function otherBodies(): HeavyBody[] {
  return others.map(([name, path, credential, text]) => ({
    name,
    path,
    credential,
    body: () => Buffer.from(text()),
  }));
}

const forms: readonly HeavyBody[] = [
  {
    name: 'a form of long texts',
    path: '/feedback',
    credential: 'public',
    contentType: 'application/x-www-form-urlencoded',
    body: () => Buffer.from(`message=x&${'a%20'.repeat(feedbackBytes / 4)}=1`),
  },
  {
    name: 'JSON in a form',
    path: '/feedback',
    credential: 'public',
    contentType: 'multipart/form-data; boundary=b',
    body: () =>
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="message"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="console"\r\n\r\n[${many(feedbackBytes, () => '{}')}]\r\n--b--\r\n`,
      ),
  },
];

/** All of them. */
export function heavyBodies(): HeavyBody[] {
  const posted = (name: string, path: string, body: () => Buffer): HeavyBody => ({
    name,
    path,
    credential: 'public',
    body,
  });
  return [
    ...eventBodies(),
    ...envelopes.map(([name, body]) => posted(name, '/envelope', body)),
    ...reports.map(([name, text]) => posted(name, '/feedback', () => Buffer.from(text()))),
    ...forms,
    ...otherBodies(),
  ];
}

/**
 * A body as clients write it, of so many bytes: what JSON.parse takes for it is the measure of the machine.
 */
export function benignBody(bytes: number): Buffer {
  const crumb = (index: number) =>
    `{"timestamp":${1_763_690_000 + index},"category":"ui.click","message":"button.item-${index} was clicked by somebody"}`;
  return Buffer.from(`{"message":"x","breadcrumbs":[${many(bytes - spare, crumb)}]}`);
}

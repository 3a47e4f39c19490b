// The most expensive known request bodies by route: deep, wide, long, many small items.
import { type Event, heavyEvents, lightest } from './large-events.ts';
import { many, mebibyte, names, shares, spare } from './wide-json.ts';

export interface HeavyBody {
  readonly name: string;
  /** Below the namespace; from the root if it begins with `//`. */
  readonly path: string;
  readonly credential: 'public' | 'secret' | 'none';
  readonly contentType?: string;
  body(): Buffer;
}

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

/** A JPEG with its size at the very end. */
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

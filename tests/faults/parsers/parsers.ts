// Every parser that sees bytes of strangers, with what it reads well.
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { txtRecordMatches } from '../../../src/core/domains/challenges.ts';
import { checkMetaTag } from '../../../src/core/domains/meta-tag.ts';
import { parseVerifiableName } from '../../../src/core/domains/names.ts';
import { readDocumentOutline } from '../../../src/core/envelopes/outline.ts';
import { parseEnvelope } from '../../../src/core/envelopes/parse-envelope.ts';
import { parseUpload } from '../../../src/core/envelopes/parse-upload.ts';
import { validateScreenshots } from '../../../src/core/feedback/screenshots.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalizeEvent } from '../../../src/core/normalize/event.ts';
import { parseListedHost, toAsciiHostName } from '../../../src/core/parsing/host-names.ts';
import { decodeHtmlEntities } from '../../../src/core/parsing/html-entities.ts';
import { isLargeJson, parseItemJson } from '../../../src/core/parsing/item-json.ts';
import { parseMicroseconds, parseTime } from '../../../src/core/parsing/timestamps.ts';
import { parseUrlHost, parseWebOrigin } from '../../../src/core/parsing/web-url.ts';
import {
  createVersionSortKey,
  parseReleaseVersion,
  sanitizeReleaseVersion,
} from '../../../src/core/releases/version.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { scrubText } from '../../../src/core/scrub/text.ts';
import { decodeText } from '../../../src/core/test-runs/reports/decode-text.ts';
import type { DocumentKind } from '../../../src/core/test-runs/reports/documents.ts';
import { createUploadReader } from '../../../src/core/test-runs/reports/read-upload.ts';
import { inflateBody } from '../../../src/http/bodies/inflate.ts';
import { findEnclosingFunction } from '../../../src/symbolication/enclosing-function.ts';
import { readInlineMap, readScriptComments } from '../../../src/symbolication/script-comments.ts';
import { readSourceMap } from '../../../src/symbolication/source-map.ts';
import { decodeJson } from '../../../src/wordpress/php/json-decode.ts';
import { checkJson } from '../../../src/wordpress/php/json-parse.ts';
import { parseMultipart } from '../../../src/wordpress/php/multipart.ts';
import { parseQueryString } from '../../../src/wordpress/php/query-string.ts';
import { stripTags } from '../../../src/wordpress/php/strip-tags.ts';
import { parseTarget, resolveTarget } from '../../../src/wordpress/request/resolve-target.ts';
import { parseContentType } from '../../../src/wordpress/request/rest-request.ts';
import { parseDate, sanitizeTextField } from '../../../src/wordpress/schema/formats.ts';
import { sanitizeUrl } from '../../../src/wordpress/schema/sanitize-url.ts';
import { context } from '../../support/events.ts';
import { benchEvent } from '../../support/sized-events.ts';

interface Parser {
  readonly name: string;
  readonly seeds: readonly (string | Uint8Array)[];
  readonly read: (bytes: Buffer) => unknown;
}

const event = benchEvent(1);
const envelope = `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","dsn":"https://k@h/1"}\n{"type":"event","length":41}\n{"message":"hello world","level":"error"}\n{"type":"attachment","length":10,"filename":"a.txt"}\n\x00\x01\x02abcdefg\n{"type":"session"}\n{"sid":"a","status":"ok"}\n`;
const junit =
  '<?xml version="1.0" encoding="UTF-8"?><testsuites tests="2"><testsuite name="s" time="0.5"><testcase classname="c" name="a" time="0.1"/><testcase name="b"><failure message="no &lt;b&gt;" type="T"><![CDATA[at x (a.js:1)]]></failure><system-out>o</system-out></testcase></testsuite></testsuites>';
const ctrf =
  '{"results":{"tool":{"name":"jest"},"summary":{"tests":1,"passed":0,"failed":1,"start":1700000000000,"stop":1700000001000},"tests":[{"name":"a > b","status":"failed","duration":12,"message":"no","trace":"at x","retries":1}]}}';
const map =
  '{"version":3,"file":"a.js","sourceRoot":"/","sources":["a.ts","b.ts"],"sourcesContent":["let a = 1;\\nfunction f() { throw a }",null],"names":["a","f"],"mappings":"AAAA,SAASA;;AACA,GAAGC,EAAC","x_google_ignoreList":[1]}';
const script =
  'function f(a) { const g = (b) => `x$' +
  '{b}`; class C { static #m() { return /a[/]b/g } } return g(a) } // c\n/* d */\n//# sourceMappingURL=a.js.map\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17';
const form =
  '--b\r\nContent-Disposition: form-data; name="a[b]"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n--b--\r\n';
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const page =
  '<!doctype html><html><head><meta charset="utf-8"><meta name="notifier-verification" content="abc"><title>t</title></head><body>x</body></html>';
const scrubbing = { extraFields: ['shoe size'], storeIpAddresses: false, clientAddress: '198.51.100.7' };

const text = (bytes: Buffer): string => bytes.toString('utf8');

function report(kind: DocumentKind): (bytes: Buffer) => unknown {
  return (bytes) => {
    const reader = createUploadReader();
    const document = reader.open('', kind);
    const decoding = decodeText((piece) => document.write(piece));
    // In two pieces, as it comes from a network.
    const middle = Math.floor(bytes.length / 2);
    decoding.write(bytes.subarray(0, middle));
    decoding.write(bytes.subarray(middle));
    decoding.end();
    return reader.end({});
  };
}

function inflating(encoding: 'gzip' | 'deflate' | 'zstd'): (bytes: Buffer) => unknown {
  return (bytes) => inflateBody([bytes], encoding, 1_000_000);
}

export const parsers: readonly Parser[] = [
  { name: 'envelopes', seeds: [envelope, `{}\n{"type":"event"}\n${event}`], read: parseEnvelope },
  { name: 'envelopes or documents', seeds: [envelope, event, `{"events":[${event}]}`], read: parseUpload },
  { name: 'outlines of documents', seeds: [event, `{"events":[${event},{}]}`], read: readDocumentOutline },
  { name: 'JSON of items', seeds: [event, '[1,"a",null]'], read: (bytes) => parseItemJson(bytes) },
  {
    name: 'events, scrubbed and grouped',
    seeds: [
      event,
      '{"exception":{"values":[{"type":"E","value":"v","stacktrace":{"frames":[{"filename":"a"}]}}]}}',
    ],
    read(bytes) {
      const { event: read, errors } = normalizeEvent(parseItemJson(bytes), context);
      return computeFingerprint(scrubEvent({ ...read, errors }, scrubbing).event);
    },
  },
  {
    name: 'texts with secrets',
    seeds: [
      'password=hunter2 Authorization: Bearer abc.def',
      'https://u:p@h/?token=1#x',
      'card 4111 1111 1111 1111',
    ],
    read: (bytes) => scrubText(text(bytes)),
  },
  {
    name: 'JSON as PHP reads it',
    seeds: [event, '{"a":[1.0,-0,"\\u00e9"]}'],
    read: (bytes) => decodeJson(bytes),
  },
  { name: 'JSON, checked', seeds: [event, '[[[[1]]]]'], read: (bytes) => checkJson(bytes, 100) },
  { name: 'the weight of JSON', seeds: [event], read: isLargeJson },
  {
    name: 'query strings',
    seeds: ['a=1&b[]=2&b[c][d]=%20+x&e.f=g'],
    read: (bytes) => parseQueryString(bytes),
  },
  { name: 'forms', seeds: ['a=1&b[]=2'], read: (bytes) => parseQueryString(bytes, 'form') },
  {
    name: 'multipart',
    seeds: [form],
    read: (bytes) => parseMultipart(bytes, 'multipart/form-data; boundary=b'),
  },
  {
    name: 'types of contents',
    seeds: ['multipart/form-data; boundary="a b"; x=1', 'application/json'],
    read: (bytes) => parseContentType(text(bytes)),
  },
  {
    name: 'addresses',
    seeds: [
      '/wp-json/notifier/v1/store?x=1',
      '/?rest_route=%2Fnotifier%2Fv1%2Fstore',
      '/blog/index.php/wp-json/a//b',
    ],
    read: (bytes) => resolveTarget(parseTarget(bytes.toString('latin1'), '/blog'), null),
  },
  {
    name: 'markup',
    seeds: ['a <b title="x > y">c</b> <!-- d --> <?php e ?>'],
    read: (bytes) => stripTags(text(bytes)),
  },
  {
    name: 'texts as WordPress cleans them',
    seeds: ['a <b>%41 &amp;\n\t c'],
    read: (bytes) => sanitizeTextField(text(bytes)),
  },
  {
    name: 'links',
    seeds: ['https://u@example.org:80/a?b[]=c#d', 'mailto:a@b', 'javascript:x'],
    read: (bytes) => sanitizeUrl(text(bytes)),
  },
  {
    name: 'dates',
    seeds: ['2026-02-28T12:00:00.5+01:00', '2026-02-28 12:00:00'],
    read: (bytes) => parseDate(text(bytes)),
  },
  {
    name: 'moments',
    seeds: ['2026-02-28T12:00:00.123456Z', '1763690000.5'],
    read: (bytes) => [parseTime(text(bytes)), parseMicroseconds(text(bytes))],
  },
  {
    name: 'hosts',
    seeds: ['*.shop.example', 'xn--bcher-kva.example:8080', '[::1]'],
    read: (bytes) => [parseListedHost(text(bytes)), toAsciiHostName(text(bytes))],
  },
  {
    name: 'names of domains',
    seeds: ['shop.example', 'bücher.example'],
    read: (bytes) => parseVerifiableName(text(bytes)),
  },
  {
    name: 'origins',
    seeds: ['https://shop.example:444/a'],
    read: (bytes) => [parseUrlHost(text(bytes)), parseWebOrigin(text(bytes))],
  },
  { name: 'entities', seeds: ['&amp;&#65;&#x41;&notit;'], read: (bytes) => decodeHtmlEntities(text(bytes)) },
  {
    name: 'records of names',
    seeds: ['"notifier-verification=abc"'],
    read: (bytes) => txtRecordMatches(text(bytes), 'abc'),
  },
  {
    name: 'pages that prove',
    seeds: [page],
    read: (bytes) =>
      checkMetaTag(
        { status: 200, contentType: 'text/html; charset=utf-8', bytes, isCut: false } as never,
        'abc',
      ),
  },
  {
    name: 'releases',
    seeds: ['shop@1.2.3-rc.1+build.5', '2026.11.23'],
    read: (bytes) => [
      parseReleaseVersion(text(bytes)),
      createVersionSortKey(text(bytes)),
      sanitizeReleaseVersion(text(bytes)),
    ],
  },
  { name: 'JUnit', seeds: [junit], read: report('xml') },
  { name: 'CTRF', seeds: [ctrf, `{"format":"ctrf","report":${ctrf}}`], read: report('body') },
  { name: 'reports of either kind', seeds: [junit, ctrf], read: report('part') },
  {
    name: 'source maps',
    seeds: [map, `{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":${map}}]}`],
    read: readSourceMap,
  },
  {
    name: 'scripts',
    seeds: [script],
    read: (bytes) => [
      readScriptComments(bytes),
      readInlineMap(bytes),
      findEnclosingFunction(text(bytes), Math.floor(bytes.length / 2)),
    ],
  },
  { name: 'gzip', seeds: [gzipSync(event)], read: inflating('gzip') },
  { name: 'deflate', seeds: [deflateSync(event)], read: inflating('deflate') },
  { name: 'zstd', seeds: [zstdCompressSync(event)], read: inflating('zstd') },
  {
    name: 'pictures',
    seeds: [png, 'GIF89a', new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
    read: (bytes) => validateScreenshots([{ bytes, name: 'a' }], { lenient: true }),
  },
];

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeJson } from '../../src/wordpress/php/json-encode.ts';
import { parseMultipart } from '../../src/wordpress/php/multipart.ts';
import { parseQueryString } from '../../src/wordpress/php/query-string.ts';
import type { PhpValue } from '../../src/wordpress/php/values.ts';
import { freePort } from '../support/free-port.ts';
import { describeWithPrograms } from '../support/needs.ts';

const disposition = 'Content-Disposition: form-data; ';
const multipart = 'multipart/form-data; boundary=XyZ';
const part = (head: string, body: string) => `--XyZ\r\n${head}\r\n\r\n${body}\r\n`;
const field = (attributes: string, body: string) => part(disposition + attributes, body);
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const end = '--XyZ--\r\n';

const bodies: ReadonlyArray<readonly [name: string, body: string, contentType?: string]> = [
  [
    'fields and files',
    field('name="a"', '1') +
      field('name="f"; filename="x/y\\z.txt"\r\nContent-Type: text/plain; charset=x', 'hello') +
      end,
  ],
  [
    'files under brackets',
    field('name="f[]"; filename="q.png"\r\nContent-Type: image/png', '\x00\x01') +
      field('name="f[a][b]"; filename="q2"', '') +
      field('name="g"; filename=""', '') +
      end,
  ],
  [
    'a file without a name',
    field('filename="x.txt"', 'hello') +
      field("name='a.b'", 'z') +
      field('name=c d', 'z') +
      part('X: y', 'z') +
      field('name=e', 'z') +
      end,
  ],
  ['a file cut short', field('name="f"; filename="x.txt"', 'hel').slice(0, -2)],
  ['a field cut short', field('name="f"', 'hel')],
  ['a begun boundary', `${field('name="f"', 'hel')}--Xy`],
  [
    'brackets that do not close',
    field('name="f[a"; filename="x"', 'h') +
      field('name="f]"; filename="x"', 'h') +
      field('name="f[a]b"; filename="x"', 'h') +
      end,
  ],
  [
    'bare line feeds, a preamble and folded headers',
    `preamble\n--XyZ\n${disposition}name="a"\n\nv1\n--XyZ\n${disposition}\n name="b"\n\nv2\n--XyZfoo\nv3\n--XyZ\n${disposition}name="c"\n\nv3\n--XyZ--`,
  ],
  ['a quoted boundary', field('name="a"', '1') + end, 'multipart/form-data; BOUNDARY="XyZ"; x=y'],
  ['a boundary before a comma', field('name="a"', '1') + end, 'multipart/form-data; boundary=XyZ, x=y'],
  [
    'names twice and escaped quotes',
    part('content-disposition:form-data;name="a";name="b"', '1') +
      part('Content-Disposition: attachment; NAME="q\\"r\\\\"', '1') +
      end,
  ],
  ['MAX_FILE_SIZE', field('name="MAX_FILE_SIZE"', '3') + field('name="a"; filename="big"', 'xxxx') + end],
  [
    'a part that names nothing',
    field('name=""', '3') +
      field('name="a"; filename', 'x') +
      field('name', 'x') +
      field('name=z', 'x') +
      end,
  ],
  [
    'bytes that are not UTF-8',
    field('name="\xff[\xc3\xa9.x]"', '\xff') +
      field('name="a\\b"', 'x') +
      field('name="it\'s"', 'x') +
      field('name="a;b"', 'x') +
      end,
  ],
  [
    'blanks around the equals sign',
    field('name = "sp"', 'x') + field('name="a=b"', 'x') + field('xname="q";  name="r"', 'x') + end,
  ],
  ['more fields than PHP takes', many(1_003, (index) => field(`name="v${index}"`, '1')) + end],
  [
    'more files than PHP takes',
    many(22, (index) => field(`name="v${index}"; filename="${index % 5 === 0 ? '' : 'a'}"`, '1')) + end,
  ],
  [
    'more parts than PHP takes',
    many(1_015, (index) => field(`name="v${index}"; filename="a"`, '1')) +
      many(15, (index) => field(`name="w${index}"`, '1')) +
      end,
  ],
  [
    'boundaries inside a value',
    field('name="a"', '') + field('name="b"', '\r\n') + field('name="c"', 'x\r\n--XyZ-\r\ny') + end,
  ],
];

const urlencoded: readonly string[] = [
  'a=1&b[]=2&b[]=3',
  'a=1\0x&b=2&c%00d=5&&=7&e\0f=8',
  many(1_005, (index) => `&v${index}=`).slice(1),
  `&&&&&${many(1_005, (index) => `&v${index}=`)}`,
];

function ours(body: string, contentType: string): string {
  const bytes = Buffer.from(body, 'latin1');
  const parsed =
    contentType === 'application/x-www-form-urlencoded' ? null : parseMultipart(bytes, contentType);
  const post: PhpValue =
    contentType === 'application/x-www-form-urlencoded'
      ? parseQueryString(bytes, 'form')
      : (parsed?.fields ?? []);
  const encoded = encodeJson({ post, files: parsed?.fileParams ?? [] });
  return encoded.ok ? encoded.text : encoded.message;
}

describe('parseMultipart', () => {
  it('returns the bytes of accepted files', () => {
    const parsed = parseMultipart(Buffer.from(bodies[0]?.[1] ?? '', 'latin1'), multipart);
    expect(parsed?.files).toEqual([
      {
        fieldName: 'f',
        filename: 'z.txt',
        contentType: 'text/plain',
        bytes: Buffer.from('hello'),
      },
    ]);
    expect(parsed?.fields).toEqual(new Map([['a', '1']]));
    expect(encodeJson(parsed?.fileParams ?? [])).toMatchObject({
      text: expect.stringContaining('"error":0,"size":5'),
    });
  });

  it('reads nothing without a boundary', () => {
    expect(parseMultipart(Buffer.from(field('name="a"', '1')), 'multipart/form-data')).toBeNull();
    expect(
      parseMultipart(Buffer.from(field('name="a"', '1')), 'multipart/form-data; boundary="XyZ'),
    ).toBeNull();
  });

  it('refuses files past the limit it is given', () => {
    const parsed = parseMultipart(Buffer.from(field('name="f"; filename="a"', 'hello') + end), multipart, {
      fileBytesMax: 4,
    });
    expect(parsed?.files).toEqual([]);
    expect(encodeJson(parsed?.fileParams ?? [])).toMatchObject({
      text: expect.stringContaining('"error":1'),
    });
  });
});

describe('parseQueryString of a form', () => {
  it('allows one variable more than a query, and counts empty pieces', () => {
    const [, , full = '', padded = ''] = urlencoded;
    const count = (value: PhpValue) => (value instanceof Map ? value.size : 0);
    expect(count(parseQueryString(full))).toBe(1_000);
    expect(count(parseQueryString(full, 'form'))).toBe(1_001);
    expect(count(parseQueryString(padded, 'form'))).toBe(995);
  });
});

describe('brackets in a name', () => {
  it('are 64 at most: with one more there is no such variable', () => {
    const namesOf = (brackets: number) => {
      const read = parseQueryString(`v${'[x]'.repeat(brackets)}=1&w=2`);
      return read instanceof Map ? [...read.keys()] : [];
    };
    expect([namesOf(64), namesOf(65)]).toEqual([['v', 'w'], ['w']]);
  });
});

describeWithPrograms('forms beside PHP', ['php'], (programs) => {
  const folder = mkdtempSync(join(tmpdir(), 'php-forms-'));
  let origin = '';
  let server: ReturnType<typeof spawn> | null = null;

  beforeAll(async () => {
    writeFileSync(join(folder, 'index.php'), formsScript);
    const port = await freePort();
    origin = `http://127.0.0.1:${port}/`;
    server = spawn(programs['php'] ?? '', ['-S', `127.0.0.1:${port}`, '-t', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // The server says on stderr when it listens.
    if (server.stderr !== null) await once(server.stderr, 'data');
  });

  afterAll(() => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(bodies)('parses a multipart body as PHP does: %s', async (_name, body, contentType = multipart) => {
    expect(ours(body, contentType)).toBe(await theirs(origin, body, contentType));
  });

  it('reads urlencoded forms as PHP does', async () => {
    const type = 'application/x-www-form-urlencoded';
    for (const body of urlencoded) expect(ours(body, type)).toBe(await theirs(origin, body, type));
  });
});

async function theirs(origin: string, body: string, contentType: string): Promise<string> {
  const headers = { 'content-type': contentType };
  const response = await fetch(origin, { method: 'POST', headers, body: Buffer.from(body, 'latin1') });
  return response.text();
}

const formsScript = `<?php
function clean($value, $name = '') {
  if ($name === 'tmp_name') return blank($value);
  if (is_string($value)) return mb_convert_encoding($value, 'UTF-8', 'UTF-8');
  if (!is_array($value)) return $value;
  $made = [];
  foreach ($value as $key => $member) $made[is_string($key) ? clean($key) : $key] = clean($member, (string) $key);
  return $made;
}
function blank($value) { return is_array($value) ? array_map('blank', $value) : ''; }
echo json_encode(['post' => clean($_POST), 'files' => clean($_FILES)]);`;

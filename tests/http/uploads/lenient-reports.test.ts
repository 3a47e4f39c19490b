import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ParsedTestReport } from '../../../src/core/ports/test-report-reader.ts';
import { computeRunStatus } from '../../../src/core/test-runs/test-runs.ts';
import { readUpload } from '../../../src/http/uploads/test-report/read-upload.ts';

async function read(bytes: Uint8Array | string, contentType = 'application/xml'): Promise<ParsedTestReport> {
  const upload = {
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    encoding: 'identity' as const,
    contentType,
    inflatedBytesMax: 50_000_000,
    query: {},
    project: { scrubFields: [], storeIpAddresses: false },
  };
  return (await readUpload(upload)).report;
}
const caseOf = async (xml: string) => (await read(xml)).cases[0];
const codesOf = ({ warnings }: ParsedTestReport): string[] => warnings.map(({ code }) => code);
const runner = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../fixtures/test-runners', name));

describe('characters that XML forbids', () => {
  const suite = (inside: string, name = 'a'): string =>
    `<testsuite name="j"><testcase name="${name}">${inside}</testcase></testsuite>`;

  it.each([
    ['ESC in output', suite('<system-out>&#27;[0;32mok&#27;[0m</system-out>'), { stdout: '[0;32mok[0m' }],
    ['ESC in a message', suite('<failure message="&#x1b;[31mno">x</failure>'), { message: '[31mno' }],
    ['NUL in a name', suite('', 'with &#0; nul'), { name: 'with  nul' }],
    ['U+FFFF', suite('<system-out>a&#xFFFF;b</system-out>'), { stdout: 'ab' }],
    ['a lone half of a pair', suite('', 'x&#xD800;y'), { name: 'xy' }],
  ])('are removed from references: %s', async (_name, xml, expected) => {
    const report = await read(xml);
    expect(report.cases[0]).toMatchObject(expected);
    expect(codesOf(report)).toContain('control_characters');
  });

  it('are joined as surrogate pairs, and left alone in CDATA', async () => {
    expect(await caseOf(suite('', 'grin &#55357;&#56832;'))).toMatchObject({ name: 'grin \u{1F600}' });
    const cdata = suite('<failure><![CDATA[say &#27;]]></failure>');
    expect(await caseOf(cdata)).toMatchObject({ trace: 'say &#27;' });
  });

  it.each(['07-min.xml', '08-min.xml'])('%s is read', async (name) => {
    const report = await read(runner(name));
    expect([report.totals.tests, report.totals.failed]).toEqual([1, 1]);
  });
});

describe('long output', () => {
  const long = (length: number): string => `${'0123456789'.repeat(length / 10)}THE-REASON`;
  it.each([
    ['text', 66_000, (text: string) => text],
    ['CDATA', 1_000_000, (text: string) => `<![CDATA[${text}]]>`],
    ['CDATA of six megabytes', 6_000_000, (text: string) => `<![CDATA[${text}]]>`],
    ['several pieces', 90_000, (text: string) => `${text.slice(0, 40_000)}<![CDATA[${text.slice(40_000)}]]>`],
  ])('of a case keeps its end: %s', async (_name, length, form) => {
    for (const element of ['system-out', 'system-err']) {
      const xml = `<testsuite><testcase name="a"><${element}>${form(long(length))}</${element}></testcase></testsuite>`;
      const one = await caseOf(xml);
      const kept = element === 'system-out' ? one?.stdout : one?.stderr;
      expect(kept).toBe(long(length).slice(-16_384));
    }
  });

  it('written as entities keeps 16 KiB of its characters', async () => {
    const xml = `<testsuite><testcase name="a"><system-out>${'&lt;&#x1F600;'.repeat(60_000)}END</system-out></testcase></testsuite>`;
    const stdout = (await caseOf(xml))?.stdout ?? '';
    expect([...stdout]).toHaveLength(16_384);
    expect(stdout.endsWith('<\u{1F600}END')).toBe(true);
    expect(stdout.replaceAll(/[<\u{1F600}]/gu, '')).toBe('END');
  });

  it('of a suite is shown with its first failed case, else with its last', async () => {
    const output = `<system-out>${long(70_000)}</system-out><system-err>broken pipe</system-err>`;
    const cases = '<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"/>';
    const failed = await read(`<testsuites><testsuite name="s">${output}${cases}</testsuite></testsuites>`);
    expect(failed.cases.map(({ stdout }) => stdout)).toEqual([null, long(70_000).slice(-16_384), null]);
    expect(failed.cases[1]?.stderr).toBe('broken pipe');
    const passed = await read(
      `<testsuite name="s"><testcase name="a"/><testcase name="b"/>${output}</testsuite>`,
    );
    expect(passed.cases.map(({ stderr }) => stderr)).toEqual([null, 'broken pipe']);
    const own = await read(
      `<testsuite><testcase name="a"><system-out>own</system-out></testcase>${output}</testsuite>`,
    );
    expect(own.cases[0]).toMatchObject({ stdout: 'own', stderr: 'broken pipe' });
  });

  it('of a suite without cases ends in a warning', async () => {
    const report = await read(
      `<testsuite name="s" errors="1"><system-err>${long(70_000)}</system-err></testsuite>`,
    );
    const [warning] = report.warnings.filter(({ code }) => code === 'suite_output');
    expect(warning?.message.endsWith(`at its end: ${long(70_000).slice(-16_384)}`)).toBe(true);
  });
});

describe('a lone &', () => {
  it.each([
    ['before a tag', 'a & b', 'a & b'],
    ['at the end', 'fish &', 'fish &'],
    ['in an address', 'https://x.example/?a=1&b=2', 'https://x.example/?a=1&b=2'],
    ['beside an entity', 'R&D &lt;x&gt; &#65;', 'R&D <x> A'],
    ['far from any ;', `& ${'x'.repeat(500)}`, `& ${'x'.repeat(500)}`],
  ])('is accepted %s', async (_where, written, meant) => {
    const output = await caseOf(
      `<testsuite><testcase name="a"><system-out>${written}</system-out></testcase></testsuite>`,
    );
    expect(output?.stdout).toBe(meant);
    const attribute = await caseOf(`<testsuite><testcase name="${written.slice(0, 90)}"/></testsuite>`);
    expect(attribute?.name).toBe(meant.slice(0, 90));
  });
});

describe('numbers', () => {
  const times = async (...texts: string[]): Promise<Array<number | null>> => {
    const cases = texts.map((time, index) => `<testcase name="t${index}" time="${time}"/>`).join('');
    return (await read(`<testsuite>${cases}</testsuite>`)).cases.map(({ durationMs }) => durationMs);
  };
  it.each([
    [
      ['0,160', '25,357'],
      [160, 25_357],
    ],
    [['25,357'], [25_357]],
    [
      ['0.160', '1,234'],
      [160, 1_234_000],
    ],
    [
      ['1,234.56', '1,234'],
      [1_234_560, 1_234_000],
    ],
    [
      ['1.234,56', '1,234'],
      [1_234_560, 1_234],
    ],
    [['1,234,567'], [1_234_567_000]],
    [
      ['0,5', '1e-05', '1.5E3', '12'],
      [500, 0, 1_500_000, 12_000],
    ],
    [
      ['-1', 'NaN', '1,2,3'],
      [null, null, null],
    ],
  ])('%j', async (texts, expected) => {
    expect(await times(...texts)).toEqual(expected);
  });

  it('of a suite decide what a comma means in its cases', async () => {
    const report = await read('<testsuite time="1,234.5"><testcase name="a" time="1,234"/></testsuite>');
    expect([report.durationMs, report.cases[0]?.durationMs]).toEqual([1_234_500, 1_234_000]);
  });
});

describe('wide encodings', () => {
  const xml = '<?xml version="1.0" encoding="utf-16"?>\n<testsuite><testcase name="gr\u00fcn"/></testsuite>';
  const little = Buffer.from(xml, 'utf16le');
  const big = Buffer.from(little).swap16();

  it.each([
    ['little endian', little],
    ['big endian', big],
    ['little endian behind white space', Buffer.from(`\n ${xml.slice(xml.indexOf('<tests'))}`, 'utf16le')],
    ['JSON', Buffer.from('{"tests":[{"name":"gr\u00fcn","status":"passed"}]}', 'utf16le')],
  ])('UTF-16 without a byte order mark is read: %s', async (_name, bytes) => {
    for (const type of ['application/xml', 'application/octet-stream']) {
      if (_name === 'JSON' && type === 'application/xml') continue;
      expect((await read(bytes, type)).cases[0]?.name).toBe('gr\u00fcn');
    }
  });

  it('UTF-32 is refused by name', async () => {
    const wide = Buffer.alloc(xml.length * 4);
    for (let index = 0; index < xml.length; index += 1) wide.writeUInt32LE(xml.charCodeAt(index), index * 4);
    await expect(read(wide)).rejects.toThrow('The report is in UTF-32');
    await expect(read(wide.swap32())).rejects.toThrow('The report is in UTF-32');
  });
});

describe('several files', () => {
  const good = '<testsuite name="a"><testcase name="x"/></testsuite>';
  const cutOff = '<testsuite name="b"><testcase name="y"/><testcase';
  const form = (files: ReadonlyArray<readonly [string, string]>) => {
    const parts = files.map(
      ([name, text]) =>
        `--b\r\nContent-Disposition: form-data; name="data"; filename="${name}"\r\n\r\n${text}\r\n`,
    );
    return read(`${parts.join('')}--b--\r\n`, 'multipart/form-data; boundary=b');
  };

  it.each([
    ['a file that is cut off', 'b.xml', cutOff],
    ['an empty file', 'b.xml', ''],
    ['broken JSON', 'b.json', '{"results":'],
    ['bytes that are no text', 'b.json', '{"a":"\ud800"'],
  ])('%s is named, the others are stored, and the run is an error', async (_name, name, text) => {
    const report = await form([
      ['a.xml', good],
      [name, text],
      ['c.xml', good.replaceAll('"a"', '"c"')],
    ]);
    expect(report.cases.map((one) => one.suite[0])).toEqual(['a', 'c']);
    expect(report.warnings).toMatchObject([{ code: 'file_unreadable' }]);
    expect(report.warnings[0]?.message).toContain(name);
    expect(computeRunStatus(report, null)).toBe('error');
  });

  it('XML of another kind is named and does not change the result', async () => {
    const report = await form([
      ['failsafe-summary.xml', '<failsafe-summary result="0"><completed>1</completed></failsafe-summary>'],
      ['TEST-a.xml', good],
    ]);
    expect(report.warnings).toMatchObject([{ code: 'file_passed_over' }]);
    expect(report.warnings[0]?.message).toContain('failsafe-summary.xml');
    expect([computeRunStatus(report, null), report.totals.tests]).toEqual(['passed', 1]);
  });

  it.each([
    [
      'failsafe-summary.xml',
      '<failsafe-summary result="255"><errors>0</errors><failures>2</failures></failsafe-summary>',
    ],
    ['failsafe-summary.xml', '<failsafe-summary timeout="true"><errors>0</errors></failsafe-summary>'],
    ['testng-results.xml', '<testng-results skipped="0" failed="1" passed="3"><suite/></testng-results>'],
  ])('XML of another kind that counts failures makes the run failed: %s', async (name, text) => {
    const report = await form([
      ['TEST-a.xml', good],
      [name, text],
    ]);
    expect(report.warnings).toMatchObject([{ code: 'file_passed_over' }]);
    expect(computeRunStatus(report, null)).toBe('failed');
  });

  it('none of which can be read are refused by name', async () => {
    await expect(
      form([
        ['reports\\b.xml', cutOff],
        ['c.xml', ''],
      ]),
    ).rejects.toThrow(/^b\.xml: .*cut off/);
  });

  it('one of which only counts failures are a failed run', async () => {
    const report = await form([
      ['a.xml', good],
      ['b.json', '{"total": 3, "failed": 1}'],
    ]);
    expect(computeRunStatus(report, null)).toBe('failed');
  });
});

describe('what curl --data-binary sends as a form is read or refused by its name', () => {
  const form = 'application/x-www-form-urlencoded';
  it.each([
    ['TAP', runner('12-tap.tap'), 'The report is TAP'],
    ['a plan', '1..0 # skip\n', 'The report is TAP'],
    [
      'TAP in a pipeline of PowerShell',
      Buffer.from('\ufeffTAP version 13\n', 'utf16le'),
      'The report is TAP',
    ],
    ["go test's output", '=== RUN   TestA\n', "The report is go test's output"],
    ["pytest's output", '===== test session starts =====\n', "The report is pytest's output"],
    ['lcov', 'TN:\nSF:a.js\n', 'The report is coverage of lcov'],
    ['broken JSON', '{"status":', 'Invalid JSON body passed.'],
    ['text', 'All good.', 'Invalid JSON body passed.'],
  ])('%s', async (_name, bytes, words) => {
    await expect(read(bytes, form)).rejects.toThrow(words);
  });

  it.each([
    ['XML', '<testsuite><testcase name="a"/></testsuite>'],
    ['XML behind a mark', '\ufeff<testsuite><testcase name="a"/></testsuite>'],
    ['JSON', ' {"tests":[{"name":"a","status":"passed"}]}'],
    ['fields', 'total=1&passed=1&commit=abc'],
    ['fields of another name first', 'tags%5Ba%5D=b+c&tags[d]=e f&total=1&passed=1'],
  ])('%s', async (_name, bytes) => {
    expect((await read(bytes, form)).totals).toMatchObject({ tests: 1, passed: 1 });
  });
});

describe('bytes that are no text are refused by their name', () => {
  const zip = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), Buffer.alloc(300, 0xff)]);
  it.each([
    ['gzip', gzipSync('<testsuite/>'), 'is a packed file (gzip, zstd, bzip2, xz), which is not read'],
    ['zstd', zstdCompressSync('<testsuite/>'), 'is a packed file (gzip, zstd, bzip2, xz), which is not read'],
    ['ZIP', zip, 'is an archive (ZIP, 7z), which is not read'],
    ['subunit', Buffer.from('b32901124001610a', 'hex'), 'is subunit, which is not read'],
    ['unknown', Buffer.from('ff00ff', 'hex'), 'Invalid JSON body passed.'],
  ])('%s', async (_name, bytes, words) => {
    for (const type of ['application/octet-stream', 'application/json', 'application/xml']) {
      await expect(read(bytes, type)).rejects.toThrow(words);
    }
  });

  it('as one of several files, too', async () => {
    const body = new FormData();
    body.append('data', new File(['<testsuite><testcase name="a"/></testsuite>'], 'a.xml'));
    body.append('data', new File([zip], 'b.zip'));
    const sent = new Response(body);
    const report = await read(
      new Uint8Array(await sent.arrayBuffer()),
      sent.headers.get('content-type') ?? '',
    );
    expect([computeRunStatus(report, null), report.warnings.map(({ message }) => message)]).toEqual([
      'error',
      [expect.stringContaining('b.zip is an archive (ZIP, 7z), which is not read')],
    ]);
  });
});

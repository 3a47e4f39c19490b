// Hostile and huge test reports against a server of its own: the answer, how far its memory grew, how long
// its loop stood still. Wanted: below 150 MB and 100 ms each (a machine shared with others shows more).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';

interface Measured {
  readonly grownBytes: number;
  readonly blockedMs: number;
}

interface Body {
  readonly text: string;
  readonly type: 'json' | 'xml';
  readonly gzip: boolean;
}

const mebibyte = 1_048_576;
const json = (text: string, gzip = false): Body => ({ text, type: 'json', gzip });
const xml = (text: string, gzip = false): Body => ({ text, type: 'xml', gzip });
const noise = (length: number): string => {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text.slice(0, length);
};
const cases = (count: number, one: (index: number) => string, between = ''): string =>
  Array.from({ length: count }, (_value, index) => one(index)).join(between);

const bodies: Readonly<Record<string, () => Body>> = {
  'one small run': () => json('{"status":"passed"}'),
  'JUnit, 10,000 cases, 48 MiB': () =>
    xml(
      `<testsuite>${cases(10_000, (i) => `<testcase name="c${i}"><failure>${'x'.repeat(4900)}</failure></testcase>`)}</testsuite>`,
      true,
    ),
  'CTRF, 10,000 cases, 48 MiB': () =>
    json(
      `{"results":{"tool":{"name":"x"},"tests":[${cases(10_000, (i) => `{"name":"c${i}","status":"failed","trace":"${'x'.repeat(4900)}"}`, ',')}]}}`,
      true,
    ),
  'CTRF, 10,000 cases, 10 MiB of noise': () =>
    json(
      `{"results":{"tool":{"name":"x"},"tests":[${cases(10_000, (i) => `{"name":"c${i}","status":"failed","trace":"${noise(980)}"}`, ',')}]}}`,
    ),
  'CTRF, 1,500 cases with 32 KiB of trace': () =>
    json(
      `{"results":{"tool":{"name":"x"},"tests":[${cases(1500, (i) => `{"name":"c${i}","status":"failed","trace":"${'z'.repeat(33_000)}"}`, ',')}]}}`,
      true,
    ),
  'wrapper, JUnit text of 40 MiB': () =>
    json(
      JSON.stringify({
        format: 'junit',
        report: `<testsuite>${cases(10_000, (i) => `<testcase name="c${i}"><failure>${'y'.repeat(4100)}</failure></testcase>`)}</testsuite>`,
      }),
      true,
    ),
  '10,001 cases': () => json(`{"tests":[${cases(10_001, () => '{"name":"a","status":"passed"}', ',')}]}`),
  'ten million empty lists': () => json(`{"x":[${'[],'.repeat(10_000_000)}[]]}`, true),
  'ten million numbers': () => json(`{"x":[${'1,'.repeat(10_000_000)}1]}`, true),
  '600,000 names': () => json(`{${cases(600_000, (i) => `"k${i}":1`, ',')}}`),
  'a million levels': () => json('{"a":'.repeat(1_000_000)),
  'JSON, one text of 49 MiB': () => json(`{"status":"passed","x":"${'x'.repeat(49 * mebibyte)}"}`, true),
  'XML, one text of 49 MiB': () =>
    xml(
      `<testsuite><testcase name="a"><failure>${'x'.repeat(49 * mebibyte)}</failure></testcase></testsuite>`,
      true,
    ),
  'XML, one attribute of 49 MiB': () =>
    xml(`<testsuite><testcase name="${'x'.repeat(49 * mebibyte)}"/></testsuite>`, true),
  'XML, one CDATA section of 49 MiB': () =>
    xml(
      `<testsuite><testcase name="a"><system-out><![CDATA[${'x'.repeat(49 * mebibyte)}]]></system-out></testcase></testsuite>`,
      true,
    ),
  'XML, three million empty suites': () =>
    xml(`<testsuites>${'<testsuite/>'.repeat(3_000_000)}</testsuites>`, true),
  'XML, two million tries of one case': () =>
    xml(`<testsuite><testcase name="a">${'<rerunFailure/>'.repeat(2_000_000)}</testcase></testsuite>`, true),
  'XML, 10,000 names of 4,900 characters': () =>
    xml(`<testsuite>${cases(10_000, (i) => `<testcase name="${i}${'é'.repeat(2400)}"/>`)}</testsuite>`, true),
  'JSON, 1,200 texts of 40 KiB': () =>
    json(`{"x":[${cases(1200, () => `"${'é'.repeat(20_000)}"`, ',')}]}`, true),
  'JSON, 10,000 cases with 5 KiB of labels': () =>
    json(
      `{"tests":[${cases(10_000, (i) => `{"name":"c${i}","status":"passed","labels":{${cases(5, (k) => `"k${k}":"${'é'.repeat(480)}"`, ',')}}}`, ',')}]}`,
      true,
    ),
  'wrapper, 90,000 documents': () => json(`{"report":[${cases(90_000, () => '"<testsuite/>"', ',')}]}`, true),
  'XML, one comment of 49 MiB': () => xml(`<testsuite><!--${'x'.repeat(49 * mebibyte)}--></testsuite>`, true),
  'XML, two million entities': () =>
    xml(`<testsuite><testcase name="${'&lt;'.repeat(2_000_000)}"/></testsuite>`),
  'XML, 500,000 levels': () => xml('<testsuite>'.repeat(500_000)),
  'XML, a million attributes': () => xml(`<testsuite ${cases(1_000_000, (i) => `a${i}=""`, ' ')}/>`, true),
  'XML, a DOCTYPE': () => xml('<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>'),
  'gzip bomb of 500 MiB': () => json(' '.repeat(500 * mebibyte), true),
};

const server = fork(join(import.meta.dirname, 'measured-app.ts'), { execArgv: ['--expose-gc'] });
const [{ api, secretKey }] = (await once(server, 'message')) as [{ api: string; secretKey: string }];
const ask = async (word: string): Promise<Measured> => {
  server.send(word);
  const [answer] = await once(server, 'message');
  return answer as Measured;
};

process.stdout.write(`${'Report'.padEnd(42)}Status     Time   Memory   Blocked\n`);
let worst: Measured = { grownBytes: 0, blockedMs: 0 };
for (const [name, make] of Object.entries(bodies)) {
  const { text, type, gzip } = make();
  const bytes = gzip ? gzipSync(text) : Buffer.from(text);
  await ask('begin');
  const startedAt = performance.now();
  const answer = await post(bytes, type, gzip);
  const took = performance.now() - startedAt;
  const measured = await ask('end');
  worst = {
    grownBytes: Math.max(worst.grownBytes, measured.grownBytes),
    blockedMs: Math.max(worst.blockedMs, measured.blockedMs),
  };
  process.stdout.write(
    `${name.padEnd(42)}${String(answer.status).padEnd(6)} ${line(took, measured)}  ${answer.code}\n`,
  );
}
process.stdout.write(`${'worst'.padEnd(49)}${line(0, worst)}   (wanted: < 150 MiB, < 100 ms)\n`);
server.disconnect();
server.kill();

function line(took: number, measured: Measured): string {
  const memory = `${Math.round(measured.grownBytes / mebibyte)} MiB`;
  return `${`${Math.round(took)} ms`.padStart(8)} ${memory.padStart(8)} ${`${Math.round(measured.blockedMs)} ms`.padStart(9)}`;
}

function post(bytes: Buffer, type: string, gzip: boolean): Promise<{ status: number; code: string }> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string | number> = {
      authorization: `Bearer ${secretKey}`,
      'content-type': `application/${type}`,
      'content-length': bytes.length,
    };
    if (gzip) headers['content-encoding'] = 'gzip';
    const sent = request(`${api}/test-runs`, { method: 'POST', headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { code?: string };
        resolve({ status: answer.statusCode ?? 0, code: body.code ?? '' });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

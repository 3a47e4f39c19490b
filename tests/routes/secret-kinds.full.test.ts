import { describe, expect, it } from '@jest/globals';
import { createCanaries, leaksOf, startWatched } from '../support/canaries.ts';
import { lookAlikes } from '../support/look-alikes.ts';
import { placedKinds, shapedKinds } from '../support/secret-kinds.ts';
import { shared } from '../support/shared.ts';
import { allOrSome, inFull } from '../support/test-level.ts';

const canaries = createCanaries();
const kinds = [...placedKinds, ...shapedKinds];
const everyKind = (): string[] => allOrSome(kinds, 8).map((kind) => kind.write(canaries.secret()));

const watched = shared(() => startWatched());

async function accepted(answer: Promise<{ status: number; text: string }>): Promise<string> {
  const { status, text } = await answer;
  expect([status < 300 ? '' : text, status < 300]).toEqual(['', true]);
  return text;
}

const numbered = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text, index) => [`note_${index}`, text]));

const xml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\u0000-\u001f]/g, (sign) => (sign === '\u001b' ? '' : `&#${sign.charCodeAt(0)};`));

function junit(texts: readonly string[]): string {
  const cases = texts.map(
    (text, index) =>
      `<testcase name="${xml(text)}" classname="c${index}" time="1"><failure message="${xml(text)}">${xml(text)}</failure><system-out>${xml(text)}</system-out><system-err>${xml(text)}</system-err></testcase>`,
  );
  return `<testsuites><testsuite name="${xml(texts[0] ?? '')}">${cases.join('')}</testsuite></testsuites>`;
}

function ctrf(texts: readonly string[], about: object): object {
  const tests = texts.map((text, index) => ({
    name: text,
    status: 'failed',
    duration: 1,
    suite: ['suite', text],
    line: index,
    message: text,
    trace: text,
    stdout: [text],
    stderr: [text],
    tags: [text.slice(0, 200)],
    steps: [{ name: text, status: 'failed' }],
    retryAttempts: [{ attempt: 1, status: 'failed', message: text, trace: text }],
    extra: { note: text },
  }));
  const summary = { tests: texts.length, passed: 0, failed: texts.length, skipped: 0, pending: 0, other: 0 };
  return { results: { tool: { name: 'probe' }, summary, tests }, ...about };
}

describe('secrets of every kind', () => {
  it('have enough samples', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(200);
    expect(new Set(kinds.map((kind) => kind.name)).size).toBe(kinds.length);
  });

  it('would be found: a value without the form of a secret is in file and answer', async () => {
    const others = createCanaries(1_000_000);
    await accepted(watched.post('/feedback', { message: `the colour ${others.secret()} is wrong` }));
    const found = await leaksOf(watched, others);
    expect(found.some((text) => text.includes('"message"'))).toBe(true);
    expect(watched.kept().flatMap((text) => others.foundIn(text))).not.toEqual([]);
    expect(watched.program.errors()).toContain('bug report stored');
  });

  it('are sent in every part of an event', async () => {
    for (const text of everyKind()) await accepted(watched.post('/store', { message: text }));
    for (let start = 0; start < kinds.length; start += 40) {
      const some = (): string[] =>
        kinds.slice(start, start + 40).map((kind) => kind.write(canaries.secret()));
      const event = {
        message: `part ${start}`,
        exception: some().map((value) => ({
          type: 'Error',
          value,
          stacktrace: { frames: [{ filename: 'a.yml', context_line: 'x', vars: { note: value } }] },
        })),
        breadcrumbs: some().map((text) => ({ message: text, data: { note: text } })),
        extra: numbered(some()),
        contexts: { app: numbered(some()) },
        request: { url: 'https://shop.example/', data: numbered(some()), headers: { 'X-Note': some()[0] } },
        user: { id: 'ann', data: numbered(some()) },
        tags: numbered(some().filter((text) => text.length <= 200 && !/[\r\n]/.test(text))),
        logentry: { message: 'said %s', params: some(), formatted: 'said' },
        unknown: numbered(some()),
      };
      await accepted(watched.post('/envelope', { events: [event] }));
    }
    expect(await leaksOf(watched, canaries)).toEqual([]);
  });

  it('are sent in bug reports, releases and deploys', async () => {
    for (const text of everyKind()) {
      await accepted(
        watched.post('/feedback', {
          message: text,
          console: [{ message: text }],
          metadata: { note: text },
        }),
      );
    }
    const commits = (): object[] => everyKind().map((text, index) => ({ id: `c${index}`, message: text }));
    await accepted(watched.post('/releases', { version: 'kinds', commits: commits() }));
    for (let start = 0; start < kinds.length; start += 50) {
      const metadata = numbered(everyKind().slice(start, start + 50));
      await accepted(watched.post('/releases', { version: `kinds-${start}`, metadata }));
    }
    for (const text of everyKind()) {
      await accepted(
        watched.post('/deploys', { version: 'kinds', environment: 'production', comment: text }),
      );
    }
    expect(await leaksOf(watched, canaries)).toEqual([]);
  });

  inFull(it)('are sent in test reports, small and large', async () => {
    const xmlType = { 'Content-Type': 'application/xml' };
    await accepted(watched.post('/test-runs?run_key=xml', junit(everyKind()), xmlType));
    await accepted(watched.post('/test-runs', ctrf(everyKind(), { run_key: 'large' })));
    await accepted(watched.post('/test-runs', ctrf(everyKind().slice(0, 20), { run_key: 'small' })));
    const text = (): string => kinds[0]?.write(canaries.secret()) ?? '';
    await accepted(
      watched.post('/test-runs', {
        tests: 1,
        passed: 1,
        suite: text(),
        branch: text(),
        tags: { note: text() },
      }),
    );
    expect(await leaksOf(watched, canaries)).toEqual([]);
  });
});

describe('look-alikes', () => {
  it('come back from an event to the byte', async () => {
    const event_id = 'd'.repeat(32);
    const event = {
      event_id,
      message: 'look-alikes',
      exception: lookAlikes.slice(0, 50).map((value) => ({ type: 'Error', value })),
      breadcrumbs: lookAlikes.slice(50, 150).map((message) => ({ message })),
      extra: numbered(lookAlikes),
      contexts: { app: numbered(lookAlikes.slice(0, 60)) },
    };
    await accepted(watched.post('/envelope', { events: [event] }));
    const { payload = {}, ...answer } = await watched.read(`/events/${event_id}`);
    const stored = { ...answer, ...payload };
    expect(stored.extra).toEqual(numbered(lookAlikes));
    expect(stored.contexts.app).toEqual(numbered(lookAlikes.slice(0, 60)));
    expect(stored.exception.values.map((one: { value: string }) => one.value)).toEqual(
      lookAlikes.slice(0, 50),
    );
    expect(stored.breadcrumbs.values.map((one: { message: string }) => one.message)).toEqual(
      lookAlikes.slice(50, 150),
    );
  });

  it('come back from releases, deploys and bug reports to the byte', async () => {
    const commits = lookAlikes.map((message, index) => ({ id: String(index), message }));
    const { release_id } = JSON.parse(
      await accepted(watched.post('/releases', { version: 'looks', commits })),
    );
    const release = await watched.read(`/releases/${release_id}`);
    expect(release.commits.map((commit: { message: string }) => commit.message)).toEqual(lookAlikes);
    for (const text of allOrSome(lookAlikes, 20)) {
      const deploy = { version: 'looks', environment: 'production', comment: text };
      const { deploy_id } = JSON.parse(await accepted(watched.post('/deploys', deploy)));
      expect((await watched.read(`/deploys/${deploy_id}`)).comment).toBe(text);
      const { feedback_id } = JSON.parse(await accepted(watched.post('/feedback', { message: text })));
      expect((await watched.read(`/feedback/${feedback_id}`)).message).toBe(text);
    }
  });

  inFull(it)('come back from test reports to the byte, each case the one it was', async () => {
    const { test_run_id } = JSON.parse(
      await accepted(watched.post('/test-runs', ctrf(lookAlikes, { run_key: 'looks' }))),
    );
    const cases: Array<Record<string, unknown>> = [];
    for (let page = 1; page <= 3; page += 1) {
      cases.push(...(await watched.read(`/test-runs/${test_run_id}?per_page=100&page=${page}`)).cases);
    }
    const texts = (name: string): unknown[] => cases.map((one) => one[name]);
    for (const name of ['name', 'message', 'trace', 'stdout']) expect(texts(name)).toEqual([...lookAlikes]);
    expect(new Set(texts('case_id')).size).toBe(lookAlikes.length);
  });
});

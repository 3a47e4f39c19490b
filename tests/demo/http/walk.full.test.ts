// The walk of docs/demo-walk.md, link after link by their words: at the time of its pictures, as soon as the
// trouble has begun, just before the next, and at times of any year.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readWalk, walkBegin } from '../../../scripts/walk.ts';
import { troubleAt } from '../../../src/demo/world/story.ts';
import { openTestApp, startOfTests, type TestApp } from '../../support/app.ts';
import fc from '../../support/fast-check.ts';
import { nightlyOrFull } from '../../support/test-level.ts';

const walk = readWalk();
const picturesMs = Date.UTC(2026, 10, 21, 13);
const versionThen = '2.31.0';
const testName = 'capture is tried again once after a time-out';

let app: TestApp;
let nowMs = startOfTests;
beforeAll(async () => {
  app = await openTestApp({ nowMs });
});
afterAll(() => app.close());

/** Markup as a reader has it. */
function wordsOf(markup: string): string {
  const text = markup.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/<[^>]+>/g, ' ');
  return text.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();
}

async function pageAt(path: string): Promise<{ main: string; heading: string }> {
  const { status, text } = await app.agent.get(path);
  expect([path, status]).toEqual([path, 200]);
  const main = /<main.*<\/main>/s.exec(text)?.[0] ?? '';
  return { main, heading: wordsOf(/<h1.*?<\/h1>/s.exec(main)?.[0] ?? '') };
}

/** Where the first link with these words leads. */
function addressBehind(main: string, words: string): string {
  const links = [...main.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
  const found = links.find(([, , content = '']) => wordsOf(content) === words);
  if (found === undefined) throw new Error(`No link says ${words}: ${links.map(([, to]) => to).join(' ')}`);
  return (found[1] ?? '').replaceAll('&amp;', '&');
}

/** The headings of the walk at a time, and the last page's words. */
async function walkAt(atMs: number): Promise<{ headings: string[]; addresses: string[]; last: string }> {
  app.advance(atMs - nowMs);
  nowMs = atMs;
  const { version } = troubleAt('demo-1', Math.floor(atMs / 300_000) * 300_000);
  let path = walkBegin;
  const headings: string[] = [];
  const addresses: string[] = [];
  for (const { click } of walk) {
    const { main, heading } = await pageAt(path);
    headings.push(heading);
    addresses.push(path);
    if (click === null) return { headings, addresses, last: wordsOf(main) };
    path = addressBehind(main, click.replace(versionThen, version));
  }
  throw new Error('The walk has no end.');
}

async function expectWalkAt(atMs: number): Promise<void> {
  const trouble = troubleAt('demo-1', Math.floor(atMs / 300_000) * 300_000);
  const { headings, addresses, last } = await walkAt(atMs);
  expect(headings).toEqual([
    'Monitors',
    'Payments gateway',
    'Card payments are failing',
    expect.stringContaining(trouble.version),
    expect.stringContaining('PaymentCaptureError'),
    expect.stringContaining('PaymentCaptureError'),
    expect.stringContaining(testName),
  ]);
  expect(addresses.slice(1, 6)).toEqual([
    `/demo/monitors/${trouble.monitorSlug}`,
    `/demo/incidents/${trouble.incidentId}`,
    `/demo/releases/${trouble.releaseId}`,
    `/demo/issues/${trouble.issueId}`,
    expect.stringMatching(new RegExp(`^/demo/issues/${trouble.issueId}/events/[0-9a-f]{32}$`)),
  ]);
  expect(last).toContain('Failed');
  expect(last).toContain(trouble.version);
}

describe('K: the walk of a stranger', () => {
  it('has seven pages, and a click on each but the last', () => {
    expect(walk.map(({ click }) => click !== null)).toEqual([true, true, true, true, true, true, false]);
  });

  it('leads from the failing check to the test that had failed', async () => {
    await expectWalkAt(picturesMs);
  });

  it.each([
    ['as soon as it has begun', Date.UTC(2026, 10, 21, 12, 25)],
    ['just before the next', Date.UTC(2026, 10, 21, 18, 22, 59)],
    ['in the first minutes of a year', Date.UTC(2027, 0, 1, 0, 4)],
    ['in a week without a planned release', Date.UTC(2026, 10, 24, 9)],
    ['on a leap day', Date.UTC(2028, 1, 29, 6, 23)],
  ])('leads there %s', async (_when, atMs) => {
    await expectWalkAt(atMs);
  });

  it('leads there at any time', async () => {
    const times = fc.integer({ min: Date.UTC(2026, 10, 21), max: Date.UTC(2031, 0, 1) });
    await fc.assert(fc.asyncProperty(times, expectWalkAt), {
      numRuns: nightlyOrFull(10, 1),
      endOnFailure: true,
    });
  });
});

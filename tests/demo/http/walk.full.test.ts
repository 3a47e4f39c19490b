// The walk of docs/workspace.md, link after link by their words.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoTourStart, readDemoTour } from '../../../scripts/demo-tour.ts';
import { placesOfTrouble } from '../look.ts';
import { type DemoApp, openDemoApp } from './demo-app.ts';

const walk = readDemoTour();
const version = '2.31.0';
const testName = 'capture is tried again once after a time-out';

let app: DemoApp;
beforeAll(async () => {
  app = await openDemoApp();
});
afterAll(() => app.close());

function wordsOf(markup: string): string {
  const text = markup.replaceAll(/<svg.*?<\/svg>/gs, '').replaceAll(/<[^>]+>/g, ' ');
  return text.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ').trim();
}

async function pageAt(path: string): Promise<{ main: string; heading: string }> {
  const { status, text } = await app.ask(path);
  expect([path, status]).toEqual([path, 200]);
  const main = /<main.*<\/main>/s.exec(text)?.[0] ?? '';
  return { main, heading: wordsOf(/<h1.*?<\/h1>/s.exec(main)?.[0] ?? '') };
}

function addressBehind(main: string, words: string): string {
  const links = [...main.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
  const found = links.find(([, , content = '']) => wordsOf(content) === words);
  if (found === undefined) throw new Error(`No link says ${words}: ${links.map(([, to]) => to).join(' ')}`);
  return (found[1] ?? '').replaceAll('&amp;', '&');
}

async function walked(): Promise<{ headings: string[]; addresses: string[]; last: string }> {
  let path = demoTourStart;
  const headings: string[] = [];
  const addresses: string[] = [];
  for (const { click } of walk) {
    const { main, heading } = await pageAt(path);
    headings.push(heading);
    addresses.push(path);
    if (click === null) return { headings, addresses, last: wordsOf(main) };
    path = addressBehind(main, click);
  }
  throw new Error('The walk has no end.');
}

describe('the tour of the demo', () => {
  it('has seven pages, and one click from each to the next', () => {
    expect(walk.map(({ click }) => click !== null)).toEqual([true, true, true, true, true, true, false]);
  });

  it('leads from the failing monitor to the failed test', async () => {
    const { headings, addresses, last } = await walked();
    expect(headings).toEqual([
      'Monitors',
      'Payments gateway',
      'Card payments are failing',
      expect.stringContaining(version),
      expect.stringContaining('PaymentCaptureError'),
      expect.stringContaining('PaymentCaptureError'),
      expect.stringContaining(testName),
    ]);
    const { monitor, incident, release, issue } = await placesOfTrouble();
    const places = [monitor, incident, release, issue].map((each) => `/demo${each}`);
    expect(addresses.slice(1, 5)).toEqual(places);
    expect(addresses[5]).toMatch(new RegExp(`^/demo${issue}/events/[0-9a-f]{32}$`));
    expect(last).toContain('Failed');
    expect(last).toContain(version);
  });
});

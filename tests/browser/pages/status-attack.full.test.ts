import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { replaceInvisible } from '../../../src/web/formatters.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { describeWithPrograms } from '../../support/needs.ts';
import { inFull } from '../../support/test-level.ts';
import { attacks } from './attacks.ts';
import { type Harness, openHarness, watch } from './harness.ts';
import { shownText, strangersOnPage } from './shown.ts';

/** A browser takes seconds: that names are text is held without one in tests/http/pages. */
const long = inFull(it);
const ofAPage = 40;
const nameMax = 100;
const readMax = 60;

const read = (text: string): string =>
  replaceInvisible(text.replaceAll('\0', ' ')).replaceAll(/\s+/g, ' ').trim();
const inLine = (text: string): string => read(text.replaceAll(/[\p{C}\s]+/gu, ' '));

interface Sent {
  readonly names: string[];
  readonly titles: string[];
  readonly words: string[];
}

describeWithPrograms('status pages full of injection attempts', ['chromium'], (programs) => {
  let app: TestApp;
  let harness: Harness;
  const sent: Sent = { names: [], titles: [], words: [] };
  const slugs: string[] = [];
  const faults: string[] = [];
  const pages: string[] = [];

  beforeAll(async () => {
    app = await openTestApp();
    for (let from = 0; from < attacks.length; from += ofAPage) {
      slugs.push(await makePage(app, attacks.slice(from, from + ofAPage), sent));
    }
    // What is there is looked for again after a second.
    app.advance(1_000);
    harness = await openHarness(programs['chromium'] ?? '', app.origin);
    watch(harness, faults);
    for (const slug of slugs) {
      const path = `/status/${slug}`;
      const { page } = harness;
      const answered = await page.goto(`${harness.origin}${path}`);
      if (answered?.status() !== 200) faults.push(`${path} was answered ${answered?.status()}`);
      await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
      const told = [...(await page.evaluate<string[]>(strangersOnPage)), ...harness.violations()];
      if (page.url() !== `${harness.origin}${path}`) told.push(`leads to ${page.url()}`);
      faults.push(...told.map((what) => `${path}: ${what}`));
      pages.push(read(await page.evaluate<string>(shownText)));
    }
  });
  afterAll(async () => {
    await harness?.close();
    await app?.close();
  });

  long('run nothing, ask for nothing elsewhere, go nowhere and break no policy', () => {
    expect(faults).toEqual([]);
    for (const [texts, share] of [
      [sent.names, 0.8],
      [sent.titles, 0.8],
      [sent.words, 0.6],
    ] as const) {
      expect(texts.length).toBeGreaterThan(attacks.length * share);
    }
  });

  long('show names, titles and what was said as they were written', () => {
    const isUnseen = (text: string): boolean => !pages.some((page) => page.includes(text.slice(0, readMax)));
    expect([...sent.names, ...sent.titles].map(inLine).filter(isUnseen)).toEqual([]);
    expect(sent.words.map(read).filter(isUnseen)).toEqual([]);
  });

  long('are feeds too, which hold nothing but what a feed is made of', async () => {
    const elements = new Set<string>();
    for (const slug of slugs) {
      const { text } = await app.agent.get(`/status/${slug}.rss`).buffer(true);
      const parser = new SaxesParser({ xmlns: true });
      parser.on('opentag', ({ name }) => elements.add(name));
      parser.on('error', (error) => {
        throw error;
      });
      parser.write(text).close();
    }
    const ours = 'rss channel title link atom:link description language lastBuildDate item guid pubDate';
    expect([...elements].toSorted()).toEqual(ours.split(' ').toSorted());
  });
});

async function makePage(app: TestApp, texts: readonly string[], sent: Sent): Promise<string> {
  const isName = (text: string): boolean => inLine(text) !== '' && text.length <= nameMax;
  const names = texts.filter(isName);
  const [first = 'Shop'] = names;
  const components = names.map((name, at) => ({ name, group: names[at - (at % 4)] ?? '' }));
  const asked = { name: first, description: first, published: true, components };
  const made = await app.postSecret('/status-pages', asked);
  if (made.status !== 201) throw new Error(`A page was answered ${made.status}`);
  sent.names.push(...names);
  const parts: readonly number[] = made.body.components.map(
    (each: { component_id: number }) => each.component_id,
  );
  for (const [at, text] of texts.entries()) {
    const title = isName(text) ? text : first;
    const hit = { components: [parts[at % parts.length]], severity: at % 2 === 0 ? 'critical' : 'minor' };
    const opened = await app.postSecret('/incidents', { title, message: text, public: true, ...hit });
    if (opened.status !== 201) throw new Error(`An incident was answered ${opened.status}`);
    sent.titles.push(title);
    const next = texts[(at + 1) % texts.length] ?? text;
    const learnt = {
      post_mortem: `# ${text}\n\n${next}\n\n- ${text}\n\n> ${next}`,
      post_mortem_public: true,
    };
    const isOver = at % 3 === 0;
    const more = isOver ? { state: 'resolved', ...learnt } : learnt;
    await app.postSecret(`/incidents/${opened.body.incident_id}`, more);
    // What is said stands whole while it goes on; kept is what is not blank.
    if (!isOver && text.trim() !== '') sent.words.push(text.trim());
  }
  return made.body.slug;
}

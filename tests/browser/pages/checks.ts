// What holds for every page of the workspace, each as a function that says what is wrong: nothing, if all is
// well. A new page joins them by its address in looked-at.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type ConfigData, HtmlValidate } from 'html-validate';
import type { Page, Request } from 'playwright-core';
import { isNightly } from '../../support/test-level.ts';
import type { Harness } from './harness.ts';
import { contents, focused, indistinct, stickingOut, widerText, withoutRules, withRules } from './in-page.ts';
import type { LookedAt } from './looked-at.ts';

/** What is opened: at its address, answered so, and with the button pressed that opens a dialog. */
export interface Place extends Pick<LookedAt, 'status' | 'opens'> {
  readonly path: string;
}

export type Check = (harness: Harness, place: Place) => Promise<string[]>;

const rulesPath = join(import.meta.dirname, '..', '..', '..', '.htmlvalidate.json');
const validator = new HtmlValidate(JSON.parse(readFileSync(rulesPath, 'utf8')) as ConfigData);

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All six nightly; what differs between them is in style sheets that all pages share. */
const looks = (isNightly ? [360, 768, 1280] : [360, 1280]).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
const height = 800;
/** With everything that a page loads, headers included. */
const transferBytesMax = 60_000;
const requestsMax = 4;
const stopsMax = 600;

/** The checks by what they hold, in the order they are worth reading. */
export const checks: ReadonlyArray<readonly [holds: string, check: Check]> = [
  ['is valid HTML', isValid],
  ['keeps its policy', keepsPolicy],
  ['is accessible, light and dark, narrow and wide', isAccessible],
  ['is walked by keyboard, in the order it is read', isWalked],
  ['never scrolls sideways: at 320 px, with large text, with wide text', fits],
  ['tells states apart without colours', showsWithoutColour],
  ['prints what is read and not what is pressed', prints],
  ['says the same without a script', isWholeWithoutScript],
  ['is light: at most 60 KB in 4 requests', isLight],
];

/** What can be looked at while a dialog lies over the page. */
export const checksOfDialogs: typeof checks = [
  ['is accessible, light and dark, narrow and wide', isAccessible],
  ['never scrolls sideways: at 320 px, with large text, with wide text', fits],
];

async function isValid({ page, origin }: Harness, { path }: Place): Promise<string[]> {
  const answer = await page.request.get(origin + path, { headers: { accept: 'text/html' } });
  const report = await validator.validateString(await answer.text());
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`),
  );
}

async function keepsPolicy(harness: Harness, place: Place): Promise<string[]> {
  harness.violations();
  await open(harness, place, 1280, 'anew');
  const runsMarkup = await harness.page.evaluate<boolean>(`(() => {
    try { document.createElement('p').innerHTML = '<b>x</b>'; return true } catch { return false }
  })()`);
  // The one that was just made on purpose is no fault of the page.
  const found = harness.violations().filter((text) => !text.includes('TrustedHTML'));
  // Chromium has a line for an answer that is not 200; another such line is of what the page asks for.
  const said = `Failed to load resource: the server responded with a status of ${place.status} `;
  const at = found.findIndex((text) => text.startsWith(said));
  if (at >= 0) found.splice(at, 1);
  return [...found, ...(runsMarkup ? ['markup may be set by a script: Trusted Types are off'] : [])];
}

async function isAccessible(harness: Harness, place: Place): Promise<string[]> {
  const found: string[] = [];
  for (const { width, colorScheme } of looksAt(place)) {
    await harness.page.emulateMedia({ colorScheme });
    await open(harness, place, width);
    // Of what is well only that it is: naming each place of it takes most of the time. And no page has a
    // frame within, for which a second one would be opened.
    const options = {
      runOnly: { type: 'tag' as const, values: axeTags },
      resultTypes: ['violations' as const],
    };
    const { violations } = await new AxeBuilder({ page: harness.page })
      .options(options)
      .setLegacyMode()
      .analyze();
    found.push(
      ...violations.map(({ id, nodes }) => {
        const where = nodes.slice(0, 3).map(({ target }) => target.join(' '));
        return `${id} at ${width} px, ${colorScheme}: ${where.join('; ')}`;
      }),
    );
  }
  await harness.page.emulateMedia({ colorScheme: null });
  return found;
}

/** All nightly; else one for each page, by its address, so that any hundred pages are looked at in all. */
function looksAt({ path }: Place): typeof looks {
  if (isNightly || path === '/parts') return looks;
  const sum = [...path].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return looks.filter((_, at) => at === sum % looks.length);
}

async function fits(harness: Harness, place: Place): Promise<string[]> {
  const { page } = harness;
  const found: string[] = [];
  const look = async (width: number, css: string, how: string): Promise<void> => {
    await open(harness, place, width);
    if (css !== '') await page.evaluate(withRules(css));
    const wide = await page.evaluate<string[]>(stickingOut);
    found.push(...wide.map((what) => `${how}: ${what}`));
    if (css !== '') await page.evaluate(withoutRules);
  };
  await look(320, '', 'at 320 px');
  await look(320, widerText, 'at 320 px with wide text');
  for (const width of [1280, 640]) {
    await look(width, 'html { font-size: 200% }', `with text twice as large at ${width} px`);
  }
  return found;
}

async function showsWithoutColour(harness: Harness, place: Place): Promise<string[]> {
  await harness.page.emulateMedia({ forcedColors: 'active' });
  await open(harness, place);
  const found = await harness.page.evaluate<string[]>(indistinct);
  await harness.page.emulateMedia({ forcedColors: null });
  return found;
}

async function prints(harness: Harness, place: Place): Promise<string[]> {
  const { page } = harness;
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  // A4 without its margins.
  await open(harness, place, 703);
  const wide = await page.evaluate<string[]>(stickingOut);
  const found = await page.evaluate<string[]>(`(() => {
    const seen = [...document.querySelectorAll('.side, .tabs, .filters, .pager, main .btn')]
      .filter((each) => each.checkVisibility() && each.closest('form.stack, dialog') === null);
    const paper = getComputedStyle(document.body).backgroundColor;
    return [
      ...seen.map((each) => 'is printed: ' + each.className),
      ...(paper === 'rgb(255, 255, 255)' ? [] : ['the paper is ' + paper]),
      ...(document.querySelector('h1')?.checkVisibility() ? [] : ['the title is not printed']),
    ];
  })()`);
  await page.emulateMedia({ media: null, colorScheme: null });
  return [...wide, ...found];
}

interface Stop {
  readonly place: number;
  readonly shows: boolean;
  readonly is: string;
  /** How many stops there may be within: a date has its day, month, year and calendar. */
  readonly parts: number;
}

async function isWalked(harness: Harness, place: Place): Promise<string[]> {
  const { page } = harness;
  // From its beginning, wherever somebody left the focus.
  await open(harness, place, 1280, 'anew');
  const found: string[] = [];
  let before = -1;
  let within = 0;
  for (let stops = 0; stops < stopsMax; stops += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | null>(focused);
    // Past its last stop a page gives the focus back, or begins anew.
    if (stop === null || (stop.place <= before && stops > 0 && stop.is.includes('Skip to content'))) {
      await page.evaluate('document.activeElement?.blur()');
      return stops === 0 ? ['nothing can be reached'] : found;
    }
    within = stop.place === before ? within + 1 : 1;
    if (stop.place < before || within > stop.parts) {
      return [...found, `${stop.is} comes too late, or holds the focus`];
    }
    if (!stop.shows) found.push(`${stop.is} has the focus and does not show it`);
    before = stop.place;
  }
  return [...found, 'there is no end to it'];
}

async function isWholeWithoutScript(harness: Harness, place: Place): Promise<string[]> {
  await open(harness, place);
  const withScript = await harness.page.evaluate<string[]>(contents);
  const plain = await harness.plain();
  await plain.goto(harness.origin + place.path);
  const without = await plain.evaluate<string[]>(contents);
  const missing = withScript.filter((text, index) => without[index] !== text);
  const offered = await plain.locator('.js:visible, .theme:visible').count();
  return [
    ...(missing.length === 0 && without.length === withScript.length
      ? []
      : [`differs: ${missing.slice(0, 3)}`]),
    ...(offered === 0 ? [] : [`${offered} things are offered that need a script`]),
  ];
}

async function isLight(harness: Harness, place: Place): Promise<string[]> {
  const { page, origin } = harness;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
  const sizes: Array<Promise<number>> = [];
  const strangers: string[] = [];
  let asked = 0;
  // What its script asks for once a page is there is how it stays up to date.
  let isThere = false;
  const later = new Set<Request>();
  const onLoad = (): void => {
    isThere = true;
  };
  const onRequest = (request: Request): void => {
    if (isThere && ['fetch', 'xhr', 'eventsource'].includes(request.resourceType())) later.add(request);
  };
  const onFinished = (request: Request): void => {
    if (!request.url().startsWith(origin)) strangers.push(`asks ${request.url()}`);
    if (later.has(request)) return;
    // Who is signed in is led on from where one signs in: that is none of the page's own requests.
    if (request.redirectedTo() !== null) return;
    // A picture that a visitor sent is what the page is about, as its text is; its bytes count.
    if (!request.url().includes('/screenshots/')) asked += 1;
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize)
        // What ends after the load, as the page is closed.
        .catch(() => 0),
    );
  };
  page.once('load', onLoad).on('request', onRequest).on('requestfinished', onFinished);
  try {
    await open(harness, place, 1280, 'anew');
    const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
    return [
      ...strangers,
      ...(bytes > 0 && bytes <= transferBytesMax ? [] : [`takes ${bytes} bytes`]),
      ...(asked > 0 && asked <= requestsMax ? [] : [`asks ${asked} times`]),
    ];
  } finally {
    page.off('load', onLoad).off('request', onRequest).off('requestfinished', onFinished);
  }
}

/** What each page shows at the moment, and was opened for. */
const shown = new WeakMap<Page, Place>();

/** Opens a place; one that is open already is given the width, in the nightly form it is opened anew. */
async function open(
  { page, origin }: Harness,
  place: Place,
  width = 1280,
  how: 'anew' | 'as it is' = isNightly ? 'anew' : 'as it is',
): Promise<void> {
  const { path, status = 200, opens } = place;
  await page.setViewportSize({ width, height });
  const last = shown.get(page);
  const isOpen = last?.path === path && last.opens === opens && page.url() === origin + path;
  if (how === 'as it is' && isOpen) return;
  shown.set(page, place);
  const answer = await page.goto(origin + path, { waitUntil: 'load' });
  if (answer?.status() !== status) throw new Error(`${path} was answered ${answer?.status()}`);
  if (opens !== undefined) await openDialog(page, opens);
}

async function openDialog(page: Page, opens: string): Promise<void> {
  if (opens.length === 1) {
    await page.keyboard.press(opens);
    return page.getByRole('dialog').waitFor();
  }
  const button = page.getByRole('button', { name: opens, exact: true });
  // What stands in a menu is reached through it.
  if (!(await button.isVisible())) {
    const menu = page.locator('main [popover]', { has: page.locator('button', { hasText: opens }) });
    await page.locator(`[popovertarget="${await menu.getAttribute('id')}"]`).click();
  }
  await button.click();
  await page.getByRole('dialog').waitFor();
}

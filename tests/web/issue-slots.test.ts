import { describe, expect, it } from '@jest/globals';
import type { IssueEventsModel } from '../../src/core/page-models/issue/tabs.ts';
import { dayMs, minuteMs, slotEventCountMax } from '../../src/core/parsing/durations.ts';
import { issueEventsPage } from '../../src/web/issue/tabs.ts';
import { renderDocument } from '../../src/web/layout/document.ts';
import type { PageContext } from '../../src/web/page-context.ts';
import { frameOf, modelOf } from '../support/event-page.ts';
import { normalized } from '../support/events.ts';

const slotMs = 5 * minuteMs;

function pageWith(events: readonly number[], frame: PageContext = frameOf('span=day')): string {
  const endMs = frame.nowMs - (frame.nowMs % slotMs) + slotMs;
  const slots = events.map((count, at) => ({
    at: new Date(endMs - (events.length - at) * slotMs).toISOString(),
    events: count,
  }));
  return eventsPageWith(frame, { slots });
}

function eventsPageWith(frame: PageContext, more: Partial<IssueEventsModel>): string {
  const list = { tab: 'events', q: '', mistakes: [], matching: null, events: [], newer: null, older: null };
  const model = { ...modelOf(normalized({})), ...list };
  return renderDocument(issueEventsPage({ ...model, ...more }, frame), frame);
}

const wholeDay = (...last: number[]): number[] => [
  ...new Array<number>(dayMs / slotMs - last.length).fill(0),
  ...last,
];
const findingIn = (html: string): string | undefined =>
  /<figcaption><span>(.*?)<\/span>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '');
const links = (html: string, around: string): string[] => {
  const [nav = ''] = new RegExp(`<nav class="${around}".*?</nav>`).exec(html) ?? [];
  return [...nav.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));
};

describe('the last day of an issue', () => {
  it('is shown as a sum, a chart and a table with a row for each five minutes', () => {
    const html = pageWith(wholeDay(7, 0, 1_200));
    expect(findingIn(html)).toBe('1,207 events in 24 h');
    expect(html).toMatch(/aria-label="1,207 events in 24 h, per 5 min; most, 1,200, on [^"]* incomplete\."/);
    // Without gaps where it is narrow, or bars of a pixel would be gone.
    expect(html).toContain('<svg class="plot hist fine"');
    const [table = ''] = /<details class="data">.*?<\/details>/.exec(html) ?? [];
    expect(table).toContain('Per 5 min, UTC. Show as a table');
    expect(table.match(/<tr>/g)).toHaveLength(1 + 288);
  });

  it('is cut, with a note, if there are too many events to count', () => {
    expect(findingIn(pageWith([slotEventCountMax, 300]))).toBe(
      '500,300 events in 10 min; a whole day has too many to be counted',
    );
    expect(findingIn(pageWith([slotEventCountMax + 1]))).toBe(
      '500,001 events or more in 5 min; a whole day has too many to be counted',
    );
  });

  it('is one of two ranges to choose from, and keeps the other parameters', () => {
    const frame = frameOf('span=day&stack=raw&notice=x');
    const html = pageWith(wholeDay(1), frame);
    expect(links(html, 'joined')).toContain('/issues/1?span=day&stack=raw');
    expect(links(html, 'joined')).toContain('/issues/1?stack=raw');
    expect(html).toMatch(/<a [^>]*aria-current="page"[^>]*>24 h<\/a>/);
    const month = eventsPageWith(frameOf(), {});
    expect(month).toMatch(/<a [^>]*aria-current="page"[^>]*>30 d<\/a>/);
    expect(findingIn(month)).toBe('1 event in 30 days');
    expect(month).toContain('<svg class="plot hist"');
    expect(links(month, 'joined')).toEqual(expect.arrayContaining(['/issues/1?span=day', '/issues/1']));
  });

  it('stays selected on other tabs', () => {
    const tabs = ['', '/events', '/users', '/tags', '/activity', '/similar'].map((tab) => `/issues/1${tab}`);
    expect(links(pageWith(wholeDay(1)), 'tabs')).toEqual(tabs.map((tab) => `${tab}?span=day`));
    const month = eventsPageWith(frameOf(), {});
    expect(links(month, 'tabs')).toEqual(tabs);
  });
});

import { beforeAll, expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { LinkedIncidentView } from '../../src/core/page-models/linked-incidents.ts';
import { fullOrSome, rows } from '../support/test-level.ts';
import { lookAtDemo, placesOfTrouble } from './look.ts';

const pages = demoPages();
let place: Awaited<ReturnType<typeof placesOfTrouble>>;
beforeAll(async () => {
  place = await placesOfTrouble();
});

it.each(
  rows(() =>
    fullOrSome(
      [
        ['monitor', 'incident'],
        ['incident', 'monitor'],
        ['incident', 'release'],
        ['incident', 'issue'],
        ['incident', 'testRun'],
        ['release', 'incident'],
        ['release', 'issue'],
        ['release', 'testRun'],
        ['issue', 'incident'],
        ['issue', 'release'],
        ['issue', 'testRun'],
        ['event', 'incident'],
        ['event', 'testRun'],
        ['testRun', 'incident'],
        ['testRun', 'issue'],
        ['testRun', 'release'],
      ] as const,
      4,
    ),
  ),
)('from the %s to the %s', async (from, to) => {
  const { html } = await lookAtDemo(pages, place[from]);
  expect(html).toMatch(new RegExp(`href="/demo${place[to]}["?]`));
});

it('leads from the issue to its events', async () => {
  const { html } = await lookAtDemo(pages, place.issue);
  expect(html).toContain(`href="/demo${place.issue}/events`);
  expect(html).toContain(place.eventId);
});

it('has the same on the page and in its JSON, with who linked it', async () => {
  const { model, text } = await lookAtDemo(pages, place.issue);
  const [own] = (model as { incidents: readonly LinkedIncidentView[] }).incidents;
  expect(own).toMatchObject({ resolved_at: null, linked_by: 'Mara Feld' });
  expect(own?.beside.map(({ kind }) => kind)).toEqual(['release', 'test_run']);
  expect(text).toContain('Investigating Card payments are failing');
  expect(text).toContain('Linked by Mara Feld');
  const release = await lookAtDemo(pages, place.release);
  expect(release.text).toContain('Linked by Mara Feld');
});

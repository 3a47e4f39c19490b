// The trouble of the demo can be walked: each of its pages leads to the next by one link, and back.
import { expect, it } from '@jest/globals';
import { demoPages } from '../../routes/pages/demo.ts';
import type { IncidentOfView } from '../../src/core/workspace/incidents-of.ts';
import { troubleAt } from '../../src/demo/world/story.ts';
import { goldenMs, lookAtDemo } from './look.ts';

const pages = demoPages();
const trouble = troubleAt('demo-1', goldenMs);
const place = {
  monitor: `/monitors/${trouble.monitorSlug}`,
  incident: `/incidents/${trouble.incidentId}`,
  release: `/releases/${trouble.releaseId}`,
  issue: `/issues/${trouble.issueId}`,
  event: `/issues/${trouble.issueId}/events/${trouble.eventId}`,
  testRun: `/test-runs/${trouble.testRunId}`,
};

it.each([
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
] as const)('from the %s to the %s', async (from, to) => {
  const { html } = await lookAtDemo(pages, place[from]);
  expect(html).toMatch(new RegExp(`href="/demo${place[to]}["?]`));
});

it('leads from the issue to its events', async () => {
  const { html } = await lookAtDemo(pages, place.issue);
  expect(html).toContain(`href="/demo${place.issue}/events`);
  expect(html).toContain(trouble.eventId);
});

it('says on the page what its twin says, who linked it, and what is only proposed', async () => {
  const { model, text } = await lookAtDemo(pages, place.issue);
  const [own] = (model as { incidents: readonly IncidentOfView[] }).incidents;
  expect(own).toMatchObject({ incident_id: trouble.incidentId, resolved_at: null, linked_by: 'Mara Feld' });
  expect(own?.beside.map(({ kind }) => kind)).toEqual(['release', 'test_run']);
  expect(text).toContain('Investigating Card payments are failing');
  expect(text).toContain('Linked by Mara Feld');
  const release = await lookAtDemo(pages, place.release);
  expect(release.text).toContain('Proposed as a cause');
});

it('where nothing is watched says nothing of it', async () => {
  for (const address of [place.issue, place.release, place.testRun]) {
    const { model, text } = await lookAtDemo(pages, address, { watched: false });
    expect(model).not.toHaveProperty('incidents');
    expect(text).not.toContain('Card payments are failing');
  }
});

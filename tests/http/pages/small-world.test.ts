// The small world that tests of pages begin with (tests/support/workspace.ts): everything is there, and
// everybody comes in.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await openWorkspace();
});
afterAll(() => workspace.close());

describe('the small world', () => {
  it('has what its numbers name, each by its own address', async () => {
    const { app, world } = workspace;
    const paths = [
      ...Object.values(world.issueIds).map((id) => `/issues/${id}`),
      ...world.eventIds.map((id) => `/events/${id}`),
      ...Object.values(world.releaseIds).map((id) => `/releases/${id}`),
      `/deploys/${world.deployId}`,
      `/test-runs/${world.testRunId}`,
      ...world.artifactIds.map((id) => `/artifacts/${id}`),
      ...Object.values(world.feedbackIds).map((id) => `/feedback/${id}`),
    ];
    for (const path of paths) expect([path, (await app.get(path)).status]).toEqual([path, 200]);
    expect((await app.get(`/issues/${world.issueIds.basket}`)).body).toMatchObject({
      events: 3,
      users: 2,
    });
    expect(await app.get(`/issues/${world.otherIssueId}`)).toHaveStatus(404);
  });

  it('lets each role in and nobody else', async () => {
    for (const guest of [workspace.viewer, workspace.member, workspace.admin]) {
      expect(await guest.get('/')).toHaveStatus(200);
      expect(await guest.json('/')).toEqual(expect.any(Object));
    }
    workspace.viewer.browser.cookie = null;
    expect(await workspace.viewer.get('/')).toHaveStatus(303);
  });

  it('holds a form that lacks the token, and lets the same with it pass', async () => {
    const path = '/members';
    const form = { name: 'Somebody', role: 'viewer' };
    expect(await workspace.admin.browser.post(path, form)).toHaveStatus(403);
    expect(await workspace.admin.post(path, form)).toHaveStatus(200);
    expect(await workspace.member.post(path, form)).toHaveStatus(403);
  });
});

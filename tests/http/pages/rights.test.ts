import { expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { permissions } from '../../../src/core/members/permissions.ts';

const acts: ReadonlyArray<readonly [path: RegExp, right: keyof typeof permissions]> = [
  [/^\/members\/(sessions|passkeys|accounts|tokens)(\/|$)/, 'self'],
  [/^\/members(\/|$)/, 'members'],
  [/^\/(users|feedback)\/.*\/(email|erase|contact)$/, 'personalData'],
  [/^\/issues\/views(\/|$)|^\/settings$/, 'self'],
  [/^\/(issues|feedback)\/.*\bdelete$/, 'deletion'],
  [/^\/issues(\/|$)/, 'issues'],
  [/^\/issue-links\//, 'issues'],
  [/^\/feedback(\/|$)/, 'feedback'],
  [/^\/monitors\/.*\/delete$/, 'deletion'],
  [/^\/monitors(\/|$)/, 'monitors'],
  [/^\/incidents\/.*\/delete$/, 'deletion'],
  [/^\/incidents(\/|$)/, 'incidents'],
  [/^\/reports\/schedules(\/|$)/, 'channels'],
  [/^\/reports\/.*\/delete$/, 'deletion'],
  [/^\/test-runs\/cases\//, 'tests'],
  [/^\/reports(\/|$)/, 'reports'],
  [/^\/status-pages\/.*\/state$/, 'states'],
  [/^\/status-pages(\/|$)/, 'statusPages'],
  [/^\/alert-channels\/.*\/(unsubscribe|browsers)(\/|$)/, 'self'],
  [/^\/alert-channels(\/|$)/, 'channels'],
  [/^\/(projects|keys|domains|domain-verifications)(\/|$)/, 'projects'],
];
const asked: Readonly<Record<string, keyof typeof permissions>> = {
  '/artifacts/{artifact_id}/download': 'files',
  '/audit.csv': 'export',
  '/users/{user_hash}/export': 'personalData',
  '/users/{user_hash}/email': 'personalData',
  '/users/{user_hash}/erase': 'personalData',
  '/members/invite': 'members',
  '/members/teams/new': 'members',
  '/issues/{id}/merge': 'issues',
  '/issue-links/{token}': 'issues',
  '/issues/{id}/ignore': 'issues',
  '/issues/{id}/links': 'issues',
  '/issues/{id}/delete': 'deletion',

  '/projects/new': 'projects',
  '/projects/{project_id}/change': 'projects',
  '/projects/{project_id}/keys/new': 'projects',
  '/projects/{project_id}/keys/{key_id}': 'projects',
  '/domains/new': 'projects',
  '/monitors/new': 'monitors',
  '/monitors/new/{type}': 'monitors',
  '/projects/{project_id}/filters': 'projects',
  '/projects/{project_id}/ownership': 'projects',
  '/monitors/{slug}/settings': 'monitors',
  '/monitors/{slug}/delete': 'deletion',
  '/incidents/new': 'incidents',
  '/incidents/plan': 'incidents',
  '/incidents/plan/weekly': 'incidents',
  '/incidents/{incident_id}/plan': 'incidents',
  '/incidents/{incident_id}/call-off': 'incidents',
  '/incidents/{incident_id}/post-mortem': 'incidents',
  '/incidents/{incident_id}/delete': 'deletion',
  '/reports/{period}/delete': 'deletion',
  '/status-pages/new': 'statusPages',
  '/status-pages/{slug}/delete': 'statusPages',
  '/status-pages/{slug}/components/new': 'statusPages',
  '/status-pages/{slug}/subscribers': 'statusPages',
  '/status-pages/{slug}/subscribers/new': 'statusPages',
  '/status-pages/{slug}/subscribers/{subscriber_id}/delete': 'statusPages',
  '/status-pages/{slug}/components/{component_id}': 'states',
  '/alert-channels/new': 'channels',
  '/alert-channels/new/{type}': 'channels',
  '/alert-channels/rules/new': 'channels',
  '/alert-channels/rules/new/{on}': 'channels',
  '/alert-channels/{channel_id}/settings': 'channels',
  '/alert-channels/{channel_id}/delete': 'channels',
};

it.each(workspacePages().map((each) => [`${each.kind} ${each.path}`, each] as const))(
  '%s needs the role that the table says',
  (_name, { kind, path, requiredRole: needs }) => {
    const right =
      kind === 'act' ? acts.find(([pattern]) => pattern.test(path))?.[1] : (asked[path] ?? 'look');
    expect([right, needs]).toEqual([
      expect.any(String),
      right === undefined ? null : permissions[right].needs,
    ]);
  },
);

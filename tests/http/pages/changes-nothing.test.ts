import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { roleIncludes } from '../../../src/core/members/permissions.ts';
import { csrfField } from '../../../src/web/components/controls.ts';
import { adminToken } from '../../support/pages.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { byLevel, fullOrSome } from '../../support/test-level.ts';
import { openWholeDatabase, type WholeDatabase } from '../../support/whole-database.ts';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import { type Target, targetOf } from './act-targets.ts';
import { type Attempt, forgeries, type Sent } from './forgeries.ts';

const acts = workspacePages().flatMap((each) => (each.kind === 'act' ? [each] : []));
const named = acts.map((each, index) => [each.path, each, index] as const);

const folder = temporaryFolder();
const databasePath = `${folder.path}/whole.db`;
let workspace: TestWorkspace;
let whole: WholeDatabase;
beforeAll(async () => {
  workspace = await openWorkspace({ env: { DATABASE_URL: `sqlite:${databasePath}` } });
  whole = openWholeDatabase(databasePath);
});
afterAll(async () => {
  whole.close();
  await workspace.close();
  folder.remove();
});

/** But nightly an act is tried in some of the ways, the next act in the next of them. */
function some<T>(ways: readonly T[], index: number): readonly T[] {
  const few = byLevel({ nightly: 1, full: 8, short: 16 });
  return ways.filter((_way, place) => place % few === index % few);
}

/** But nightly each act has one of the three tests; in the short form every third act. */
function byTurns(turn: number): typeof named {
  const step = byLevel({ nightly: 1, full: 3, short: 9 });
  return named.filter((_act, index) => index % step === turn % step);
}

function sentBy(cookie: string | null, csrf: string, { path, form }: Target): Sent {
  return {
    method: 'POST',
    path,
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: workspace.app.origin,
      ...(cookie === null ? {} : { cookie }),
    },
    fields: { ...form, [csrfField]: csrf },
  };
}

async function csrfOf(cookie: string | null): Promise<string> {
  const { csrfTokenFor: csrfTokenOf } = await import('../../../src/core/members/sessions.ts');
  return csrfTokenOf(cookie?.split('=')[1] ?? '');
}

async function answered({ method, path, headers, fields, body }: Sent): Promise<number> {
  const text = body ?? new URLSearchParams(fields).toString();
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const { agent } = workspace.app;
  const verb = method.toLowerCase() as 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';
  const request = agent[verb](path)
    .set({ ...headers })
    .redirects(0);
  return (await (hasBody ? request.send(text) : request)).status;
}

async function taken(attempts: readonly Attempt[]): Promise<string[]> {
  // What making the targets counted is written now, and not by the first page that asks for counts.
  await workspace.app.deps.outcomes.flush();
  const before = whole.digests();
  const found: string[] = [];
  for (const { name, sent, isRefused } of attempts) {
    const status = await answered(sent);
    if (isRefused && (status < 400 || status >= 500)) found.push(`${name} was answered ${status}`);
  }
  const after = whole.digests();
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  return changed.length === 0 ? found : [...found, `changed: ${changed.join(', ')}`];
}

/** Acts that are about what belongs to whoever does them, so that anybody may. */
const ofWhoeverAsks = ['/settings', '/issues/views', '/issues/views/default', '/members/tokens'];

describe('an action without the required role changes nothing', () => {
  it.each(byTurns(0))('%s: viewer, member without the role, signed out', async (_path, act, index) => {
    const target = await targetOf(workspace, act);
    const attempts: Attempt[] = [];
    for (const role of ['viewer', 'member'] as const) {
      const { cookie } = workspace[role].browser;
      const sent = sentBy(cookie, await csrfOf(cookie), target);
      // What is one's own cannot be anybody's here: every target is somebody else's.
      if (role === 'member' && roleIncludes(role, act.requiredRole) && act.requiredRole !== 'viewer')
        continue;
      const isRefused = !roleIncludes(role, act.requiredRole);
      if (!ofWhoeverAsks.includes(act.path)) attempts.push({ name: role, sent, isRefused });
      const forged = some(forgeries(sent), role === 'viewer' ? index : index + 2);
      attempts.push(...forged.map((each) => ({ ...each, name: `${role}, ${each.name}` })));
    }
    const stranger = sentBy(null, await csrfOf(workspace.admin.browser.cookie), target);
    attempts.push({ name: 'nobody', sent: stranger, isRefused: true });
    const guessed = { ...stranger, headers: { ...stranger.headers, cookie: `session=${'A'.repeat(43)}` } };
    attempts.push({ name: 'a guessed session', sent: guessed, isRefused: true });
    expect(await taken(attempts)).toEqual([]);
  });
});

describe('an act by who has the right, from elsewhere or in another way', () => {
  it.each(byTurns(1))('%s', async (_path, act, index) => {
    const target = await targetOf(workspace, act);
    const { cookie } = workspace.admin.browser;
    const sent = sentBy(cookie, await csrfOf(cookie), target);
    const ofAnother = sentBy(cookie, await csrfOf(workspace.member.browser.cookie), target);
    const attempts = [
      ...some(forgeries(sent), index),
      { name: "another's token", sent: ofAnother, isRefused: true },
    ];
    expect(await taken(attempts)).toEqual([]);
  });

  it('signs nobody out or in', async () => {
    const { cookie } = workspace.admin.browser;
    const csrf = await csrfOf(cookie);
    const out = forgeries(sentBy(cookie, csrf, { path: '/sign-out', form: {} }));
    const into = forgeries(sentBy(null, '', { path: '/sign-in', form: { token: adminToken } }));
    const foreign = [...out, ...into].filter(({ ofOrigin }) => ofOrigin);
    expect(foreign.length).toBeGreaterThan(5);
    expect(await taken(foreign)).toEqual([]);
  });
});

describe('a form with an unknown field', () => {
  it('is refused by every action, and the field is named', async () => {
    await workspace.app.deps.outcomes.flush();
    const before = whole.digests();
    const wrong: string[] = [];
    const form = { 'paused_for[]': '1', constructor: 'x', back: '/' };
    for (const { path } of fullOrSome(acts, 8)) {
      const { status, text } = await workspace.admin.post(path.replaceAll(/\{\w+\}/g, '1'), form);
      const isNamed = text.includes('paused_for, constructor: This form has no such field.');
      if (status !== 400 || !isNamed) wrong.push(`${path} was answered ${status}`);
    }
    expect(wrong).toEqual([]);
    expect(whole.digests()).toEqual(before);
  });
});

describe('the same form from its own page by an admin', () => {
  // Browsers have no passkeys at an IP address: tests/browser/passkeys.full.test.ts makes one.
  const here = byTurns(2).filter(([path]) => !/^\/members\/passkeys(\/new)?$/.test(path));
  it.each(here)('%s changes something', async (_path, act) => {
    const target = await targetOf(workspace, act);
    const { cookie } = workspace.admin.browser;
    await workspace.app.deps.outcomes.flush();
    const before = whole.digests();
    const status = await answered(sentBy(cookie, await csrfOf(cookie), target));
    expect([200, 303]).toContain(status);
    expect(whole.digests()).not.toEqual(before);
  });
});

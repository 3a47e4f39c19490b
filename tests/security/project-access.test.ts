// Members with chosen projects: every page, its JSON, file, stream and action of the route table, tried by a
// viewer and a member of one project against another that has one of everything.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../routes/pages/index.ts';
import { roleIncludes } from '../../src/core/members/permissions.ts';
import { targetOf } from '../http/pages/act-targets.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { allOrSome, fullOrShort, isFull, rows } from '../support/test-level.ts';
import { until } from '../support/until.ts';
import { openWholeDatabase, type WholeDatabase } from '../support/whole-database.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { fillPath, makeMarkedProject, type Parts } from './support/marked-project.ts';

const [ownWord, otherWord] = ['okapi', 'quagga'];
/** Texts of the other projects: of `test`, which the workspace fills besides, and of `other`. */
const foreign = /quagga|PaymentError|Cannot read prop|total is gone|Cheap links|KeyError|app\.js\.map/i;

const folder = temporaryFolder();
const databasePath = `${folder.path}/whole.db`;
let workspace: TestWorkspace;
let whole: WholeDatabase;
type Guest = TestWorkspace['viewer'];
let viewer: Guest;
let member: Guest;
/** Of the project `test`, where the targets of actions are. */
let neighbour: Guest;
let own: Parts;
let other: Parts;

beforeAll(async () => {
  workspace = await openWorkspace({
    env: { DATABASE_URL: `sqlite:${databasePath}`, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' },
  });
  const { app } = workspace;
  const { store } = app.deps;
  await store.changeProject(app.project.id, { name: `${otherWord}-shop` });
  other = await makeMarkedProject(app, app, otherWord);
  const mine = await app.addProject(`${ownWord}-shop`);
  own = await makeMarkedProject(app, mine, ownWord);
  const chosen = { hasAllProjects: false, projectIds: [mine.project.id] };
  const limited = async (role: 'viewer' | 'member', name: string, access = chosen): Promise<Guest> => {
    const guest = await workspace.guest(role, name);
    const found = await store.findMemberByName(name);
    await store.setAccess({ memberId: found?.id ?? 0 }, access);
    return guest;
  };
  viewer = await limited('viewer', 'the viewer of one project');
  member = await limited('member', 'the member of one project');
  neighbour = await limited('member', 'a neighbour', { ...chosen, projectIds: [app.project.id] });
  // The place of people; of what they may see nothing is said there.
  const someone = await store.findMemberByName('the admin');
  const made = { createdAtMs: app.deps.now(), createdBy: 'a test' };
  const team = await store.addTeam({ ...made, name: 'both', hasAllProjects: false });
  const projectIds = [app.project.id, mine.project.id];
  await store.setAccess({ teamId: team?.id ?? 0 }, { hasAllProjects: false, projectIds });
  const people = { member_id: String(someone?.id), team_id: String(team?.id) };
  own = { ...own, ...people };
  other = { ...other, ...people };
  whole = openWholeDatabase(databasePath);
}, 60_000);
afterAll(async () => {
  whole?.close();
  await workspace?.close();
  folder.remove();
});

const reads = workspacePages().flatMap((each) => {
  if (each.kind === 'act') return [];
  const twin = each.path === '/' ? '/overview.json' : `${each.path}.json`;
  const paths = each.kind === 'page' ? [each.path, twin] : [each.path];
  return paths.map((path) => [path, each.requiredRole] as const);
});

/** What people can ask of a list; `quag` is echoed, and no text of a project. */
const queries = ['?q=quag', '?q=gateway', '?state=all', '?tab=all&range=90d'];

/** In the short form one of them, the next path and role with the next of them. */
function queriesOf(turn: number): readonly string[] {
  return ['', ...fullOrShort(queries, queries.slice(turn % queries.length).slice(0, 1))];
}

/** Of no project: members, forms by type, and the own page of a period, made from the projects seen. */
const isOfNoProject = /\{(member_id|team_id|period|type|noun)\}/;

describe.each([
  ['viewer', () => viewer, 0],
  ['member', () => member, 1],
] as const)('a %s of one project', (role, guest, turn) => {
  const allowed = reads.filter(([, needs]) => roleIncludes(role, needs));

  // In the short form each role tries every sixth.
  const tried = rows(() => allowed.filter((_read, index) => isFull() || index % 6 === turn * 3));
  it.each(tried)('reads nothing of another at %s', async (path) => {
    const shown: string[] = [];
    for (const query of queriesOf(allowed.findIndex((each) => each[0] === path) + turn)) {
      const asked = fillPath(path, other);
      const answered = await guest().get(`${asked}${query}`);
      const { status } = answered;
      // "Not found" offers a search for the last part of the address.
      const text = answered.text.replaceAll(asked.split('/').at(-1)?.replace('.json', '') || ' ', '');
      if (foreign.test(text)) shown.push(`${query}: ${foreign.exec(text)?.[0]} in ${aroundMatch(text)}`);
      if (path.includes('{') && !isOfNoProject.test(path)) expect([query, status]).toEqual([query, 404]);
      else expect(status).toBeLessThan(500);
    }
    expect(shown).toEqual([]);
    const chosen = await guest().get(`${fillPath(path, own)}?project=${other['project_id']}`);
    expect([chosen.status, foreign.test(chosen.text)]).toEqual([404, false]);
  });

  const readers = rows(() => allowed.filter((_read, index) => isFull() || index % 12 === turn));
  it.each(readers)('reads its own project at %s', async (path) => {
    const [one, all] = [guest(), role === 'viewer' ? workspace.viewer : workspace.member];
    const { status } = await all.get(fillPath(path, own));
    expect([status, (await one.get(fillPath(path, own))).status]).toEqual([200, status]);
  });
});

function aroundMatch(text: string): string {
  const at = text.search(foreign);
  return text.slice(Math.max(0, at - 120), at + 60);
}

it('an admin reads the marker text of both projects in this crawl', async () => {
  const missing: string[] = [];
  for (const [path, needs] of allOrSome(reads, 4)) {
    if (isOfNoProject.test(path) || needs === 'admin' || /new|help|plan|invite/.test(path)) continue;
    for (const [word, parts] of [
      [ownWord, own],
      [otherWord, other],
    ] as const) {
      const { status, text } = await workspace.admin.get(fillPath(path, parts));
      if (status !== 200) missing.push(`${fillPath(path, parts)}: ${status}`);
      else if (
        path.includes('{') &&
        !/attachments|screenshots|badge|download|logo|favicon|accent/.test(path) &&
        !text.includes(word)
      ) {
        missing.push(`${path}: no ${word}`);
      }
    }
  }
  expect(missing).toEqual([]);
});

const acts = workspacePages().flatMap((each) =>
  each.kind === 'act' && each.requiredRole !== 'admin' ? [each] : [],
);
/** A list of numbers: those that are not found are left out, and the answer says so. */
const foundByNumber = new Set(['/issues/bulk']);
/** What is new belongs to the selected project. */
const ofSelected = new Set(['/incidents', '/incidents/plan', '/reports/{period}/keep']);
/** Of the people themselves. */
const ownActs = new RegExp(
  [
    String.raw`^/(members/(sessions|passkeys|accounts|tokens)|issues/views|issues/bulk/\{bulk_id\}|settings)(/|$)`,
    '^/alert-channels/.*/(unsubscribe|browsers/.*)$',
  ].join('|'),
);

const tried = rows(() =>
  allOrSome(
    acts.filter(({ path }) => !ownActs.test(path)),
    4,
  ),
);
it.each(tried.map((act) => [act.path, act] as const))(
  'a member of one project changes nothing of another by %s',
  async (path, act) => {
    const { app } = workspace;
    const target = await targetOf(workspace, act);
    if (path === '/monitors') target.form['project'] = other['project_id'] ?? '';
    const form = Object.fromEntries(
      Object.entries(target.form).filter(([name]) => act.fields.includes(name.replace('[]', ''))),
    );
    await app.deps.outcomes.flush();
    const before = whole.digests();
    const selected = ofSelected.has(path) ? `?project=${other['project_id']}` : '';
    const { status } = await member.post(`${target.path}${selected}`, form);
    expect([path, status]).toEqual([path, foundByNumber.has(path) ? 303 : expect.any(Number)]);
    if (!foundByNumber.has(path)) expect(Math.floor(status / 100)).toBe(4);
    expect(whole.digests()).toEqual(before);
    // The form was right: for a member of that project it does something.
    const changed = await neighbour.post(target.path, form);
    expect([path, changed.status < 400]).toEqual([path, !path.endsWith('{comment_id}/remove')]);
  },
);

it('what a member of one project creates belongs to that project only', async () => {
  const form = { title: 'okapi trouble', severity: 'minor' };
  const monitors = await workspace.app.deps.store.listMonitors(null);
  const foreignMonitor = monitors.find(({ slug }) => slug === other['/monitors/slug']);
  const refused = await member.post('/incidents', { ...form, monitor: String(foreignMonitor?.id) });
  expect([refused.status, foreign.test(refused.text)]).toEqual([400, false]);
  const { status, location } = await member.post('/incidents', form);
  expect(status).toBe(303);
  const id = Number(location?.split('/').at(-1));
  expect((await workspace.app.deps.store.findIncident(id))?.projectId).toBe(Number(own['project_id']));
  expect((await neighbour.get(`/incidents/${id}`)).status).toBe(404);
});

it('the live tail sends only events of the own projects, and ends when access changes', async () => {
  const { app } = workspace;
  const { store } = app.deps;
  const headers = { cookie: viewer.browser.cookie ?? '' };
  const answer = await fetch(`${app.origin}/live/stream`, { headers });
  expect(answer.status).toBe(200);
  let text = '';
  let isOver = false;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const reading = (async () => {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      text += part.value;
    }
    isOver = true;
  })();
  const refused = await fetch(`${app.origin}/live/stream?project=${other['project_id']}`, { headers });
  expect(refused.status).toBe(404);
  await until(() => text.includes('event: refused'));
  const projectId = Number(own['project_id']);
  const key = (await app.deps.store.listKeys(projectId)).find(({ kind }) => kind === 'public');
  expect(key).toBeDefined();
  await app.post('/store', { message: 'A quagga for the tail' });
  const made = await (await import('../../src/core/projects/keys.ts')).createKey(
    app.deps,
    projectId,
    'public',
  );
  await app.post('/store', { message: 'An okapi for the tail' }, { 'X-Notifier-Key': made.text });
  await until(() => text.includes('An okapi for the tail'));
  expect(text).not.toMatch(foreign);
  const found = await store.findMemberByName('the viewer of one project');
  await store.setAccess({ memberId: found?.id ?? 0 }, { hasAllProjects: false, projectIds: [] });
  // No event follows: access is read once a second.
  await until(() => isOver);
  await reading;
  // Nothing is nothing, and not everything.
  expect((await viewer.json('/projects')).projects).toEqual([]);
  const { status, text: page } = await viewer.get(`/projects/${projectId}`);
  expect([status, /okapi/.test(page)]).toEqual([404, false]);
  await store.setAccess({ memberId: found?.id ?? 0 }, { hasAllProjects: false, projectIds: [projectId] });
});

import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSession } from '../../../src/core/members/sessions.ts';
import type { LiveModel } from '../../../src/core/page-models/live.ts';
import { readPagesAddress } from '../../../src/http/pages/pages-address.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { inFull } from '../../support/test-level.ts';
import { until } from '../../support/until.ts';

let folder: ReturnType<typeof temporaryFolder>;
let app: TestApp;
let streams: Array<{ close(): void }> = [];
const env = () => ({ DATABASE_URL: `sqlite:${join(folder.path, 'notifier.db')}` });
beforeEach(async () => {
  folder = temporaryFolder();
  app = await openTestApp({ env: env() });
});
afterEach(async () => {
  for (const { close } of streams) close();
  streams = [];
  await app.close();
  folder.remove();
});

async function signedIn(name: string) {
  const { deps } = app;
  const member = await deps.store.addMember({
    name,
    nameKey: name.toLowerCase(),
    email: null,
    role: 'viewer',
    createdAtMs: deps.now(),
    createdBy: 'a test',
  });
  const memberId = member?.id ?? 0;
  const { sessionId, session } = createSession(deps, { userAgent: 'test', network: '', requestId: '' }, '');
  await deps.store.addSession({ memberId }, session);
  return {
    memberId,
    cookie: `${readPagesAddress(deps.config, deps.userHashKey).cookieName}=${sessionId}`,
  };
}

interface Message {
  readonly id: number | null;
  readonly event: string;
  readonly data: { readonly cells?: { readonly message: string }; readonly [figure: string]: unknown };
}

interface Stream {
  messages(): Message[];
  told(): string[];
  isOver(): boolean;
  close(): void;
}

async function follow(cookie: string, query = '', lastEventId: number | null = null): Promise<Stream> {
  const headers = {
    Cookie: cookie,
    ...(lastEventId === null ? {} : { 'Last-Event-ID': String(lastEventId) }),
  };
  const stream = await new Promise<Stream>((resolve, reject) => {
    const asked = request(`${app.origin}/live/stream${query}`, { agent: false, headers }, (response) => {
      let text = '';
      let isOver = false;
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response
        .on('error', () => {})
        .once('close', () => {
          isOver = true;
        });
      const messages = (): Message[] => text.split('\n\n').slice(0, -1).flatMap(messageOf);
      resolve({
        messages,
        told: () => messages().flatMap(({ data }) => data.cells?.message ?? []),
        isOver: () => isOver,
        close: () => asked.destroy(),
      });
    });
    asked.on('error', reject).end();
  });
  streams.push(stream);
  // From the first figures on it follows.
  await until(() => stream.messages().some(({ event }) => event === 'refused'));
  return stream;
}

function messageOf(block: string): Message[] {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
  if (event === undefined || data === undefined) return [];
  return [{ id: id === undefined ? null : Number(id), event, data: JSON.parse(data) as Message['data'] }];
}

async function send(message: string, level = 'error', to = app.publicKey): Promise<void> {
  await app.post('/store', { message, level }, { 'X-Notifier-Key': to }).expect(201);
}

it('sends an event at once to those whose filters match its level and project', async () => {
  const { cookie } = await signedIn('Vera');
  const other = await app.addProject('other');
  const all = await follow(cookie);
  const fatal = await follow(cookie, '?level=fatal');
  const ofOther = await follow(cookie, `?project=${other.project.id}`);
  await send('one');
  await until(() => all.told().length === 1);
  await send('two', 'fatal');
  await send('three', 'error', other.publicKey);
  await until(() => all.told().length === 3);
  expect(all.told()).toEqual(['one', 'two', 'three']);
  expect(fatal.told()).toEqual(['two']);
  expect(ofOther.told()).toEqual(['three']);
});

it('sends and shows only events whose titles match the words, in any script', async () => {
  const { cookie } = await signedIn('Vera');
  await send('CAFÉ is shut');
  await send('the basket is empty');
  const query = `?q=${encodeURIComponent('café Shut')}`;
  const model = async (words: string) =>
    (await app.agent.get(`/live.json${words}`).set('Cookie', cookie)).body;
  const shown = await model(query);
  expect(shown.events.map(({ title }: { title: string }) => title)).toEqual(['CAFÉ is shut']);
  expect(shown.last_minute.reduce((sum: number, each: number) => sum + each, 0)).toBe(1);
  expect((await model('?q=nothing')).events).toEqual([]);
  const stream = await follow(cookie, `${query}&after=0`);
  const all = await follow(cookie);
  await send('another basket');
  await send('the café was shut');
  await until(() => all.told().length === 2);
  await until(() => stream.told().length >= 2);
  expect(stream.told()).toEqual(['CAFÉ is shut', 'the café was shut']);
});

inFull(it)('sends every event once across a restart', async () => {
  const { cookie } = await signedIn('Vera');
  const before = await follow(cookie);
  await send('one');
  await send('two');
  await until(() => before.told().length === 2);
  const last = before.messages().findLast(({ event }) => event === 'row')?.id ?? 0;
  await send('stored and not told');
  await app.close();
  app = await openTestApp({ env: env(), projectName: 'again' });
  await send('while nobody followed');
  const after = await follow(cookie, '', last);
  await send('later');
  await until(() => after.told().length >= 3);
  expect(after.told()).toEqual(['stored and not told', 'while nobody followed', 'later']);
});

inFull(it)('reports missed events when more were missed than it sends', async () => {
  const { cookie } = await signedIn('Vera');
  await send('event 0');
  const { store } = app.deps;
  const model = await store.listEventsBetween(0, 1, { projectIds: null, level: null }, 1);
  expect(model).toHaveLength(1);
  const found = await store.findEvent(app.project.id, model[0]?.eventId ?? '');
  if (found === null) throw new Error('The event is not there.');
  for (let index = 1; index <= 501; index += 1) {
    const eventId = index.toString(16).padStart(32, '0');
    await store.recordEvent({
      ...found,
      projectId: app.project.id,
      title: `event ${index}`,
      userHash: null,
      attachments: [],
      eventId,
    });
  }
  const stream = await follow(cookie, '?after=1');
  await until(() => stream.told().length === 500);
  expect(stream.messages()[0]?.event).toBe('missed');
  expect([stream.told()[0], stream.told().at(-1)]).toEqual(['event 2', 'event 501']);
  const exactly = await follow(cookie, '?after=2');
  await until(() => exactly.told().length === 500);
  expect(exactly.messages().some(({ event }) => event === 'missed')).toBe(false);
});

inFull(it)('counts refused events', async () => {
  const { cookie } = await signedIn('Vera');
  const stream = await follow(cookie);
  expect(stream.messages()[0]?.data).toEqual({ accepted: '0', refused: '0', reasons: 'nothing discarded' });
  const { deps, project } = app;
  const at = { projectId: project.id, atMs: deps.now(), category: 'error', quantity: 14 };
  deps.outcomes.count({ ...at, outcome: 'rate_limited', reason: 'project_quota' });
  deps.outcomes.count({ ...at, outcome: 'client_discard', reason: 'sample_rate' });
  await until(() => stream.messages().at(-1)?.data['refused'] === '14');
  expect(stream.messages().at(-1)?.data).toMatchObject({ reasons: 'project_quota' });
});

describe('ends the stream', () => {
  const ends: ReadonlyArray<readonly [string, (memberId: number) => Promise<unknown>]> = [
    ['with its session', (memberId) => app.deps.store.endSessions({ memberId }, null)],
    ['with its membership', (memberId) => app.deps.store.removeMember(memberId, app.deps.now())],
  ];
  it.each(ends)('%s, before it sends another event', async (_what, end) => {
    const vera = await signedIn('Vera');
    const mo = await signedIn('Mo');
    const [ofVera, ofMo] = [await follow(vera.cookie), await follow(mo.cookie)];
    await end(vera.memberId);
    await send('after that');
    await until(() => ofVera.isOver() && ofMo.told().length === 1);
    expect(ofVera.told()).toEqual([]);
    expect(ofMo.isOver()).toBe(false);
  });
});

describe('the page', () => {
  const get = (path: string, cookie: string) =>
    app.agent.get(path).set({ Cookie: cookie, Accept: 'text/html' });

  it('shows the newest first with the position for the stream, as its JSON does', async () => {
    const { cookie } = await signedIn('Vera');
    await send('one <b>bold</b>');
    await send('two', 'fatal');
    const { text } = await get('/live', cookie).expect(200);
    const twin = (await get('/live.json', cookie).expect(200)).body as LiveModel;
    expect(twin.events.map(({ title }) => title)).toEqual(['two', 'one <b>bold</b>']);
    expect(twin.this_hour).toMatchObject({ accepted: 2, refused: 0 });
    expect(text).toContain(`data-stream="/live/stream?after=${twin.after}"`);
    expect(text).toContain('one &lt;b>bold');
    expect(twin.last_minute.at(-1)).toBe(2);
    const filtered = (await get('/live.json?level=fatal', cookie).expect(200)).body as LiveModel;
    expect(filtered.events.map(({ title }) => title)).toEqual(['two']);
  });

  it('says so if there are no events', async () => {
    const { cookie } = await signedIn('Vera');
    expect((await get('/live', cookie).expect(200)).text).toContain('No events yet');
  });
});

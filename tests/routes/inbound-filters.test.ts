import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { InboundFiltersRequest } from '../../schemas/inbound-filters.ts';
import { updateInboundFilters } from '../../src/core/projects/inbound-filters.ts';
import { byNamed } from '../support/app.ts';
import { wholeAudit } from '../support/audit.ts';
import { sharedApp } from '../support/shared.ts';

// A dropped event is not waited for.
const app = sharedApp({ deps: { sleep: async () => {} } });
const filtered = { accepted: false, reason: 'filtered' };
const id = 'c'.repeat(32);
const local = { event_id: id, message: 'x', request: { url: 'http://localhost:5173/' } };

const setFilters = (asked: InboundFiltersRequest) =>
  updateInboundFilters(app.deps, app.project, asked, byNamed('test'));

async function countFiltered(): Promise<Record<string, number>> {
  const { body } = await app.get('/outcomes');
  const lines = body.flatMap(({ outcomes }: { outcomes: object[] }) => outcomes) as Array<
    Record<'outcome' | 'reason' | 'category', string> & { quantity: number }
  >;
  const own = lines.filter(({ outcome }) => outcome === 'filtered');
  return Object.fromEntries(own.map(({ reason, category, quantity }) => [`${category} ${reason}`, quantity]));
}

function envelope(...items: ReadonlyArray<readonly [object, string]>): string {
  return [
    JSON.stringify({ event_id: id }),
    ...items.flatMap(([head, body]) => [JSON.stringify(head), body]),
  ].join('\n');
}

describe('an event that an inbound filter drops', () => {
  beforeAll(async () => {
    await setFilters({ localhost: true });
  });

  it('is answered 200 by /store, also to a page on localhost, and counted', async () => {
    const from = { 'X-Notifier-Key': app.publicKey, Origin: 'http://localhost:5173' };
    const answer = await app.post('/store', { message: 'no page named' }, from);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual(filtered);
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173');
    expect((await app.get(`/events/${id}`)).status).toBe(404);
    expect(await countFiltered()).toEqual({ 'error localhost': 1 });
  });

  it('keeps its id below a DSN, in a large body too', async () => {
    const path = `/api/${app.project.id}/store/?sentry_key=${app.publicKey}`;
    const answer = await app.post(path, local, {});
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ id, ...filtered });
    const large = { ...local, extra: { text: Array.from({ length: 6_000 }, (_, at) => at) } };
    expect((await app.post(path, large, {})).body).toEqual({ id, ...filtered });
  });

  it('drops its attachments, but no other items of the envelope', async () => {
    const before = await countFiltered();
    const body = envelope(
      [{ type: 'event' }, JSON.stringify(local)],
      [{ type: 'attachment', length: 2, filename: 'a.txt' }, 'hi'],
    );
    const path = `/api/${app.project.id}/envelope/`;
    const send = (to: string, sent: string) =>
      app.agent
        .post(`/wp-json/notifier/v1${to}`)
        .set({ 'X-Notifier-Key': app.publicKey, 'Content-Encoding': 'gzip' })
        .send(gzipSync(sent));
    const answer = await send(path, body);
    expect(answer).toHaveStatus(200);
    expect(answer.body).toEqual({ id, ...filtered, event_id: id, skipped: { event: 1, attachment: 1 } });
    const after = await countFiltered();
    expect(after['error localhost']).toBe((before['error localhost'] ?? 0) + 1);
    expect(after['attachment localhost']).toBe(1);
    const report = JSON.stringify({ event_id: id, comments: 'It broke' });
    const both = envelope([{ type: 'event' }, JSON.stringify(local)], [{ type: 'user_report' }, report]);
    const kept = await send('/envelope', both);
    expect(kept.body).toMatchObject({ accepted: true, items: { user_report: 1 }, skipped: { event: 1 } });
  });

  it('may be in a list of events', async () => {
    const answer = await app.post('/envelope', { events: [local, { message: 'kept' }] });
    expect(answer).toHaveStatus(201);
    expect(answer.body.events).toMatchObject([{ event_id: id, issue_id: null, ...filtered }, {}]);
    expect(answer.body.events[1].issue_id).toBeGreaterThan(0);
  });
});

describe('the settings', () => {
  it('are off by default, changed one by one and audited', async () => {
    const { project, secretKey } = await app.addProject('filtered');
    const own = { Authorization: `Bearer ${secretKey}` };
    const first = await app.agent.get('/wp-json/notifier/v1/inbound-filters').set(own);
    expect(first.body).toMatchObject({ localhost: false, releases: [] });
    expect(project.inboundFilters).toBeNull();
    const asked = { web_crawlers: true, ip_addresses: ['203.0.113.0/24'] };
    const changed = await app.agent.post('/wp-json/notifier/v1/inbound-filters').set(own).send(asked);
    expect(changed).toHaveStatus(200);
    expect(changed.body).toMatchObject({ accepted: true, ...asked, localhost: false });
    await app.agent
      .post('/wp-json/notifier/v1/inbound-filters')
      .set(own)
      .send({ releases: [' 1.* ', '1.*'] });
    const stored = await app.deps.store.findProject(project.id);
    expect(stored?.inboundFilters).toMatchObject({ web_crawlers: true, releases: ['1.*'] });
    const entries = await app.deps.store.listAudit(
      { ...wholeAudit, action: 'project.filters_changed' },
      { limit: 2 },
    );
    expect(entries.map(({ summary }) => summary)).toEqual(['1 release', 'web_crawlers on, 1 IP address']);
    await app.agent
      .post('/wp-json/notifier/v1/inbound-filters')
      .set(own)
      .send({ web_crawlers: false, releases: [], ip_addresses: [] });
    expect((await app.deps.store.findProject(project.id))?.inboundFilters).toBeNull();
  });

  it.each([
    [{ ip_addresses: ['10.0.0.0/33'] }, 'must be an IP address or a network'],
    [{ error_messages: ['**'] }, 'must contain more than'],
    [{ releases: Array.from({ length: 51 }, (_, at) => `r${at}`) }, 'at most 50'],
    [{ localhost: 'perhaps' }, 'boolean'],
  ])('refuse invalid values, %#', async (asked, why) => {
    const answer = await app.postSecret('/inbound-filters', asked);
    expect(answer).toHaveStatus(400);
    expect(JSON.stringify(answer.body.data.params)).toContain(why);
  });
});

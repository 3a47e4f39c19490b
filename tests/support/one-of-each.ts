// Creates one of each resource, so that updates can be tested.
import { nounsOfMembers, nounsWithSettings, type WatchedProgram } from './canaries.ts';

/** Minimal request bodies by route. */
export const required: Readonly<Record<string, object>> = {
  '/feedback': { message: 'It broke.' },
  '/feedback/bulk': { ids: [1], state: 'spam' },
  '/feedback/{id}': { state: 'open' },
  '/issues/{id}/split': { hashes: ['a'.repeat(64)] },
  '/sdk-verify': { sdk: { name: 'probe', version: '1' }, url: 'https://shop.example/' },
  '/releases': { version: '1.0' },
  '/deploys': { version: '1.0', environment: 'production' },
  '/test-runs': { tests: 1, passed: 1 },
  '/domain-verifications': { domain: 'probe-two.com' },
  '/domains': { domain: 'other.example' },
  '/alert-channels': { type: 'email', name: 'Team', to: 'team@shop.example' },
  '/alert-channels/test': { type: 'email', to: 'team@shop.example' },
  '/monitors': { type: 'http', name: 'Front page', url: 'https://shop.example/' },
  '/maintenance-windows': { title: 'Disks', weekdays: ['sun'], at: '02:30', all: true },
  '/incidents': { title: 'Checkout fails' },
  '/report-schedules': { alert_channel_id: 1, kind: 'week' },
  '/quarantine': {
    ...{ case_id: 'x', reason: 'Fails on slow machines.' },
    until: new Date(Date.now() + 86_400_000).toISOString(),
  },
  '/status-pages': { name: 'Shop' },
  '/status-pages/{id}/subscribers': { url: 'https://ops.example/status' },
  '/saved-views': { name: 'Checkout', query: 'is:unresolved' },
  '/members': { name: 'Jane Roe', role: 'viewer' },
  '/teams': { name: 'payments' },
  '/teams/{id}/members': { member_id: 1 },
  '/projects': { name: 'warehouse' },
};

const job = { type: 'cron', name: 'Nightly', schedule: '30 2 * * *' };
const port = { type: 'tcp', name: 'Port', host: 'db.example:5432' };
const once = { title: 'Disks', all: true };
const ofIssues = (more: object): object => ({ ids: [1], status: 'resolved', ...more });
const ignored = (until: string): object => ({ status: 'ignored', until });

/** Other fields that some fields require. */
const kinds: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  '/monitors': {
    host: port,
    port,
    record: { type: 'dns', name: 'Name', host: 'shop.example' },
    grace: { type: 'heartbeat', name: 'Beat' },
    ...{ schedule: job, timezone: job, checkin_margin: job, max_runtime: job, monitor_slug: job },
    ...{ failure_issue_threshold: job, recovery_threshold: job },
  },
  '/maintenance-windows': { starts_at: { ...once, ends_at: '2030-01-01T00:00:00Z' }, ends_at: once },
  '/maintenance-windows/{id}': { starts_at: { ends_at: '2030-01-01T00:00:00Z' } },
  '/issues/bulk': {
    ...{ ids: ofIssues({}), query: { status: 'resolved' }, status: { ids: [1] }, assigned_to: { ids: [1] } },
    ...{ in: ofIssues({}), release: ofIssues({ in: 'release' }), merge: { ids: [1] } },
    ...{ until: ofIssues({ status: 'ignored' }), date: ofIssues(ignored('date')) },
    ...{ count: ofIssues(ignored('count')), users: ofIssues(ignored('users')) },
    window: ofIssues({ ...ignored('count'), count: 5 }),
  },
  '/issues/{id}': {
    in: { status: 'resolved' },
    until: { status: 'ignored' },
    date: ignored('date'),
    count: ignored('count'),
    window: { ...ignored('count'), count: 5 },
    users: ignored('users'),
  },
};

/** Fields to send together with `field`. */
export const besides = (path: string, field: string): object => kinds[path]?.[field] ?? required[path] ?? {};

/** Returns the id for each route with one. */
export async function oneOfEach(watched: WatchedProgram): Promise<ReadonlyMap<string, string>> {
  const proof = await made(watched, '/domain-verifications', { domain: 'probe-one.com' });
  const event = await made(watched, '/store', { message: 'x' });
  const ids = new Map([
    ['/domain-verifications/{id}/check', String(proof['id'])],
    ['/issues/{id}', String(event['issue_id'])],
    ['/issues/{id}/split', String(event['issue_id'])],
    ['/domains/{id}', '1'],
    ['/feedback/{id}', '1'],
  ]);
  for (const [path, number] of [...nounsWithSettings, ...nounsOfMembers]) {
    ids.set(`${path}/{id}`, String((await made(watched, path, required[path] ?? {}))[number]));
  }
  ids.set('/teams/{id}/members', ids.get('/teams/{id}') ?? '');
  ids.set('/status-pages/{id}/subscribers', ids.get('/status-pages/{id}') ?? '');
  return ids;
}

async function made(watched: WatchedProgram, path: string, body: object): Promise<Record<string, unknown>> {
  const { status, text } = await watched.post(path, body);
  if (status !== 201) throw new Error(`${path} was answered ${status}: ${text}`);
  return JSON.parse(text);
}

// A project that has one of everything, and all that can be read of it, so that a change shows.

import type { TestApp } from '../../support/app.ts';
import { pngOf } from '../../support/images.ts';
import { required } from '../../support/one-of-each.ts';
import { form, smallMapText } from '../../support/uploads.ts';

/** Ids by the route that has them, such as `/monitors/{id}`. */
export type Things = ReadonlyMap<string, string>;

/** A project with its keys, as `addProject` answers them. */
export type Keys = Pick<TestApp, 'publicKey' | 'secretKey'>;

const eventId = 'a'.repeat(32);
const userId = 'ann-77';
const junit = '<testsuite><testcase name="adds" time="1"/></testsuite>';

/** Asks as a project does; the answer as it comes. */
export async function askAs(
  app: TestApp,
  keys: Keys,
  { method, path, body, isPublic = false }: Asked,
): Promise<Answered> {
  const answer = await fetch(app.api + path, {
    method,
    headers: {
      ...(isPublic ? { 'X-Notifier-Key': keys.publicKey } : { Authorization: `Bearer ${keys.secretKey}` }),
      ...(body === undefined || body instanceof FormData || typeof body === 'string'
        ? {}
        : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined
      ? {}
      : { body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object | string;
  readonly isPublic?: boolean;
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Makes one of each thing that has a route, as the project of these keys. */
export async function oneOfEverything(app: TestApp, keys: Keys): Promise<Things> {
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member.
  const post = async (path: string, body: object | string, isPublic = false): Promise<any> => {
    const { status, text } = await askAs(app, keys, { method: 'POST', path, body, isPublic });
    if (status !== 201 && status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const item = (head: object, payload: string) => `${JSON.stringify(head)}\n${payload}\n`;
  const payload = JSON.stringify({ message: 'x', release: '1.0', user: { id: userId } });
  const attached = { type: 'attachment', filename: 'a.txt', length: 2 };
  const envelope = `${JSON.stringify({ event_id: eventId })}\n${item({ type: 'event' }, payload)}${item(attached, 'hi')}`;
  const event = await post('/envelope', envelope, true);
  const comment = await post(`/issues/${event.issue_id}/comments`, { text: 'Seen.' });
  const shot = { data: pngOf(1, 1).toString('base64'), content_type: 'image/png', name: 'a.png' };
  const report = { message: 'It broke.', event_id: eventId, screenshots: [shot] };
  const feedback = await post('/feedback', report, true);
  const proof = await post('/domain-verifications', { domain: 'shop.com' });
  const domain = await post('/domains', required['/domains'] ?? {});
  const deploy = await post('/deploys', required['/deploys'] ?? {});
  const artifact = await post(
    '/artifacts',
    form({ release: '1.0', source_map: { name: 'a.js.map', bytes: smallMapText } }),
  );
  const tests = await post('/test-runs', junit);
  const channel = await post('/alert-channels', required['/alert-channels'] ?? {});
  const monitor = await post('/monitors', { type: 'heartbeat', name: 'Beat', group: 'Shop', tags: ['shop'] });
  const work = { ...required['/maintenance-windows'], all: false, monitors: [monitor.monitor_id] };
  const window = await post('/maintenance-windows', work);
  const components = [{ name: 'Checkout', monitors: [monitor.monitor_id] }];
  const logo = pngOf(64, 64).toString('base64');
  const page = await post('/status-pages', { name: 'Shop', published: true, components, logo });
  const hook = { url: 'https://ops.example/hook' };
  const subscriber = await post(`/status-pages/${page.status_page_id}/subscribers`, hook);
  const hit = { monitors: [monitor.monitor_id], components: [page.components[0].component_id] };
  const incident = await post('/incidents', { title: 'Checkout fails', ...hit });
  const made = await post('/reports', { period: '2026-W46' });
  const schedule = { alert_channel_id: channel.alert_channel_id, kind: 'week' };
  const sent = await post('/report-schedules', schedule);
  const read = async (path: string) => JSON.parse((await askAs(app, keys, { method: 'GET', path })).text);
  const cases = (await read(`/test-runs/${tests.test_run_id}`)).cases;
  const until = new Date(app.deps.now() + 86_400_000).toISOString();
  const excused = await post('/quarantine', { case_id: cases[0].case_id, until, reason: 'flaky' });
  const attachments = (await read(`/events/${eventId}`)).attachments;
  const ids = {
    '/domain-verifications/{id}': proof.id,
    '/issues/{id}': event.issue_id,
    '/issues/{id}/comments/{comment_id}': `${event.issue_id}/comments/${comment.comment_id}`,
    '/users/{user_hash}': (await read(listPathOf('/users')))[0].user_hash,
    '/events/{event_id}': eventId,
    '/events/{event_id}/attachments/{attachment}': `${eventId}/attachments/${attachments[0].attachment_id}`,
    '/feedback/{id}': feedback.feedback_id,
    '/domains/{id}': domain.domain_id,
    '/releases/{id}': deploy.release_id,
    '/deploys/{id}': deploy.deploy_id,
    '/artifacts/{id}': artifact.artifacts[0].artifact_id,
    '/test-runs/{id}': tests.test_run_id,
    '/test-cases/{id}': cases[0].case_id,
    '/quarantine/{id}': excused.quarantine_id,
    '/alert-channels/{id}': channel.alert_channel_id,
    '/monitors/{id}': monitor.monitor_id,
    '/maintenance-windows/{id}': window.maintenance_window_id,
    '/incidents/{id}': incident.incident_id,
    '/reports/{id}': made.report_id,
    '/status-pages/{id}': page.status_page_id,
    '/status-pages/{id}/subscribers/{subscriber_id}': `${page.status_page_id}/subscribers/${subscriber.subscriber_id}`,
    '/report-schedules/{id}': sent.report_schedule_id,
    component: page.components[0].component_id,
  };
  return new Map(Object.entries(ids).map(([route, id]) => [route, String(id)]));
}

/** The path of a route with the ids of these things in it. */
export function pathOf(route: string, things: Things): string {
  const own = [...things.keys()]
    .filter((known) => route.startsWith(known))
    .sort((one, other) => other.length - one.length)[0];
  const id = things.get(own ?? '');
  if (own === undefined || id === undefined) throw new Error(`No thing is known of ${route}.`);
  const [before = ''] = own.split('{');
  return `${before}${id}${route.slice(own.length)}`.replace('{place}', '1').replace('\\.', '.');
}

/** Users are found, and not listed. */
export function listPathOf(route: string): string {
  return route === '/users' ? `${route}?query=${userId}` : route;
}

/** All that a project can read of itself, by route. */
export async function readAll(
  app: TestApp,
  keys: Keys,
  routes: readonly string[],
  things: Things,
): Promise<Record<string, Answered>> {
  const answers: Record<string, Answered> = {};
  for (const route of routes) {
    const path = route.includes('{') ? pathOf(route, things) : listPathOf(route);
    answers[route] = await askAs(app, keys, { method: 'GET', path });
  }
  return answers;
}

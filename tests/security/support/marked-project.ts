// A project whose every text holds one word, so that a page which shows any of it shows the word.

import { hashActionToken } from '../../../src/core/alerts/issue-details.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { commentOnIssue } from '../../../src/core/issues/actions.ts';
import { createReport } from '../../../src/core/reports/reports.ts';
import type { TestApp } from '../../support/app.ts';
import { pngOf } from '../../support/images.ts';
import { form, smallMapText } from '../../support/uploads.ts';
import { askAs, type Keys } from './whole-project.ts';

/** Values of the parts of page paths, by part; parts that mean different things have a longer name. */
export type Parts = Readonly<Record<string, string>>;

const reportPeriod = '2026-W46';

/** One of everything that belongs to a project. `word` has letters only. */
export async function makeMarkedProject(
  app: TestApp,
  { project, ...keys }: Keys & Pick<TestApp, 'project'>,
  word: string,
): Promise<Parts> {
  // biome-ignore lint/suspicious/noExplicitAny: answers are read member by member.
  const post = async (path: string, body: object | string, isPublic = false): Promise<any> => {
    const { status, text } = await askAs(app, keys, { method: 'POST', path, body, isPublic });
    if (status !== 201 && status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const host = `${word}.example`;
  const release = `${word}@1.0`;
  const eventId = Buffer.from(word.padEnd(16)).toString('hex');
  await post('/domains', { domain: host, bug_reports: true });
  await post('/releases', { version: release });
  const deploy = await post('/deploys', { version: release, environment: `${word}-production` });
  const png = pngOf(1, 1);
  const attached = { type: 'attachment', filename: `${word}.png`, length: png.length };
  const payload = eventText(word);
  const sent = Buffer.concat([
    Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${payload}\n`),
    Buffer.from(`${JSON.stringify(attached)}\n`),
    png,
  ]);
  const headers = { 'X-Notifier-Key': keys.publicKey };
  const event = await (await fetch(`${app.api}/envelope`, { method: 'POST', headers, body: sent })).json();
  const screenshot = { data: pngOf(1, 1).toString('base64'), content_type: 'image/png', name: `${word}.png` };
  const said = { message: `The ${word} broke`, event_id: eventId, name: `${word} person` };
  const feedback = await post('/feedback', { ...said, screenshots: [screenshot] }, true);
  const proof = await post('/domain-verifications', { domain: `${word}-shop.com` });
  const file = { name: `${word}.js.map`, bytes: smallMapText };
  const artifact = await post('/artifacts', form({ release, source_map: file }));
  const testRun = await post('/test-runs', {
    ...{ suite: `${word} suite`, branch: `${word}-branch`, release },
    results: {
      tool: { name: 'jest' },
      summary: { tests: 1, passed: 0, failed: 1, skipped: 0, pending: 0, other: 0, start: 0, stop: 9 },
      tests: [{ name: `${word} adds up`, status: 'failed', duration: 1, message: `${word} is not 3` }],
    },
  });
  const mail = { type: 'email', name: `${word} channel`, to: `ops@${host}` };
  const channel = await post('/alert-channels', mail);
  const beat = { type: 'heartbeat', name: `${word} beat`, group: `${word} group`, tags: [word] };
  const monitor = await post('/monitors', beat);
  const monitors = [monitor.monitor_id];
  const planned = { title: `${word} works`, weekdays: ['sun'], at: '02:30', monitors };
  const window = await post('/maintenance-windows', planned);
  const components = [{ name: `${word} part`, monitors }, { name: `${word} hand` }];
  const brand = { accent: '#0a7f5c', logo: pngOf(8, 8).toString('base64') };
  const page = await post('/status-pages', {
    name: `${word} status`,
    published: false,
    components,
    ...brand,
  });
  const hook = { url: `https://${host}/${word}-hook` };
  const subscriber = await post(`/status-pages/${page.status_page_id}/subscribers`, hook);
  const hit = { monitors, components: [page.components[0].component_id], issue_ids: [event.issue_id] };
  const incident = await post('/incidents', { title: `${word} is down`, monitors: hit.monitors });
  await post(`/incidents/${incident.incident_id}`, { message: `${word} is looked at`, public: true });
  const { deps } = app;
  const issue = await deps.store.findIssueAnywhere(event.issue_id);
  if (issue === null) throw new Error('The event has no issue.');
  const url = `https://github.com/${word}/shop/issues/1`;
  const ofIssue = { projectId: project.id, issueId: issue.id };
  const linked = { ...ofIssue, url, createdAtMs: deps.now(), createdBy: word };
  const link = await deps.store.addIssueLink(linked, 'token');
  const token = `${word}-token`;
  const expiresAtMs = deps.now() + 86_400_000;
  const mailed = { ...ofIssue, action: 'resolve' as const, expiresAtMs };
  await deps.store.addActionLink({ ...mailed, tokenHash: hashActionToken(token) }, 0);
  const comment = await commentOnIssue(deps, issue, `Seen by ${word}`, commandLineSource);
  await createReport(deps, project.id, reportPeriod, commandLineSource);
  const weekly = { alert_channel_id: channel.alert_channel_id, kind: 'week' };
  const schedule = await post('/report-schedules', weekly);
  const read = async (path: string) => JSON.parse((await askAs(app, keys, { method: 'GET', path })).text);
  const { case_id: caseId } = (await read(`/test-runs/${testRun.test_run_id}`)).cases[0];
  const until = new Date(deps.now() + 86_400_000).toISOString();
  const excused = await post('/quarantine', { case_id: caseId, until, reason: `${word} is flaky` });
  const ids: Record<string, unknown> = {
    project_id: project.id,
    key_id: (await deps.store.listKeys(project.id))[0]?.id,
    '/issues/id': event.issue_id,
    event_id: eventId,
    attachment_id: (await read(`/events/${eventId}`)).attachments[0].attachment_id,
    comment_id: comment.id,
    feedback_id: feedback.feedback_id,
    place: 1,
    noun: 'monitors',
    link_id: link?.id,
    token,
    user_hash: (await read(`/users?query=${word}-user`))[0].user_hash,
    '/monitors/type': 'http',
    domain_id: (await deps.store.listDomains(project.id))[0]?.id,
    proof_id: proof.id,
    '/monitors/slug': monitor.slug,
    incident_id: incident.incident_id,
    planned_incident_id: window.incident_id,
    '/status-pages/slug': page.slug,
    '/status/slug': page.slug,
    component_id: page.components[1].component_id,
    subscriber_id: subscriber.subscriber_id,
    channel_id: channel.alert_channel_id,
    rule_id: channel.rules[0].rule_id,
    release_id: deploy.release_id,
    test_run_id: testRun.test_run_id,
    case_id: caseId,
    quarantine_id: excused.quarantine_id,
    artifact_id: artifact.artifacts[0].artifact_id,
    schedule_id: schedule.report_schedule_id,
    period: reportPeriod,
  };
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]));
}

function eventText(word: string): string {
  return JSON.stringify({
    level: 'error',
    platform: 'node',
    release: `${word}@1.0`,
    environment: `${word}-production`,
    tags: { [`${word}_tag`]: word },
    user: { id: `${word}-user` },
    transaction: `/${word}`,
    request: { url: `https://${word}.example/checkout` },
    exception: {
      values: [
        {
          type: `${word}Error`,
          value: `no ${word} there`,
          stacktrace: {
            frames: [{ function: `${word}Call`, filename: `src/${word}.js`, lineno: 1, in_app: true }],
          },
        },
      ],
    },
  });
}

/** The path with the ids of a project in it. Throws for a part that is not known: add it above. */
export function fillPath(path: string, parts: Parts): string {
  const [, noun = ''] = path.split('/');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const isPlan = name === 'incident_id' && /\/(plan|call-off)(\.json)?$/.test(path);
    const value = isPlan ? parts[`planned_${name}`] : (parts[`/${noun}/${name}`] ?? parts[name]);
    if (value === undefined)
      throw new Error(`${path} has a part that marked-project.ts does not make: ${name}`);
    return encodeURIComponent(value);
  });
}

// A world made of attacks: every field that a route or a form takes, filled with them.
import { randomUUID } from 'node:crypto';
import { pngOf } from '../../support/images.ts';
import { isFull } from '../../support/test-level.ts';
import { smallMapText, uploadJson } from '../../support/uploads.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import { type Dealer, longAttacks } from './attacks.ts';

const host = 'shop.example';
const eventCount = 36;
const othersCount = 5;

/** Sends all of it, and answers the issues it made; what a route refuses, it has to refuse by 400. */
export async function sendAttacks(workspace: TestWorkspace, dealer: Dealer): Promise<number[]> {
  const issueIds: number[] = [];
  for (let at = 0; at < eventCount; at += 1) issueIds.push(await sendEvent(workspace, eventOf(dealer, at)));
  for (const long of longAttacks) issueIds.push(await sendEvent(workspace, longEvent(long)));
  for (let at = 0; at < othersCount; at += 1) {
    await sendFeedback(workspace, dealer);
    await sendRelease(workspace, dealer);
    await sendTestRun(workspace, dealer);
    await sendArtifact(workspace, dealer);
    await sendHosts(workspace, dealer);
    await sendForms(workspace, dealer, issueIds[at] ?? 0);
    // Without a browser all of it is looked at by tests/http/pages/attacks-on-monitoring.full.test.ts.
    if (isFull()) await sendWatched(workspace, dealer);
  }
  return issueIds;
}

/** An event that has each of the fields, lists with several. */
function eventOf({ next, several }: Dealer, at: number): Record<string, unknown> {
  const pairs = (count: number, field: string): Record<string, string> =>
    Object.fromEntries(several(count, `${field}.name`).map((name) => [name, next(field)]));
  const frames = Array.from({ length: 4 }, (_, index) => ({
    function: next('frame.function'),
    filename: next('frame.filename'),
    abs_path: next('frame.abs_path'),
    module: next('frame.module'),
    lineno: index + 1,
    in_app: index % 2 === 0,
    pre_context: several(2, 'frame.pre_context'),
    context_line: next('frame.context_line'),
    post_context: several(2, 'frame.post_context'),
    vars: pairs(2, 'frame.vars'),
  }));
  const crumbs = Array.from({ length: 11 }, () => ({
    type: next('breadcrumb.type'),
    category: next('breadcrumb.category'),
    message: next('breadcrumb.message'),
    data: pairs(1, 'breadcrumb.data'),
    timestamp: 1_795_000_000,
  }));
  return {
    level: 'error',
    platform: next('event.platform'),
    logger: next('event.logger'),
    release: next('event.release'),
    environment: next('event.environment'),
    transaction: next('event.transaction'),
    server_name: next('event.server_name'),
    site: next('event.site'),
    logentry: { message: next('event.message'), params: several(2, 'event.params') },
    exception: {
      values: [0, 1].map(() => ({
        type: next('exception.type'),
        value: next('exception.value'),
        module: next('exception.module'),
        mechanism: { type: next('mechanism.type'), handled: false },
        stacktrace: { frames },
      })),
    },
    breadcrumbs: { values: crumbs },
    tags: Object.fromEntries(several(8, 'event.tags').map((text, index) => [`tag.${index}`, text])),
    user: {
      id: next('user.id'),
      username: next('user.username'),
      name: next('user.name'),
      email: next('user.email'),
    },
    request: {
      url: `https://${host}/${next('request.url')}`,
      method: next('request.method'),
      query_string: next('request.query_string'),
      headers: { 'User-Agent': next('request.user-agent'), 'X-One': next('request.headers') },
      data: { field: next('request.data') },
      env: { NAME: next('request.env') },
    },
    contexts: {
      os: { name: next('contexts.os.name'), version: next('contexts.os.version') },
      browser: { name: next('contexts.browser.name'), version: '1' },
      own: pairs(2, 'contexts.own'),
    },
    extra: pairs(3, 'event.extra'),
    modules: { module: next('event.modules') },
    fingerprint: [next('event.fingerprint'), String(at)],
    sdk: { name: next('sdk.name'), version: next('sdk.version') },
  };
}

function longEvent(long: string): Record<string, unknown> {
  return {
    message: long,
    exception: {
      values: [{ type: long, value: long, stacktrace: { frames: [{ function: long, context_line: long }] } }],
    },
    tags: { long },
    extra: { long },
    transaction: long,
    user: { id: long },
    breadcrumbs: { values: [{ message: long }] },
    fingerprint: [randomUUID()],
  };
}

/** Files an event; answers its issue. */
async function sendEvent({ app }: TestWorkspace, event: Record<string, unknown>): Promise<number> {
  const headers = { 'X-Notifier-Key': app.publicKey, Origin: `https://${host}` };
  const { status, body } = await app.post('/store', event, headers);
  if (status !== 201) throw new Error(`An event was answered ${status}: ${JSON.stringify(body)}`);
  return body.issue_id;
}

async function sendFeedback({ app, world }: TestWorkspace, { next, several }: Dealer): Promise<void> {
  const headers = { 'X-Notifier-Key': app.publicKey, Origin: `https://${host}` };
  const picture = { data: pngOf(4, 3).toString('base64'), name: next('feedback.screenshot') };
  const report = {
    message: next('feedback.message'),
    name: next('feedback.name'),
    email: next('feedback.email'),
    url: `https://${host}/${next('feedback.url')}`,
    release: next('feedback.release'),
    environment: next('feedback.environment'),
    user_agent: next('feedback.user_agent'),
    console: several(3, 'feedback.console').map((message) => ({ level: 'error', message })),
    tags: { tag: next('feedback.tags') },
    metadata: { member: next('feedback.metadata') },
    event_id: world.eventIds[0],
    screenshots: [picture],
  };
  isTakenOr400((await app.post('/feedback', report, headers)).status);
}

async function sendRelease({ app }: TestWorkspace, { next }: Dealer): Promise<void> {
  const version = next('release.version');
  const commit = {
    id: 'c'.repeat(40),
    message: next('commit.message'),
    author_name: next('commit.author_name'),
    author_email: `${next('commit.author_email')}@mail.example`,
    repository: next('commit.repository'),
    patch_set: [{ path: next('commit.path'), type: 'A' }],
  };
  const release = {
    version,
    ref: next('release.ref'),
    url: `https://${host}/${next('release.url')}`,
    commits: [commit],
    refs: [{ repository: next('ref.repository'), commit: next('ref.commit') }],
    metadata: { member: next('release.metadata') },
  };
  isTakenOr400((await app.postSecret('/releases', release)).status);
  const deploy = {
    version,
    environment: next('deploy.environment'),
    name: next('deploy.name'),
    url: `https://${host}/${next('deploy.url')}`,
    revision: next('deploy.revision'),
    repository: next('deploy.repository'),
    deployed_by: next('deploy.deployed_by'),
    comment: next('deploy.comment'),
    key: next('deploy.key'),
  };
  isTakenOr400((await app.postSecret('/deploys', deploy)).status);
}

async function sendTestRun({ app }: TestWorkspace, { next, several }: Dealer): Promise<void> {
  const tests = [...Array(12).keys()].map((index) => ({
    name: next('case.name'),
    suite: several(2, 'case.suite'),
    filePath: next('case.file'),
    status: ['failed', 'passed', 'skipped'][index % 3],
    duration: index,
    message: next('case.message'),
    trace: next('case.trace'),
  }));
  const report = {
    commit: 'd'.repeat(40),
    branch: next('report.branch'),
    suite: next('report.suite'),
    environment: 'production',
    results: {
      tool: { name: next('report.tool') },
      summary: { tests: 12, passed: 4, failed: 4, skipped: 4, pending: 0, other: 0, start: 0, stop: 900 },
      tests,
    },
  };
  isTakenOr400((await app.postSecret('/test-runs', report)).status);
}

async function sendArtifact({ app }: TestWorkspace, { next }: Dealer): Promise<void> {
  const files = [{ name: next('artifact.name'), type: 'source_map', content: smallMapText }];
  isTakenOr400((await uploadJson(app, { release: next('release.version'), files })).status);
}

/** Few of these are a host: `null` may be one. */
async function sendHosts({ app }: TestWorkspace, { next }: Dealer): Promise<void> {
  for (const path of ['/domains', '/domain-verifications']) {
    isTakenOr400((await app.postSecret(path, { domain: next(`host${path}`) })).status);
  }
}

/** What people write by the pages. */
async function sendForms({ app, admin }: TestWorkspace, { next }: Dealer, issueId: number): Promise<void> {
  const posted = [
    await admin.post(`/issues/${issueId}/comments`, { text: next('form.comment') }),
    await admin.post('/members', { name: next('form.member'), role: 'viewer', access: 'all' }),
    await admin.post('/projects', { name: next('form.project') }),
    await admin.post(`/projects/${app.project.id}/keys`, { kind: 'public', label: next('form.label') }),
    await admin.post(`/issues/${issueId}/resolve`, { in: 'now', release: next('form.resolve') }),
    await admin.post(`/projects/${app.project.id}/settings`, { scrub_fields: next('form.scrub_fields') }),
  ];
  for (const { status } of posted) isTakenOr400(status === 303 ? 200 : status);
}

/** Monitors, incidents, channels and rules. */
async function sendWatched({ app }: TestWorkspace, { next, several }: Dealer): Promise<void> {
  const monitor = {
    type: 'http',
    url: `https://${host}/`,
    name: next('monitor.name'),
    group: next('monitor.group'),
    tags: several(2, 'monitor.tags'),
  };
  isTakenOr400((await app.postSecret('/monitors', monitor)).status);
  const opened = {
    title: next('incident.title'),
    cause: next('incident.cause'),
    lead: next('incident.lead'),
    message: next('incident.message'),
  };
  const { status, body } = await app.postSecret('/incidents', opened);
  isTakenOr400(status);
  if (status === 201) {
    const learnt = { message: next('incident.update'), post_mortem: next('incident.post_mortem') };
    const path = `/incidents/${body.incident_id}`;
    isTakenOr400((await app.postSecret(path, { ...learnt, state: 'resolved' })).status);
  }
  const rule = {
    on: 'issue.is_new',
    name: next('rule.name'),
    opens_incident: 'minor',
    filters: [{ field: 'tag', name: next('rule.tag'), value: next('rule.value') }],
  };
  const channel = { type: 'slack', url: `https://${host}/a/b`, name: next('channel.name'), rules: [rule] };
  isTakenOr400((await app.postSecret('/alert-channels', channel)).status);
}

function isTakenOr400(status: number): void {
  if (![200, 201, 400].includes(status)) throw new Error(`An attack was answered ${status}`);
}

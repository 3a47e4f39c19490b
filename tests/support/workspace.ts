// The whole program with a little data, sent through the API, and signed-in users.
import type { Role } from '../../src/core/store/members.ts';
import { openTestApp, startOfTests, type TestApp, type TestAppOptions } from './app.ts';
import { pngOf } from './images.ts';
import { type Answer, adminToken, type Fields, type SignedIn, signedInAt } from './pages.ts';
import { smallMapText, upload } from './uploads.ts';

const dayMs = 86_400_000;
const host = 'shop.example';

interface SmallWorld {
  readonly issueIds: { readonly basket: number; readonly payment: number; readonly resolved: number };
  /** Events of the basket issue, oldest first. */
  readonly eventIds: readonly string[];
  readonly releaseIds: { readonly old: number; readonly new: number };
  readonly deployId: number;
  readonly testRunId: number;
  readonly artifactIds: readonly number[];
  /** A report about the basket with a screenshot, and spam. */
  readonly feedbackIds: { readonly basket: number; readonly spam: number };
  readonly otherIssueId: number;
}

/** A signed-in user; paths are below the workspace. */
interface Guest {
  get(path: string): Promise<Answer>;
  /** Reads a page's JSON; throws unless it is 200. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
  json(path: string): Promise<any>;
  post(path: string, form?: Fields): Promise<Answer>;
  readonly browser: SignedIn['browser'];
  readonly csrfToken: string;
}

export interface TestGuests {
  readonly app: TestApp;
  readonly viewer: Guest;
  readonly member: Guest;
  readonly admin: Guest;
  guest(role: Role | 'token', name?: string): Promise<Guest>;
  close(): Promise<void>;
}

export interface TestWorkspace extends TestGuests {
  readonly world: SmallWorld;
}

/** Has projects `test`, `other` and `empty`; the clock is at `startOfTests`. Close it in afterAll. */
export async function openWorkspace(options: TestAppOptions = {}): Promise<TestWorkspace> {
  const app = await openTestApp({
    domains: [host],
    nowMs: startOfTests - 3 * dayMs,
    ...options,
    env: { NOTIFIER_ADMIN_TOKEN: adminToken, ...options.env },
  });
  const { applyConfiguration: settle } = await import('../../src/core/projects/apply-configuration.ts');
  await settle(app.deps, () => undefined);
  const world = await makeWorld(app);
  return { ...(await guestsOf(app)), world };
}

/** Without data: takes a tenth of the time. */
export async function openEmptyWorkspace(options: TestAppOptions = {}): Promise<TestGuests> {
  return guestsOf(
    await openTestApp({ ...options, env: { NOTIFIER_ADMIN_TOKEN: adminToken, ...options.env } }),
  );
}

async function guestsOf(app: TestApp): Promise<TestGuests> {
  const guest = async (role: Role | 'token', name = `The ${role}`): Promise<Guest> =>
    guestOf(await signedInAt(app.origin, app.deps, role, name));
  const [viewer, member, admin] = [await guest('viewer'), await guest('member'), await guest('admin')];
  return { app, viewer, member, admin, guest, close: () => app.close() };
}

function guestOf({ browser, csrf }: SignedIn): Guest {
  return {
    browser,
    get: (path) => browser.get(path),
    async json(path) {
      const [page = '', query] = path.split('?', 2);
      const twin = page === '/' ? '/overview.json' : `${page}.json`;
      const { status, text } = await browser.get(query === undefined ? twin : `${twin}?${query}`);
      if (status !== 200) throw new Error(`${twin} was answered ${status}: ${text.slice(0, 300)}`);
      return JSON.parse(text);
    },
    post: (path, form = {}) => browser.post(path, { ...csrf, ...form }),
    csrfToken: Object.values(csrf)[0] ?? '',
  };
}

/** Three days: two releases with the same error, then a fatal one. */
async function makeWorld(app: TestApp): Promise<SmallWorld> {
  const other = await app.addProject('other');
  await app.addProject('empty');
  const old = await sent(app.postSecret('/releases', { version: 'shop@1.0.0', ref: 'a'.repeat(40) }));
  const firstBasket = await report(app, basketError, {
    release: 'shop@1.0.0',
    user: { id: 'u1', username: 'Ines' },
  });
  const resolved = await report(app, { type: 'RangeError', value: 'Invalid time value', name: 'day' }, {});
  await sent(app.postSecret(`/issues/${resolved.issue_id}`, { status: 'resolved' }));
  app.advance(2 * dayMs);
  const latest = await sent(
    app.postSecret('/releases', { version: 'shop@1.1.0', commits: [{ id: 'b'.repeat(40) }] }),
  );
  const deploy = await sent(
    app.postSecret('/deploys', { version: 'shop@1.1.0', environment: 'production', deployed_by: 'Ines' }),
  );
  const artifactIds = await uploadMap(app);
  const testRun = await sent(app.postSecret('/test-runs', testReport));
  app.advance(dayMs / 2);
  const secondBasket = await report(app, basketError, { release: 'shop@1.1.0', user: { id: 'u2' } });
  const feedbackIds = await makeReports(app, secondBasket.event_id);
  const payment = await report(
    app,
    { type: 'PaymentError', value: 'gateway answered 502', name: 'pay' },
    { level: 'fatal', release: 'shop@1.1.0', environment: 'staging' },
  );
  app.advance(dayMs / 2);
  const thirdBasket = await report(app, basketError, { user: { id: 'u2', email: 'two@mail.example' } });
  const elsewhere = await report(
    app,
    { type: 'KeyError', value: "'weight'", name: 'label' },
    {},
    other.publicKey,
  );
  return {
    issueIds: { basket: firstBasket.issue_id, payment: payment.issue_id, resolved: resolved.issue_id },
    eventIds: [firstBasket, secondBasket, thirdBasket].map(({ event_id: eventId }) => eventId),
    releaseIds: { old: old.release_id, new: latest.release_id },
    deployId: deploy.deploy_id,
    testRunId: testRun.test_run_id,
    artifactIds,
    feedbackIds,
    otherIssueId: elsewhere.issue_id,
  };
}

interface Fault {
  readonly type: string;
  readonly value: string;
  readonly name: string;
}

const basketError: Fault = {
  type: 'TypeError',
  value: "Cannot read properties of undefined (reading 'total')",
  name: 'renderTotals',
};

/** An event with data for every section of its page. */
function report(app: TestApp, { type, value, name }: Fault, more: object, key = app.publicKey) {
  const frames = [
    { function: 'main', filename: 'src/main.py', lineno: 3, in_app: true },
    { function: 'dispatch', filename: 'vendor/router.py', lineno: 88, in_app: false },
    {
      function: name,
      filename: `src/${name}.py`,
      lineno: 14,
      in_app: true,
      pre_context: ['def run(basket):'],
      context_line: '    return basket.total',
      post_context: [''],
      vars: { basket: null },
    },
  ];
  const cause = { type: 'RateError', value: 'no rate', stacktrace: { frames: frames.slice(0, 2) } };
  const body = {
    platform: 'python',
    environment: 'production',
    tags: { browser: 'Firefox', zone: 'IE-D' },
    request: {
      method: 'POST',
      url: `https://${host}/basket?step=2`,
      headers: { 'User-Agent': 'Firefox/145.0' },
    },
    contexts: { os: { name: 'Linux', version: '6.12' } },
    breadcrumbs: { values: [{ category: 'ui.click', message: 'button.pay', timestamp: 1_795_000_000 }] },
    extra: { attempt: 2 },
    exception: { values: [cause, { type, value, stacktrace: { frames } }] },
    ...more,
  };
  return sent(app.post('/store', body, { 'X-Notifier-Key': key, Origin: `https://${host}` }));
}

async function uploadMap(app: TestApp): Promise<number[]> {
  const form = new FormData();
  form.set('release', 'shop@1.1.0');
  form.set('file', new Blob([smallMapText]), 'app.js.map');
  const { status, body } = await upload(app, form);
  if (status !== 201) throw new Error(`An artifact was answered ${status}: ${JSON.stringify(body)}`);
  const listed = await app.get('/artifacts');
  return listed.body.map((artifact: { artifact_id: number }) => artifact.artifact_id);
}

const testReport = {
  release: 'shop@1.1.0',
  commit: 'b'.repeat(40),
  branch: 'main',
  suite: 'unit',
  results: {
    tool: { name: 'jest' },
    summary: { tests: 3, passed: 2, failed: 1, skipped: 0, pending: 0, other: 0, start: 0, stop: 900 },
    tests: [
      { name: 'adds up', status: 'passed', duration: 12, suite: ['basket'] },
      { name: 'waits', status: 'passed', duration: 700, suite: ['basket'], retries: 1, flaky: true },
      {
        name: 'has a total',
        status: 'failed',
        duration: 5,
        suite: ['basket'],
        message: 'expected 2 to be 3',
      },
    ],
  },
};

async function makeReports(app: TestApp, eventId: string): Promise<SmallWorld['feedbackIds']> {
  const headers = { 'X-Notifier-Key': app.publicKey, Origin: `https://${host}` };
  const picture = { data: pngOf(40, 30).toString('base64'), name: 'basket.png' };
  const words = { message: 'The total is gone', name: 'Ines', email: 'ines@mail.example', event_id: eventId };
  const basket = await sent(app.post('/feedback', { ...words, screenshots: [picture] }, headers));
  const spam = await sent(
    app.post('/feedback', { message: 'Cheap links', website: 'https://x.example' }, headers),
  );
  return { basket: basket.feedback_id, spam: spam.feedback_id };
}

/** Throws for other statuses than 200 and 201. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
async function sent(answer: PromiseLike<{ readonly status: number; readonly body: any }>): Promise<any> {
  const { status, body } = await answer;
  if (status !== 200 && status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

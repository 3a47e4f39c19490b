import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { workspacePages } from '../../../routes/pages/index.ts';
import { replaceInvisible } from '../../../src/web/formatters.ts';
import { describeWithPrograms } from '../../support/needs.ts';
import { adminToken } from '../../support/pages.ts';
import { openWorkspace, type TestWorkspace } from '../../support/workspace.ts';
import { sendAttacks } from './attack-world.ts';
import { attacks, type Dealer, dealerOf } from './attacks.ts';
import { type Crawled, crawl } from './crawl.ts';
import { type Harness, openHarness, watch } from './harness.ts';
import { shownText, strangersOnPage } from './shown.ts';

const read = (text: string): string =>
  replaceInvisible(text.replaceAll('\0', '')).replaceAll(/\s+/g, ' ').trim();
const readMax = 60;

describeWithPrograms('a workspace full of injection attempts', ['chromium'], (programs) => {
  let workspace: TestWorkspace;
  let harness: Harness;
  let dealer: Dealer;
  let crawled: Crawled;
  const faults: string[] = [];
  const pages: string[] = [];

  beforeAll(async () => {
    workspace = await openWorkspace();
    dealer = dealerOf(attacks);
    const issueIds = await sendAttacks(workspace, dealer);
    harness = await openHarness(programs['chromium'] ?? '', workspace.app.origin);
    await harness.signIn(adminToken);
    watch(harness, faults);
    const whole = issueIds.map((id) => `/issues/${id}?show=all`);
    crawled = await crawl(harness, { from: ['/', ...whole, ...asked()], atMost, visit });
  });
  afterAll(async () => {
    await harness?.close();
    await workspace?.close();
  });

  async function visit(path: string): Promise<void> {
    const { page } = harness;
    const told = [...(await page.evaluate<string[]>(strangersOnPage)), ...harness.violations()];
    const { origin, pathname, search } = new URL(page.url());
    if (origin !== harness.origin || pathname + search !== path) told.push(`leads to ${page.url()}`);
    faults.push(...told.map((what) => `${path}: ${what}`));
    pages.push(read(await page.evaluate<string>(shownText)));
  }

  it('has hundreds of such texts in dozens of fields', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(300);
    expect([...dealer.fields].length).toBeGreaterThan(90);
  });

  it('runs nothing, asks for nothing elsewhere, goes nowhere and breaks no policy', () => {
    expect(faults).toEqual([]);
    expect(crawled.broken).toEqual([]);
    expect(pages.length).toBeGreaterThan(120);
  });

  it('shows every text exactly as it was sent', () => {
    const unseen = attacks.filter(
      (text) => !pages.some((page) => page.includes(read(text).slice(0, readMax))),
    );
    expect(unseen).toEqual([]);
  });

  it('shows the text of every field that a page displays', () => {
    const unseen = [...dealer.fields].filter((field) => {
      const text = dealer.marked(field);
      // A value of any kind is shown as JSON.
      const ways = [read(text), read(JSON.stringify(text).slice(1, -1))];
      return !pages.some((page) => ways.some((way) => page.includes(way)));
    });
    expect(unseen.filter(hasPage)).toEqual([]);
  });
});

function atMost(pattern: string): number {
  if (/^\/issues(\/#)?\?$/.test(pattern)) return 56;
  if (/^\/(monitors|status|status-pages)\/#/.test(pattern)) return 8;
  return /^\/(test-runs|releases|feedback|artifacts|incidents|alert-channels(\/rules)?)\/#(\/cases)?$/.test(
    pattern,
  )
    ? 8
    : 1;
}

function asked(): string[] {
  const names = ['q', 'environment', 'release', 'tag', 'user', 'notice', 'x"><script>'];
  const paths: string[] = [];
  for (let at = 0; at < attacks.length; at += names.length) {
    const query = new URLSearchParams(names.map((name, index) => [name, attacks[at + index] ?? '']));
    paths.push(`/issues?${query}`);
  }
  return paths;
}

/** Fields of what has no page yet are not to be seen; nor are those in `hidden`, which no page shows. */
function hasPage(field: string): boolean {
  const [noun = ''] = field.split('.');
  const place = places[noun] ?? '/issues';
  return !hidden.has(field) && workspacePages().some(({ path }) => path === place);
}

const places: Readonly<Record<string, string>> = {
  feedback: '/feedback',
  release: '/releases/{release_id}',
  commit: '/releases/{release_id}',
  deploy: '/deploys',
  report: '/test-runs',
  case: '/test-runs',
  artifact: '/artifacts',
  monitor: '/monitors',
  incident: '/incidents',
  channel: '/alert-channels',
  rule: '/alert-channels/rules',
};

const hidden: ReadonlySet<string> = new Set([
  ...['user.id', 'user.username', 'user.name', 'user.email', 'feedback.email', 'commit.author_email'],
  ...['frame.abs_path', 'frame.module', 'exception.module', 'breadcrumb.type', 'event.site', 'event.params'],
  ...['event.message', 'event.server_name', 'feedback.user_agent'],
  ...['commit.repository', 'commit.path', 'release.ref', 'release.url', 'release.metadata'],
  ...['ref.repository', 'ref.commit', 'deploy.name', 'deploy.url', 'deploy.repository', 'deploy.key'],
  // Refused: a host is a host, and the name of a project is of letters.
  ...['host/domains', 'host/domain-verifications', 'form.project'],
]);

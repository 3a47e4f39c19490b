import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspacePages } from '../../routes/pages/index.ts';
import { required } from '../support/one-of-each.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { createMask, expectGolden, fixedBytes } from './golden.ts';

const parts: Record<string, string | number> = { slug: '', id: 1, place: 0, year: 2026, month: '2026-11' };
const made = ['/alert-channels', '/monitors', '/maintenance-windows', '/incidents'];

const hook = { type: 'webhook', name: 'Night', url: 'https://hooks.example/a/bcd' };

let workspace: TestWorkspace;
beforeAll(async () => {
  // Unset, it depends on the disk of the machine.
  const env = { RETENTION_BYTES_PER_PROJECT: String(10 * 1_073_741_824) };
  workspace = await openWorkspace({ env, deps: { randomBytes: fixedBytes() } });
  const { app } = workspace;
  for (const path of made) {
    expect(
      await app.postSecret(path, path === '/alert-channels' ? hook : (required[path] ?? {})),
    ).toHaveStatus(201);
  }
  const shown = { name: 'Shop', published: true, components: [{ name: 'Front' }] };
  expect(await app.postSecret('/status-pages', shown)).toHaveStatus(201);
  const run = await app.get(`/test-runs/${workspace.world.testRunId}`);
  const [tested] = run.body.results ?? run.body.cases ?? [];
  parts['case_id'] = tested?.case_id ?? 1;
});
afterAll(() => workspace.close());

/** One tag a line, and nothing that a release of ours or a machine changes. */
const lines = (html: string): string => html.replaceAll('><', '>\n<');
const assets = [
  ['asset', /(?<=\/assets\/)[^"' )]+/g],
  ['chain', /(?<=<code class="dim">)[0-9a-f]{4}(?=<)|(?<=<code title="[^"]{0,80}">)[0-9a-f]{8}(?=<)/g],
] as const;

function addressOf(path: string): string {
  const slug = path.startsWith('/monitors') ? 'front-page' : 'shop';
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(name === 'slug' ? slug : (parts[name] ?? 1)),
  );
}

const pages = workspacePages().filter(({ kind }) => kind === 'page');
const single = ['', 'help', 'live', 'search', 'status'];
const folders = Map.groupBy(pages, ({ path }) => {
  const folder = path.split('/')[1] ?? '';
  return single.includes(folder) ? 'overview' : folder;
});

describe('every page is the stored one', () => {
  it.each([...folders])('%s', async (name, declared) => {
    const mask = createMask(assets);
    const told: string[] = [];
    for (const { path } of declared) {
      const address = addressOf(path);
      const twin = `${address === '/' ? '/overview' : address}.json`;
      for (const asked of [twin, address]) {
        const { status, text, headers } = await workspace.admin.get(asked);
        const shown =
          asked === twin && status === 200 ? JSON.stringify(JSON.parse(text), null, 1) : lines(text);
        told.push(mask(`## ${path}: ${asked}\n${status} ${headers['content-type']}\n${shown}\n`));
      }
    }
    expectGolden(`pages/${name}.txt`, told.join('\n'));
  });

  it('without signing in', async () => {
    // A list of status pages that the program made before there was this one is no longer taken.
    workspace.app.advance(2_000);
    const mask = createMask(assets);
    const told: string[] = [];
    for (const path of ['/', '/sign-in', '/issues', '/status/shop', '/status/shop.json', '/status/nobody']) {
      const { status, text, headers } = await workspace.app.agent
        .get(path)
        .set('accept', 'text/html')
        .redirects(0);
      told.push(
        mask(
          `## ${path}\n${status} ${headers['content-type']} ${headers['location'] ?? ''}\n${lines(text)}\n`
            // Whether a page that was made before is given again depends on the machine.
            .replaceAll('12:00:02', '12:00:00'),
        ),
      );
    }
    expectGolden('pages/strangers.txt', told.join('\n'));
  });
});

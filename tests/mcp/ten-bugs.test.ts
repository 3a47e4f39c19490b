// Ten bugs of the demo: a client finds file, release and time of each from the answers of tools alone. What was
// asked and answered is kept in tests/fixtures/mcp/ten-bugs.txt (GOLDEN=renew writes it).
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { silentLog } from '../../src/app/log.ts';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import type { Deps } from '../../src/core/deps.ts';
import { demoIssues } from '../../src/demo/faults/issues.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { openMcpUser } from '../../src/mcp/user.ts';
import { golden } from '../demo/look.ts';
import { createMask, expectGolden } from '../golden/golden.ts';
import { inFull } from '../support/test-level.ts';

const bugs = [
  ...['capture-502', 'deadlock', 'tax-rate', 'chunk-load', 'json-html'],
  ...['quota-exceeded', 'wishlist-sync', 'postcode-null', 'undefined-country', 'csv-encoding'],
];

const bugIssues = bugs.flatMap((bug) => demoIssues.filter(({ key }) => key === bug));

let client: Client;
let store: Deps['store'];
const transcript: string[] = [];

beforeAll(async () => {
  const demo = await golden();
  store = demo.store;
  const pages = { origin: 'https://notifier.harbourpine.example.com', base: '/demo' };
  const config = { pagesUrl: pages, baseUrl: pages.origin, wpPath: '' } as unknown as Deps['config'];
  const deps = { store, config, now: () => demo.nowMs, log: silentLog } as unknown as Deps;
  const user = await openMcpUser(deps, null, ['read'], commandLineSource);
  const server = createMcpServer({ version: '0.0.0', log: silentLog, user, findUser: async () => user });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
}, 120_000);
afterAll(() => client?.close());

async function call(name: string, given: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given });
  const text = (content as Array<{ text: string }>)[0]?.text ?? '';
  transcript.push(`> ${name} ${JSON.stringify(given)}`, '', text, '');
  return text;
}

/** As an agent would: search by the message that somebody reported, then read the issue. */
async function solve(message: string) {
  const query = `"${message.slice(0, 60).replaceAll('"', '\\"')}"`;
  const found = await call('search_issues', { query, range: '2026-01-01..2026-11-30', sort: 'events' });
  const [, id] = /^#(\d+) /m.exec(found) ?? [];
  const text = await call('get_issue', { issue_id: Number(id), max_tokens: 2_000 });
  return {
    file: /^## Source of in-app frames.*\n\n`+text\n(\S+):\d+ in /m.exec(text)?.[1],
    release: /^first release: (.+)$/m.exec(text)?.[1],
    since: /^first seen: (.+)$/m.exec(text)?.[1],
  };
}

/** The truth, of the scenario and the database. */
async function truthOf({ at, slug, value }: (typeof demoIssues)[number]) {
  const project = await store.findProjectByName(slug);
  const window = { limit: 200, offset: 0, orderBy: 'events', descending: true } as const;
  const { rows } = await store.listIssues(project?.id ?? 0, window);
  const issue = rows.find(({ title }) => title.includes(value.slice(0, 60)));
  return {
    file: at?.replace(/^.* \(|(?::\d+)?\)$/g, ''),
    release: issue?.firstRelease,
    since: new Date(issue?.firstSeenMs ?? 0).toISOString(),
  };
}

inFull(it)(
  'finds the file, the release and the start of each bug',
  async () => {
    const [solved, truth]: [unknown[], unknown[]] = [[], []];
    for (const issue of bugIssues) {
      truth.push([issue.key, await truthOf(issue)]);
      solved.push([issue.key, await solve(issue.value)]);
    }
    expect(solved).toEqual(truth);
    const mask = createMask([['issue', /(?<=#|issue: |issues\/|"issue_id":)\d+/g]]);
    expectGolden('../../fixtures/mcp/ten-bugs.txt', mask(transcript.join('\n')));
  },
  120_000,
);

// `notifier mcp` as an agent starts it: a program on standard input and output, on the database alone.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember } from '../../src/core/members/members.ts';
import { openTestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { inFull } from '../support/test-level.ts';

const repository = join(import.meta.dirname, '../..');
const folder = temporaryFolder();
const DATABASE_URL = `sqlite:${folder.path}/a.db`;
let issueId = 0;

beforeAll(async () => {
  const app = await openTestApp({ env: { DATABASE_URL } });
  issueId = (await app.post('/store', { message: 'Asked for by an agent' })).body.issue_id;
  const { deps } = app;
  const { id } = await createMember(deps, { name: 'Nobody', role: 'viewer', email: null }, commandLineSource);
  await deps.store.setAccess({ memberId: id }, { hasAllProjects: false, projectIds: [] });
  await app.close();
});
afterAll(() => folder.remove());

async function withClient<Result>(
  words: readonly string[],
  act: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ name: 'test', version: '1' });
  const args = [join(repository, 'src/cli.ts'), 'mcp', ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { DATABASE_URL } }));
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: given });
  return (content as Array<{ text: string }>)[0]?.text ?? '';
}

const ifFull = inFull(it);

ifFull('reads everything, and changes nothing without --write', async () => {
  await withClient([], async (client) => {
    expect(await call(client, 'get_issue', { issue_id: issueId })).toContain('Asked for by an agent');
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  });
});

ifFull('changes issues with --write, as the command line', async () => {
  await withClient(['--write'], async (client) => {
    expect(await call(client, 'resolve_issue', { issue_id: issueId })).toBe(`Issue #${issueId} is resolved.`);
    expect(await call(client, 'get_issue', { issue_id: issueId })).toContain('resolved by command line');
  });
});

ifFull('acts as a member, within their projects and role', async () => {
  await withClient(['--member', 'Nobody', '--write'], async (client) => {
    expect(await call(client, 'list_projects')).toBe('You have access to no project.');
    expect(await call(client, 'get_issue', { issue_id: issueId })).toContain('was not found');
    const { tools } = await client.listTools();
    expect(tools.some(({ name }) => name === 'resolve_issue')).toBe(false);
  });
});

// The MCP server, on the models of pages and the services. Imported on use: the SDK takes some 15 MB of memory.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { toRestError } from '../core/errors.ts';
import type { Log } from '../core/ports/log.ts';
import { changeTools } from './change-tools.ts';
import { deliveryTools } from './delivery-tools.ts';
import { issueTools } from './issue-tools.ts';
import { dataNotice, refusalText, type Tool } from './tool.ts';
import type { McpUser } from './user.ts';

export { StdioServerTransport, StreamableHTTPServerTransport };

const instructions = [
  'Notifier records errors of applications as issues, with releases, deploys and test runs.',
  'To find a bug: search_issues, then get_issue (file, first release, suspect commit), then get_release for what changed.',
  dataNotice,
].join(' ');

export interface McpOptions {
  readonly version: string;
  readonly log: Log;
  readonly user: McpUser;
  /** Asked at each call, since access may change meanwhile. */
  findUser(): Promise<McpUser>;
}

export function createMcpServer({ version, log, user, findUser }: McpOptions): McpServer {
  const server = new McpServer({ name: 'notifier', version }, { instructions });
  const tools = [
    ...(user.mayRead ? [...issueTools, ...deliveryTools] : []),
    ...(user.mayChangeIssues ? changeTools : []),
  ];
  for (const tool of tools) {
    const { name, title, description, input, changes } = tool;
    const annotations = {
      ...{ title, readOnlyHint: !changes, openWorldHint: false },
      ...(changes ? { destructiveHint: false, idempotentHint: name !== 'comment_on_issue' } : {}),
    };
    const call = (args: Readonly<Record<string, unknown>>) => callTool(tool, args, { log, findUser });
    server.registerTool(name, { title, description, inputSchema: input, annotations }, call);
  }
  return server;
}

async function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  { log, findUser }: Pick<McpOptions, 'log' | 'findUser'>,
): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await tool.answer(await findUser(), args) }] };
  } catch (error) {
    const message = refusalText(toRestError(error) ?? error);
    if (message === null) {
      log.error({ tool: tool.name, error: String((error as Error)?.stack ?? error) }, 'an MCP tool failed');
    }
    const text = message ?? 'Internal error: it is in the log of the server.';
    return { content: [{ type: 'text', text }], isError: true };
  }
}

// `mcp`: the Model Context Protocol on standard input and output, straight on the database.
import { once } from 'node:events';
import { programVersion } from '../../app/layers/version.ts';
import { silentLog } from '../../app/log.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import type { Member, TokenScope } from '../../core/store/members.ts';
import { type McpUser, openMcpUser } from '../../mcp/user.ts';
import { type Command, CommandError, exitCodes } from '../command.ts';
import { memberNamed } from './members.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the Model Context Protocol on standard input and output, for coding agents.',
  usage: '[--member NAME|ID] [--write]',
  options: {
    member: 'act as this member, with their role and projects (default: everything, as the command line)',
    write: { flag: 'offer tools that resolve, ignore, assign and comment (default: tools that read)' },
  },
  examples: ['mcp --member Mara --write'],
  hasJson: false,
  onlyReads: true,
  async run(context, args) {
    const deps = await context.deps();
    const memberName = args.text('member');
    const member = memberName === undefined ? null : await memberNamed(deps, memberName);
    const scopes: readonly TokenScope[] = args.flag('write') ? ['read', 'issues'] : ['read'];
    const { createMcpServer, StdioServerTransport } = await import('../../mcp/server.ts');
    const findUser = () => openUser(deps, member?.id ?? null, scopes);
    const log = {
      ...silentLog,
      error: (fields: object, message: string) => context.err(`${message}: ${JSON.stringify(fields)}\n`),
    };
    const server = createMcpServer({ version: programVersion(), log, user: await findUser(), findUser });
    const ended = once(process.stdin, 'end');
    await server.connect(new StdioServerTransport());
    await ended;
    await server.close();
    return exitCodes.fine;
  },
};

/** Again at each call: role and access may change while an agent runs. */
async function openUser(deps: Deps, id: number | null, scopes: readonly TokenScope[]): Promise<McpUser> {
  if (id === null) return openMcpUser(deps, null, scopes, commandLineSource);
  const member: Member | null = await deps.store.findMember(id);
  if (member === null) throw new CommandError('The member was removed.');
  const source = { ...commandLineSource, actor: { kind: 'member', id, name: member.name } } as const;
  return openMcpUser(deps, member, scopes, source);
}

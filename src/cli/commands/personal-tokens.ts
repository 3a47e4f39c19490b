// `token …`: API tokens of members. The text of a token is printed once, when it is created.
import { commandLineSource } from '../../core/audit/audit.ts';
import { parseId } from '../../core/ids.ts';
import {
  type CreatedToken,
  createPersonalToken,
  parseTokenScopes,
  revokePersonalToken,
  tokenDaysDefault,
} from '../../core/members/personal-tokens.ts';
import { viewPersonalToken } from '../../core/members/views.ts';
import { parseExpiry } from '../../core/projects/keys.ts';
import { type Command, CommandError, UsageError } from '../command.ts';
import { formatIsoTime, listResult, sanitizeForTerminal, timeText } from '../print.ts';
import { deleteResult } from '../resource.ts';
import { memberNamed } from './members.ts';

const create: Command = {
  name: 'token create',
  summary: 'Create an API token of a member. It can do what the member may, within its scopes.',
  usage: 'NAME --member NAME|ID [--scope LIST] [--expires WHEN]',
  options: {
    member: 'whose token it is',
    scope: 'scopes, separated by commas: read, issues, ci, admin (default: read)',
    expires: `expiry within a year: 30d or 2027-01-31 (UTC) (default: ${tokenDaysDefault}d)`,
  },
  examples: ['token create laptop --member Mara --scope read,issues'],
  async run(context, args) {
    const memberName = args.text('member');
    if (memberName === undefined) throw new UsageError('Enter the owner of the token: --member NAME.');
    const deps = await context.deps();
    const member = await memberNamed(deps, memberName);
    const scopes = parseTokenScopes((args.text('scope') ?? 'read').split(/[\s,]+/).filter(Boolean));
    const expiresAtMs = parseExpiry(args.text('expires') ?? `${tokenDaysDefault}d`, deps.now());
    const fields = { name: args.positionals[0] ?? '', scopes, expiresAtMs };
    const created = await createPersonalToken(deps, member, fields, commandLineSource);
    return {
      json: { ...viewPersonalToken(created.token, deps.now()), text: created.text },
      text: textOf(created),
    };
  },
};

function textOf({ token, text }: CreatedToken): string {
  const until = `expires ${timeText(token.expiresAtMs)} UTC`;
  return `API token ${token.id}: ${text}   (shown only once)\nScopes ${token.scopes.join(', ')}; ${until}.`;
}

const list: Command = {
  name: 'token list',
  onlyReads: true,
  summary: 'List the API tokens of all members, or of one.',
  usage: '[--member NAME|ID]',
  options: { member: 'the tokens of this member only' },
  async run(context, args) {
    const deps = await context.deps();
    const memberName = args.text('member');
    const member = memberName === undefined ? null : await memberNamed(deps, memberName);
    const tokens = await deps.store.listPersonalTokens(member?.id ?? null);
    const names = new Map((await deps.store.listMembers(deps.now())).map(({ id, name }) => [id, name]));
    const rows = tokens.map((token) => ({
      ...viewPersonalToken(token, deps.now()),
      member: names.get(token.memberId) ?? '',
    }));
    const emptyText = 'No API tokens yet. Create one: notifier token create NAME --member MEMBER';
    return listResult(rows, emptyText, {
      ...{ ID: 'token_id', Member: 'member', Name: 'name', Token: 'token' },
      Scopes: ({ scopes }) => scopes.join(' '),
      'Expires (UTC)': ({ expires_at: at }) => formatIsoTime(at),
      'Last used (UTC)': ({ last_used: at }) => formatIsoTime(at),
    });
  },
};

const revoke: Command = {
  name: 'token delete',
  aliases: ['token revoke'],
  summary: 'Revoke an API token at once. This cannot be undone.',
  usage: 'TOKEN_ID',
  examples: ['token delete 3'],
  async run(context, args) {
    const deps = await context.deps();
    const id = parseId(args.positionals[0] ?? '');
    const token = (await deps.store.listPersonalTokens(null)).find((each) => each.id === id);
    const member = token === undefined ? null : await deps.store.findMember(token.memberId);
    if (token === undefined || member === null) {
      throw new CommandError(`There is no API token "${sanitizeForTerminal(args.positionals[0] ?? '')}".`);
    }
    const revoked = await revokePersonalToken(deps, member, token.id, commandLineSource);
    const text = `API token ${token.id}, ${sanitizeForTerminal(token.name)}, is revoked.`;
    return deleteResult(viewPersonalToken(revoked, deps.now()), text);
  },
};

export const personalTokenCommands: readonly Command[] = [create, list, revoke];

// `member add|link|list|role|remove`: who may come in to the workspace. Rules are those of src/core/members/.
import { byCommandLine } from '../../core/audit/audit.ts';
import { pagesUrlOf } from '../../core/config/addresses.ts';
import type { Deps } from '../../core/deps.ts';
import { linkAddress } from '../../core/members/links.ts';
import {
  addMember,
  changeRole,
  findMember,
  inviteMember,
  removeMember,
  roleOf,
} from '../../core/members/members.ts';
import { viewListedMember, viewMember } from '../../core/members/views.ts';
import { momentText } from '../../core/reading/moments.ts';
import type { ListedMember, Member, Role } from '../../core/store/members.ts';
import {
  type Command,
  CommandFailure,
  exitCodes,
  printable,
  printJson,
  table,
  timeText,
  UsageError,
} from '../command.ts';

export const memberAdd: Command = {
  name: 'member add',
  summary: 'Adds somebody to the workspace; `member link` makes the link that lets them in.',
  usage: 'NAME --role viewer|member|admin [--email ADDRESS]',
  options: {
    role: {
      type: 'string',
      help: 'viewer reads, member also acts on issues, admin may all (default member)',
    },
    email: { type: 'string', help: 'where to write to them' },
  },
  positionals: { least: 1, most: 1 },
  examples: ['member add Mara --role admin'],
  async run(context, words) {
    const role = roleNamed(words.text('role') ?? 'member');
    const deps = await context.deps();
    const fields = { name: words.positionals[0] ?? '', role, email: words.text('email') ?? null };
    const member = await addMember(deps, fields, byCommandLine);
    const way = `Their link: npm run notifier -- member link ${member.id}`;
    if (words.flag('json')) printJson(context, viewMember(member));
    else context.out(`Added ${printable(member.name)} as ${member.role}.\n${way}\n`);
    return exitCodes.fine;
  },
};

export const memberLink: Command = {
  name: 'member link',
  summary: 'Makes a link that lets a member in, once, within 15 minutes.',
  usage: 'NAME|ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const member = await memberNamed(deps, words.positionals[0]);
    const { token, expiresAtMs } = await inviteMember(deps, member, byCommandLine);
    const link = linkAddress(pagesUrlOf(deps.config), token);
    if (words.flag('json')) {
      printJson(context, { link, expires_at: momentText(expiresAtMs), member: viewMember(member) });
      return exitCodes.fine;
    }
    context.out(`${link}\n`);
    context.out(`Lets ${printable(member.name)} in, once, until ${timeText(expiresAtMs)} UTC.\n`);
    return exitCodes.fine;
  },
};

export const memberList: Command = {
  name: 'member list',
  onlyReads: true,
  summary: 'Lists the members of the workspace.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const members = await deps.store.listMembers(deps.now());
    if (words.flag('json')) printJson(context, members.map(viewListedMember));
    else context.out(`${members.length === 0 ? nobodyYet : memberTable(members)}\n`);
    return exitCodes.fine;
  },
};

export const memberRole: Command = {
  name: 'member role',
  summary: 'Gives a member another role, from their next request on.',
  usage: 'NAME|ID viewer|member|admin',
  options: {},
  positionals: { least: 2, most: 2 },
  async run(context, words) {
    const role = roleNamed(words.positionals[1]);
    const deps = await context.deps();
    const member = await memberNamed(deps, words.positionals[0]);
    const changed = await changeRole(deps, member, role, byCommandLine);
    if (words.flag('json')) printJson(context, viewMember(changed));
    else context.out(`${printable(changed.name)} is ${changed.role}.\n`);
    return exitCodes.fine;
  },
};

export const memberRemove: Command = {
  name: 'member remove',
  summary: 'Ends a membership, with all sessions and links, at once.',
  usage: 'NAME|ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const member = await memberNamed(deps, words.positionals[0]);
    const removed = await removeMember(deps, member, byCommandLine);
    if (words.flag('json')) printJson(context, viewMember(removed));
    else context.out(`${printable(removed.name)} is no member any more.\n`);
    return exitCodes.fine;
  },
};

const nobodyYet = 'No members yet: notifier member add NAME --role admin';

function memberTable(members: readonly ListedMember[]): string {
  const rows = members.map((member) => [
    member.id,
    member.name,
    member.role,
    member.email,
    member.sessionsCount,
    timeText(member.seenAtMs),
    timeText(member.linkEndsAtMs),
  ]);
  const heads = ['ID', 'Name', 'Role', 'E-mail', 'Sessions', 'Last here (UTC)', 'Link until (UTC)'];
  return table(heads, rows);
}

function roleNamed(word: string | undefined): Role {
  const role = roleOf(word);
  if (role === null) throw new UsageError('A role is viewer, member or admin.');
  return role;
}

async function memberNamed(deps: Deps, word = ''): Promise<Member> {
  const member = await findMember(deps, word);
  if (member === null) throw new CommandFailure(`There is no member "${printable(word)}".`);
  return member;
}

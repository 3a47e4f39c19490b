// `member …`: members of the workspace. `audit verify`: checks the hash chain of the audit log.

import { commandLineSource } from '../../core/audit/audit.ts';
import { verifyAuditLog } from '../../core/audit/chain.ts';
import { getPagesUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { signInUrl } from '../../core/members/links.ts';
import {
  createMember,
  deleteMember,
  findMember,
  inviteMember,
  parseRole,
  updateMemberRole,
} from '../../core/members/members.ts';
import { updateMemberAccess } from '../../core/members/teams.ts';
import { viewListedMember, viewMember } from '../../core/members/views.ts';
import { commandName } from '../../core/parsing/command-name.ts';
import { formatCountWithNoun } from '../../core/parsing/format/numbers.ts';
import { formatTime } from '../../core/parsing/timestamps.ts';
import type { Member, ProjectAccess, Role } from '../../core/store/members.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type CommandResult,
  exitCodes,
  type ParsedArgs,
  UsageError,
} from '../command.ts';
import {
  createProgressLine,
  formatIsoTime,
  formatView,
  listResult,
  sanitizeForTerminal,
  timeText,
} from '../print.ts';
import { getProject } from '../project-option.ts';

export const projectsOption = 'projects they may see: "all", or IDs or names with commas between them';

export const memberCommands: readonly Command[] = [
  {
    name: 'member create',
    aliases: ['member add'],
    summary: 'Add a member to the workspace; `sign-in-link create` makes their sign-in link.',
    usage: 'NAME --role viewer|member|admin [--email ADDRESS]',
    options: {
      role: 'viewer, member or admin (default: member)',
      email: 'e-mail address of the member',
    },
    examples: ['member create Mara --role admin'],
    async run(context, args) {
      const role = roleNamed(args.text('role') ?? 'member');
      const fields = { name: args.positionals[0] ?? '', role, email: args.text('email') ?? null };
      const member = await createMember(await context.deps(), fields, commandLineSource);
      const hint = `Create their sign-in link: ${commandName} sign-in-link create ${member.id}`;
      return {
        json: viewMember(member),
        text: `Added ${sanitizeForTerminal(member.name)} as ${member.role}.\n${hint}`,
      };
    },
  },
  {
    name: 'member list',
    onlyReads: true,
    summary: 'List the members of the workspace.',
    async run(context) {
      const deps = await context.deps();
      const members = (await deps.store.listMembers(deps.now())).map(viewListedMember);
      const nobodyYet = 'No members yet. Create one: notifier member create NAME --role admin';
      return listResult(members, nobodyYet, {
        ...{ ID: 'member_id', Name: 'name', Role: 'role', 'E-mail': 'email', Sessions: 'sessions' },
        'Last seen (UTC)': ({ last_seen: at }) => formatIsoTime(at),
        'Sign-in link until (UTC)': ({ link_ends_at: at }) => formatIsoTime(at),
      });
    },
  },
  {
    name: 'member show',
    onlyReads: true,
    summary: 'Show one member with role, sessions and last use.',
    usage: 'NAME|ID',
    async run(context, args) {
      const deps = await context.deps();
      const { id } = await memberNamed(deps, args.positionals[0]);
      const [view] = (await deps.store.listMembers(deps.now())).flatMap((each) =>
        each.id === id ? viewListedMember(each) : [],
      );
      return { json: view ?? {}, text: formatView(`Member ${id}`, view ?? {}) };
    },
  },
  {
    name: 'member update',
    summary: 'Change the role or the projects of a member. It applies from their next request.',
    usage: 'NAME|ID [--role viewer|member|admin] [--projects all|LIST]',
    options: { role: 'viewer, member or admin', projects: projectsOption },
    examples: ['member update Mara --role viewer', 'member update Mara --projects shop-web,checkout-api'],
    run: updateMember,
  },
  {
    name: 'sign-in-link create',
    aliases: ['member link'],
    summary: 'Create a sign-in link for a member. It works once, within 15 minutes.',
    usage: 'MEMBER',
    async run(context, args) {
      const deps = await context.deps();
      const member = await memberNamed(deps, args.positionals[0]);
      const { token, expiresAtMs } = await inviteMember(deps, member, commandLineSource);
      const link = signInUrl(getPagesUrl(deps.config), token);
      const until = `Sign-in link for ${sanitizeForTerminal(member.name)}. It works once, until ${timeText(expiresAtMs)} UTC.`;
      return {
        json: { link, expires_at: formatTime(expiresAtMs), member: viewMember(member) },
        text: `${link}\n${until}`,
      };
    },
  },
  {
    name: 'member delete',
    aliases: ['member remove'],
    summary: 'Remove a member. Their sessions and sign-in links end at once.',
    usage: 'NAME|ID',
    async run(context, args) {
      const deps = await context.deps();
      const member = await memberNamed(deps, args.positionals[0]);
      const removed = await deleteMember(deps, member, commandLineSource);
      return {
        json: viewMember(removed),
        text: `${sanitizeForTerminal(removed.name)} is no longer a member.`,
      };
    },
  },
];

/** The earlier form of `member update`, which still works and which the help does not show. */
export const memberRole: Command = {
  name: 'member role',
  summary: 'Change the role of a member. It applies from their next request.',
  usage: 'NAME|ID viewer|member|admin',
  run: (context, args) => updateRole(context, args, args.positionals[1]),
};

async function updateMember(context: CommandContext, args: ParsedArgs): Promise<CommandResult> {
  const projects = args.text('projects');
  if (projects === undefined) return updateRole(context, args, args.text('role'));
  const role = args.text('role') === undefined ? null : roleNamed(args.text('role'));
  const deps = await context.deps();
  const member = await memberNamed(deps, args.positionals[0]);
  const access = await parseAccess(deps, projects);
  await updateMemberAccess(deps, member, access, commandLineSource);
  if (role !== null) await updateMemberRole(deps, member, role, commandLineSource);
  const changed = (await deps.store.findMember(member.id)) ?? member;
  const seen = access.hasAllProjects
    ? 'all projects'
    : formatCountWithNoun(access.projectIds.length, 'chosen project', 'chosen projects');
  const text = `${sanitizeForTerminal(changed.name)} is ${changed.role}, with access to ${seen}.`;
  return { json: viewMember(changed), text };
}

async function updateRole(
  context: CommandContext,
  args: ParsedArgs,
  word: string | undefined,
): Promise<CommandResult> {
  const role = roleNamed(word);
  const deps = await context.deps();
  const member = await memberNamed(deps, args.positionals[0]);
  const changed = await updateMemberRole(deps, member, role, commandLineSource);
  return { json: viewMember(changed), text: `${sanitizeForTerminal(changed.name)} is now ${changed.role}.` };
}

function roleNamed(word: string | undefined): Role {
  const role = parseRole(word);
  if (role === null) throw new UsageError('The role must be viewer, member or admin.');
  return role;
}

/** `all`, or projects by number or name. @throws CommandError */
export async function parseAccess(deps: Deps, text: string): Promise<ProjectAccess> {
  if (text.trim() === 'all') return { hasAllProjects: true, projectIds: [] };
  const words = text.split(',').map((word) => word.trim());
  const projects = await Promise.all(words.filter(Boolean).map((word) => getProject(deps, word)));
  return { hasAllProjects: false, projectIds: projects.map(({ id }) => id) };
}

export async function memberNamed(deps: Deps, word = ''): Promise<Member> {
  const member = await findMember(deps, word);
  if (member === null) throw new CommandError(`There is no member "${sanitizeForTerminal(word)}".`);
  return member;
}

export const verifyAuditCommand: Command = {
  name: 'audit verify',
  aliases: ['verify-audit'],
  summary: 'Verify the hash chain of the audit log, and show the first entry that does not match.',
  usage: '[--holds HASH]',
  options: { holds: 'a hash you saved earlier, which the log must still contain' },
  async run(context, args) {
    const noted = args.text('holds')?.toLowerCase();
    if (noted !== undefined && !/^[0-9a-f]{64}$/.test(noted)) {
      throw new UsageError('A hash must have 64 characters of 0-9 and a-f.');
    }
    const { store } = await context.deps();
    const progress = createProgressLine(context);
    const verdict = await verifyAuditLog(store, {
      ...(noted === undefined ? {} : { noted }),
      onProgress: (entries, all) => progress.update(`${entries} of ${all} entries`),
    });
    progress.end();
    const isWhole = verdict.fault === null && verdict.holds !== false;
    const code = isWhole ? exitCodes.fine : exitCodes.failed;
    return { json: { ...verdict, whole: isWhole }, text: auditSentence(verdict), code };
  },
};

function auditSentence({
  entries,
  hash,
  fault: problem,
  holds: containsHash,
}: Awaited<ReturnType<typeof verifyAuditLog>>): string {
  const count = formatCountWithNoun(entries, 'entry', 'entries');
  if (problem !== null) {
    return `The audit log is broken: ${problem}. ${count} before that ${entries === 1 ? 'is' : 'are'} intact.`;
  }
  const intact = `The audit log is intact: ${count}, newest hash ${hash}.`;
  return containsHash === false
    ? `${intact} But it does not contain the given hash, so it was rewritten.`
    : intact;
}

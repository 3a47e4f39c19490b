// `member …`: members of the workspace. `verify-audit`: checks the hash chain of the audit log.
import { byCommandLine } from '../../core/audit/audit.ts';
import { verifyAudit } from '../../core/audit/verify.ts';
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
import { counted } from '../../core/reading/words/figures.ts';
import type { Member, Role } from '../../core/store/members.ts';
import { type Command, CommandFailure, exitCodes, type ParsedWords, UsageError } from '../command.ts';
import { isoText, printable, progressIn, tableOf, timeText } from '../print.ts';

export const memberCommands: readonly Command[] = [
  {
    name: 'member add',
    summary: 'Adds somebody to the workspace; `member link` makes the link that lets them in.',
    usage: 'NAME --role viewer|member|admin [--email ADDRESS]',
    options: {
      role: 'viewer reads, member also acts on issues, admin may all (default member)',
      email: 'where to write to them',
    },
    examples: ['member add Mara --role admin'],
    async run(context, words) {
      const role = roleNamed(words.text('role') ?? 'member');
      const fields = { name: words.positionals[0] ?? '', role, email: words.text('email') ?? null };
      const member = await addMember(await context.deps(), fields, byCommandLine);
      const way = `Their link: npm run notifier -- member link ${member.id}`;
      return { json: viewMember(member), text: `Added ${printable(member.name)} as ${member.role}.\n${way}` };
    },
  },
  {
    name: 'member list',
    onlyReads: true,
    summary: 'Lists the members of the workspace.',
    async run(context) {
      const deps = await context.deps();
      const members = (await deps.store.listMembers(deps.now())).map(viewListedMember);
      const text = tableOf(
        {
          ...{ ID: 'member_id', Name: 'name', Role: 'role', 'E-mail': 'email', Sessions: 'sessions' },
          'Last here (UTC)': ({ last_seen: at }) => isoText(at),
          'Link until (UTC)': ({ link_ends_at: at }) => isoText(at),
        },
        members,
      );
      const nobodyYet = 'No members yet: notifier member add NAME --role admin';
      return { json: members, text: members.length === 0 ? nobodyYet : text };
    },
  },
  {
    name: 'member role',
    summary: 'Gives a member another role, from their next request on.',
    usage: 'NAME|ID viewer|member|admin',
    async run(context, words) {
      const role = roleNamed(words.positionals[1]);
      const deps = await context.deps();
      const changed = await changeRole(deps, await memberNamed(deps, words), role, byCommandLine);
      return { json: viewMember(changed), text: `${printable(changed.name)} is ${changed.role}.` };
    },
  },
  {
    name: 'member link',
    summary: 'Makes a link that lets a member in, once, within 15 minutes.',
    usage: 'NAME|ID',
    async run(context, words) {
      const deps = await context.deps();
      const member = await memberNamed(deps, words);
      const { token, expiresAtMs } = await inviteMember(deps, member, byCommandLine);
      const link = linkAddress(pagesUrlOf(deps.config), token);
      const until = `Lets ${printable(member.name)} in, once, until ${timeText(expiresAtMs)} UTC.`;
      return {
        json: { link, expires_at: momentText(expiresAtMs), member: viewMember(member) },
        text: `${link}\n${until}`,
      };
    },
  },
  {
    name: 'member remove',
    summary: 'Ends a membership, with all sessions and links, at once.',
    usage: 'NAME|ID',
    async run(context, words) {
      const deps = await context.deps();
      const removed = await removeMember(deps, await memberNamed(deps, words), byCommandLine);
      return { json: viewMember(removed), text: `${printable(removed.name)} is no member any more.` };
    },
  },
];

function roleNamed(word: string | undefined): Role {
  const role = roleOf(word);
  if (role === null) throw new UsageError('A role is viewer, member or admin.');
  return role;
}

async function memberNamed(deps: Deps, { positionals: [word = ''] }: ParsedWords): Promise<Member> {
  const member = await findMember(deps, word);
  if (member === null) throw new CommandFailure(`There is no member "${printable(word)}".`);
  return member;
}

export const verifyAuditCommand: Command = {
  name: 'verify-audit',
  summary: 'Looks whether the audit history is whole; names the first entry that is not.',
  usage: '[--holds HASH]',
  options: { holds: 'a hash that was noted earlier: whoever wrote all anew does not have it' },
  async run(context, words) {
    const noted = words.text('holds')?.toLowerCase();
    if (noted !== undefined && !/^[0-9a-f]{64}$/.test(noted)) {
      throw new UsageError('A hash has 64 characters of 0-9 and a-f.');
    }
    const { store } = await context.deps();
    const progress = progressIn(context);
    const verdict = await verifyAudit(store, {
      ...(noted === undefined ? {} : { noted }),
      onProgress: (entries, all) => progress.tell(`${entries} of ${all} entries`),
    });
    progress.end();
    const isWhole = verdict.fault === null && verdict.holds !== false;
    const code = isWhole ? exitCodes.fine : exitCodes.failed;
    return { json: { ...verdict, whole: isWhole }, text: auditSentence(verdict), code };
  },
};

function auditSentence({ entries, hash, fault, holds }: Awaited<ReturnType<typeof verifyAudit>>): string {
  const told = counted(entries, 'entry', 'entries');
  if (fault !== null) {
    return `The audit history is broken: ${fault}. ${told} before that ${entries === 1 ? 'is' : 'are'} whole.`;
  }
  const whole = `The audit history is whole: ${told}, the newest ${hash}.`;
  return holds === false
    ? `${whole} But it does not hold the hash that was noted: it was written anew.`
    : whole;
}

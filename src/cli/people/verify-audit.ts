// `verify-audit`: walks the audit history from its first entry to its last.
import { verifyAudit } from '../../core/audit/verify.ts';
import { counted } from '../../core/reading/words/figures.ts';
import { type Command, exitCodes, printJson, UsageError } from '../command.ts';

export const verifyAuditCommand: Command = {
  name: 'verify-audit',
  summary: 'Looks whether the audit history is whole; names the first entry that is not.',
  usage: '[--holds HASH]',
  options: {
    holds: { type: 'string', help: 'a hash that was noted earlier: whoever wrote all anew does not have it' },
  },
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const noted = words.text('holds')?.toLowerCase();
    if (noted !== undefined && !/^[0-9a-f]{64}$/.test(noted)) {
      throw new UsageError('A hash has 64 characters of 0-9 and a-f.');
    }
    const { store } = await context.deps();
    const verdict = await verifyAudit(store, {
      ...(noted === undefined ? {} : { noted }),
      onProgress(entries, all) {
        if (context.isTerminal) context.err(`\r${entries} of ${all} entries`);
      },
    });
    if (context.isTerminal) context.err('\r\u001b[K');
    const isWhole = verdict.fault === null && verdict.holds !== false;
    if (words.flag('json')) printJson(context, { ...verdict, whole: isWhole });
    else context.out(`${sentence(verdict)}\n`);
    return isWhole ? exitCodes.fine : exitCodes.failed;
  },
};

function sentence({ entries, hash, fault, holds }: Awaited<ReturnType<typeof verifyAudit>>): string {
  const told = counted(entries, 'entry', 'entries');
  if (fault !== null) {
    return `The audit history is broken: ${fault}. ${told} before that ${entries === 1 ? 'is' : 'are'} whole.`;
  }
  const whole = `The audit history is whole: ${told}, the newest ${hash}.`;
  return holds === false
    ? `${whole} But it does not hold the hash that was noted: it was written anew.`
    : whole;
}

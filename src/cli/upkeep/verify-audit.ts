// `verify-audit`: walks the audit history from its first entry to its last.
import { verifyAudit } from '../../core/audit/verify.ts';
import { counted } from '../../core/reading/words/figures.ts';
import { type Command, exitCodes, UsageError } from '../command.ts';
import { progressIn } from '../print.ts';

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
    return { json: { ...verdict, whole: isWhole }, text: sentence(verdict), code };
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

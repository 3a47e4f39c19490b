// Messages, traces and output of cases within what one upload may hold. Pure.
import { cutTextBefore, isLongerThan } from '../../../reading/cut-text.ts';
import {
  type CaseCleaner,
  outputCharactersMax,
  outputOfRunCharactersMax,
  textOfRunCharactersMax,
} from './report.ts';
import type { Warn } from './warnings.ts';

/** Characters beyond a cut that are looked at too, so that a secret on its edge is seen whole. */
export const cutMargin = 2048;

/** A message and a trace, or neither where the upload holds too much text already. */
export function withinBudget(
  texts: { message: string | null; trace: string | null },
  budget: { text: number },
  warn: Warn,
  path: string,
): { message: string | null; trace: string | null } {
  // Also what is empty takes room.
  const size = (texts.message?.length ?? 0) + (texts.trace?.length ?? 0) + 50;
  if (size > budget.text) {
    warn(
      'text_dropped',
      `Messages and traces over ${textOfRunCharactersMax} characters a run were dropped.`,
      path,
    );
    return { message: null, trace: null };
  }
  budget.text -= size;
  return texts;
}

/** The end of what a case printed: that is where it says why it stopped. */
export function lastOutput(
  text: string | null | undefined,
  budget: { output: number; readonly cleaner: CaseCleaner },
  warn: Warn,
  path: string,
): string | null {
  if (text === null || text === undefined || text === '') {
    return null;
  }
  const room = Math.min(outputCharactersMax, budget.output);
  if (isLongerThan(text, room)) {
    warn(
      'output_cut',
      `Output was cut to its last ${outputCharactersMax} characters a case, ${outputOfRunCharactersMax} a run.`,
      path,
    );
  }
  const kept = cutTextBefore(budget.cleaner.text(cutTextBefore(text, room + cutMargin)), room);
  budget.output -= kept.length;
  return kept === '' ? null : ownCopy(kept);
}

/**
 * A text by itself: V8 keeps a piece of a text as a view, and 48 MB of report would live as long as its
 * names. Halves of surrogate pairs, which no database takes, become U+FFFD on the way.
 */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

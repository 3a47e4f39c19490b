// The refusals of a report that cannot be read.
import { badRequest, RestError } from '../../../errors.ts';

/** The 400 for an unreadable report: says what kind of file was expected, what is wrong, and where. */
export function unreadableReport(sentence: string, extra: Record<string, number> = {}): RestError {
  return badRequest('notifier_test_run_unreadable', sentence, extra);
}

/** The 400 for XML that is something else than a report: beside reports it may be passed over. */
export class OtherDocumentError extends RestError {
  constructor(sentence: string, extra: Record<string, number>) {
    super('notifier_test_run_unreadable', sentence, 400, extra);
  }
}

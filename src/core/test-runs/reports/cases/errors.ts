import { createBadRequestError, RestError } from '../../../errors.ts';

export function unreadableReportError(sentence: string, extra: Record<string, number> = {}): RestError {
  return createBadRequestError('notifier_test_run_unreadable', sentence, extra);
}

/** For XML that is not a test report: among other files it is ignored. */
export class OtherDocumentError extends RestError {
  readonly isFailed: boolean;

  constructor(sentence: string, extra: Record<string, number>, isFailed: boolean) {
    super('notifier_test_run_unreadable', sentence, 400, extra);
    this.isFailed = isFailed;
  }
}

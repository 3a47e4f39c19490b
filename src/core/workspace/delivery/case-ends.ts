// How cases ended over some runs, put in the order of the runs. Pure.
import { type CaseEnd, type CaseResult, caseResults } from '../../store/test-runs.ts';

/**
 * For a case its ends in the order of `runIds`; null where it did not run. A case that ran more than once in
 * a run ended there as its worst did.
 */
export function endsByCase(
  ends: readonly CaseEnd[],
  runIds: readonly number[],
): (caseId: string) => Array<CaseResult | null> {
  const worst = new Map<string, CaseResult>();
  for (const { caseId, runId, result } of ends) {
    const key = `${runId} ${caseId}`;
    const before = worst.get(key);
    if (before === undefined || caseResults.indexOf(result) < caseResults.indexOf(before)) {
      worst.set(key, result);
    }
  }
  return (caseId) => runIds.map((runId) => worst.get(`${runId} ${caseId}`) ?? null);
}

/** `problem`: data is lost, exposed, or something will fail. `notice`: worth a look. */
export type FindingLevel = 'ok' | 'notice' | 'problem';

export interface Finding {
  readonly area: string;
  readonly level: FindingLevel;
  readonly what: string;
  /** Empty if nothing needs to be done. */
  readonly todo: string;
}

export function createFindings(area: string) {
  return {
    ok: (what: string): Finding => ({ area, level: 'ok', what, todo: '' }),
    notice: (what: string, todo: string): Finding => ({ area, level: 'notice', what, todo }),
    problem: (what: string, todo: string): Finding => ({ area, level: 'problem', what, todo }),
  };
}

/** The findings, or one `ok` line if there are none. */
export function findingsOrOk(found: readonly Finding[], area: string, fine: string): readonly Finding[] {
  return found.length > 0 ? found : [createFindings(area).ok(fine)];
}

export function formatPlural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

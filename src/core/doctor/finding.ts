/** `problem`: data is lost, exposed, or something will fail. `notice`: worth a look. */
export type Level = 'ok' | 'notice' | 'problem';

export interface Finding {
  readonly area: string;
  readonly level: Level;
  readonly what: string;
  /** Empty if nothing needs to be done. */
  readonly todo: string;
}

export function findingsOf(area: string) {
  return {
    ok: (what: string): Finding => ({ area, level: 'ok', what, todo: '' }),
    notice: (what: string, todo: string): Finding => ({ area, level: 'notice', what, todo }),
    problem: (what: string, todo: string): Finding => ({ area, level: 'problem', what, todo }),
  };
}

/** The findings, or one `ok` line if there are none. */
export function orFine(found: readonly Finding[], area: string, fine: string): readonly Finding[] {
  return found.length > 0 ? found : [findingsOf(area).ok(fine)];
}

export function numberOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

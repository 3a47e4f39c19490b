/** `TypeError: x is not a function` into type and message. */
export function splitTitle(title: string): { readonly type: string | null; readonly message: string } {
  const match = /^(\S+?(?: \S+?){0,2}?): (\S.*)$/su.exec(title);
  if (match !== null) return { type: match[1] ?? null, message: match[2] ?? '' };
  return /^[\p{Lu}][\w.$\\]*$/u.test(title) ? { type: title, message: '' } : { type: null, message: title };
}

/** `total (FILE)` into function and file. */
export function splitCulprit(culprit: string): {
  readonly function: string | null;
  readonly file: string | null;
  readonly text: string | null;
} {
  const named = /^(?:.{0,140} · )?(\S{1,150}) \((\S+)\)$/su.exec(culprit);
  if (named !== null) return { function: named[1] ?? null, file: named[2] ?? null, text: null };
  const inCode = /^(.{0,140} · )(\S+) in (\S+)$/su.exec(culprit);
  if (inCode !== null) return { function: inCode[2] ?? null, file: inCode[3] ?? null, text: null };
  return { function: null, file: null, text: culprit === '' ? null : culprit };
}

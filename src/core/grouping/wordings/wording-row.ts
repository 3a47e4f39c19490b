/** Names that the pattern matched; empty where a group did not match. */
export type CanonicalForm = string | ((first: string, second: string) => string);

export type WordingRow = readonly [pattern: RegExp, form: CanonicalForm];

export const namePattern = `['"]?([\\w$#.]{1,200}?)['"]?`;

export function withProperty(form: string): CanonicalForm {
  return (property) => {
    const lastPart = property.replace(/^.*\./s, '');
    if (lastPart === '') return form;
    return `${form} ${/^(?:\d+|\[\])$/.test(lastPart) ? '.[]' : `.${lastPart}`}`;
  };
}

/** Anchors the patterns at the start of the line. */
export function wordingRow(form: CanonicalForm, ...patterns: readonly string[]): WordingRow {
  return [new RegExp(`^(?:${patterns.join('|')})`, 'i'), form];
}

/** Rows whose form is a fixed text: no part of the message is kept in it. */
export function wordingRows(patternsByForm: Readonly<Record<string, readonly string[]>>): WordingRow[] {
  return Object.entries(patternsByForm).map(([form, patterns]) => wordingRow(form, ...patterns));
}

// Rows of the tables of wordings: what browsers say of one fault, and the form that stands for it. Part of
// `ng2`.

/** Names that a pattern has found, the first of them first; empty where a group took no part. */
export type Form = string | ((first: string, second: string) => string);

/** A pattern of all wordings of one fault, and the form of it. */
export type Row = readonly [pattern: RegExp, form: Form];

/** A name in quotes or without, as a group. */
export const name = `['"]?([\\w$#.]{1,200}?)['"]?`;

/** The form with the property that the wording names, where it names one. */
export function named(form: string): Form {
  return (property) => {
    const bare = property.replace(/^.*\./s, '');
    if (bare === '') return form;
    return `${form} ${/^(?:\d+|\[\])$/.test(bare) ? '.[]' : `.${bare}`}`;
  };
}

/** The row of a fault; the patterns stand at the beginning of a line. */
export function row(form: Form, ...patterns: readonly string[]): Row {
  return [new RegExp(`^(?:${patterns.join('|')})`, 'i'), form];
}

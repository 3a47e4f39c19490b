/** Names that the pattern matched; empty where a group did not match. */
export type Form = string | ((first: string, second: string) => string);

export type Row = readonly [pattern: RegExp, form: Form];

export const name = `['"]?([\\w$#.]{1,200}?)['"]?`;

export function named(form: string): Form {
  return (property) => {
    const bare = property.replace(/^.*\./s, '');
    if (bare === '') return form;
    return `${form} ${/^(?:\d+|\[\])$/.test(bare) ? '.[]' : `.${bare}`}`;
  };
}

/** Anchors the patterns at the start of the line. */
export function row(form: Form, ...patterns: readonly string[]): Row {
  return [new RegExp(`^(?:${patterns.join('|')})`, 'i'), form];
}

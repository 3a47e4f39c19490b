// Which members of an answer are wanted, for routes that would rather not compute what `_fields` leaves out.

/**
 * Whether a field is among those asked for, as WordPress's `rest_is_field_included`: named itself, or by its parent
 * (`content` asks for `content.raw`), or by a child (`content.raw` needs `content`).
 */
export function isFieldIncluded(field: string, fields: readonly string[]): boolean {
  return fields.some(
    (asked) => asked === field || asked.startsWith(`${field}.`) || field.startsWith(`${asked}.`),
  );
}

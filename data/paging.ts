// `search` of a list, as a pattern for LIKE … ESCAPE '!'. Compared with LOWER(column): ASCII case aside on both databases.

/** The pattern for "contains this text", or null where nothing is searched for. Wildcards in the text are ordinary characters. */
export function containing(search: string | undefined): string | null {
  const text = search?.trim() ?? '';
  return text === ''
    ? null
    : `%${text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[!%_]/g, (sign) => `!${sign}`)}%`;
}

/** Escapes text for HTML, attribute values in double quotes included. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function htmlLink(text: string, url: string | null): string {
  return url === null ? escapeHtml(text) : `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

/** Lines of `<b>` and `<a>`: Telegram and Matrix read these. Whole lines are left out over `charactersMax`. */
export function joinLines(lines: readonly string[], foot: string, charactersMax: number): string {
  const included: string[] = [];
  let length = foot.length;
  for (const line of lines) {
    length += line.length + 1;
    if (length > charactersMax) break;
    included.push(line);
  }
  return [...included, foot].join('\n');
}

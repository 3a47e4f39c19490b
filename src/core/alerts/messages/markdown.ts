export function markdownLink(text: string, url: string | null): string {
  return url === null ? markdown(text) : `[${markdown(text)}](${url})`;
}

/** Escapes Markdown, and breaks mentions with a zero-width space. */
export function markdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|~<>-]/g, '\\$&').replaceAll('@', '@\u200b');
}

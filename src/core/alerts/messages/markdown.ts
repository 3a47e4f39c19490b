export function markdownLink(text: string, url: string | null): string {
  return url === null ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${url})`;
}

/** Escapes Markdown, and breaks mentions with a zero-width space. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|~<>-]/g, '\\$&').replaceAll('@', '@\u200b');
}

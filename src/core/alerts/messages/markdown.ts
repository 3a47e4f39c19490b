// Markdown of chats: what an error says is no markup there and calls nobody.

/** A link, or the text where it leads nowhere. */
export function markdownLink(text: string, url: string | null): string {
  return url === null ? markdown(text) : `[${markdown(text)}](${url})`;
}

/** A text that Markdown leaves as it is, and by which nobody is called. */
export function markdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!|~<>-]/g, '\\$&').replaceAll('@', '@\u200b');
}

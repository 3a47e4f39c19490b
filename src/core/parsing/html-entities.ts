const named: Readonly<Record<string, string>> = {
  apos: "'",
  quot: '"',
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: ' ',
  lsquo: '\u2018',
  rsquo: '\u2019',
  ldquo: '\u201c',
  rdquo: '\u201d',
};
const entity = /&(?:#(x?)([0-9a-f]{1,6})|(apos|quot|lt|gt|amp|nbsp|[lr]squo|[lr]dquo));/gi;

/** Once; unknown entities stay. */
export function decodeHtmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    entity,
    (match: string, hex: string | undefined, digits: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? match;
      const code = Number.parseInt(digits ?? '', hex === '' ? 10 : 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match;
    },
  );
}

// Recognizes values that differ between answers: ids, times, tokens.

interface Shape {
  readonly word: string;
  readonly pattern: RegExp;
}

/** Most specific first. */
const shapes: readonly Shape[] = [
  { word: '<uuid>', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  {
    word: '<time>',
    pattern: /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?(?![\d:])/g,
  },
  {
    word: '<time>',
    pattern: /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\b/g,
  },
  { word: '<date>', pattern: /\b20\d{2}-\d{2}-\d{2}\b/g },
  { word: '<token>', pattern: /(?<![\w-])[A-Za-z]{2,6}_[A-Za-z0-9]{16,}(?![\w-])/g },
  { word: '<hex>', pattern: /\b(?=[0-9]*[a-f])[0-9a-f]{12,}\b/g },
  { word: '<token>', pattern: /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,}/g },
];

/** Only this much of a text is scanned; regular expressions with look-ahead are costly. */
const shapedCharactersMax = 4096;

/** Unix times from 2014 to 2049. */
const epochSeconds = [1.4e9, 2.5e9] as const;
const epochMilliseconds = [1.4e12, 2.5e12] as const;

export function replaceVolatileParts(text: string): string {
  const head = text.slice(0, shapedCharactersMax);
  return (
    shapes.reduce((shaped, { word, pattern }) => shaped.replace(pattern, word), head) +
    text.slice(head.length)
  );
}

/** Null if the value is not volatile. A number is recognized by its member's name. */
export function volatileShapeOf(member: string, value: unknown): string | null {
  if (typeof value === 'string') {
    const isId = /(?:^|_)id$/i.test(member) && value.length <= 200;
    const shaped = isId ? replaceVolatileParts(value).replace(/\d+/g, '<n>') : replaceVolatileParts(value);
    return shaped === value ? null : shaped;
  }
  if (typeof value !== 'number') return null;
  if (Number.isInteger(value) && /(?:^|_)id$/i.test(member)) return '<id>';
  const isTime = [epochSeconds, epochMilliseconds].some(([least, most]) => value >= least && value <= most);
  return isTime ? '<time>' : null;
}

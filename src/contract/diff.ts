// Compares two recordings: status, headers, body by path.
import { jsonOf, type RecordedExchange } from './exchange.ts';

export interface Difference {
  readonly id: string;
  readonly part: 'exchange' | 'status' | 'header' | 'header-order' | 'body';
  /** Header name, or body members joined with dots; empty for the whole. */
  readonly path: string;
  readonly left: string;
  readonly right: string;
  /** Only ids, times or tokens differ, in the same format. */
  readonly volatile: boolean;
}

export const connectionHeaders: ReadonlySet<string> = new Set([
  'date',
  'host',
  'server',
  'x-powered-by',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'set-cookie',
]);

const countingHeaders: ReadonlySet<string> = new Set([
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-sentry-rate-limits',
  'x-wp-total',
  'x-wp-totalpages',
]);

export const absentText = '(none)';
const shownCharactersMax = 200;

/** In the order of the left recording; exchanges only in the right one come last. */
export function diffRecordings(
  left: readonly RecordedExchange[],
  right: readonly RecordedExchange[],
): Difference[] {
  const others = new Map(right.map((each) => [each.id, each]));
  const names = new Set(left.map((each) => each.id));
  const onlyLeft = (id: string) => difference(id, 'exchange', '', 'recorded', absentText);
  const onlyRight = (id: string) => difference(id, 'exchange', '', absentText, 'recorded');
  return [
    ...left.flatMap((each) => {
      const other = others.get(each.id);
      return other === undefined ? [onlyLeft(each.id)] : diffExchange(each, other);
    }),
    ...right.filter((each) => !names.has(each.id)).map((each) => onlyRight(each.id)),
  ];
}

function diffExchange(left: RecordedExchange, right: RecordedExchange): Difference[] {
  const { id } = left;
  const found: Difference[] = [];
  if (left.response.status !== right.response.status) {
    found.push(difference(id, 'status', '', String(left.response.status), String(right.response.status)));
  }
  // Browsers list headers in another order.
  const isOrdered = left.category !== 'page' && right.category !== 'page';
  found.push(...diffHeaders(id, left.response.headers, right.response.headers, isOrdered));
  const [leftText, rightText] = [left.response.body, right.response.body];
  // HAR files have no body for answers that the page did not read.
  if (leftText === undefined || rightText === undefined) return found;
  const [leftJson, rightJson] = [jsonOf(leftText), jsonOf(rightText)];
  if (leftJson === undefined || rightJson === undefined) {
    found.push(...diffValues(id, '', leftText, rightText));
  } else {
    found.push(...diffValues(id, '', leftJson, rightJson));
  }
  return found;
}

type Headers = RecordedExchange['response']['headers'];

function diffHeaders(id: string, left: Headers, right: Headers, isOrdered: boolean): Difference[] {
  const leftHeaders = byName(left);
  const rightHeaders = byName(right);
  const names = [...new Set([...leftHeaders.keys(), ...rightHeaders.keys()])];
  const found = names.flatMap((name): Difference[] => {
    const [a, b] = [leftHeaders.get(name), rightHeaders.get(name)];
    if (a === b) return [];
    const hasSameShape = a !== undefined && b !== undefined && headerShape(name, a) === headerShape(name, b);
    return [difference(id, 'header', name, a ?? absentText, b ?? absentText, hasSameShape)];
  });
  const common = (list: Map<string, string>) =>
    [...list.keys()].filter((name) => leftHeaders.has(name) && rightHeaders.has(name));
  const [order, otherOrder] = [common(leftHeaders).join(', '), common(rightHeaders).join(', ')];
  return order === otherOrder || !isOrdered
    ? found
    : [...found, difference(id, 'header-order', '', order, otherOrder)];
}

function headerShape(name: string, value: string): string {
  if (name === 'etag') return '<etag>';
  return countingHeaders.has(name) ? value.replace(/\d+/g, '<n>') : replaceVolatileParts(value);
}

function byName(headers: Headers): Map<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (connectionHeaders.has(lower)) continue;
    const before = map.get(lower);
    map.set(lower, before === undefined ? value : `${before}, ${value}`);
  }
  return map;
}

function diffValues(id: string, path: string, left: unknown, right: unknown): Difference[] {
  if (hasMembers(left) && hasMembers(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    return names.flatMap((name) => {
      const inner = path === '' ? name : `${path}.${name}`;
      if (!Object.hasOwn(left, name))
        return [difference(id, 'body', inner, absentText, text(name, right[name]))];
      if (!Object.hasOwn(right, name))
        return [difference(id, 'body', inner, text(name, left[name]), absentText)];
      return diffValues(id, inner, left[name], right[name]);
    });
  }
  if (JSON.stringify(left) === JSON.stringify(right)) return [];
  const name = path.slice(path.lastIndexOf('.') + 1);
  const [a, b] = [text(name, left), text(name, right)];
  const shaped = volatileShapeOf(name, left) !== null || volatileShapeOf(name, right) !== null;
  return [difference(id, 'body', path, a, b, shaped && a === b)];
}

function text(name: string, value: unknown): string {
  const shown = volatileShapeOf(name, value) ?? (typeof value === 'string' ? value : JSON.stringify(value));
  return shown.length > shownCharactersMax ? `${shown.slice(0, shownCharactersMax - 1)}…` : shown;
}

function hasMembers(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function difference(
  id: string,
  part: Difference['part'],
  path: string,
  left: string,
  right: string,
  volatile = false,
): Difference {
  return { id, part, path, left, right, volatile };
}

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
  const isTime = [epochSeconds, epochMilliseconds].some(([min, max]) => value >= min && value <= max);
  return isTime ? '<time>' : null;
}

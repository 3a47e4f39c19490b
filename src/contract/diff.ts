// Compares two recordings: status, headers, body by path.
import { jsonOf, type RecordedExchange } from './exchange.ts';
import { replaceVolatileParts, volatileShapeOf } from './volatile-values.ts';

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
  const mine = byName(left);
  const theirs = byName(right);
  const names = [...new Set([...mine.keys(), ...theirs.keys()])];
  const found = names.flatMap((name): Difference[] => {
    const [a, b] = [mine.get(name), theirs.get(name)];
    if (a === b) return [];
    const same = a !== undefined && b !== undefined && headerShape(name, a) === headerShape(name, b);
    return [difference(id, 'header', name, a ?? absentText, b ?? absentText, same)];
  });
  const common = (list: Map<string, string>) =>
    [...list.keys()].filter((name) => mine.has(name) && theirs.has(name));
  const [order, otherOrder] = [common(mine).join(', '), common(theirs).join(', ')];
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

import { createMissingParamsError } from '../errors.ts';
import { toArray } from '../parsing/unknown-values.ts';

type Bag = Readonly<Record<string, unknown>>;

const entriesLookedAtMax = 200;

/** Throws 400 unless there is a message, exception, logentry or stack trace; null and blank do not count. */
export function requireMessage(event: Bag): void {
  const exceptions = event['exception'] ?? event['sentry.interfaces.Exception'];
  const logentry = event['logentry'] ?? event['sentry.interfaces.Message'];
  const hasMessage =
    saysText(event['message']) ||
    saysText(logentry) ||
    entriesOf(exceptions).some((each) => hasText(each['type']) || hasText(each['value']) || hasStack(each)) ||
    entriesOf(event['threads']).some(hasStack) ||
    hasStack(event);
  if (!hasMessage) throw createMissingParamsError(['message']);
}

function saysText(value: unknown): boolean {
  return hasText(value) || (isBag(value) && (hasText(value['message']) || hasText(value['formatted'])));
}

function hasText(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'number' || (isBag(value) && Object.keys(value).length > 0);
}

function hasStack(value: Bag): boolean {
  const stack = value['stacktrace'];
  const frames = isBag(stack) && 'frames' in stack ? stack['frames'] : stack;
  return toArray(frames)?.slice(0, entriesLookedAtMax).some(isBag) === true;
}

/** Sentry's three forms of exceptions and threads: `{values: […]}`, an array, one object. */
function entriesOf(value: unknown): Bag[] {
  const list = isBag(value) && 'values' in value ? value['values'] : value;
  const entries = toArray(list) ?? (isBag(list) ? [list] : []);
  return entries.slice(0, entriesLookedAtMax).filter(isBag);
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

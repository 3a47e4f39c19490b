import { isFalsy } from '../php/casts.ts';
import { type PhpValue, toPhpArray } from '../php/values.ts';
import { keywordOrder } from '../request/args-from-zod.ts';
import type { Arguments, Handler } from '../request/rest-request.ts';
import type { Route } from '../request/route-table.ts';

/** WordPress's schema keywords that are shown; `required` is always added last. */
const shownKeywords: ReadonlySet<string> = new Set([...keywordOrder, 'patternProperties']);

/** Null when all handlers are hidden. Context `help` (OPTIONS) adds the schema. */
export function describeRoute(
  route: Route,
  context: string,
  restUrl: (route: string) => string,
): Map<string, PhpValue> | null {
  const shown = route.handlers.filter((handler) => handler.hidden !== true);
  if (shown.length === 0) return null;
  const description = new Map<string, PhpValue>([
    ['namespace', route.namespace],
    ['methods', shown.flatMap((handler) => handler.methods)],
    ['endpoints', shown.map((handler) => describeHandler(handler, route.allowBatch))],
  ]);
  if (route.schema !== null && context === 'help') description.set('schema', route.schema());
  if (!/\(\?P<\w+?>.*?\)|\{/.test(route.pattern)) {
    description.set('_links', { self: [{ href: restUrl(route.pattern) }] });
  }
  return description;
}

export function describeRoutes(
  routes: Iterable<Route>,
  context: string,
  restUrl: (route: string) => string,
): PhpValue {
  const described = new Map<string, PhpValue>();
  for (const route of routes) {
    const description = describeRoute(route, context, restUrl);
    if (description !== null) described.set(route.pattern, description);
  }
  return toPhpArray(described);
}

function describeHandler(handler: Handler, allowBatch: PhpValue): PhpValue {
  const description = new Map<string, PhpValue>([['methods', [...handler.methods]]]);
  if (allowBatch !== null) description.set('allow_batch', allowBatch);
  return description.set('args', describeArguments(handler.args));
}

function describeArguments(args: Arguments): PhpValue {
  const described = new Map<string, PhpValue>();
  for (const [name, argument] of Object.entries(args)) {
    const keywords = Object.entries(argument).filter(([keyword]) => shownKeywords.has(keyword));
    const shown = new Map(keywords as Array<[string, PhpValue]>);
    described.set(name, shown.set('required', !isFalsy(argument.required as PhpValue | undefined)));
  }
  return toPhpArray(described);
}

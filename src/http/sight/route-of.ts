// Which route a request was for, as its template says it: for counts and for the log, which must never hold
// an address. Whoever finds the route says so here; whoever counts the answer asks.
import type { IncomingMessage } from 'node:http';

const routeOfRequest = Symbol('template of the route');

type Asked = IncomingMessage & { [routeOfRequest]?: string };

/** Says which route a request is for, `/notifier/v1/issues/{id}`. */
export function noteRoute(incoming: IncomingMessage, template: string): void {
  (incoming as Asked)[routeOfRequest] = template;
}

/** The template that was said; null where nobody found a route. */
export function routeOf(incoming: IncomingMessage): string | null {
  return (incoming as Asked)[routeOfRequest] ?? null;
}

/** Patterns are those of the table: as many as there are routes. */
const templates = new Map<string, string>();

/** `/notifier/v1/issues/(?P<id>[\d]+)` as `/notifier/v1/issues/{id}`. */
export function routeTemplate(pattern: string): string {
  let template = templates.get(pattern);
  if (template === undefined) {
    template = pattern.replace(/\(\?P<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)/g, '{$1}');
    templates.set(pattern, template);
  }
  return template;
}

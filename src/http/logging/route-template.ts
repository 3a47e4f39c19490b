// The route template of a request, for metrics and logs, which must not hold URLs.
import type { IncomingMessage } from 'node:http';

const routeOfRequest = Symbol('template of the route');

type RoutedRequest = IncomingMessage & { [routeOfRequest]?: string };

/** E.g. `/notifier/v1/issues/{id}`. */
export function setRouteTemplate(incoming: IncomingMessage, template: string): void {
  (incoming as RoutedRequest)[routeOfRequest] = template;
}

/** Null if no route was found. */
export function getRouteTemplate(incoming: IncomingMessage): string | null {
  return (incoming as RoutedRequest)[routeOfRequest] ?? null;
}

const templates = new Map<string, string>();

/** `/notifier/v1/issues/(?P<id>[\d]+)` to `/notifier/v1/issues/{id}`. */
export function toRouteTemplate(pattern: string): string {
  let template = templates.get(pattern);
  if (template === undefined) {
    template = pattern.replace(/\(\?P<(\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)/g, '{$1}');
    templates.set(pattern, template);
  }
  return template;
}

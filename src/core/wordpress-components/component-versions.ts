import type { NormalizedEvent } from '../../../schemas/event.ts';
import { getOwn, isJsonObject } from '../parsing/unknown-values.ts';
import { findComponentOfPath, parseComponentVersion, type WordPressComponent } from './component-paths.ts';

const lists = [
  'plugins',
  'active_plugins',
  'mu_plugins',
  'themes',
  'plugin',
  'theme',
  'active_theme',
] as const;
const entriesMax = 500;
/** Nested objects that are searched; each has at most `entriesMax` entries. */
const recordsMax = 50;

/** From the event's modules, contexts and extra data, else from the release or the path. */
export function findComponentVersion(
  event: NormalizedEvent,
  code: Pick<WordPressComponent, 'slug' | 'version'>,
): string | null {
  const { slug } = code;
  const listed = versionAmong(event.modules ?? {}, slug) ?? versionInContexts(event, slug);
  return (
    listed ?? versionOfRelease(event.release, slug) ?? (isCores(event, code.version) ? null : code.version)
  );
}

export function listPluginSlugs(event: NormalizedEvent): string[] {
  return Object.keys(event.modules ?? {})
    .slice(0, entriesMax)
    .filter((name) => !name.includes('/') || /^(?:wpackagist|wp)-plugin\/|\.php$/.test(name))
    .map((name) => slugOf(name.replace(/(?<=[\w-])\/[\w.-]+\.php$/, '')));
}

function versionOfRelease(release: string | undefined, slug: string): string | null {
  return release?.startsWith(`${slug}@`) === true
    ? parseComponentVersion(release.slice(slug.length + 1))
    : null;
}

/** A script registered without a version gets WordPress's own in its URL. */
function isCores(event: NormalizedEvent, version: string | null): boolean {
  if (version === null) return false;
  return (
    event.tags?.some(([name, value]) => /^wordpress(?:[._-]?version)?$/i.test(name) && value === version) ??
    false
  );
}

function versionInContexts(event: NormalizedEvent, slug: string): string | null {
  const records: unknown[] = [event.contexts, event.extra];
  for (const source of [event.contexts, event.extra]) {
    records.push(
      ...Object.values(source ?? {})
        .filter(isJsonObject)
        .slice(0, recordsMax),
    );
  }
  for (const record of records) {
    if (!isJsonObject(record)) continue;
    for (const name of lists) {
      const version = versionAmong(getOwn(record, name), slug);
      if (version !== null) return version;
    }
  }
  return null;
}

// Takes an object by slug, file or name, an array of objects or `slug@version`, or one object with a name.
function versionAmong(list: unknown, slug: string): string | null {
  if (typeof list === 'string') return versionOfRelease(list, slug);
  if (Array.isArray(list)) {
    return list
      .slice(0, entriesMax)
      .reduce<string | null>((found, one) => found ?? versionAmong(one, slug), null);
  }
  if (!isJsonObject(list)) return null;
  if (namesOf(list).some((name) => isNamed(name, slug))) return versionFrom(list);
  for (const name of Object.keys(list).slice(0, entriesMax)) {
    if (isNamed(name, slug)) return versionFrom(list[name]);
    const entry = list[name];
    if (isJsonObject(entry) && namesOf(entry).some((each) => isNamed(each, slug))) return versionFrom(entry);
  }
  return null;
}

function namesOf(entry: Readonly<Record<string, unknown>>): string[] {
  const names = ['slug', 'stylesheet', 'file', 'plugin', 'name', 'Name', 'TextDomain'];
  return names.flatMap((name) => (typeof entry[name] === 'string' ? [entry[name]] : []));
}

function versionFrom(value: unknown): string | null {
  const text = isJsonObject(value) ? (getOwn(value, 'version') ?? getOwn(value, 'Version')) : value;
  // Composer appends a reference after `@`.
  return typeof text === 'string' ? parseComponentVersion(text.split('@', 1)[0] ?? '') : null;
}

/** By slug, main file, Composer package, or plugin name (from which most slugs are made). */
function isNamed(name: string, slug: string): boolean {
  const isMainFile = name === `${slug}.php` || (name.startsWith(`${slug}/`) && name.endsWith('.php'));
  return name === slug || isMainFile || slugOf(name) === slug.toLowerCase();
}

// `WooCommerce Stripe Gateway` becomes `woocommerce-stripe-gateway`.
function slugOf(name: string): string {
  const base = findComponentOfPath(name)?.slug ?? name.replace(/^[\w.-]{1,60}\/(?=[\w.-]{1,100}$)/, '');
  return base
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

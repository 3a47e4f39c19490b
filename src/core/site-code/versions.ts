// The plugins and themes that an event lists with their versions: as modules, as contexts, as extra data.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { isRecord, own } from '../reading/lenient.ts';
import { type SiteCode, siteCodeOf, versionIn } from './paths.ts';

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
/** Contexts and objects of extra data that are looked into: each may hold as many entries. */
const bagsMax = 50;

/** The version of a plugin or theme: as the site lists it, else as its path says; null where nobody does. */
export function versionOf(event: NormalizedEvent, code: Pick<SiteCode, 'slug' | 'version'>): string | null {
  const { slug } = code;
  const listed = versionAmong(event.modules ?? {}, slug) ?? versionInBags(event, slug);
  return (
    listed ?? versionOfRelease(event.release, slug) ?? (isCores(event, code.version) ? null : code.version)
  );
}

/** The slugs of the plugins among an event's modules. */
export function listedSlugs(event: NormalizedEvent): string[] {
  return Object.keys(event.modules ?? {})
    .slice(0, entriesMax)
    .filter((name) => !name.includes('/') || /^(?:wpackagist|wp)-plugin\/|\.php$/.test(name))
    .map((name) => slugOf(name.replace(/(?<=[\w-])\/[\w.-]+\.php$/, '')));
}

/** A release that is named after the plugin or theme itself. */
function versionOfRelease(release: string | undefined, slug: string): string | null {
  return release?.startsWith(`${slug}@`) === true ? versionIn(release.slice(slug.length + 1)) : null;
}

/** A script that was registered without a version has WordPress's own in its address. */
function isCores(event: NormalizedEvent, version: string | null): boolean {
  if (version === null) return false;
  return (
    event.tags?.some(([name, value]) => /^wordpress(?:[._-]?version)?$/i.test(name) && value === version) ??
    false
  );
}

function versionInBags(event: NormalizedEvent, slug: string): string | null {
  const bags: unknown[] = [event.contexts, event.extra];
  for (const holder of [event.contexts, event.extra]) {
    bags.push(
      ...Object.values(holder ?? {})
        .filter(isRecord)
        .slice(0, bagsMax),
    );
  }
  for (const bag of bags) {
    if (!isRecord(bag)) continue;
    for (const name of lists) {
      const version = versionAmong(own(bag, name), slug);
      if (version !== null) return version;
    }
  }
  return null;
}

/**
 * The version in a map by slug, by main file or by name, in a list of such objects or of `slug@version`, or
 * in one object that names itself.
 */
function versionAmong(list: unknown, slug: string): string | null {
  if (typeof list === 'string') return versionOfRelease(list, slug);
  if (Array.isArray(list)) {
    return list
      .slice(0, entriesMax)
      .reduce<string | null>((found, one) => found ?? versionAmong(one, slug), null);
  }
  if (!isRecord(list)) return null;
  if (namesOf(list).some((name) => isNamed(name, slug))) return versionSaid(list);
  for (const name of Object.keys(list).slice(0, entriesMax)) {
    if (isNamed(name, slug)) return versionSaid(list[name]);
    const entry = list[name];
    if (isRecord(entry) && namesOf(entry).some((each) => isNamed(each, slug))) return versionSaid(entry);
  }
  return null;
}

function namesOf(entry: Readonly<Record<string, unknown>>): string[] {
  const names = ['slug', 'stylesheet', 'file', 'plugin', 'name', 'Name', 'TextDomain'];
  return names.flatMap((name) => (typeof entry[name] === 'string' ? [entry[name]] : []));
}

function versionSaid(said: unknown): string | null {
  const text = isRecord(said) ? (own(said, 'version') ?? own(said, 'Version')) : said;
  // Composer's reference stands behind an `@`.
  return typeof text === 'string' ? versionIn(text.split('@', 1)[0] ?? '') : null;
}

/**
 * Whether a list means the plugin: by its slug, by its main file, as Composer's package, or by the name that
 * its header has, of which most slugs are made.
 */
function isNamed(name: string, slug: string): boolean {
  const isMainFile = name === `${slug}.php` || (name.startsWith(`${slug}/`) && name.endsWith('.php'));
  return name === slug || isMainFile || slugOf(name) === slug.toLowerCase();
}

/** `WooCommerce Stripe Gateway` is `woocommerce-stripe-gateway`; `wpackagist-plugin/akismet` is `akismet`. */
function slugOf(name: string): string {
  const base = siteCodeOf(name)?.slug ?? name.replace(/^[\w.-]{1,60}\/(?=[\w.-]{1,100}$)/, '');
  return base
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

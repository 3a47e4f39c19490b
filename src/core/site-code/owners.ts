// Whose a name is that WordPress writes where it has no path: a hook, a class, a REST namespace, a domain.
// Told by the plugins that the event itself lists, else by the names that the best known ones have
// registered for themselves; nothing is guessed for the others.
import type { SiteCode } from './paths.ts';

export type Owner = Pick<SiteCode, 'kind' | 'slug'>;

/** Beginnings of names, in lower case, of plugins whose names do not begin with their slug. */
const prefixes: ReadonlyArray<readonly [slug: string, ...beginnings: string[]]> = [
  ['woocommerce', 'wc_', 'wc-', 'wc/', 'woocommerce', 'automattic\\woocommerce'],
  ['action-scheduler', 'action_scheduler', 'actionscheduler'],
  ['akismet', 'akismet'],
  ['jetpack', 'jetpack', 'automattic\\jetpack'],
  ['wordpress-seo', 'wpseo', 'yoast'],
  ['seo-by-rank-math', 'rank_math', 'rankmath'],
  ['all-in-one-seo-pack', 'aioseo'],
  ['elementor', 'elementor'],
  ['advanced-custom-fields', 'acf_', 'acf/'],
  ['contact-form-7', 'wpcf7', 'contact-form-7'],
  ['wpforms-lite', 'wpforms'],
  ['gravityforms', 'gform_', 'gf_', 'gfforms', 'gravityforms'],
  ['ninja-forms', 'ninja_forms', 'nf_', 'ninja-forms'],
  ['wordfence', 'wordfence'],
  ['updraftplus', 'updraft'],
  ['wp-rocket', 'rocket_', 'wp_rocket'],
  ['litespeed-cache', 'litespeed'],
  ['w3-total-cache', 'w3tc'],
  ['mailchimp-for-wp', 'mc4wp'],
  ['wp-mail-smtp', 'wp_mail_smtp', 'wpmailsmtp'],
  ['easy-digital-downloads', 'edd_', 'edd/'],
  ['sfwd-lms', 'learndash', 'ldlms'],
  ['sitepress-multilingual-cms', 'wpml_', 'icl_', 'sitepress'],
  ['polylang', 'pll_', 'polylang'],
  ['really-simple-ssl', 'rsssl'],
  ['redirection', 'redirection/', 'redirection_', 'red_'],
  ['buddypress', 'bp_', 'buddypress'],
  ['bbpress', 'bbp_', 'bbpress'],
];

/** Text domains of themes; every other one is a plugin's. */
const themeDomains = new Set([
  ...['astra', 'generatepress', 'oceanwp', 'kadence', 'neve', 'hello-elementor', 'storefront', 'blocksy'],
  ...['divi', 'flatsome', 'avada', 'salient', 'betheme', 'enfold', 'hestia', 'sydney', 'et_builder'],
]);
const defaultTheme =
  /^twenty(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|nineteen|twenty\w{0,5})$/;
/** A beginning that ends a word of its own, or is one. */
const wordEnd = /^(?:[^a-z0-9]|$)/;

/**
 * The plugin that a hook, class, function, table or REST namespace is named after, or null. `listed` are the
 * slugs that the event lists: the longest that the name begins with.
 */
export function ownerOf(name: string, listed: readonly string[]): Owner | null {
  const lower = name.toLowerCase().replace(/^[\\/_]+/, '');
  const slug = longest(listed.filter((each) => startsAs(lower, each)));
  if (slug !== undefined) return { kind: 'plugin', slug };
  const known = prefixes.find(([, ...beginnings]) =>
    beginnings.some((beginning) => {
      const isWhole = /[_/\\-]$/.test(beginning) || wordEnd.test(lower.slice(beginning.length));
      return lower.startsWith(beginning) && isWhole;
    }),
  );
  return known === undefined ? null : { kind: 'plugin', slug: known[0] };
}

/** The plugin or theme with a text domain: WordPress asks of both that it be their slug. Null for core's. */
export function ownerOfDomain(domain: string): Owner | null {
  if (domain === 'default' || !/^[\w.-]{2,100}$/.test(domain)) return null;
  const lower = domain.toLowerCase();
  const isTheme = themeDomains.has(lower) || defaultTheme.test(lower);
  return { kind: isTheme ? 'theme' : 'plugin', slug: domain };
}

/** Whether a name begins with a slug, written with `-`, with `_` or as one word. */
function startsAs(name: string, slug: string): boolean {
  // Two letters begin too much.
  if (slug.length < 3) return false;
  return [slug, slug.replaceAll('-', '_'), slug.replaceAll('-', '')].some(
    (form) => name.startsWith(form) && wordEnd.test(name.slice(form.length)),
  );
}

function longest(slugs: readonly string[]): string | undefined {
  return slugs.toSorted((a, b) => b.length - a.length)[0];
}

import type { NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { findComponentOfPath, type WordPressComponent } from './component-paths.ts';
import { findComponentVersion, listPluginSlugs } from './component-versions.ts';
import { findFilePaths } from './php-messages.ts';

type Owner = Pick<WordPressComponent, 'kind' | 'slug'>;

/** Name prefixes (lower case) of plugins whose names do not start with their slug. */
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

/** Text domains that belong to themes; all others are plugins. */
const themeDomains = new Set([
  ...['astra', 'generatepress', 'oceanwp', 'kadence', 'neve', 'hello-elementor', 'storefront', 'blocksy'],
  ...['divi', 'flatsome', 'avada', 'salient', 'betheme', 'enfold', 'hestia', 'sydney', 'et_builder'],
]);
const defaultTheme =
  /^twenty(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|nineteen|twenty\w{0,5})$/;
/** The prefix must end at the end of a word. */
const wordEnd = /^(?:[^a-z0-9]|$)/;

export interface SuspectComponent {
  readonly kind: WordPressComponent['kind'];
  readonly slug: string;
  readonly version: string | null;
  /** For display: `WC_Order::save in includes/class-wc-order.php`; empty if unknown. */
  readonly place: string;
}

/** Plugins that report errors of others: their frames are at the end of every stack they report. */
const reportingPlugins = new Set(['wp-sentry-integration', 'wp-sentry', 'query-monitor', 'notifier']);
/** Plugins that run others' code; suspected only if no other is found. */
const runnerPlugins = new Set(['action-scheduler']);
const framesMax = 250;
const textCharsMax = 8192;

/** By stack trace or message; null if none. No effect on grouping. Linear in size of stack and message. */
export function findSuspectComponent(event: NormalizedEvent): SuspectComponent | null {
  const found = findInStacks(event) ?? findInMessage(event);
  return found === null ? null : { ...found, version: findComponentVersion(event, found) };
}

/** `woocommerce@9.1.2`, or `woocommerce` if the version is unknown; at most 141 characters. */
export function formatComponent({ slug, version }: Pick<SuspectComponent, 'slug' | 'version'>): string {
  return version === null ? slug : `${slug}@${version}`;
}

/** Adds the tag `plugin` or `theme`, unless the client set it. */
export function addComponentTag(event: NormalizedEvent, code: SuspectComponent | null): NormalizedEvent {
  if (code === null) return event;
  const name = tagOf(code);
  const tags = event.tags ?? [];
  return tags.some(([each]) => each === name)
    ? event
    : { ...event, tags: [...tags, [name, formatComponent(code)]] };
}

/** Removes the tag that `addComponentTag` added, if it equals the current result. */
export function removeComponentTag(event: NormalizedEvent): NormalizedEvent {
  const code = event.tags === undefined ? null : findSuspectComponent(event);
  if (code === null) return event;
  const [name, value] = [tagOf(code), formatComponent(code)];
  const { tags = [], ...rest } = event;
  const remaining = tags.filter((tag) => tag[0] !== name || tag[1] !== value);
  if (remaining.length === tags.length) return event;
  return remaining.length === 0 ? rest : { ...event, tags: remaining };
}

function tagOf(code: SuspectComponent): 'plugin' | 'theme' {
  return code.kind === 'theme' ? 'theme' : 'plugin';
}

type Found = WordPressComponent & { readonly place: string };
type StackHolder = { readonly stacktrace?: Stacktrace | undefined; readonly [name: string]: unknown };

/** The last exception first, then its causes, then the thread. */
function findInStacks(event: NormalizedEvent): Found | null {
  const exceptions = event.exception?.values ?? [];
  let watching: Found | null = null;
  for (let at = exceptions.length - 1; at >= 0; at -= 1) {
    const found = inStackOf(exceptions[at]);
    if (found !== null && !reportingPlugins.has(found.slug)) return found;
    watching ??= found;
  }
  const threads = event.threads?.values;
  const thread = threads?.find((one) => one['crashed'] === true) ?? threads?.[0];
  return watching ?? inStackOf(thread);
}

function inStackOf(holder: StackHolder | undefined): Found | null {
  if (holder?.stacktrace === undefined) return null;
  const raw = holder['raw_stacktrace'] as Stacktrace | undefined;
  return findInFrames(holder.stacktrace.frames, raw?.frames);
}

/** The innermost frame in a plugin or theme; reporting plugins only if no other is found. */
function findInFrames(frames: readonly StackFrame[], sent: readonly StackFrame[] | undefined): Found | null {
  let watching: Found | null = null;
  const first = Math.max(0, frames.length - framesMax);
  for (let at = frames.length - 1; at >= first; at -= 1) {
    const found = inFrame(frames[at], sent?.length === frames.length ? sent[at] : undefined);
    if (found !== null && !reportingPlugins.has(found.slug)) return found;
    watching ??= found;
  }
  return watching ?? inRenamedFolder(frames);
}

/** The symbolicated frame, else the sent one, whose URL may have the version. */
function inFrame(frame: StackFrame | undefined, sent: StackFrame | undefined): Found | null {
  const mapped = codeOfFrame(frame);
  const code = mapped?.version == null ? (codeOfFrame(sent) ?? mapped) : mapped;
  if (frame === undefined || code === null) return null;
  if (mapped !== null && mapped.slug !== code.slug) return withLocation(mapped, frame);
  return withLocation({ ...code, file: mapped?.file ?? code.file }, frame);
}

function codeOfFrame(frame: StackFrame | undefined): WordPressComponent | null {
  if (frame === undefined) return null;
  const { abs_path: path, filename: name } = frame;
  const byPath = path === undefined ? null : findComponentOfPath(path);
  return byPath ?? (name === undefined || name === path ? null : findComponentOfPath(name));
}

/** A renamed wp-content folder is found next to WordPress core's files or one folder below. */
function inRenamedFolder(frames: readonly StackFrame[]): Found | null {
  const coreFrame = frames.find((frame) => /\/wp-(?:includes|admin)\//.test(pathOf(frame)));
  if (coreFrame === undefined) return null;
  const core = pathOf(coreFrame);
  const root = core.slice(0, core.search(/\/wp-(?:includes|admin)\//));
  for (const parent of [root, root.slice(0, root.lastIndexOf('/'))]) {
    for (const frame of [...frames].reverse()) {
      const code = pathOf(frame).endsWith('.php') ? findComponentOfPath(pathOf(frame), parent) : null;
      if (code !== null) return withLocation(code, frame);
    }
  }
  return null;
}

function pathOf(frame: StackFrame): string {
  return frame.abs_path ?? frame.filename ?? '';
}

function withLocation(code: WordPressComponent, frame: StackFrame): Found {
  const name = frame.function === undefined || frame.function === '?' ? '' : frame.function;
  return { ...code, place: [name, code.file].filter((part) => part !== '').join(' in ') };
}

/** From the message, if the stack has no plugin. */
function findInMessage(event: NormalizedEvent): Found | null {
  const text = (
    event.logentry?.formatted ??
    event.logentry?.message ??
    event.exception?.values.at(-1)?.value ??
    ''
  ).slice(0, textCharsMax);
  return (text === '' ? null : (inFiles(text) ?? inNames(text, event))) ?? inLastError(event);
}

function inFiles(text: string): Found | null {
  if (text.indexOf('plugins') === -1 && text.indexOf('themes') === -1) return null;
  const codes = findFilePaths(text).flatMap((file) => findComponentOfPath(file) ?? []);
  const code = codes.find(({ slug }) => !reportingPlugins.has(slug)) ?? codes[0];
  return code === undefined ? null : { ...code, place: code.file };
}

/** `error_get_last()` in `extra`, as sent by hand-written error handlers. */
function inLastError(event: NormalizedEvent): Found | null {
  const file = event.extra?.['file'];
  const code = typeof file === 'string' ? findComponentOfPath(file) : null;
  return code === null ? null : { ...code, place: code.file };
}

const missingTable = /Table '(?:[\w-]{1,64}\.)?[a-z0-9]{1,20}_(?:\d{1,6}_)?(\w{1,64})' doesn't exist/i;

/** Messages in which WordPress names a hook, table or block instead of a file. */
const namePatterns: ReadonlyArray<readonly [hint: string, form: RegExp, asPlace: boolean]> = [
  ['WordPress database error', missingTable, false],
  ['event error for hook', /Cron \w{1,12} event error for hook: ([^\s,]{1,200})/, true],
  ['cheduled action', /cheduled action for ([^\s,]{1,200}) will not be executed/, true],
  ['cheduled action', /cheduled action \d{1,20} \(([^\s)]{1,200})\)/, true],
  ['Block type', /Block type "([a-z0-9-]{1,100})\/[a-z0-9-]{1,100}"/, false],
  ['/wp-json/', /\/wp-json\/((?!wp\/)[\w-]{1,100}\/v\d{1,4}(?:\/[\w-]{1,100}){0,3})/, true],
  ['rest_', /(?:^|[\s"'(>])\/?((?!wp\/)[a-z][\w-]{1,100}\/v\d{1,4}(?:\/[\w-]{1,100}){0,3})/, true],
];

const hints = /WordPress|Backtrace|domain was|event error|cheduled action|Block type|wp-json|rest_/;

function inNames(text: string, event: NormalizedEvent): Found | null {
  if (!hints.test(text)) return null;
  const chain = findInCallChain(text, event);
  if (chain !== null) return chain;
  if (text.includes(' domain was triggered too early')) {
    const plain = text.replaceAll(/<\/?code>/g, '');
    const domain = /Translation loading for the ([\w.-]{1,100}) domain was/.exec(plain)?.[1];
    return domain === undefined ? null : ofOwner(ownerOfDomain(domain), '');
  }
  for (const [hint, form, asPlace] of namePatterns) {
    const name = text.includes(hint) ? form.exec(text)?.[1] : undefined;
    const owner = name === undefined ? null : ownerOf(name, listPluginSlugs(event));
    if (name !== undefined && owner !== null) return ofOwner(owner, asPlace ? name : '');
  }
  return null;
}

/** The call chain that wpdb and WooCommerce append to a message, outermost call first. */
function findInCallChain(text: string, event: NormalizedEvent): Found | null {
  const madeByAt = text.startsWith('WordPress database error') ? text.lastIndexOf(' made by ') : -1;
  const start = madeByAt === -1 ? text.lastIndexOf('Backtrace: ') : madeByAt;
  if (start === -1) return null;
  const listed = listPluginSlugs(event);
  const calls = text
    .slice(start)
    .replace(/^(?: made by |Backtrace: )/, '')
    .split(/, (?=\w)/);
  const found = calls.toReversed().flatMap((call) => inCall(call, listed) ?? []);
  // In "called incorrectly" messages the last call is the one that complains; its caller is at fault.
  const reportingSlug = madeByAt === -1 ? found[0]?.slug : undefined;
  const passed = (slug: string) =>
    slug === reportingSlug || runnerPlugins.has(slug) || reportingPlugins.has(slug);
  return found.find(({ slug }) => !passed(slug)) ?? found[0] ?? null;
}

/** `require_once('/plugins/a/a.php')` is relative to wp-content; other calls are matched by name. */
function inCall(call: string, listed: readonly string[]): Found | null {
  const file = /^(?:include|require)(?:_once)?\('([^']{1,400})'\)/.exec(call)?.[1];
  if (file !== undefined) {
    const code = findComponentOfPath(file) ?? findComponentOfPath(`wp-content/${file}`);
    return code === null ? null : { ...code, place: code.file };
  }
  if (/^(?:do_action|apply_filters)/.test(call)) return null;
  const name = /^[\w\\]{1,200}(?:(?:->|::)[\w{}]{1,200})?/.exec(call)?.[0];
  return name === undefined ? null : ofOwner(ownerOf(name, listed), name);
}

function ofOwner(owner: Owner | null, location: string): Found | null {
  return owner === null ? null : { ...owner, version: null, file: '', place: location };
}

// Matches a hook, class, function, table or REST namespace with `listed` slugs (longest first) or known prefixes.
function ownerOf(name: string, listed: readonly string[]): Owner | null {
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

/** WordPress requires that a text domain equals the slug. Null for core's. */
function ownerOfDomain(domain: string): Owner | null {
  if (domain === 'default' || !/^[\w.-]{2,100}$/.test(domain)) return null;
  const lower = domain.toLowerCase();
  const isTheme = themeDomains.has(lower) || defaultTheme.test(lower);
  return { kind: isTheme ? 'theme' : 'plugin', slug: domain };
}

/** With `-`, with `_`, or as one word. */
function startsAs(name: string, slug: string): boolean {
  // Two letters match too much.
  if (slug.length < 3) return false;
  return [slug, slug.replaceAll('-', '_'), slug.replaceAll('-', '')].some(
    (form) => name.startsWith(form) && wordEnd.test(name.slice(form.length)),
  );
}

function longest(slugs: readonly string[]): string | undefined {
  return slugs.toSorted((a, b) => b.length - a.length)[0];
}

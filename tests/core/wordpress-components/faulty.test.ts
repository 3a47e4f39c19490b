import { describe, expect, it } from '@jest/globals';
import {
  addComponentTag,
  findSuspectComponent,
  formatComponent,
  removeComponentTag,
} from '../../../src/core/wordpress-components/suspect-component.ts';
import { normalized } from '../../support/events.ts';

const html = '/var/www/html';

function foundIn(raw: Record<string, unknown>): string {
  const found = findSuspectComponent(normalized({ platform: 'php', ...raw }));
  return found === null ? 'none' : `${found.kind} ${formatComponent(found)}`;
}

function stackOf(...files: string[]) {
  const frames = files.map((filename) => ({ filename, function: 'f' }));
  return { exception: { values: [{ type: 'Error', value: 'v', stacktrace: { frames } }] } };
}

/** Messages by the component that they are about. */
const texts: ReadonlyArray<readonly [string, readonly string[]]> = [
  // PHP's log.
  [
    'plugin akismet',
    [
      `PHP Fatal error:  Uncaught Error: Call to undefined function foo() in ${html}/wp-content/plugins/akismet/class.akismet.php:123`,
    ],
  ],
  [
    'plugin shop',
    [
      `PHP Fatal error:  Uncaught Error: Call to undefined function foo() in ${html}/wp-includes/class-wp-hook.php:324\nStack trace:\n#0 ${html}/wp-includes/plugin.php(517): WP_Hook->do_action()\n#1 ${html}/wp-content/plugins/shop/shop.php(12): do_action('x')\n#2 ${html}/wp-content/themes/astra/functions.php(3): shop()\n#3 {main}\n  thrown in ${html}/wp-includes/class-wp-hook.php on line 324`,
      `[22-Nov-2026 07:48:14 UTC] PHP Deprecated:  Optional parameter $a declared before required parameter $b in C:\\xampp\\htdocs\\wp-content\\plugins\\shop\\a.php on line 3`,
      `PHP Fatal error:  Uncaught TypeError: save(): Argument #1 ($o) must be of type Order, null given, called in ${html}/wp-content/plugins/pay/pay.php on line 3 and defined in ${html}/wp-content/plugins/shop/order.php:12`,
      `PHP Warning:  x in ${html}/wp-includes/load.php on line 3\nPHP Stack trace:\nPHP   1. {main}() ${html}/index.php:0\nPHP   2. a() ${html}/wp-content/themes/astra/a.php:3\nPHP   3. b() ${html}/wp-content/plugins/shop/b.php:3`,
    ],
  ],
  [
    'theme astra',
    [
      `Warning: Undefined variable $x in ${html}/wp-content/themes/astra/functions.php on line 12`,
      `PHP Warning:  file_put_contents(${html}/wp-content/plugins/akismet/x.log): Failed to open stream: Permission denied in ${html}/wp-content/themes/astra/functions.php on line 3`,
    ],
  ],
  [
    'plugin gone',
    [
      `PHP Warning:  include(${html}/wp-content/plugins/gone/x.php): Failed to open stream: No such file or directory in ${html}/wp-settings.php on line 473`,
    ],
  ],
  [
    'plugin pay',
    [
      `PHP Fatal error:  Uncaught ArgumentCountError: Too few arguments to function wp_kses(), 1 passed in ${html}/wp-content/plugins/pay/pay.php on line 3 and at least 2 expected in ${html}/wp-includes/kses.php:750`,
    ],
  ],
  [
    'mu-plugin tweaks',
    [`<br />\n<b>Fatal error</b>:  Uncaught Error: x in ${html}/wp-content/mu-plugins/tweaks.php:3<br />`],
  ],
  [
    'plugin my shop',
    [
      `PHP message: PHP Parse error:  syntax error, unexpected token "}" in ${html}/wp-content/plugins/my shop/a b.php on line 9`,
    ],
  ],
  [
    'plugin hp-feed',
    [
      `PHP Fatal error:  Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes) in ${html}/wp-content/plugins/hp-feed/class-hp-feed.php on line 88`,
    ],
  ],
  // WordPress's own words.
  [
    'plugin woocommerce',
    [
      'Function _load_textdomain_just_in_time was called incorrectly. Translation loading for the woocommerce domain was triggered too early.',
      'Function WP_Block_Type_Registry::register was called <strong>incorrectly</strong>. Block type "woocommerce/cart" is already registered.',
      "WordPress database error Table 'wp.wp_woo_x' doesn't exist for query SELECT * FROM wp_woo_x made by require('wp-blog-header.php'), wp, WP->main, do_action_ref_array('wp'), WP_Hook->do_action, WP_Hook->apply_filters, WooCommerce->init",
      "WordPress database error Deadlock found for query UPDATE x made by do_action('a'), WP_Hook->do_action, WC_Queue->run, ActionScheduler_QueueRunner->run, ActionScheduler_DBStore->claim",
      'Cron reschedule event error for hook: woocommerce_cleanup_sessions, Error code: could_not_set, Error message: The cron event list could not be saved., Data: {"schedule":"daily"}',
      'scheduled action 812 (woocommerce_scheduled_subscription_payment) failed to finish processing due to the following exception: Boom',
      '{"code":"rest_forbidden","message":"Sorry, you are not allowed to do that.","data":{"status":401,"route":"/wc/v3/orders"}}',
      'GET https://x.example/wp-json/wc/v3/orders answered 500',
      "WordPress database error: [Table 'wp.wp_3_wc_orders' doesn't exist]",
    ],
  ],
  [
    'plugin acf',
    [
      `PHP Notice:  Function _load_textdomain_just_in_time was called <strong>incorrectly</strong>. Translation loading for the <code>acf</code> domain was triggered too early. in ${html}/wp-includes/functions.php on line 6114`,
    ],
  ],
  [
    'theme astra',
    [
      'Function _load_textdomain_just_in_time was called incorrectly. Translation loading for the astra domain was triggered too early.',
      "WordPress database error Deadlock found when trying to get lock; try restarting transaction for query UPDATE x made by require('wp-blog-header.php'), include('/themes/astra/index.php'), get_header",
    ],
  ],
  [
    'theme twentytwentyfour',
    [
      'Function _load_textdomain_just_in_time was called incorrectly. Translation loading for the twentytwentyfour domain was triggered too early.',
    ],
  ],
  [
    'none',
    [
      'Function _load_textdomain_just_in_time was called incorrectly. Translation loading for the default domain was triggered too early.',
      'Function WP_Block_Type_Registry::register was called <strong>incorrectly</strong>. Block type "core/x" is already registered.',
      'Function wc_get_product was called <strong>incorrectly</strong>. wc_get_product should not be called before init.',
      "WordPress database error MySQL server has gone away for query SELECT 1 made by require('wp-blog-header.php'), wp, WP->main, WP->query_posts, WP_Query->query",
      'Cron reschedule event error for hook: wp_version_check, Error code: could_not_set, Error message: x, Data: {}',
      'Cron reschedule event error for hook: nobody_knows_this, Error code: invalid_schedule, Error message: x, Data: {}',
      'rest_forbidden: GET /wp/v2/users',
      "WordPress database error Table 'wp.wp_posts' doesn't exist for query SELECT 1",
    ],
  ],
  [
    'plugin my-shop',
    [
      `Function is_cart was called <strong>incorrectly</strong>. Too early. Backtrace: require('wp-blog-header.php'), require_once('wp-settings.php'), include_once('/plugins/my-shop/my-shop.php'), is_cart, wc_doing_it_wrong. This message was added in version 2.3.`,
    ],
  ],
  [
    'plugin shop',
    [
      "WordPress database error Duplicate entry '1' for key 'PRIMARY' for query INSERT INTO x made by require_once('wp-settings.php'), include_once('/plugins/shop/shop.php'), Shop->boot, Shop->save",
      `PHP Fatal error:  Uncaught Error: x in phar://${html}/wp-content/plugins/shop/a.phar/b.php:3`,
    ],
  ],
  [
    'plugin wordpress-seo',
    [
      'Cron unschedule event error for hook: wpseo_indexable, Error code: could_not_set, Error message: x, Data: {}',
      "WordPress database error Table 'wp.wp_yoast_indexable' doesn't exist for query SELECT 1",
    ],
  ],
  [
    'plugin seo-by-rank-math',
    [
      'action failed via WP Cron: Scheduled action for rank_math/analytics/data_fetch will not be executed as no callbacks are registered.',
      'Function register_rest_route was called <strong>incorrectly</strong>. The REST API route definition for <code>rankmath/v1/items</code> is missing the required <code>permission_callback</code> argument.',
    ],
  ],
  [
    'plugin contact-form-7',
    ['rest_no_route: No route was found matching /contact-form-7/v1/contact-forms/3/feedback'],
  ],
  // No fault of a site.
  [
    'none',
    [
      'Warning: plugins/auth failed to load',
      'Could not read /srv/plugins/x/y.php',
      `PHP Warning:  x in ${html}/wp-includes/load.php on line 3`,
      'made by hand',
    ],
  ],
];

describe('without a stack', () => {
  const each = texts.flatMap(([component, messages]) => messages.map((text) => [text, component] as const));
  it.each(each)('%s', (message, expected) => {
    expect(foundIn({ message })).toBe(expected);
  });
});

const modules = { WooCommerce: '9.1.2', 'My Shop': '1.0', 'Hello Dolly': 'unknown', 'guzzlehttp/log': '1.0' };

describe('with a stack', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'the plugin nearest the fault',
      stackOf(`${html}/wp-content/themes/astra/a.php`, `${html}/wp-content/plugins/shop/a.php`),
      'plugin shop',
    ],
    [
      'past core',
      stackOf(
        `${html}/index.php`,
        `${html}/wp-content/plugins/shop/a.php`,
        `${html}/wp-includes/class-wp-hook.php`,
        `${html}/wp-includes/class-wpdb.php`,
      ),
      'plugin shop',
    ],
    [
      'past what watches',
      stackOf(
        `${html}/wp-content/plugins/shop/a.php`,
        `${html}/wp-content/plugins/query-monitor/classes/DB.php`,
        `${html}/wp-content/plugins/wp-sentry-integration/src/x.php`,
      ),
      'plugin shop',
    ],
    [
      'what watches, alone',
      stackOf(`${html}/wp-content/plugins/query-monitor/classes/DB.php`),
      'plugin query-monitor',
    ],
    ['core alone', stackOf(`${html}/wp-includes/class-wpdb.php`), 'none'],
    [
      'a content folder of another name',
      stackOf(`${html}/wp-includes/plugin.php`, `${html}/content/plugins/shop/a.php`),
      'plugin shop',
    ],
    [
      'the same with core in a folder',
      stackOf('/srv/s/wp/wp-includes/plugin.php', '/srv/s/content/themes/mine/a.php'),
      'theme mine',
    ],
    ['no WordPress', stackOf('/srv/content/plugins/shop/a.php', '/srv/index.php'), 'none'],
    [
      'abs_path before filename',
      {
        exception: {
          values: [
            {
              type: 'E',
              stacktrace: {
                frames: [
                  { abs_path: `${html}/wp-content/plugins/shop/a.php`, filename: '/plugins/shop/a.php' },
                ],
              },
            },
          ],
        },
      },
      'plugin shop',
    ],
    [
      'the message where the stack is core alone',
      {
        ...stackOf(`${html}/wp-includes/functions.php`),
        message: 'Translation loading for the shop domain was triggered too early',
      },
      'plugin shop',
    ],
    [
      'the thread',
      { threads: [{ stacktrace: { frames: [{ filename: `${html}/wp-content/plugins/shop/a.php` }] } }] },
      'plugin shop',
    ],
    [
      'a cause',
      {
        exception: {
          values: [
            ...stackOf(`${html}/wp-content/plugins/shop/a.php`).exception.values,
            { type: 'E', value: 'outer' },
          ],
        },
      },
      'plugin shop',
    ],
    [
      'the browser',
      {
        platform: 'javascript',
        ...stackOf(
          'https://x.example/wp-content/plugins/shop/a.js?ver=1.2.3',
          'https://x.example/wp-includes/js/jquery/jquery.min.js?ver=3.7.1',
        ),
      },
      'plugin shop@1.2.3',
    ],
    [
      'error_get_last',
      { message: 'Out of memory', extra: { file: `${html}/wp-content/plugins/shop/a.php`, line: 3 } },
      'plugin shop',
    ],
    [
      'a hook of a listed plugin',
      { message: 'Cron reschedule event error for hook: my_shop_sync, Error code: x', modules },
      'plugin my-shop@1.0',
    ],
    [
      'a library is no plugin',
      { message: 'Cron reschedule event error for hook: log_rotate, Error code: x', modules },
      'none',
    ],
  ])('%s', (_name, raw, expected) => {
    expect(foundIn(raw)).toBe(expected);
  });
});

const inWoo = stackOf(`${html}/wp-content/plugins/woocommerce/a.php`);
const inAkismet = stackOf(`${html}/wp-content/plugins/akismet/a.php`);
const inAstra = stackOf(`${html}/wp-content/themes/astra/a.php`);

describe('the version', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['modules by name, as the Sentry plugin sends them', { ...inWoo, modules }, 'plugin woocommerce@9.1.2'],
    [
      'unknown',
      { ...stackOf(`${html}/wp-content/plugins/hello-dolly/h.php`), modules },
      'plugin hello-dolly',
    ],
    ['modules by slug', { ...inAkismet, modules: { akismet: '5.3' } }, 'plugin akismet@5.3'],
    [
      'modules of Composer',
      { ...inAkismet, modules: { 'wpackagist-plugin/akismet': '5.3.1@8f3a2b' } },
      'plugin akismet@5.3.1',
    ],
    [
      'a library of the same vendor',
      { ...inWoo, modules: { 'woocommerce/action-scheduler': '3.8.0' } },
      'plugin woocommerce',
    ],
    [
      'an add-on is another',
      { ...inWoo, modules: { 'WooCommerce Stripe Gateway': '8.0' } },
      'plugin woocommerce',
    ],
    [
      'contexts by slug',
      { ...inAkismet, contexts: { wordpress: { plugins: { akismet: '5.3' } } } },
      'plugin akismet@5.3',
    ],
    [
      'contexts as get_plugins() gives them',
      {
        ...inAkismet,
        contexts: {
          plugins: { plugins: { 'akismet/akismet.php': { Name: 'Akismet Anti-spam', Version: '5.3' } } },
        },
      },
      'plugin akismet@5.3',
    ],
    [
      'extra as a list',
      { ...inAkismet, extra: { active_plugins: ['hello@1.0', 'akismet@5.3'] } },
      'plugin akismet@5.3',
    ],
    [
      'extra as objects',
      { ...inAkismet, extra: { plugins: [{ slug: 'akismet', version: '5.3' }] } },
      'plugin akismet@5.3',
    ],
    [
      'the theme in a context',
      {
        ...inAstra,
        contexts: { theme: { name: 'x' }, wordpress: { theme: { name: 'Astra', version: '4.6.1' } } },
      },
      'theme astra@4.6.1',
    ],
    ['a release of its own name', { ...inAstra, release: 'astra@4.6.1' }, 'theme astra@4.6.1'],
    ['a release of another name', { ...inAstra, release: 'site@2.0' }, 'theme astra'],
    [
      'a list before an address',
      {
        ...stackOf('https://x.example/wp-content/plugins/akismet/a.js?ver=6.6.2'),
        modules: { akismet: '5.3' },
      },
      'plugin akismet@5.3',
    ],
    [
      'not that of WordPress',
      {
        ...stackOf('https://x.example/wp-content/plugins/akismet/a.js?ver=6.6.2'),
        tags: { wordpress: '6.6.2' },
      },
      'plugin akismet',
    ],
  ])('%s', (_name, raw, expected) => {
    expect(foundIn(raw)).toBe(expected);
  });
});

describe('the tag', () => {
  const tagged = (raw: Record<string, unknown>) => {
    const event = normalized({ platform: 'php', ...raw });
    return addComponentTag(event, findSuspectComponent(event));
  };

  it('comes after those of the client', () => {
    expect(tagged({ ...inWoo, modules, tags: { a: 'b' } }).tags).toEqual([
      ['a', 'b'],
      ['plugin', 'woocommerce@9.1.2'],
    ]);
    expect(tagged(inAstra).tags).toEqual([['theme', 'astra']]);
    expect(tagged(stackOf(`${html}/wp-content/mu-plugins/x.php`)).tags).toEqual([['plugin', 'x']]);
  });

  it('is the client’s where the client has set it', () => {
    expect(tagged({ ...inWoo, tags: { plugin: 'mine' } }).tags).toEqual([['plugin', 'mine']]);
    expect(tagged({ ...inWoo, tags: { theme: 'astra' } }).tags).toEqual([
      ['theme', 'astra'],
      ['plugin', 'woocommerce'],
    ]);
  });

  it('can be removed again, the client’s cannot', () => {
    const event = normalized({ platform: 'php', ...inWoo });
    expect(removeComponentTag(tagged(inWoo))).toEqual(event);
    expect(removeComponentTag(tagged({ ...inWoo, tags: { plugin: 'mine' } })).tags).toEqual([
      ['plugin', 'mine'],
    ]);
  });

  it('has at most 200 characters', () => {
    const slug = 'a'.repeat(100);
    const event = tagged({
      ...stackOf(`/wp-content/plugins/${slug}/a.php`),
      modules: { [slug]: `1.${'1'.repeat(14)}` },
    });
    expect(event.tags?.[0]?.[1].length).toBeLessThanOrEqual(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  findComponentOfPath,
  parseComponentVersion,
} from '../../../src/core/wordpress-components/component-paths.ts';
import { endless } from '../../support/endless.ts';

/** `kind slug version file`, `-` where there is no version or file; `none` for what is no plugin's. */
const rows: ReadonlyArray<readonly [string, string]> = [
  // PHP, wherever WordPress is.
  [
    '/var/www/html/wp-content/plugins/woocommerce/includes/class-wc-order.php',
    'plugin woocommerce - includes/class-wc-order.php',
  ],
  ['/var/www/html/wp-content/plugins/akismet/class.akismet.php', 'plugin akismet - class.akismet.php'],
  ['/usr/share/wordpress/wp-content/plugins/akismet/akismet.php', 'plugin akismet - akismet.php'],
  ['/var/www/html/wp-content/plugins/hello.php', 'plugin hello - hello.php'],
  ['/var/www/html/wp-content/plugins/hello-dolly/hello.php', 'plugin hello-dolly - hello.php'],
  ['/var/www/html/wp-content/themes/astra/functions.php', 'theme astra - functions.php'],
  [
    '/var/www/html/wp-content/themes/twentytwentyfour/parts/header.html',
    'theme twentytwentyfour - parts/header.html',
  ],
  ['/var/www/html/wp-content/mu-plugins/site-tweaks.php', 'mu-plugin site-tweaks - site-tweaks.php'],
  [
    '/var/www/html/wp-content/mu-plugins/wpengine-common/plugin.php',
    'mu-plugin wpengine-common - plugin.php',
  ],
  ['/var/www/wp-content/client-mu-plugins/vip-shop/loader.php', 'mu-plugin vip-shop - loader.php'],
  [
    'wp-content/plugins/contact-form-7/wp-contact-form-7.php',
    'plugin contact-form-7 - wp-contact-form-7.php',
  ],
  ['/wp-content/plugins/elementor/core/files/css/base.php', 'plugin elementor - core/files/css/base.php'],
  [
    '/home/u1/public_html/blog/wp-content/plugins/LayerSlider/wp/hooks.php',
    'plugin LayerSlider - wp/hooks.php',
  ],
  [
    '/srv/htdocs/wp-content/plugins/js_composer/include/classes/core/class-vc-base.php',
    'plugin js_composer - include/classes/core/class-vc-base.php',
  ],
  [
    '/srv/x/wp-content/plugins/woocommerce/packages/action-scheduler/classes/ActionScheduler.php',
    'plugin woocommerce - packages/action-scheduler/classes/ActionScheduler.php',
  ],
  [
    '/srv/x/wp-content/plugins/shop/vendor/guzzlehttp/guzzle/src/Client.php',
    'plugin shop - vendor/guzzlehttp/guzzle/src/Client.php',
  ],
  ['/srv/x/wp-content/plugins/shop/../shop/./inc//a.php', 'plugin shop - inc/a.php'],
  ['/srv/x/wp-content/plugins/shop/inc/../../pay/a.php', 'plugin pay - a.php'],
  ["/srv/x/wp-content/plugins/snippets/run.php(61) : eval()'d code", 'plugin snippets - run.php'],
  ["/srv/x/wp-content/plugins/hello.php(61) : eval()'d code", 'plugin hello - hello.php'],
  ['/srv/x/wp-content/plugins/My Plugin/my plugin.php', 'plugin My Plugin - my plugin.php'],
  ['/srv/x/wp-content/plugins/akismet', 'plugin akismet - -'],
  ['/srv/x/wp-content/themes/flatsome', 'theme flatsome - -'],
  ['/srv/x/wp-content/themes/pub/twentyten/functions.php', 'theme twentyten - functions.php'],
  // Windows.
  [
    'C:\\xampp\\htdocs\\shop\\wp-content\\plugins\\woocommerce\\woocommerce.php',
    'plugin woocommerce - woocommerce.php',
  ],
  ['D:\\inetpub\\wp-content/themes\\astra/inc\\core.php', 'theme astra - inc/core.php'],
  ['\\\\nas\\www\\wp-content\\mu-plugins\\a.php', 'mu-plugin a - a.php'],
  // Bedrock, and sites that pool their plugins.
  [
    '/srv/www/example.com/current/web/app/plugins/woocommerce/woocommerce.php',
    'plugin woocommerce - woocommerce.php',
  ],
  ['/app/web/app/themes/sage/functions.php', 'theme sage - functions.php'],
  ['/app/web/app/mu-plugins/bedrock-autoloader.php', 'mu-plugin bedrock-autoloader - bedrock-autoloader.php'],
  ['https://example.com/app/plugins/shop/cart.js?ver=2.0.1', 'plugin shop 2.0.1 cart.js'],
  ['/srv/site/content/mu-plugins/a.php', 'mu-plugin a - a.php'],
  ['/wordpress/plugins/jetpack/13.1/class.jetpack.php', 'plugin jetpack 13.1 class.jetpack.php'],
  ['/wordpress/plugins/woocommerce/latest/woocommerce.php', 'plugin woocommerce - woocommerce.php'],
  ['/wordpress/themes/pub/twentyten/functions.php', 'theme twentyten - functions.php'],
  // A version in the folder.
  ['/srv/x/wp-content/plugins/slug-1.2.3/a.php', 'plugin slug 1.2.3 a.php'],
  ['/srv/x/wp-content/plugins/slug.2.0/a.php', 'plugin slug 2.0 a.php'],
  ['/srv/x/wp-content/plugins/my-shop-v1.10.0-beta2/a.php', 'plugin my-shop 1.10.0-beta2 a.php'],
  ['/srv/x/wp-content/plugins/contact-form-7/a.php', 'plugin contact-form-7 - a.php'],
  ['/srv/x/wp-content/plugins/wp-2fa/a.php', 'plugin wp-2fa - a.php'],
  // The browser.
  [
    'https://shop.example/wp-content/plugins/woocommerce/assets/js/cart.min.js?ver=9.1.2',
    'plugin woocommerce 9.1.2 assets/js/cart.min.js',
  ],
  [
    'https://shop.example/wp-content/themes/astra/main.js?ver=4.6.0-beta.1',
    'theme astra 4.6.0-beta.1 main.js',
  ],
  ['https://shop.example/wp-content/plugins/a/b.js?x=1&ver=1.2.3#top', 'plugin a 1.2.3 b.js'],
  ['https://shop.example/wp-content/plugins/a/b.js?ver=v2.1', 'plugin a 2.1 b.js'],
  ['https://shop.example/wp-content/plugins/a/b.js?ver=1.2%2D0', 'plugin a - b.js'],
  ['//cdn.shop.example/wp-content/plugins/a/b.js?ver=12', 'plugin a 12 b.js'],
  ['https://shop.example/wp-content/plugins/a/b.js?ver=1700000000', 'plugin a - b.js'],
  ['https://shop.example/wp-content/plugins/a/b.js?ver=8f3a2bc91d', 'plugin a - b.js'],
  ['https://shop.example/wp-content/plugins/a/b.js', 'plugin a - b.js'],
  [
    'https://shop.example/wp-content/plugins/elementor/assets/lib/swiper/swiper.min.js?ver=8.4.5',
    'plugin elementor - assets/lib/swiper/swiper.min.js',
  ],
  [
    'https://shop.example/wp-content/plugins/woocommerce/assets/js/jquery-blockui/jquery.blockUI.min.js?ver=2.7.0-wc.9.1.2',
    'plugin woocommerce - assets/js/jquery-blockui/jquery.blockUI.min.js',
  ],
  ['https://shop.example/wp-content/plugins/my%20shop/a.js?ver=1.0', 'plugin my shop 1.0 a.js'],
  ['https://shop.example/wp%2Dcontent/plugins/a%2Db/c.js', 'plugin a-b - c.js'],
  [
    'https://shop.example/wp-content/cache/min/1/wp-content/plugins/elementor/a.js',
    'plugin elementor - a.js',
  ],
  [
    'https://shop.example/sub/wp-content/plugins/a/x.php?plugins=wp-content/plugins/b/y.js',
    'plugin a - x.php',
  ],
  [
    'https://c0.wp.com/p/woocommerce/9.1.2/assets/js/frontend/cart.min.js',
    'plugin woocommerce 9.1.2 assets/js/frontend/cart.min.js',
  ],
  ['file:///srv/x/wp-content/plugins/a/b.js', 'plugin a - b.js'],
  // What only looks like it.
  ['/srv/plugins/x/y.php', 'none'],
  ['/srv/plugins/x.php', 'none'],
  ['/srv/app/plugins/auth/index.js', 'none'],
  ['/app/plugins/debug_kit/views/a.ctp', 'none'],
  ['https://example.com/app/plugins/shop/cart.js', 'none'],
  ['/srv/themes/dark/index.css', 'none'],
  ['/srv/x/wp-content/uploads/2024/05/plugins/a.php', 'none'],
  ['/srv/x/wp-content/uploads/wp-content/plugins/a/b.php', 'none'],
  ['/srv/x/wp-content/plugins/../../wp-config.php', 'none'],
  ['/srv/x/wp-content/plugins/../..', 'none'],
  ['/srv/x/wp-content/plugins/', 'none'],
  ['/srv/x/wp-content/plugins/index.php', 'none'],
  ['/srv/x/wp-content/plugins/.htaccess', 'none'],
  ['/srv/x/wp-content/plugins/readme.txt', 'none'],
  ['/srv/x/wp-content/themes/index.php', 'none'],
  ['/srv/x/wp-content/plugins-backup/a/b.php', 'none'],
  ['/srv/x/wp-content/languages/plugins/woocommerce-de_DE.mo', 'none'],
  ['/srv/x/wp-content/object-cache.php', 'none'],
  ['/srv/x/wp-includes/plugin.php', 'none'],
  ['/srv/x/wp-admin/plugins.php', 'none'],
  ['/srv/x/wp-admin/network/themes.php', 'none'],
  ['https://c0.wp.com/c/6.6.2/wp-includes/js/jquery/jquery.min.js', 'none'],
  ['https://shop.example/?f=wp-content/plugins/a/b.js', 'none'],
  ['webpack://shop/./src/plugins/auth.ts', 'none'],
  ['app:///plugins/a.js', 'none'],
  ['%E0%A4%A/plugins/x', 'none'],
  ['plugins', 'none'],
  ['', 'none'],
];

describe('the component of a file', () => {
  it.each(rows)('%s', (path, expected) => {
    const code = findComponentOfPath(path);
    const { kind, slug, version, file } = code ?? { kind: 'none', slug: '', version: '', file: '' };
    expect(code === null ? 'none' : `${kind} ${slug} ${version ?? '-'} ${file || '-'}`).toBe(expected);
  });

  it('recognizes a renamed content folder where the root of the site is known', () => {
    const path = '/srv/site/content/plugins/shop/a.php';
    expect([
      findComponentOfPath(path),
      findComponentOfPath(path, '/srv/other'),
      findComponentOfPath(path, '/srv/site')?.slug,
    ]).toEqual([null, null, 'shop']);
  });

  it('never reads more than the slug', () => {
    expect(findComponentOfPath(`/wp-content/plugins/${'a'.repeat(101)}/b.php`)).toBeNull();
    expect(findComponentOfPath('/wp-content/plugins/a@b/c.php')).toBeNull();
  });

  it.each(['wp-content/plugins/', '../', '%2e', 'plugins', '-1.1', 'a b '])(
    'reads a hostile path of nothing but %j in bounded time',
    (piece) => {
      expect(() => findComponentOfPath(`/wp-content/plugins/${endless(piece)}`)).not.toThrow();
    },
  );
});

describe('a version', () => {
  it.each(['9.1.2', '1', '2024', '1.2.3.4', '1.0-beta', '1.0.0-rc.1', '3.1b2'])('is %s', (text) => {
    expect(parseComponentVersion(text)).toBe(text);
  });

  it.each(['', '1700000000', '8f3a2bc', 'latest', 'false', '1.2.3; DROP', '1.'])('is not %s', (text) => {
    expect(parseComponentVersion(text)).toBeNull();
  });
});

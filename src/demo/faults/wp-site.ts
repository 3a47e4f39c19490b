import type { IssueTemplate } from './template.ts';

export const wpSite: readonly IssueTemplate[] = [
  {
    key: 'memory-feed',
    slug: 'wp-site',
    type: 'Fatal error',
    value: 'Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes)',
    level: 'fatal',
    frames: [
      {
        fn: 'HP_Feed::build',
        file: 'wp-content/plugins/hp-feed/class-hp-feed.php',
        line: 112,
        code: 'foreach ( $products as $product ) {\n>    $items[] = $this->item( $product );\n}',
      },
    ],
    hasUsers: false,
  },
  {
    key: 'undefined-country',
    slug: 'wp-site',
    type: 'Warning',
    value: 'Undefined array key "billing_country"',
    level: 'warning',
    frames: [
      {
        fn: 'hp_shipping_quote',
        file: 'wp-content/plugins/hp-shipping/rates.php',
        line: 47,
        code: "$posted = wp_unslash( $_POST );\n>$zone   = hp_zone_of( $posted['billing_country'] );",
        vars: { posted: { billing_first_name: 'Anna' } },
      },
    ],
  },
  {
    key: 'rate-cache-table',
    slug: 'wp-site',
    type: 'wpdb',
    value: "Table 'hp.wp_hp_rate_cache' doesn't exist",
    frames: [
      {
        fn: 'HP_Rates->get',
        file: 'wp-content/plugins/hp-shipping/class-hp-rates.php',
        line: 83,
        code: '>$row = $wpdb->get_row( $wpdb->prepare( "SELECT * FROM {$wpdb->prefix}hp_rate_cache WHERE zone = %s", $zone ) );',
        vars: { zone: 'IE-D' },
      },
    ],
  },
  {
    key: 'dynamic-property',
    slug: 'wp-site',
    type: 'Deprecated',
    value: 'Creation of dynamic property HP_Rate::$zone is deprecated',
    level: 'info',
    frames: [
      {
        fn: 'HP_Rate->__construct',
        file: 'wp-content/plugins/hp-shipping/class-hp-rate.php',
        line: 19,
        code: '>$this->zone = $zone;',
      },
    ],
    hasUsers: false,
  },
  {
    key: 'headers-sent',
    slug: 'wp-site',
    type: 'Warning',
    value: 'Cannot modify header information - headers already sent by (output started at functions.php:3)',
    level: 'warning',
    frames: [
      {
        fn: 'hp_redirect',
        file: 'wp-content/themes/harbour/functions.php',
        line: 88,
        code: ">wp_safe_redirect( home_url( '/' ), 302 );",
      },
    ],
  },
  {
    key: 'cron-overlap',
    slug: 'wp-site',
    type: 'RuntimeException',
    value: 'stock import is still running since 01:00',
    frames: [
      {
        fn: 'HP_Import::run',
        file: 'wp-content/plugins/hp-import/class-hp-import.php',
        line: 54,
        code: "if ( get_transient( 'hp_import_lock' ) ) {\n>    throw new RuntimeException( 'stock import is still running since 01:00' );\n}",
        vars: { lock: '01:00', host: '203.0.113.20' },
      },
    ],
    hasUsers: false,
  },
  {
    key: 'json-decode-null',
    slug: 'wp-site',
    type: 'TypeError',
    value: 'count(): Argument #1 ($value) must be of type Countable|array, null given',
    frames: [
      {
        fn: 'hp_menu_items',
        file: 'wp-content/themes/harbour/inc/menu.php',
        line: 26,
        code: '$items = json_decode( $body );\n>return count( $items ) > 0;',
        vars: { body: '' },
      },
    ],
  },
  {
    key: 'translation-early',
    slug: 'wp-site',
    type: 'Notice',
    value: 'Function _load_textdomain_just_in_time was called incorrectly.',
    level: 'info',
    frames: [
      {
        fn: 'hp_feed_boot',
        file: 'wp-content/plugins/hp-feed/hp-feed.php',
        line: 12,
        code: ">load_plugin_textdomain( 'hp-feed' );",
      },
    ],
    hasUsers: false,
  },
  {
    key: 'smtp-auth',
    slug: 'wp-site',
    type: 'PHPMailer\\PHPMailer\\Exception',
    value: 'SMTP Error: Could not authenticate.',
    frames: [
      {
        fn: 'HP_Mail->send',
        file: 'wp-content/plugins/hp-mail/class-hp-mail.php',
        line: 71,
        code: '>$mailer->send();',
        vars: { host: 'mail.harbourpine.example.com', password: 'hunter2' },
      },
    ],
    hasUsers: false,
  },
  {
    key: 'image-webp',
    slug: 'wp-site',
    type: 'Warning',
    value: 'imagewebp(): Palette image not supported by webp',
    level: 'warning',
    frames: [
      {
        fn: 'hp_make_webp',
        file: 'wp-content/plugins/hp-media/webp.php',
        line: 33,
        code: '>imagewebp( $image, $target, 82 );',
      },
    ],
    hasUsers: false,
  },
  {
    key: 'session-path',
    slug: 'wp-site',
    type: 'Warning',
    value: 'session_start(): open(/var/lib/php/sessions/sess_0) failed: No space left on device (28)',
    level: 'warning',
    frames: [
      {
        fn: 'hp_session',
        file: 'wp-content/themes/harbour/inc/session.php',
        line: 9,
        code: '>session_start();',
      },
    ],
  },
  {
    key: 'gallery-null',
    slug: 'wp-site',
    type: 'Error',
    value: 'Call to a member function get_image() on null',
    frames: [
      {
        fn: 'hp_gallery',
        file: 'wp-content/themes/harbour/woocommerce/gallery.php',
        line: 41,
        code: ">echo $product->get_image( 'large' );",
      },
    ],
  },
  {
    key: 'rest-cookie',
    slug: 'wp-site',
    type: 'HP_Rest_Error',
    value: 'rest_cookie_invalid_nonce for /wp-json/hp/v1/basket',
    level: 'warning',
    frames: [
      {
        fn: 'HP_Rest->basket',
        file: 'wp-content/plugins/hp-shipping/class-hp-rest.php',
        line: 58,
        code: ">throw new HP_Rest_Error( $result->get_error_code() . ' for ' . $route );",
      },
    ],
  },
];

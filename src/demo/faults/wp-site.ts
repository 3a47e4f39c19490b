import type { FaultTexts } from './template.ts';

export const wpSite: FaultTexts = {
  'memory-feed': {
    type: 'Fatal error',
    value: 'Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes)',
    level: 'fatal',
    frames: [
      {
        at: 'HP_Feed::build (wp-content/plugins/hp-feed/class-hp-feed.php:112)',
        code: 'foreach ( $products as $product ) {\n>    $items[] = $this->item( $product );\n}',
      },
    ],
    hasUsers: false,
  },
  'undefined-country': {
    type: 'Warning',
    value: 'Undefined array key "billing_country"',
    level: 'warning',
    frames: [
      {
        at: 'hp_shipping_quote (wp-content/plugins/hp-shipping/rates.php:47)',
        code: "$posted = wp_unslash( $_POST );\n>$zone   = hp_zone_of( $posted['billing_country'] );",
        vars: { posted: { billing_first_name: 'Anna' } },
      },
    ],
  },
  'rate-cache-table': {
    type: 'wpdb',
    value: "Table 'hp.wp_hp_rate_cache' doesn't exist",
    frames: [
      {
        at: 'HP_Rates->get (wp-content/plugins/hp-shipping/class-hp-rates.php:83)',
        code: '>$row = $wpdb->get_row( $wpdb->prepare( "SELECT * FROM {$wpdb->prefix}hp_rate_cache WHERE zone = %s", $zone ) );',
        vars: { zone: 'IE-D' },
      },
    ],
  },
  'dynamic-property': {
    type: 'Deprecated',
    value: 'Creation of dynamic property HP_Rate::$zone is deprecated',
    level: 'info',
    frames: [
      {
        at: 'HP_Rate->__construct (wp-content/plugins/hp-shipping/class-hp-rate.php:19)',
        code: '>$this->zone = $zone;',
      },
    ],
    hasUsers: false,
  },
  'headers-sent': {
    type: 'Warning',
    value: 'Cannot modify header information - headers already sent by (output started at functions.php:3)',
    level: 'warning',
    frames: [
      {
        at: 'hp_redirect (wp-content/themes/harbour/functions.php:88)',
        code: ">wp_safe_redirect( home_url( '/' ), 302 );",
      },
    ],
  },
  'cron-overlap': {
    type: 'RuntimeException',
    value: 'stock import is still running since 01:00',
    frames: [
      {
        at: 'HP_Import::run (wp-content/plugins/hp-import/class-hp-import.php:54)',
        code: "if ( get_transient( 'hp_import_lock' ) ) {\n>    throw new RuntimeException( 'stock import is still running since 01:00' );\n}",
        vars: { lock: '01:00', host: '203.0.113.20' },
      },
    ],
    hasUsers: false,
  },
  'json-decode-null': {
    type: 'TypeError',
    value: 'count(): Argument #1 ($value) must be of type Countable|array, null given',
    frames: [
      {
        at: 'hp_menu_items (wp-content/themes/harbour/inc/menu.php:26)',
        code: '$items = json_decode( $body );\n>return count( $items ) > 0;',
        vars: { body: '' },
      },
    ],
  },
  'translation-early': {
    type: 'Notice',
    value: 'Function _load_textdomain_just_in_time was called incorrectly.',
    level: 'info',
    frames: [
      {
        at: 'hp_feed_boot (wp-content/plugins/hp-feed/hp-feed.php:12)',
        code: ">load_plugin_textdomain( 'hp-feed' );",
      },
    ],
    hasUsers: false,
  },
  'smtp-auth': {
    type: 'PHPMailer\\PHPMailer\\Exception',
    value: 'SMTP Error: Could not authenticate.',
    frames: [
      {
        at: 'HP_Mail->send (wp-content/plugins/hp-mail/class-hp-mail.php:71)',
        code: '>$mailer->send();',
        vars: { host: 'mail.harbourpine.example.com', password: 'hunter2' },
      },
    ],
    hasUsers: false,
  },
  'image-webp': {
    type: 'Warning',
    value: 'imagewebp(): Palette image not supported by webp',
    level: 'warning',
    frames: [
      {
        at: 'hp_make_webp (wp-content/plugins/hp-media/webp.php:33)',
        code: '>imagewebp( $image, $target, 82 );',
      },
    ],
    hasUsers: false,
  },
  'session-path': {
    type: 'Warning',
    value: 'session_start(): open(/var/lib/php/sessions/sess_0) failed: No space left on device (28)',
    level: 'warning',
    frames: [{ at: 'hp_session (wp-content/themes/harbour/inc/session.php:9)', code: '>session_start();' }],
  },
  'gallery-null': {
    type: 'Error',
    value: 'Call to a member function get_image() on null',
    frames: [
      {
        at: 'hp_gallery (wp-content/themes/harbour/woocommerce/gallery.php:41)',
        code: ">echo $product->get_image( 'large' );",
      },
    ],
  },
  'rest-cookie': {
    type: 'HP_Rest_Error',
    value: 'rest_cookie_invalid_nonce for /wp-json/hp/v1/basket',
    level: 'warning',
    frames: [
      {
        at: 'HP_Rest->basket (wp-content/plugins/hp-shipping/class-hp-rest.php:58)',
        code: ">throw new HP_Rest_Error( $result->get_error_code() . ' for ' . $route );",
      },
    ],
  },
};

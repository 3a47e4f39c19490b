// What the issues are called and where they happen, as the program says it of their events. Kept here because
// to ask for it takes a hundred times as long; tests/demo/errors holds every line against the program.

/** Title and culprit, by the key of the template. */
export const names: Readonly<Record<string, readonly [title: string, culprit: string]>> = {
  'jwt-expired': ['TokenExpiredError: jwt expired', 'authenticate (src/http/session.ts)'],
  'translation-early': [
    'Notice: Function _load_textdomain_just_in_time was called incorrectly.',
    'hp-feed@1.9.0 · hp_feed_boot in hp-feed.php',
  ],
  'extension-noise': ['Error: Extension context invalidated.', 'main (src/main.ts)'],
  'script-error': ['Script error.', ''],
  'socket-hang-up': ['Error: socket hang up', 'Gateway.send (src/gateway/client.ts)'],
  'payment-frame-blocked': [
    'SecurityError: Blocked a frame with origin "https://shop.harbourpine.example" from accessing a cross-origin frame.',
    'measureFrame (src/checkout/pay.ts)',
  ],
  'cron-overlap': [
    'RuntimeException: stock import is still running since 01:00',
    'hp-import · HP_Import::run in class-hp-import.php',
  ],
  'quote-timeout': [
    'TimeoutError: shipping quote took longer than 2000 ms',
    'quoteShipping (src/shipping/quote.ts)',
  ],
  'quote-timeout-express': [
    'TimeoutError: express quote took longer than 800 ms',
    'quoteExpress (src/shipping/express.ts)',
  ],
  'webhook-signature': [
    'SignatureError: webhook signature does not match',
    'verifyWebhook (src/payments/webhook.ts)',
  ],
  anr: [
    'ApplicationNotResponding: Background thread was blocked for more than 5 s',
    'MainActivity.onResume (android/app/MainActivity.kt)',
  ],
  'headers-sent': [
    'Warning: Cannot modify header information - headers already sent by (output started at functions.php:3)',
    'harbour · hp_redirect in functions.php',
  ],
  'abort-search': ['AbortError: The user aborted a request.', 'suggest (src/search/suggest.ts)'],
  deadlock: [
    'DatabaseError: deadlock detected while updating stock_level',
    'reserveStock (src/stock/reserve.ts)',
  ],
  'dynamic-property': [
    'Deprecated: Creation of dynamic property HP_Rate::$zone is deprecated',
    'hp-shipping@3.2.1 · HP_Rate->__construct in class-hp-rate.php',
  ],
  'undefined-country': [
    'Warning: Undefined array key "billing_country"',
    'hp-shipping@3.2.1 · hp_shipping_quote in rates.php',
  ],
  offline: ['NetworkError: The Internet connection appears to be offline.', 'request (src/api/client.ts)'],
  'resize-observer': [
    'ResizeObserver loop completed with undelivered notifications.',
    'observe (src/ui/masonry.ts)',
  ],
  'quota-exceeded': [
    "QuotaExceededError: Failed to execute 'setItem' on 'Storage': Setting the value of 'basket' exceeded the quota.",
    'persistBasket (src/cart/storage.ts)',
  ],
  'rate-cache-table': [
    "wpdb: Table 'hp.wp_hp_rate_cache' doesn't exist",
    'hp-shipping@3.2.1 · HP_Rates->get in class-hp-rates.php',
  ],
  'hydration-418': [
    'Error: Minified React error #418; visit the documentation for the full message',
    'onRecoverableError (src/app.tsx)',
  ],
  'json-html': [
    'SyntaxError: Unexpected token \'<\', "<!doctype "... is not valid JSON',
    'fetchJson (src/api/json.ts)',
  ],
  'json-html-safari': [
    "SyntaxError: JSON Parse error: Unrecognized token '<'",
    'fetchJson (src/api/json-legacy.ts)',
  ],
  'attack-wall': [
    'AssertionError: the basket was rejected because the quote of line 7 is older than its price list; the basket was rejected because the quote of line 7 is older than its price list; the basket was rejected because the quote of line 7 is older than its price ',
    'assertFresh (src/http/quotes-check.ts)',
  ],
  'camera-native': [
    'SIGSEGV: Segmentation fault: invalid address 0x0000000000000018',
    'hp::Frame::plane(int) (scanner/frame.cc)',
  ],
  'json-decode-null': [
    'TypeError: count(): Argument #1 ($value) must be of type Countable|array, null given',
    'harbour · hp_menu_items in inc/menu.php',
  ],
  'wishlist-sync': [
    'HttpError: 409 Conflict: wishlist was changed elsewhere',
    'syncWishlist (src/account/wishlist.ts)',
  ],
  'attack-emoji': [
    'ValidationError: 👩\u200d👩\u200d👧\u200d👦🪑🚢 name “Ｆｕｌｌ ｗｉｄｔｈ” n̷͉̈o̸ẗ̵́ ̶a̷l̷l̷o̷w̷e̷d̷ \u001b[31m in 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    'checkName (src/account/name.ts)',
  ],
  'attack-right-to-left': [
    'Error: تعذر تحميل سلة التسوق: انتهت المهلة (basket 4417) \u202eevil.exe',
    'loadBasket (src/cart/store-remote.ts)',
  ],
  'attack-markup': [
    'TypeError: <img src=x onerror=alert(document.domain)>"\'</script><script>alert(1)</script> is not a function',
    '<svg onload=alert(1)> (src/search/suggest.ts)',
  ],
  'font-timeout': [
    'NetworkError: A network error occurred while loading a font.',
    'loadFonts (src/ui/fonts.ts)',
  ],
  'push-token': ['PushError: token was not registered', 'register (src/push/register.ts)'],
  'image-webp': [
    'Warning: imagewebp(): Palette image not supported by webp',
    'hp-media · hp_make_webp in webp.php',
  ],
  'csv-encoding': [
    'ERR_ENCODING_INVALID_ENCODED_DATA: The encoded data was not valid for encoding utf-8',
    'readCsv (src/import/csv.ts)',
  ],
  'push-permission': [
    'NotAllowedError: Registration failed - permission denied',
    'subscribe (src/account/push.ts)',
  ],
  'port-in-use': ['Error: listen EADDRINUSE: address already in use :::8080', 'start (src/server.ts)'],
  'map-zoom': ['TypeError: this.map.setZoom is not a function', 'StoreMap.focus (src/stores/map.ts)'],
  'redis-refused': ['Error: connect ECONNREFUSED [ip]:6379', 'RedisSocket.connect (src/cache/client.ts)'],
  'coupon-nan': [
    'RangeError: NaN cannot be converted to a BigInt because it is not an integer',
    'discount (src/cart/coupon.ts)',
  ],
  'session-path': [
    'Warning: session_start(): open(/var/lib/php/sessions/sess_0) failed: No space left on device (28)',
    'harbour · hp_session in inc/session.php',
  ],
  'total-of-undefined-safari': [
    "TypeError: undefined is not an object (evaluating 'fallback.rate')",
    'renderTotals (src/cart/summary-legacy.ts)',
  ],
  'total-of-undefined-firefox': [
    'TypeError: can\'t access property "total", fallback.rate is undefined',
    'paintTotals (src/cart/summary-legacy.ts)',
  ],
  'total-of-undefined': [
    "TypeError: Cannot read properties of undefined (reading 'total')",
    'renderTotals (src/cart/summary.ts)',
  ],
  'bigint-json': ['TypeError: Do not know how to serialize a BigInt', 'sendOrder (src/http/orders.ts)'],
  'smtp-auth': [
    'PHPMailer\\PHPMailer\\Exception: SMTP Error: Could not authenticate.',
    'hp-mail · HP_Mail->send in class-hp-mail.php',
  ],
  'migration-lock': [
    'MigrationError: another migration has held the lock for 60 s',
    'lock (src/db/migrate.ts)',
  ],
  keychain: ['KeychainError: errSecInteractionNotAllowed (-25308)', 'readToken (src/auth/keychain.ts)'],
  'gallery-null': [
    'Error: Call to a member function get_image() on null',
    'harbour · hp_gallery in woocommerce/gallery.php',
  ],
  'postcode-null': [
    "TypeError: Cannot read properties of null (reading 'value')",
    'readPostcode (src/checkout/address.ts)',
  ],
  'tax-rate': ['NotFoundError: no tax rate for region "IM"', 'taxRateOf (src/tax/rates.ts)'],
  'stale-basket': [
    'InvariantError: basket revision went backwards: 18 after 21',
    'applyRevision (src/cart/store.ts)',
  ],
  'focus-trap': [
    "TypeError: Failed to execute 'focus' on 'HTMLElement': Illegal invocation",
    'trapFocus (src/ui/dialog.ts)',
  ],
  'rate-of-null': [
    "TypeError: Cannot destructure property 'rate' of '(intermediate value)' as it is null.",
    'totalsOf (src/shipping/totals.ts)',
  ],
  'splash-timeout': ['Error: splash screen was hidden twice', 'hideSplash (src/app/splash.ts)'],
  'rest-cookie': [
    'HP_Rest_Error: rest_cookie_invalid_nonce for /wp-json/hp/v1/basket',
    'hp-shipping@3.2.1 · HP_Rest->basket in class-hp-rest.php',
  ],
  'mail-time-limit': [
    'SoftTimeLimitExceeded: mail.send took longer than 30 s',
    'send_receipt (mail/tasks.py)',
  ],
  'parcel-weight': ["KeyError: 'parcel_weight'", 'build_label (shipping/labels.py)'],
  'menu-stack': ['RangeError: Maximum call stack size exceeded', 'flattenTree (src/menu/tree.ts)'],
  'memory-feed': [
    'Fatal error: Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes)',
    'hp-feed@1.9.0 · HP_Feed::build in class-hp-feed.php',
  ],
  'zod-basket': [
    'ZodError: 2 issues in request body: items[0].sku, items[0].qty',
    'parseBasket (src/http/baskets.ts)',
  ],
  'capture-502': [
    'PaymentCaptureError: gateway answered 502 after 3 attempts',
    'capturePayment (src/payments/capture.ts)',
  ],
  'consent-undefined': ['ReferenceError: consent is not defined', 'trackView (src/analytics/view.ts)'],
  'invalid-date': ['RangeError: Invalid time value', 'deliveryDay (src/checkout/delivery.ts)'],
  'chunk-load': [
    'ChunkLoadError: Loading chunk 417 failed (https://shop.harbourpine.example/assets/417-2b77e1.js)',
    'load (src/router/lazy.ts)',
  ],
};

import { checkoutApi } from './checkout-api.ts';
import { shopWeb } from './shop-web.ts';
import { shopWebPast } from './shop-web-past.ts';
import type { IssueTemplate } from './template.ts';
import { wpSite } from './wp-site.ts';

const mobileShell: readonly IssueTemplate[] = [
  {
    key: 'menu-stack',
    slug: 'mobile-shell',
    type: 'RangeError',
    value: 'Maximum call stack size exceeded',
    frames: [
      {
        fn: 'flattenTree',
        file: 'src/menu/tree.ts',
        line: 33,
        code: 'export function flattenTree(node: Node): Node[] {\n>  return [node, ...node.children.flatMap(flattenTree)];\n}',
        vars: { depth: 10942 },
      },
    ],
  },
  {
    key: 'offline',
    slug: 'mobile-shell',
    type: 'NetworkError',
    value: 'The Internet connection appears to be offline.',
    level: 'warning',
    frames: [
      {
        fn: 'request',
        file: 'src/api/client.ts',
        line: 44,
        code: '>const answer = await fetch(base + path, init);',
        vars: { path: '/baskets/current', online: false },
      },
    ],
  },
  {
    key: 'camera-native',
    slug: 'mobile-shell',
    type: 'SIGSEGV',
    value: 'Segmentation fault: invalid address 0x0000000000000018',
    level: 'fatal',
    frames: [],
    stack: 'native',
  },
  {
    key: 'keychain',
    slug: 'mobile-shell',
    type: 'KeychainError',
    value: 'errSecInteractionNotAllowed (-25308)',
    frames: [
      {
        fn: 'readToken',
        file: 'src/auth/keychain.ts',
        line: 21,
        code: ">const token = await Keychain.get({ key: 'session' });",
      },
    ],
  },
  {
    key: 'anr',
    slug: 'mobile-shell',
    type: 'ApplicationNotResponding',
    value: 'Background thread was blocked for more than 5 s',
    level: 'warning',
    frames: [
      {
        fn: 'MainActivity.onResume',
        file: 'android/app/MainActivity.kt',
        line: 58,
        code: '>database.readableDatabase.use { it.vacuum() }',
      },
    ],
  },
  {
    key: 'push-token',
    slug: 'mobile-shell',
    type: 'PushError',
    value: 'token was not registered',
    frames: [
      {
        fn: 'register',
        file: 'src/push/register.ts',
        line: 27,
        code: ">throw new PushError('token was not registered');",
      },
    ],
  },
  {
    key: 'splash-timeout',
    slug: 'mobile-shell',
    type: 'Error',
    value: 'splash screen was hidden twice',
    level: 'info',
    frames: [
      {
        fn: 'hideSplash',
        file: 'src/app/splash.ts',
        line: 8,
        code: '>await SplashScreen.hide({ fadeOutDuration: 200 });',
      },
    ],
  },
];

const checkoutApiPast: readonly IssueTemplate[] = [
  {
    key: 'bigint-json',
    slug: 'checkout-api',
    type: 'TypeError',
    value: 'Do not know how to serialize a BigInt',
    frames: [
      {
        fn: 'sendOrder',
        file: 'src/http/orders.ts',
        line: 63,
        code: '>response.json({ ...order, cents: BigInt(order.total) });',
      },
    ],
  },
  {
    key: 'csv-encoding',
    slug: 'checkout-api',
    type: 'ERR_ENCODING_INVALID_ENCODED_DATA',
    value: 'The encoded data was not valid for encoding utf-8',
    frames: [
      {
        fn: 'readCsv',
        file: 'src/import/csv.ts',
        line: 20,
        code: ">const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);",
      },
    ],
    hasUsers: false,
  },
  {
    key: 'port-in-use',
    slug: 'checkout-api',
    type: 'Error',
    value: 'listen EADDRINUSE: address already in use :::8080',
    level: 'fatal',
    frames: [{ fn: 'start', file: 'src/server.ts', line: 31, code: '>server.listen(port);' }],
    hasUsers: false,
  },
  {
    key: 'migration-lock',
    slug: 'checkout-api',
    type: 'MigrationError',
    value: 'another migration has held the lock for 60 s',
    frames: [
      {
        fn: 'lock',
        file: 'src/db/migrate.ts',
        line: 44,
        code: ">throw new MigrationError('another migration has held the lock for 60 s');",
      },
    ],
    hasUsers: false,
  },
  {
    key: 'rate-of-null',
    slug: 'checkout-api',
    type: 'TypeError',
    value: "Cannot destructure property 'rate' of '(intermediate value)' as it is null.",
    frames: [
      {
        fn: 'totalsOf',
        file: 'src/shipping/totals.ts',
        line: 13,
        code: '>const { rate, zone } = await findRate(parcel);',
      },
    ],
  },
];

/** 8 KB of text with spaces, and one word of 400 characters that cannot be wrapped. */
const longText = `${'the basket was rejected because the quote of line 7 is older than its price list; '.repeat(94)}${'x'.repeat(400)} end`;

const hostileTexts: readonly IssueTemplate[] = [
  {
    key: 'attack-markup',
    slug: 'shop-web',
    type: 'TypeError',
    value:
      '<img src=x onerror=alert(document.domain)>"\'</script><script>alert(1)</script> is not a function',
    frames: [
      {
        fn: '<svg onload=alert(1)>',
        file: 'src/search/suggest.ts',
        line: 58,
        code: 'const markup = bold(text);\n>box.insert(text)("</pre><script>alert(1)</script>");',
        vars: { text: '<img src=x onerror=alert(1)>', 'key"><b>': "javascript:alert('1')" },
      },
    ],
    tags: { campaign: '"><script>alert(1)</script>' },
  },
  {
    key: 'attack-right-to-left',
    slug: 'shop-web',
    type: 'Error',
    value: 'تعذر تحميل سلة التسوق: انتهت المهلة (basket 4417) \u202eevil.exe',
    frames: [
      {
        fn: 'loadBasket',
        file: 'src/cart/store-remote.ts',
        line: 24,
        code: ">throw new Error(t('basket.timeout'));",
      },
    ],
    tags: { language: 'العربية' },
  },
  {
    key: 'attack-emoji',
    slug: 'mobile-shell',
    type: 'ValidationError',
    value: '👩‍👩‍👧‍👦🪑🚢 name “Ｆｕｌｌ ｗｉｄｔｈ” n̷͉̈o̸ẗ̵́ ̶a̷l̷l̷o̷w̷e̷d̷ \u0000\u001b[31m in 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    frames: [
      {
        fn: 'checkName',
        file: 'src/account/name.ts',
        line: 11,
        code: '>if (!allowed.test(name)) throw new ValidationError(name);',
      },
    ],
    tags: { mood: '🙃' },
  },
  {
    key: 'attack-wall',
    slug: 'checkout-api',
    type: 'AssertionError',
    value: longText,
    frames: [
      {
        fn: 'assertFresh',
        file: 'src/http/quotes-check.ts',
        line: 102,
        code: '>assert.ok(fresh, explain(quote));',
      },
    ],
  },
];

const workerQueue: readonly IssueTemplate[] = [
  {
    key: 'parcel-weight',
    slug: 'worker-queue',
    type: 'KeyError',
    value: "'parcel_weight'",
    frames: [
      {
        fn: 'run_job',
        file: 'worker/queue.py',
        line: 88,
        code: 'def run_job(job):\n>    return HANDLERS[job.kind](**job.payload)',
        vars: { job: '<Job 20417 label>', payload: { order: 88213 } },
      },
      {
        fn: 'build_label',
        file: 'shipping/labels.py',
        line: 31,
        code: 'def build_label(order):\n    parcel = load_parcel(order)\n>    grams = parcel["parcel_weight"] * 1000\n    return Label(grams)',
        vars: { order: 88213, parcel: { zone: 'IE-D' } },
      },
    ],
    hasUsers: false,
  },
  {
    key: 'mail-time-limit',
    slug: 'worker-queue',
    type: 'SoftTimeLimitExceeded',
    value: 'mail.send took longer than 30 s',
    level: 'warning',
    frames: [
      {
        fn: 'send_receipt',
        file: 'mail/tasks.py',
        line: 19,
        code: 'with smtp() as server:\n>    server.send_message(receipt(order))',
        vars: { order: 88190 },
      },
    ],
    hasUsers: false,
  },
];

const byKey = new Map(
  [
    ...shopWeb,
    ...shopWebPast,
    ...checkoutApi,
    ...checkoutApiPast,
    ...wpSite,
    ...mobileShell,
    ...workerQueue,
    ...hostileTexts,
  ].map((template) => [template.key, template]),
);

export function getTemplate(key: string): IssueTemplate {
  const template = byKey.get(key);
  if (template === undefined) throw new Error(`No fault is called "${key}".`);
  return template;
}

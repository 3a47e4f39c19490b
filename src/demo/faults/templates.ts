import type { Slug } from '../shared/company.ts';
import { checkoutApi } from './checkout-api.ts';
import { shopWeb } from './shop-web.ts';
import { shopWebPast } from './shop-web-past.ts';
import type { FaultTexts, IssueTemplate } from './template.ts';
import { wpSite } from './wp-site.ts';

const mobileShell: FaultTexts = {
  'menu-stack': {
    type: 'RangeError',
    value: 'Maximum call stack size exceeded',
    frames: [
      {
        at: 'flattenTree (src/menu/tree.ts:33)',
        code: 'export function flattenTree(node: Node): Node[] {\n>  return [node, ...node.children.flatMap(flattenTree)];\n}',
        vars: { depth: 10942 },
      },
    ],
  },
  offline: {
    type: 'NetworkError',
    value: 'The Internet connection appears to be offline.',
    level: 'warning',
    frames: [
      {
        at: 'request (src/api/client.ts:44)',
        code: '>const answer = await fetch(base + path, init);',
        vars: { path: '/baskets/current', online: false },
      },
    ],
  },
  'camera-native': {
    type: 'SIGSEGV',
    value: 'Segmentation fault: invalid address 0x0000000000000018',
    level: 'fatal',
    frames: [],
    stack: 'native',
  },
  keychain: {
    type: 'KeychainError',
    value: 'errSecInteractionNotAllowed (-25308)',
    frames: [
      {
        at: 'readToken (src/auth/keychain.ts:21)',
        code: ">const token = await Keychain.get({ key: 'session' });",
      },
    ],
  },
  anr: {
    type: 'ApplicationNotResponding',
    value: 'Background thread was blocked for more than 5 s',
    level: 'warning',
    frames: [
      {
        at: 'MainActivity.onResume (android/app/MainActivity.kt:58)',
        code: '>database.readableDatabase.use { it.vacuum() }',
      },
    ],
  },
  'push-token': {
    type: 'PushError',
    value: 'token was not registered',
    frames: [
      { at: 'register (src/push/register.ts:27)', code: ">throw new PushError('token was not registered');" },
    ],
  },
  'splash-timeout': {
    type: 'Error',
    value: 'splash screen was hidden twice',
    level: 'info',
    frames: [
      { at: 'hideSplash (src/app/splash.ts:8)', code: '>await SplashScreen.hide({ fadeOutDuration: 200 });' },
    ],
  },
};

const checkoutApiPast: FaultTexts = {
  'bigint-json': {
    type: 'TypeError',
    value: 'Do not know how to serialize a BigInt',
    frames: [
      {
        at: 'sendOrder (src/http/orders.ts:63)',
        code: '>response.json({ ...order, cents: BigInt(order.total) });',
      },
    ],
  },
  'csv-encoding': {
    type: 'ERR_ENCODING_INVALID_ENCODED_DATA',
    value: 'The encoded data was not valid for encoding utf-8',
    frames: [
      {
        at: 'readCsv (src/import/csv.ts:20)',
        code: ">const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);",
      },
    ],
    hasUsers: false,
  },
  'port-in-use': {
    type: 'Error',
    value: 'listen EADDRINUSE: address already in use :::8080',
    level: 'fatal',
    frames: [{ at: 'start (src/server.ts:31)', code: '>server.listen(port);' }],
    hasUsers: false,
  },
  'migration-lock': {
    type: 'MigrationError',
    value: 'another migration has held the lock for 60 s',
    frames: [
      {
        at: 'lock (src/db/migrate.ts:44)',
        code: ">throw new MigrationError('another migration has held the lock for 60 s');",
      },
    ],
    hasUsers: false,
  },
  'rate-of-null': {
    type: 'TypeError',
    value: "Cannot destructure property 'rate' of '(intermediate value)' as it is null.",
    frames: [
      { at: 'totalsOf (src/shipping/totals.ts:13)', code: '>const { rate, zone } = await findRate(parcel);' },
    ],
  },
};

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
        at: '<svg onload=alert(1)> (src/search/suggest.ts:58)',
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
      { at: 'loadBasket (src/cart/store-remote.ts:24)', code: ">throw new Error(t('basket.timeout'));" },
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
        at: 'checkName (src/account/name.ts:11)',
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
      { at: 'assertFresh (src/http/quotes-check.ts:102)', code: '>assert.ok(fresh, explain(quote));' },
    ],
  },
];

const workerQueue: FaultTexts = {
  'parcel-weight': {
    type: 'KeyError',
    value: "'parcel_weight'",
    frames: [
      {
        at: 'run_job (worker/queue.py:88)',
        code: 'def run_job(job):\n>    return HANDLERS[job.kind](**job.payload)',
        vars: { job: '<Job 20417 label>', payload: { order: 88213 } },
      },
      {
        at: 'build_label (shipping/labels.py:31)',
        code: 'def build_label(order):\n    parcel = load_parcel(order)\n>    grams = parcel["parcel_weight"] * 1000\n    return Label(grams)',
        vars: { order: 88213, parcel: { zone: 'IE-D' } },
      },
    ],
    hasUsers: false,
  },
  'mail-time-limit': {
    type: 'SoftTimeLimitExceeded',
    value: 'mail.send took longer than 30 s',
    level: 'warning',
    frames: [
      {
        at: 'send_receipt (mail/tasks.py:19)',
        code: 'with smtp() as server:\n>    server.send_message(receipt(order))',
        vars: { order: 88190 },
      },
    ],
    hasUsers: false,
  },
};

const templates = [
  ...templatesOf('shop-web', { ...shopWeb, ...shopWebPast }),
  ...templatesOf('checkout-api', { ...checkoutApi, ...checkoutApiPast }),
  ...templatesOf('wp-site', wpSite),
  ...templatesOf('mobile-shell', mobileShell),
  ...templatesOf('worker-queue', workerQueue),
  ...hostileTexts,
];

function templatesOf(slug: Slug, faults: FaultTexts): IssueTemplate[] {
  return Object.entries(faults).map(([key, fault]) => ({ key, slug, ...fault }));
}

export function getTemplate(key: string): IssueTemplate {
  const template = templates.find((each) => each.key === key);
  if (template === undefined) throw new Error(`No fault is called "${key}".`);
  return template;
}

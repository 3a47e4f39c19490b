import type { Slug } from '../shared/company.ts';
import { checkoutApi } from './checkout-api.ts';
import type { DemoIssue, IssuesByKey } from './demo-issue.ts';
import { shopWeb } from './shop-web.ts';
import { wpSite } from './wp-site.ts';

const mobileShell: IssuesByKey = {
  'menu-stack': {
    type: 'RangeError',
    value: 'Maximum call stack size exceeded',
    events: { count: 15, firstDays: 0.95, lastHours: 0.8 },
    at: 'flattenTree (src/menu/tree.ts:33)',
    code: 'export function flattenTree(node: Node): Node[] {\n>  return [node, ...node.children.flatMap(flattenTree)];\n}',
    vars: { depth: 10942 },
  },
  offline: {
    type: 'NetworkError',
    value: 'The Internet connection appears to be offline.',
    level: 'warning',
    events: { count: 260, firstDays: 52, lastHours: 0.43 },
    at: 'request (src/api/client.ts:44)',
    code: '>const answer = await fetch(base + path, init);',
    vars: { path: '/baskets/current', online: false },
  },
  'camera-native': {
    type: 'SIGSEGV',
    value: 'Segmentation fault: invalid address 0x0000000000000018',
    level: 'fatal',
    events: { count: 13, firstDays: 29, lastHours: 3.4 },
    stack: 'native',
  },
  keychain: {
    type: 'KeychainError',
    value: 'errSecInteractionNotAllowed (-25308)',
    events: { count: 24, firstDays: 26, lastHours: 1.1 },
    lifecycle: { is: 'regressed', resolved: 12, back: 1.8, in: '7.6.0', by: 'Ines Okafor' },
    at: 'readToken (src/auth/keychain.ts:21)',
    code: ">const token = await Keychain.get({ key: 'session' });",
  },
  'deep-link': {
    type: 'URIError',
    value: 'URI malformed',
    events: { count: 11, firstDays: 88, lastHours: 50 },
    at: 'openLink (src/app/links.ts:16)',
    code: '>const path = decodeURIComponent(url.pathname);',
    vars: { url: 'harbourpine://p/%E0%A4%A' },
  },
  anr: {
    type: 'ApplicationNotResponding',
    value: 'Background thread was blocked for more than 5 s',
    level: 'warning',
    events: { count: 8, firstDays: 76, lastHours: 70 },
    lifecycle: { is: 'ignored', since: 40, until: 'count', by: 'Ines Okafor' },
    at: 'MainActivity.onResume (android/app/MainActivity.kt:58)',
    code: '>database.readableDatabase.use { it.vacuum() }',
  },
  'push-token': {
    type: 'PushError',
    value: 'token was not registered',
    events: { count: 5, firstDays: 190, lastHours: 4300 },
    lifecycle: { is: 'resolved', resolved: 160, in: '7.1.3' },
    at: 'register (src/push/register.ts:27)',
    code: ">throw new PushError('token was not registered');",
  },
  'splash-timeout': {
    type: 'Error',
    value: 'splash screen was hidden twice',
    level: 'info',
    events: { count: 3, firstDays: 35, lastHours: 40 },
    lifecycle: { is: 'resolved', resolved: 1.5, in: '7.9.0', by: 'Ines Okafor' },
    at: 'hideSplash (src/app/splash.ts:8)',
    code: '>await SplashScreen.hide({ fadeOutDuration: 200 });',
  },
};

const workerQueue: IssuesByKey = {
  'parcel-weight': {
    type: 'KeyError',
    value: "'parcel_weight'",
    events: { count: 13, firstDays: 0.7, lastHours: 0.2 },
    callers: [
      {
        at: 'run_job (worker/queue.py:88)',
        code: 'def run_job(job):\n>    return HANDLERS[job.kind](**job.payload)',
        vars: { job: '<Job 20417 label>', payload: { order: 88213 } },
      },
    ],
    at: 'build_label (shipping/labels.py:31)',
    code: 'def build_label(order):\n    parcel = load_parcel(order)\n>    grams = parcel["parcel_weight"] * 1000\n    return Label(grams)',
    vars: { order: 88213, parcel: { zone: 'IE-D' } },
    hasUsers: false,
  },
  'mail-time-limit': {
    type: 'SoftTimeLimitExceeded',
    value: 'mail.send took longer than 30 s',
    level: 'warning',
    events: { count: 38, firstDays: 0.45, lastHours: 0.15 },
    at: 'send_receipt (mail/tasks.py:19)',
    code: 'with smtp() as server:\n>    server.send_message(receipt(order))',
    vars: { order: 88190 },
    hasUsers: false,
  },
};

/** 8 KB of text with spaces, and one word of 400 characters that cannot be wrapped. */
const longText = `${'the basket was rejected because the quote of line 7 is older than its price list; '.repeat(94)}${'x'.repeat(400)} end`;

const hostileTexts: readonly DemoIssue[] = [
  {
    key: 'attack-markup',
    slug: 'shop-web',
    type: 'TypeError',
    value:
      '<img src=x onerror=alert(document.domain)>"\'</script><script>alert(1)</script> is not a function',
    events: { count: 3, firstDays: 16, lastHours: 0.4 },
    at: '<svg onload=alert(1)> (src/search/suggest.ts:58)',
    code: 'const markup = bold(text);\n>box.insert(text)("</pre><script>alert(1)</script>");',
    vars: { text: '<img src=x onerror=alert(1)>', 'key"><b>': "javascript:alert('1')" },
    tags: { campaign: '"><script>alert(1)</script>' },
  },
  {
    key: 'attack-right-to-left',
    slug: 'shop-web',
    type: 'Error',
    value: 'تعذر تحميل سلة التسوق: انتهت المهلة (basket 4417) \u202eevil.exe',
    events: { count: 7, firstDays: 19, lastHours: 5 },
    at: 'loadBasket (src/cart/store-remote.ts:24)',
    code: ">throw new Error(t('basket.timeout'));",
    tags: { language: 'العربية' },
  },
  {
    key: 'attack-emoji',
    slug: 'mobile-shell',
    type: 'ValidationError',
    value: '👩‍👩‍👧‍👦🪑🚢 name “Ｆｕｌｌ ｗｉｄｔｈ” n̷͉̈o̸ẗ̵́ ̶a̷l̷l̷o̷w̷e̷d̷ \u0000\u001b[31m in 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
    events: { count: 3, firstDays: 24, lastHours: 18 },
    at: 'checkName (src/account/name.ts:11)',
    code: '>if (!allowed.test(name)) throw new ValidationError(name);',
    tags: { mood: '🙃' },
  },
  {
    key: 'attack-wall',
    slug: 'checkout-api',
    type: 'AssertionError',
    value: longText,
    events: { count: 2, firstDays: 30, lastHours: 26 },
    at: 'assertFresh (src/http/quotes-check.ts:102)',
    code: '>assert.ok(fresh, explain(quote));',
  },
];

export const demoIssues: readonly DemoIssue[] = [
  ...issuesOf('shop-web', shopWeb),
  ...issuesOf('checkout-api', checkoutApi),
  ...issuesOf('wp-site', wpSite),
  ...issuesOf('mobile-shell', mobileShell),
  ...issuesOf('worker-queue', workerQueue),
  ...hostileTexts,
];

function issuesOf(slug: Slug, issues: IssuesByKey): DemoIssue[] {
  return Object.entries(issues).map(([key, issue]) => ({ key, slug, ...issue }));
}

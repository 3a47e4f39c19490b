import { describe, expect, it } from '@jest/globals';
import { buildTitle } from '../../../src/core/events/title.ts';
import { parsePhpMessage } from '../../../src/core/wordpress-components/php-messages.ts';
import { endless } from '../../support/endless.ts';
import { normalized } from '../../support/events.ts';

const html = '/var/www/html';
const wrong =
  'Function _load_textdomain_just_in_time was called <strong>incorrectly</strong>. Translation loading for the <code>shop</code> domain was triggered too early. Please see <a href="https://developer.wordpress.org/advanced-administration/debug/debug-wordpress/">Debugging in WordPress</a> for more information. (This message was added in version 6.7.0.)';
const wrongTitle =
  '_doing_it_wrong: Function _load_textdomain_just_in_time was called incorrectly. Translation loading for the shop domain was triggered too early.';

const rows: ReadonlyArray<readonly [message: string, title: string, level: string]> = [
  [
    `PHP Fatal error:  Uncaught TypeError: foo(): Argument #1 ($x) must be of type int, string given, called in ${html}/a.php on line 3 and defined in ${html}/b.php:12\nStack trace:\n#0 ${html}/a.php(3): foo('x')\n#1 {main}\n  thrown in ${html}/b.php on line 12`,
    'TypeError: foo(): Argument #1 ($x) must be of type int, string given',
    'fatal',
  ],
  [
    `PHP Fatal error:  Uncaught Shop\\PayFailed: declined in ${html}/b.php:12`,
    'Shop\\PayFailed: declined',
    'fatal',
  ],
  [
    `PHP Fatal error:  Uncaught exception 'RuntimeException' with message 'no stock' in ${html}/b.php:12`,
    'RuntimeException: no stock',
    'fatal',
  ],
  [
    `PHP Fatal error:  Uncaught ArgumentCountError: Too few arguments to function a(), 1 passed in ${html}/a.php on line 3 and exactly 2 expected in ${html}/b.php:12`,
    'ArgumentCountError: Too few arguments to function a(), 1 passed and exactly 2 expected',
    'fatal',
  ],
  [
    `PHP Fatal error:  Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes) in ${html}/a.php on line 3`,
    'Fatal error: Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes)',
    'fatal',
  ],
  [
    `PHP Parse error:  syntax error, unexpected token "}" in C:\\www\\a.php on line 9`,
    'Parse error: syntax error, unexpected token "}"',
    'fatal',
  ],
  [
    `[22-Nov-2026 07:48:14 UTC] PHP Warning:  Undefined array key "billing_country" in ${html}/a.php on line 3`,
    'Warning: Undefined array key "billing_country"',
    'warning',
  ],
  [
    `PHP message: PHP Notice:  Undefined index: x in ${html}/a.php on line 3`,
    'Notice: Undefined index: x',
    'info',
  ],
  [
    `Deprecated: Creation of dynamic property A::$b is deprecated in ${html}/a.php on line 3`,
    'Deprecated: Creation of dynamic property A::$b is deprecated',
    'warning',
  ],
  [
    `PHP Recoverable fatal error:  Object of class A could not be converted to string in ${html}/a.php on line 3`,
    'Recoverable fatal error: Object of class A could not be converted to string',
    'error',
  ],
  [
    `<br />\n<b>Warning</b>:  Undefined variable $x in <b>${html}/a.php</b> on line <b>3</b><br />`,
    'Warning: Undefined variable $x',
    'warning',
  ],
  [
    `PHP Warning:  x &amp; y &lt;z&gt; in ${html}/a b.php(3) : eval()'d code on line 1`,
    'Warning: x & y <z>',
    'warning',
  ],
  [wrong, wrongTitle, 'info'],
  [`PHP Notice:  ${wrong} in ${html}/wp-includes/functions.php on line 6114`, wrongTitle, 'info'],
  [
    `PHP Deprecated:  Function get_page is <strong>deprecated</strong> since version 3.5.0! Use get_post() instead. in ${html}/wp-includes/functions.php on line 5383`,
    'Deprecated: Function get_page is deprecated since version 3.5.0! Use get_post() instead.',
    'warning',
  ],
  [
    'Function get_page is <strong>deprecated</strong> since version 3.5.0! Use get_post() instead.',
    'Deprecated: Function get_page is deprecated since version 3.5.0! Use get_post() instead.',
    'warning',
  ],
  [
    'Hook the_x is <strong>deprecated</strong> since version 6.0 with no alternative available.',
    'Deprecated: Hook the_x is deprecated since version 6.0 with no alternative available.',
    'warning',
  ],
  [
    "WordPress database error Table 'wp.wp_woo_x' doesn't exist for query SELECT * FROM wp_woo_x made by WooCommerce->init",
    "WordPress database error: Table 'wp.wp_woo_x' doesn't exist",
    'error',
  ],
  [
    "<div id='error'><p class='wpdberror'><strong>WordPress database error:</strong> [Unknown column &#039;a&#039; in &#039;field list&#039;]<br /><code>SELECT a FROM b</code></p></div>",
    "WordPress database error: Unknown column 'a' in 'field list'",
    'error',
  ],
  [
    'Cron reschedule event error for hook: woocommerce_x, Error code: could_not_set, Error message: The cron event list could not be saved., Data: {"schedule":"daily"}',
    'Cron reschedule event error for hook: woocommerce_x, Error code: could_not_set, Error message: The cron event list could not be saved.',
    'error',
  ],
  [
    'action failed via WP Cron: Scheduled action for a/b will not be executed as no callbacks are registered.',
    'Action Scheduler: Scheduled action for a/b will not be executed as no callbacks are registered.',
    'error',
  ],
  [
    'scheduled action 812 (wc_pay) failed to finish processing due to the following exception: Boom',
    'Action Scheduler: Scheduled action (wc_pay) failed to finish processing due to the following exception: Boom',
    'error',
  ],
  [
    '{"code":"rest_forbidden","message":"Sorry, you are not allowed to do that.","data":{"status":401}}',
    'REST error rest_forbidden: Sorry, you are not allowed to do that.',
    'error',
  ],
  [
    `2026/11/22 07:48:14 [error] 12#12: *3 FastCGI sent in stderr: "PHP message: PHP Warning:  Undefined variable $x in ${html}/a.php on line 3" while reading response header from upstream, client: 198.51.100.7, server: x`,
    'Warning: Undefined variable $x',
    'warning',
  ],
  [
    `Uncaught Error: Call to undefined function foo() in ${html}/a.php:123`,
    'Error: Call to undefined function foo()',
    'fatal',
  ],
  [
    `E_WARNING: Undefined array key "x" in ${html}/a.php on line 3`,
    'Warning: Undefined array key "x"',
    'warning',
  ],
  [`E_USER_DEPRECATED: old in ${html}/a.php on line 3`, 'Deprecated: old', 'warning'],
  [
    `PHP Warning:  Cannot modify header information - headers already sent by (output started at ${html}/b.php:3) in ${html}/a.php on line 3`,
    'Warning: Cannot modify header information - headers already sent by (output started)',
    'warning',
  ],
  [
    `PHP Fatal error:  Uncaught Error: Class "A" not found in phar://${html}/a.phar/b.php:3`,
    'Error: Class "A" not found',
    'fatal',
  ],
  // Not PHP's: as they are.
  ['Uncaught TypeError: a is not a function', 'Uncaught TypeError: a is not a function', 'error'],
  ['Uncaught Error: in /orders:12 nothing', 'Uncaught Error: in /orders:12 nothing', 'error'],
  [
    'Warning: Each child in a list should have a unique "key" prop.',
    'Warning: Each child in a list should have a unique "key" prop.',
    'error',
  ],
  ['Notice: the shop is closed', 'Notice: the shop is closed', 'error'],
  ['PHP is not installed', 'PHP is not installed', 'error'],
  ['Function keys were pressed', 'Function keys were pressed', 'error'],
  ['<b>bold</b> words', '<b>bold</b> words', 'error'],
  ['Scheduled actions: 3', 'Scheduled actions: 3', 'error'],
  ['', '(no message)', 'error'],
];

describe('a message', () => {
  it.each(rows)('%s', (message, title, level) => {
    const event = normalized({ platform: 'php', message });
    expect([buildTitle(event), event.level]).toEqual([title, level]);
  });

  it('keeps the level and the text from the client', () => {
    const event = normalized({ platform: 'php', level: 'error', message: wrong });
    expect([event.level, event.logentry]).toEqual(['error', { formatted: wrong }]);
  });

  it('is ignored beside an exception', () => {
    const message = `PHP Notice:  x in ${html}/a.php on line 3`;
    const event = normalized({ platform: 'php', message, exception: { type: 'E', value: 'v' } });
    expect([buildTitle(event), event.level]).toEqual(['E: v', 'error']);
  });

  it('is read in bounded time, whatever it is', () => {
    for (const piece of [
      ' in /',
      'PHP ',
      ', called in /a',
      '<a',
      ' in C:\\a on line ',
      'Stack trace:',
      '&quot;',
    ]) {
      for (const before of [
        'PHP Warning:  ',
        'WordPress database error ',
        'Function ',
        '{"code":"rest_',
        '',
      ]) {
        expect(() => parsePhpMessage(before + endless(piece))).not.toThrow();
      }
    }
  });
});

describe('an ErrorException of PHP’s SDK', () => {
  it.each([
    ['ErrorException', 'Warning: Undefined array key "a"', 'Warning: Undefined array key "a"'],
    ['ErrorException', `User Notice: ${wrong}`, wrongTitle],
    [
      'Sentry\\Exception\\FatalErrorException',
      'Error: Allowed memory size of 1 bytes exhausted',
      'Fatal error: Allowed memory size of 1 bytes exhausted',
    ],
    ['Sentry\\Exception\\SilencedErrorException', 'Deprecated: a()', 'Deprecated: a()'],
    [
      'ErrorException',
      'User Deprecated: Function a is <strong>deprecated</strong> since version 1!',
      'Deprecated: Function a is deprecated since version 1!',
    ],
    ['ErrorException', 'the bank says no', 'ErrorException: the bank says no'],
    ['RuntimeException', 'Warning: hot', 'RuntimeException: Warning: hot'],
  ])('%s: %s', (type, value, title) => {
    expect(buildTitle(normalized({ platform: 'php', exception: { type, value } }))).toBe(title);
  });
});

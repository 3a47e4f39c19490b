import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { buildTitle } from '../../../src/core/events/title.ts';
import {
  findSuspectComponent,
  formatComponent,
} from '../../../src/core/wordpress-components/suspect-component.ts';
import { normalized } from '../../support/events.ts';
import { describeWithPrograms } from '../../support/needs.ts';

const plugin = 'wp-content/plugins/shop/shop.php';
const theme = 'wp-content/themes/astra/functions.php';
const debian = '/usr/share/wordpress/wp-includes';
const core = `define('WP_DEBUG', true); define('ABSPATH', '${dirname(debian)}/'); define('WPINC', 'wp-includes');
require '${debian}/plugin.php'; require '${debian}/functions.php';`;

const faults: ReadonlyArray<readonly [code: string, file: string, title: string, level: string]> = [
  ['nothing_here();', plugin, 'Error: Call to undefined function nothing_here()', 'fatal'],
  [
    'function f(int $a) {} f("x");',
    plugin,
    'TypeError: f(): Argument #1 ($a) must be of type int, string given',
    'fatal',
  ],
  ['throw new DomainException("no stock");', theme, 'DomainException: no stock', 'fatal'],
  [
    'ini_set("memory_limit", "4M"); str_repeat("x", 9000000);',
    plugin,
    'Fatal error: Allowed memory size of 4194304 bytes exhausted',
    'fatal',
  ],
  ['echo $x;', theme, 'Warning: Undefined variable $x', 'warning'],
  ['trigger_error("odd", E_USER_NOTICE);', plugin, 'Notice: odd', 'info'],
  ['trigger_error("old", E_USER_DEPRECATED);', plugin, 'Deprecated: old', 'warning'],
  ['include __DIR__ . "/gone.php";', theme, 'Warning: include(', 'warning'],
  ['$a = ;', plugin, 'Parse error: syntax error, unexpected token ";"', 'fatal'],
];

describeWithPrograms('an error logged by PHP', ['php'], ({ php = '' }) => {
  const site = mkdtempSync(join(tmpdir(), 'site-'));
  afterAll(() => rmSync(site, { recursive: true }));

  /** The first entry of the log of a site whose `file` holds this. */
  function logged(code: string, file: string): string {
    const path = join(site, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `<?php\n${code}\n`);
    const settings = [
      'error_reporting=-1',
      'display_errors=0',
      'log_errors=1',
      'error_log=',
      'html_errors=0',
    ];
    const args = ['-n', ...settings.flatMap((each) => ['-d', each]), '-r', `include '${path}';`];
    const { stderr } = spawnSync(php, args, { encoding: 'utf8' });
    return stderr.split(/\n(?=PHP )/)[0] ?? '';
  }

  it.each(faults)('%s', (code, file, title, level) => {
    const event = normalized({ platform: 'php', message: logged(code, file) });
    const found = findSuspectComponent(event);
    expect(buildTitle(event).startsWith(title) ? title : buildTitle(event)).toBe(title);
    expect([event.level, found?.kind, found === null ? null : formatComponent(found)]).toEqual([
      level,
      file === plugin ? 'plugin' : 'theme',
      file === plugin ? 'shop' : 'astra',
    ]);
    expect(buildTitle(event)).not.toMatch(/PHP|on line/);
  });

  (existsSync(debian) ? it : it.skip)('is attributed to the caller where WordPress reports it', () => {
    const wrong = logged(
      `${core} _doing_it_wrong('f', 'Translation loading for the <code>shop</code> domain was triggered too early.', '6.7.0');`,
      plugin,
    );
    const old = logged(`${core} _deprecated_function('get_page', '3.5.0', 'get_post()');`, plugin);
    const events = [wrong, old].map((message) => normalized({ platform: 'php', message }));
    expect(events.map((event) => [buildTitle(event), event.level])).toEqual([
      [
        '_doing_it_wrong: Function f was called incorrectly. Translation loading for the shop domain was triggered too early.',
        'info',
      ],
      ['Deprecated: Function get_page is deprecated since version 3.5.0! Use get_post() instead.', 'warning'],
    ]);
    expect(events.map((event) => findSuspectComponent(event)?.slug ?? null)).toEqual(['shop', null]);
  });
});

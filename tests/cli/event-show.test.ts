import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exceptionLines, threadLines } from '../../src/cli/commands/events.ts';
import { valueLines } from '../../src/cli/print.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { asPhpWrites, testCommandLine } from '../support/command-line.ts';
import { inFull } from '../support/test-level.ts';

const { notifier, json, databaseUrl, remove } = testCommandLine();
const id = 'c0ffee00'.repeat(4);
let app: TestApp;

const whole = {
  event_id: id,
  platform: 'node',
  level: 'fatal',
  logger: 'shop.cart',
  transaction: 'POST /cart',
  server_name: 'web-3',
  release: 'shop@1.4.0',
  dist: '77',
  environment: 'live',
  logentry: { message: 'Cart %s is gone', params: ['c-9'], formatted: 'Cart c-9 is gone' },
  exception: {
    values: [
      {
        type: 'ConnectionError',
        value: 'the stock did not answer',
        stacktrace: { frames: [{ function: 'ask', filename: 'node_modules/pg/client.js', lineno: 5 }] },
      },
      {
        type: 'TypeError',
        module: 'shop',
        value: "cannot read 'price'\nof \u001b]0;owned\u0007nothing\u009b31m\u202ered",
        mechanism: { type: 'middleware', handled: false },
        stacktrace: {
          frames: [
            { function: 'handle', filename: 'node_modules/express/router.js', lineno: 40, in_app: false },
            {
              function: 'total',
              filename: 'src/cart.ts',
              lineno: 48,
              colno: 21,
              in_app: true,
              pre_context: ['function total(cart) {', '\tlet sum = 0;'],
              context_line: '\tsum += cart.price;',
              post_context: ['\treturn sum;', '}'],
              vars: { cart: 'undefined' },
            },
          ],
        },
      },
    ],
  },
  threads: { values: [{ id: 7, name: 'worker', crashed: true, state: 'RUNNABLE' }] },
  breadcrumbs: {
    values: [
      { timestamp: 1_795_000_000, category: 'ui.click', message: 'button.buy' },
      {
        timestamp: 1_795_000_001,
        category: 'fetch',
        type: 'http',
        data: { url: '/stock', status_code: 502 },
      },
    ],
  },
  tags: { section: 'checkout', plan: 'gold' },
  user: { id: 'u-17', segment: 'early bird' },
  request: {
    method: 'POST',
    url: 'https://shop.example/cart',
    query_string: 'coupon=spring',
    headers: { 'User-Agent': 'Shopper/2' },
    data: { amount: 3 },
  },
  contexts: { os: { name: 'Debian', version: '12' }, shopfront: { theme: 'dark' } },
  extra: { basket: { lines: [{ sku: 'wheel' }] } },
  sdk: { name: 'sentry.javascript.node', version: '11.0.0', packages: [{ name: 'npm:@sentry/node' }] },
  modules: { express: '5.3.0' },
  fingerprint: ['{{ default }}', 'cart'],
  mystery: { answer: 42 },
};

beforeAll(async () => {
  app = await openTestApp({ env: { DATABASE_URL: databaseUrl }, nowMs: Date.now() });
  const header = JSON.stringify({ event_id: id });
  const attachment = {
    type: 'attachment',
    filename: 'cart.json',
    content_type: 'application/json',
    length: 2,
  };
  const lines = [header, '{"type":"event"}', JSON.stringify({ ...whole, timestamp: 'yesterday' })];
  const answer = await app.agent
    .post('/wp-json/notifier/v1/envelope')
    .set({ 'X-Notifier-Key': app.publicKey, Origin: 'https://shop.example' })
    .send([...lines, JSON.stringify(attachment), '{}'].join('\n'));
  expect([answer.status, answer.body.items]).toEqual([201, { event: 1, attachment: 1 }]);
});
afterAll(async () => {
  await app.close();
  remove();
});

describe('event show', () => {
  it('prints as JSON what the API answers', async () => {
    const { project_id, ...printed } = await json(`event show ${id}`);
    const { body } = await app.get(`/events/${id}`);
    const url = `https://errors.example/wp-json/notifier/v1/events/${id}/attachments/1`;
    expect(project_id).toBe(app.project.id);
    expect(asPhpWrites(printed)).toEqual({ ...body, attachments: [{ ...body.attachments[0], url }] });
  });

  it('shows all of it to people', async () => {
    const { code, out, err } = await notifier(`event show ${id}`);
    expect([code, err]).toEqual([0, '']);
    const shown = [
      `Event ${id} of issue 1 in "test"`,
      ...[
        'shop.cart',
        'POST /cart',
        'web-3',
        'shop@1.4.0',
        'dist 77',
        'live',
        'fatal',
        'domain shop.example',
      ],
      ...['Cart c-9 is gone', 'Cart %s is gone', 'params[0]'],
      ...["shop.TypeError: cannot read 'price'", 'seen by middleware, unhandled'],
      'at total  src/cart.ts:48:21  [in app]',
      ...['46 │ function total(cart) {', '> ', '48 │   sum += cart.price;', '50 │ }', 'cart  undefined'],
      'at handle  node_modules/express/router.js:40\n',
      'Caused by ConnectionError: the stock did not answer',
      'Thread 7 worker (crashed)',
      ...['u-17', 'early bird', 'https://shop.example/cart', 'coupon=spring', 'Shopper/2', 'data.amount'],
      ...['section', 'checkout', 'gold', 'button.buy', 'status_code', '502'],
      ...['os.name', 'Debian', 'shopfront.theme', 'basket.lines[0].sku', 'wheel'],
      ...['sentry.javascript.node 11.0.0', 'npm:@sentry/node', 'express', '5.3.0', 'mystery', '42'],
      ...['cart.json', 'application/json', '/attachments/1'],
      'timestamp (invalid_data): "yesterday"',
      'grouped by  fingerprint+default (ng2)',
    ];
    for (const text of shown) expect(out).toContain(text);
    // The one thrown last comes first, the newest frame on top.
    expect(out.indexOf('TypeError: cannot')).toBeLessThan(out.indexOf('Caused by'));
    expect(out.indexOf('at total')).toBeLessThan(out.indexOf('at handle'));
  });

  it('writes no control character of a stranger, and colours only at a terminal', async () => {
    const plain = await notifier(`event show ${id}`);
    const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    expect(plain.out).not.toMatch(harmful);
    const coloured = await notifier(`event show ${id}`, { isTerminal: true });
    expect(coloured.out).toContain('\u001b[1m');
    expect(coloured.out.replaceAll(/\u001b\[(0|1|2)m/g, '')).toBe(plain.out);
    const grey = await notifier(`event show ${id}`, { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(grey.out).toBe(plain.out);
  });

  inFull(it)('stays readable however large an event is', async () => {
    const frames = Array.from({ length: 200 }, (_, index) => ({
      function: `f${index}`,
      filename: 'a.js',
      lineno: 1,
    }));
    const event_id = 'ab'.repeat(16);
    const values = Array.from({ length: 100 }, (_, index) => ({
      message: `crumb ${index} ${'x'.repeat(900)}`,
    }));
    const extra = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(900)]),
    );
    const exception = { values: [{ type: 'E', value: 'x'.repeat(5000), stacktrace: { frames } }] };
    await app.post('/store', { event_id, platform: 'php', exception, breadcrumbs: { values }, extra });
    const { out } = await notifier(`event show ${event_id}`);
    expect(out).toContain('150 more frames; see --json');
    expect(out).toContain('40 more; see --json');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(600);
    expect(out.length).toBeLessThan(100_000);
  });

  it('has a line for each value down to the eighth level, and below it JSON', () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(valueLines(nested(8))).toEqual(['  a.a.a.a.a.a.a.a  1']);
    expect(valueLines(nested(9))).toEqual(['  a.a.a.a.a.a.a.a  {"a":1}']);
  });

  it('names the projects if two have an event with the same id', async () => {
    const other = await app.addProject('other');
    const twice = 'dd'.repeat(16);
    const event = { event_id: twice, platform: 'php', message: 'x' };
    await app.post('/store', event);
    await app.post('/store', event, { 'X-Notifier-Key': other.publicKey });
    const { code, out, err } = await notifier(`event show ${twice}`);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe(`"test" and "other" each have event "${twice}". Choose one with --project.\n`);
    expect((await notifier(`event show ${twice} --project other`)).out).toContain('in "other"');
    for (const word of ['e'.repeat(32), 'no-id', '']) {
      expect((await notifier(`event show ${word}`)).code).toBe(1);
    }
  });
});

describe('output that is too long for a terminal', () => {
  const paint = { bold: (text: string) => text, faint: (text: string) => text };
  const many = <Each>(count: number, make: (index: number) => Each) =>
    Array.from({ length: count }, (_, index) => make(index));
  const thrown = (more: object, count = 1) =>
    exceptionLines({ values: many(count, () => ({ type: 'E', ...more })) }, paint);
  const frames = (count: number, more = {}) => ({
    stacktrace: { frames: many(count, (index) => ({ function: `f${index}`, filename: 'a.js', ...more })) },
  });

  it.each<[string, number, (count: number) => string[]]>([
    ['values', 60, (count) => valueLines(Object.fromEntries(many(count, (index) => [`k${index}`, 1])))],
    ['frames', 50, (count) => thrown(frames(count))],
    ['exceptions', 20, (count) => thrown({}, count)],
    ['threads', 20, (count) => threadLines({ values: many(count, (id) => ({ id })) }, paint)],
  ])('shows %s up to %i, and counts the others', (_, most, linesOf) => {
    expect(linesOf(most).join('\n')).not.toContain('more');
    expect(linesOf(most + 1).at(-1)).toMatch(/^ {2}… 1 more( \w+[^s])?; see --json$/);
    expect(linesOf(most + 70).at(-1)).toMatch(/^ {2}… 70 more( \w+s)?; see --json$/);
    expect(linesOf(most + 1)).toHaveLength(linesOf(most).length + 1);
  });

  it('shows the source of ten frames, and twenty lines of a message after its first', () => {
    const sources = (count: number) =>
      thrown(frames(count, { in_app: true, context_line: 'x' })).filter((line) => line.includes('│'));
    expect([sources(10), sources(11)].map((lines) => lines.length)).toEqual([10, 10]);
    const messages = (count: number) => thrown({ value: many(count, () => 'word').join('\n') });
    expect([messages(21), messages(22)].map((lines) => lines.join(' ').match(/word/g)?.length)).toEqual([
      21, 21,
    ]);
  });

  it('has columns of up to 30 characters, and values of up to 500', () => {
    const name = (length: number) => 'n'.repeat(length);
    expect(valueLines({ a: 1, [name(29)]: 2 })).toEqual([`  a${' '.repeat(28)}  1`, `  ${name(29)}  2`]);
    expect(valueLines({ a: 1, [name(31)]: 2 })).toEqual([`  a${' '.repeat(29)}  1`, `  ${name(31)}  2`]);
    expect(valueLines({ a: name(500) })).toEqual([`  a  ${name(500)}`]);
    expect(valueLines({ a: name(501) })).toEqual([`  a  ${name(499)}…`]);
  });
});

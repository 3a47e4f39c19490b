import { describe, expect, it } from '@jest/globals';
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { normalizeSentEvent, scrubAndGroup } from '../../../src/core/events/prepare.ts';
import type { EventReadContext } from '../../../src/core/ports/prepared-data.ts';

const facts: EventReadContext = {
  receivedAtMs: 1_790_000_000_000,
  envelopeEventId: null,
  newEventId: 'f'.repeat(32),
  sentAtMs: null,
  userAgent: 'test/1',
  domain: null,
  clientAddress: '203.0.113.195',
  project: { id: 1, scrubFields: [], storeIpAddresses: false, inboundFilters: null },
  userHashKey: null,
};

function stored(raw: Record<string, unknown>) {
  const prepared = scrubAndGroup(
    normalizeSentEvent({ platform: 'php', ...raw }, facts),
    { needsMapping: false },
    facts,
  );
  const payload = JSON.parse(String(prepared.payload)) as NormalizedEvent;
  return {
    culprit: prepared.culprit,
    level: prepared.level,
    title: prepared.title,
    tags: payload.tags,
    payload,
  };
}

const file = '/var/www/html/wp-content/plugins/woocommerce/includes/class-wc-order.php';
const frames = [
  { filename: file, function: 'WC_Order::save', in_app: true },
  { filename: '/var/www/html/wp-includes/class-wp-hook.php', function: 'WP_Hook::do_action', in_app: false },
];
const exception = { values: [{ type: 'Error', value: 'v', stacktrace: { frames } }] };

describe('an event of a plugin', () => {
  it('has the plugin as its culprit and tag, before the transaction', () => {
    const event = stored({ exception, transaction: '/checkout', modules: { WooCommerce: '9.1.2' } });
    expect(event.culprit).toBe('woocommerce@9.1.2 · WC_Order::save in includes/class-wc-order.php');
    expect(event.tags).toEqual([['plugin', 'woocommerce@9.1.2']]);
  });

  it('shows what is known: without a version, a function, a file', () => {
    expect(stored({ exception }).culprit).toBe('woocommerce · WC_Order::save in includes/class-wc-order.php');
    expect(stored({ message: `PHP Notice:  x in ${file} on line 3` })).toMatchObject({
      culprit: 'woocommerce · includes/class-wc-order.php',
      level: 'info',
      title: 'Notice: x',
      tags: [['plugin', 'woocommerce']],
    });
    const message = 'Translation loading for the woocommerce domain was triggered too early';
    expect(stored({ message }).culprit).toBe('woocommerce');
  });

  it('keeps the client’s own tag; other events keep their culprit', () => {
    expect(stored({ exception, tags: { plugin: 'mine' } }).tags).toEqual([['plugin', 'mine']]);
    expect(stored({ message: 'x', transaction: '/checkout' })).toMatchObject({
      culprit: '/checkout',
      tags: undefined,
    });
  });

  it('keeps a version of four numbers, which is not an IP address', () => {
    const event = stored({ exception, modules: { WooCommerce: '9.1.2.4' } });
    expect(event.tags).toEqual([['plugin', 'woocommerce@9.1.2.4']]);
    const url = 'https://x.example/wp-content/plugins/shop/a.js?ver=1.2.3';
    const script = { values: [{ type: 'E', stacktrace: { frames: [{ filename: url }] } }] };
    expect(stored({ platform: 'javascript', exception: script }).tags).toEqual([['plugin', 'shop@1.2.3']]);
  });

  it('has no secret from the path', () => {
    const event = stored({
      message: 'PHP Notice:  password=hunter2 in /a/wp-content/plugins/shop/a.php on line 3',
    });
    expect(JSON.stringify(event)).not.toContain('hunter2');
    expect(event.tags).toEqual([['plugin', 'shop']]);
  });

  it('cuts the culprit at 200 characters', () => {
    const long = [{ filename: file, function: 'f'.repeat(250) }];
    const event = stored({ exception: { values: [{ type: 'E', stacktrace: { frames: long } }] } });
    expect([...event.culprit].length).toBe(200);
  });
});

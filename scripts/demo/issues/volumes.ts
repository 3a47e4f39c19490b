// How often each fault happens in the whole demo world: a few all the time, most of them now and then. The
// small world of tests has as many events of an issue as stand at the issue itself.
import type { DemoIssue } from './issue.ts';

/** `whole` is what `npm run seed -- --demo` makes; `small` has a few events of everything, for tests. */
export type Size = 'whole' | 'small';

/** Those whose number matters to the story; an outage of an hour stays small beside a year. */
const counted: Readonly<Record<string, number>> = {
  'undefined-country': 1680,
  deadlock: 1640,
  offline: 1180,
  'resize-observer': 820,
  'jwt-expired': 760,
  'json-html': 700,
  'total-of-undefined': 640,
  'abort-search': 450,
  'hydration-418': 440,
  'quote-timeout': 430,
  'dynamic-property': 350,
  'quota-exceeded': 330,
  'rate-cache-table': 240,
  'headers-sent': 210,
  'webhook-signature': 190,
  'wishlist-sync': 170,
  'redis-refused': 150,
  'image-decode': 150,
  'payment-frame-blocked': 140,
  'postcode-null': 110,
  keychain: 110,
  'tax-rate': 100,
  'total-of-undefined-safari': 90,
  'extension-noise': 90,
  'json-decode-null': 90,
  'socket-hang-up': 90,
  'cron-overlap': 64,
  'chunk-load': 60,
  'parcel-weight': 60,
  'script-error': 60,
  'total-of-undefined-firefox': 60,
  'camera-native': 60,
  'zod-basket': 48,
  'capture-502': 44,
  'mail-time-limit': 38,
  'memory-feed': 18,
  'attack-right-to-left': 7,
  'attack-markup': 3,
  'attack-emoji': 3,
  'attack-wall': 2,
};

/** The tail: what is rare in the small world is less rare here, but rare. */
const growth = 1.7;

/** Events of an issue. */
export function eventsOf({ key, events }: DemoIssue, size: Size): number {
  return size === 'small' ? events : (counted[key] ?? Math.round(events ** growth));
}

// How often each fault happens in the whole demo world: a few all the time, most of them now and then. The
// small world of tests has as many events of an issue as stand at the issue itself.
import type { DemoIssue } from './issue.ts';

/** `whole` is what `npm run seed -- --demo` makes; `small` has a few events of everything, for tests. */
export type Size = 'whole' | 'small';

/** Those whose number matters to the story; an outage of an hour stays small beside a year. */
const counted: Readonly<Record<string, number>> = {
  'total-of-undefined': 1840,
  'undefined-country': 980,
  deadlock: 870,
  offline: 640,
  'chunk-load': 212,
  'resize-observer': 430,
  'abort-search': 390,
  'jwt-expired': 360,
  'json-html': 340,
  'dynamic-property': 310,
  'hydration-418': 290,
  'quote-timeout': 280,
  'quota-exceeded': 250,
  'total-of-undefined-safari': 210,
  'extension-noise': 200,
  'rate-cache-table': 190,
  'redis-refused': 170,
  'parcel-weight': 168,
  'headers-sent': 160,
  'script-error': 150,
  'webhook-signature': 150,
  'capture-502': 142,
  'postcode-null': 140,
  'total-of-undefined-firefox': 140,
  'wishlist-sync': 130,
  'payment-frame-blocked': 120,
  'image-decode': 110,
  keychain: 110,
  'tax-rate': 100,
  'zod-basket': 96,
  'json-decode-null': 90,
  'socket-hang-up': 90,
  'cron-overlap': 64,
  'mail-time-limit': 62,
  'camera-native': 60,
  'memory-feed': 18,
  'attack-markup': 3,
  'attack-right-to-left': 7,
  'attack-emoji': 3,
  'attack-wall': 2,
};

/** The tail: what is rare in the small world is less rare here, but rare. */
const growth = 1.7;

/** Events of an issue. */
export function eventsOf({ key, events }: DemoIssue, size: Size): number {
  return size === 'small' ? events : (counted[key] ?? Math.round(events ** growth));
}

// How often each fault happens in the whole demo world: a few all the time, most of them now and then. The
// small world of tests has as many events of an issue as stand at the issue itself.
import type { DemoIssue } from './issue.ts';

/** `whole` is what `npm run seed -- --demo` makes; `small` has a few events of everything, for tests. */
export type Size = 'whole' | 'small';

/** Those whose number matters to the story; an outage of an hour stays small beside a year. */
const counted: Readonly<Record<string, number>> = {
  deadlock: 1760,
  'undefined-country': 1720,
  offline: 1180,
  'resize-observer': 820,
  'jwt-expired': 760,
  'total-of-undefined': 720,
  'json-html': 700,
  'abort-search': 520,
  'hydration-418': 440,
  'dynamic-property': 430,
  'quote-timeout': 430,
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
  'chunk-load': 104,
  'tax-rate': 100,
  'total-of-undefined-safari': 90,
  'extension-noise': 90,
  'json-decode-null': 90,
  'socket-hang-up': 90,
  'parcel-weight': 84,
  'capture-502': 64,
  'zod-basket': 64,
  'cron-overlap': 64,
  'script-error': 60,
  'total-of-undefined-firefox': 60,
  'camera-native': 60,
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

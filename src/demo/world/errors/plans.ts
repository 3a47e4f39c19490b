// Which issues the demo has, under which numbers, when they live and how often they happen, and what people
// do about them. Days and weeks are told from the demo's own beginning, 21 November 2026; the texts of the
// faults stand in templates/.
import { paymentsIssueId } from '../story.ts';

/** How an issue lives. */
export type Plan = LivePlan & {
  readonly id: number;
  /** Of its template. */
  readonly key: string;
  /** Events a day while it lives, about. */
  readonly daily: number;
  /** Whom it is given to, and who does what is done about it: numbers of members. */
  readonly to?: number;
  readonly by?: number;
};

type LivePlan =
  /** The trouble under way. */
  | { readonly lives: 'trouble' }
  /** Begins anew every Friday, so many minutes after midnight. */
  | { readonly lives: 'weekly'; readonly minutes: number }
  /** Goes on since so many days before the beginning. */
  | { readonly lives: 'steady'; readonly first: number }
  /** Is resolved and comes back every second week: with the shop's release, or on a day of its own. */
  | {
      readonly lives: 'returning';
      readonly first: number;
      readonly back: { readonly afterRelease: number } | { readonly minutes: number };
      readonly within: 'now' | 'next_release';
    }
  /** Was ignored so many days before the beginning. */
  | {
      readonly lives: 'ignored';
      readonly first: number;
      readonly since: number;
      readonly until: 'forever' | 'date' | 'count' | 'users';
    }
  /** Began so many weeks ago, was resolved after so many days; half a year later it happens again. */
  | {
      readonly lives: 'done';
      readonly weeks: number;
      readonly days: number;
      readonly within: 'now' | 'next_release' | 'release';
    }
  /** Was found to be the same as another. */
  | { readonly lives: 'merged'; readonly first: number; readonly into: number; readonly since: number };

const day = 24 * 60;

/** 64 issues, by their numbers. */
export const plans: readonly Plan[] = [
  { id: 1001, key: 'jwt-expired', lives: 'steady', first: 120, daily: 16 },
  {
    id: 1002,
    key: 'translation-early',
    lives: 'ignored',
    first: 180,
    since: 170,
    until: 'date',
    daily: 1.4,
    by: 1,
  },
  { id: 1003, key: 'quote-timeout', lives: 'steady', first: 83, daily: 40, to: 4, by: 1 },
  {
    id: 1004,
    key: 'script-error',
    lives: 'ignored',
    first: 210,
    since: 90,
    until: 'users',
    daily: 3.4,
    by: 3,
  },
  { id: 1005, key: 'socket-hang-up', lives: 'steady', first: 205, daily: 4.7 },
  {
    id: 1006,
    key: 'keychain',
    lives: 'returning',
    first: 84,
    back: { minutes: day + 1205 },
    within: 'now',
    daily: 7,
    to: 2,
    by: 2,
  },
  { id: 1007, key: 'headers-sent', lives: 'steady', first: 75, daily: 8.1 },
  {
    id: 1008,
    key: 'extension-noise',
    lives: 'ignored',
    first: 200,
    since: 120,
    until: 'forever',
    daily: 8,
    by: 2,
  },
  {
    id: 1009,
    key: 'quote-timeout-express',
    lives: 'merged',
    first: 80,
    into: 1003,
    since: 44,
    daily: 1.1,
    by: 4,
  },
  { id: 1010, key: 'webhook-signature', lives: 'steady', first: 78, daily: 6.2 },
  { id: 1011, key: 'anr', lives: 'ignored', first: 76, since: 40, until: 'count', daily: 1.4, by: 2 },
  { id: 1012, key: 'cron-overlap', lives: 'steady', first: 90, daily: 2, to: 1, by: 1 },
  { id: 1013, key: 'abort-search', lives: 'ignored', first: 72, since: 30, until: 'count', daily: 27, by: 4 },
  { id: 1014, key: 'deadlock', lives: 'steady', first: 63, daily: 118, to: 3, by: 3 },
  {
    id: 1015,
    key: 'dynamic-property',
    lives: 'ignored',
    first: 60,
    since: 50,
    until: 'forever',
    daily: 19,
    by: 1,
  },
  { id: 1016, key: 'undefined-country', lives: 'steady', first: 58, daily: 81 },
  { id: 1017, key: 'offline', lives: 'steady', first: 52, daily: 104 },
  { id: 1018, key: 'resize-observer', lives: 'steady', first: 51, daily: 17 },
  { id: 1019, key: 'quota-exceeded', lives: 'steady', first: 49, daily: 46, to: 2, by: 2 },
  { id: 1020, key: 'rate-cache-table', lives: 'steady', first: 40, daily: 25 },
  { id: 1021, key: 'hydration-418', lives: 'steady', first: 36, daily: 47 },
  { id: 1022, key: 'json-html', lives: 'steady', first: 33, daily: 82, to: 4, by: 1 },
  { id: 1023, key: 'json-html-safari', lives: 'merged', first: 32, into: 1022, since: 9, daily: 6.5, by: 4 },
  { id: 1024, key: 'attack-wall', lives: 'steady', first: 30, daily: 0.4 },
  { id: 1025, key: 'camera-native', lives: 'steady', first: 29, daily: 9 },
  { id: 1026, key: 'json-decode-null', lives: 'steady', first: 28, daily: 5.4 },
  { id: 1027, key: 'wishlist-sync', lives: 'steady', first: 27, daily: 8.5 },
  { id: 1028, key: 'attack-emoji', lives: 'steady', first: 24, daily: 0.6 },
  { id: 1029, key: 'attack-right-to-left', lives: 'steady', first: 19, daily: 0.9 },
  { id: 1030, key: 'attack-markup', lives: 'steady', first: 16, daily: 1.1 },
  { id: 1031, key: 'font-timeout', lives: 'done', weeks: 23, days: 9, within: 'now', daily: 6, by: 4 },
  {
    id: 1032,
    key: 'push-token',
    lives: 'done',
    weeks: 21,
    days: 30,
    within: 'next_release',
    daily: 2,
    by: 2,
  },
  { id: 1033, key: 'image-webp', lives: 'done', weeks: 19, days: 16, within: 'now', daily: 1.2, by: 1 },
  { id: 1034, key: 'csv-encoding', lives: 'done', weeks: 17, days: 21, within: 'now', daily: 0.9, by: 1 },
  { id: 1035, key: 'push-permission', lives: 'done', weeks: 16, days: 4, within: 'now', daily: 0.01, by: 2 },
  { id: 1036, key: 'port-in-use', lives: 'done', weeks: 14, days: 2, within: 'now', daily: 0.6, by: 3 },
  { id: 1037, key: 'map-zoom', lives: 'done', weeks: 13, days: 35, within: 'release', daily: 5.5, by: 4 },
  {
    id: 1038,
    key: 'redis-refused',
    lives: 'returning',
    first: 64,
    back: { minutes: 2 * day + 192 },
    within: 'now',
    daily: 30,
    to: 3,
    by: 3,
  },
  { id: 1039, key: 'coupon-nan', lives: 'done', weeks: 12, days: 40, within: 'now', daily: 1.4, by: 2 },
  { id: 1040, key: 'session-path', lives: 'done', weeks: 11, days: 12, within: 'now', daily: 2.1, by: 4 },
  {
    id: 1041,
    key: 'total-of-undefined-safari',
    lives: 'merged',
    first: 38,
    into: 1043,
    since: 20,
    daily: 3.6,
    by: 2,
  },
  {
    id: 1042,
    key: 'total-of-undefined-firefox',
    lives: 'merged',
    first: 37,
    into: 1043,
    since: 20,
    daily: 1.6,
    by: 2,
  },
  {
    id: 1043,
    key: 'total-of-undefined',
    lives: 'returning',
    first: 41,
    back: { afterRelease: 21 },
    within: 'next_release',
    daily: 643,
    to: 2,
    by: 2,
  },
  { id: 1044, key: 'bigint-json', lives: 'done', weeks: 10, days: 26, within: 'release', daily: 2.5, by: 3 },
  { id: 1045, key: 'smtp-auth', lives: 'done', weeks: 9, days: 15, within: 'now', daily: 8, by: 1 },
  {
    id: 1046,
    key: 'migration-lock',
    lives: 'done',
    weeks: 8,
    days: 3,
    within: 'next_release',
    daily: 1,
    by: 4,
  },
  { id: 1047, key: 'payment-frame-blocked', lives: 'steady', first: 95, daily: 2.3 },
  { id: 1048, key: 'gallery-null', lives: 'done', weeks: 7, days: 51, within: 'now', daily: 0.5, by: 1 },
  {
    id: 1049,
    key: 'postcode-null',
    lives: 'returning',
    first: 20,
    back: { afterRelease: 95 },
    within: 'next_release',
    daily: 36,
    to: 4,
    by: 4,
  },
  {
    id: 1050,
    key: 'tax-rate',
    lives: 'returning',
    first: 17,
    back: { minutes: 3 * day + 940 },
    within: 'now',
    daily: 27,
    to: 4,
    by: 1,
  },
  { id: 1051, key: 'stale-basket', lives: 'done', weeks: 6, days: 44, within: 'release', daily: 4.6, by: 2 },
  {
    id: 1052,
    key: 'focus-trap',
    lives: 'done',
    weeks: 5,
    days: 38,
    within: 'next_release',
    daily: 0.4,
    by: 4,
  },
  { id: 1053, key: 'rate-of-null', lives: 'done', weeks: 4, days: 29, within: 'release', daily: 5, by: 2 },
  {
    id: 1054,
    key: 'splash-timeout',
    lives: 'done',
    weeks: 3,
    days: 23,
    within: 'next_release',
    daily: 1,
    by: 2,
  },
  { id: 1055, key: 'rest-cookie', lives: 'done', weeks: 2, days: 17, within: 'now', daily: 0.8, by: 1 },
  { id: 1056, key: 'mail-time-limit', lives: 'weekly', minutes: 13 * 60 + 17, daily: 6 },
  { id: 1057, key: 'parcel-weight', lives: 'weekly', minutes: 7 * 60 + 16, daily: 7, to: 3, by: 3 },
  { id: 1058, key: 'menu-stack', lives: 'weekly', minutes: 72, daily: 32 },
  { id: 1059, key: 'memory-feed', lives: 'weekly', minutes: 5 * 60 + 35, daily: 22, to: 1, by: 1 },
  { id: 1060, key: 'zod-basket', lives: 'weekly', minutes: 2 * 60 + 31, daily: 104 },
  { id: paymentsIssueId, key: 'capture-502', lives: 'trouble', daily: 2_560, to: 3, by: 1 },
  { id: 1062, key: 'consent-undefined', lives: 'weekly', minutes: 12 * 60 + 4, daily: 22 },
  { id: 1063, key: 'invalid-date', lives: 'weekly', minutes: 16 * 60 + 50, daily: 9 },
  { id: 1064, key: 'chunk-load', lives: 'weekly', minutes: 4 * 60 + 53, daily: 460, to: 2, by: 1 },
];

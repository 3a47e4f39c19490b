// Texts of status pages and mails. Names in braces are filled in; every language has the same (languages.test.ts).
export const en = {
  /** For `Intl` and `<html lang>`. */
  tag: 'en-GB',
  separator: ', ',

  title: '{page} status',
  skip: 'Skip to content',
  status: 'Status, {time}',
  membersOnly: 'Members only',
  allOperational: 'All systems operational',
  noComponents: 'No components yet',
  noComponentsText: 'This page does not say anything about any service yet.',
  down: 'Down: {components}',
  degraded: 'Degraded: {components}',
  maintenance: 'Maintenance: {components}',
  problems: 'Problems with {components}',
  componentStates: {
    working: 'Operational',
    slow: 'Degraded',
    not_working: 'Down',
    planned_work: 'Maintenance',
  },
  dayStates: { up: 'operational', degraded: 'degraded', down: 'down', maintenance: 'maintenance' },
  incidentStates: {
    planned: 'Maintenance',
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  },
  utc: '{time} UTC',
  timeRange: '{from} to {to} UTC',
  since: 'Since {time}.',
  sinceFor: 'Since {time}, {length}.',
  affects: 'Affects {components}.',
  allComponents: 'All components',
  daysAgo: { one: '{count} day ago', other: '{count} days ago' },
  today: 'today',
  now: 'Now',
  planned: 'Scheduled maintenance',
  lastDays: { one: 'The last day', other: 'The last {count} days' },
  noIncidents: 'No incidents',
  resolvedAfter: 'Resolved after {length}.',
  postMortem: 'Post-mortem',
  footNote: 'Times are UTC. Degraded counts as up; maintenance is left out.',
  asJson: 'As JSON',
  badge: 'Badge',
  badgeLabel: 'status',
  uptimeOver: { one: '{name}, {count} day: {uptime} up', other: '{name}, {count} days: {uptime} up' },
  downDays: { one: 'down on {count} day', other: 'down on {count} days' },
  degradedDays: { one: 'degraded on {count} day', other: 'degraded on {count} days' },
  maintenanceDays: { one: 'maintenance on {count} day', other: 'maintenance on {count} days' },
  downFor: 'down for {length}',
  degradedFor: 'degraded for {length}',
  maintenanceFor: 'maintenance for {length}',

  subscribe: 'Subscribe to updates',
  subscribeText:
    'Get an e-mail when an incident of {page} is opened, updated or resolved, and for maintenance.',
  email: 'E-mail address',
  emailHint: 'It is used for these updates only, and deleted when you unsubscribe.',
  emailWrong: 'Enter a full address, such as name@company.example.',
  subscribeButton: 'Subscribe',
  rssInstead: 'RSS feed',
  backToPage: 'Back to the status page',
  checkInbox: 'Check your inbox',
  checkInboxText:
    'If this address is not subscribed yet, a mail with a link to confirm it is on its way. The link works for 24 hours.',
  confirm: 'Confirm your subscription',
  confirmText: 'You will get an e-mail for each incident and maintenance of {page}.',
  confirmButton: 'Confirm subscription',
  confirmed: 'You are subscribed',
  confirmedText: 'Updates of {page} will come by e-mail. Each has a link to unsubscribe.',
  linkExpired: 'This link does not work any more',
  linkExpiredText: 'It expired, or the subscription was ended. You can subscribe again.',
  unsubscribe: 'Unsubscribe',
  unsubscribeText: 'You will get no more e-mails about {page}, and your address is deleted.',
  unsubscribed: 'You are unsubscribed',
  unsubscribedText: 'Your address was deleted. You will get no more e-mails about {page}.',
  full: 'No new subscriptions at the moment',
  fullText: 'Too many people are subscribing right now. Try again later.',

  mailConfirmSubject: 'Confirm your subscription to {page}',
  mailConfirmText: 'Somebody, probably you, wants to send updates of {page} to this address.',
  mailConfirmLink: 'Open this link and press “Confirm subscription”. It works for 24 hours.',
  mailIgnore: 'If it was not you, ignore this mail: without confirmation you will get no updates.',
  mailAffects: 'Affects: {components}',
  mailView: 'View status page',
  mailReason: 'You get this e-mail because you subscribed to updates of {page}.',
  maintenancePlanned: 'Maintenance scheduled',
  maintenanceMoved: 'Maintenance rescheduled',
  maintenanceBegan: 'Maintenance in progress',
  maintenanceUpdated: 'Maintenance update',
  maintenanceCompleted: 'Maintenance completed',
  maintenanceCanceled: 'Maintenance canceled',
};

/** By category of `Intl.PluralRules`; `other` where a category has no form of its own. */
export type PluralForms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

type English = typeof en;

/** What each language has: a missing text does not compile. */
export type StatusTexts = {
  readonly [Name in keyof English]: English[Name] extends string
    ? string
    : English[Name] extends PluralForms
      ? PluralForms
      : Readonly<Record<keyof English[Name], string>>;
};

// What happens to each text field of the API; tests/routes/text-inventory.test.ts checks it.
import type { z } from 'zod';
import { exceptionValue, normalizedEvent, stackFrame } from '../../schemas/event.ts';
import { consoleLine, screenshotField } from '../../schemas/feedback.ts';
import { releaseCommit, releaseRef, releaseTexts } from '../../schemas/releases.ts';

/**
 * `scrubbed`: stored without secrets. `form`: other formats are refused or removed. `unread`: never stored.
 * `kept`: stored as sent, with the reason.
 */
export type Treatment = 'scrubbed' | 'form' | 'unread' | { readonly kept: string };
export type Fields = Readonly<Record<string, Treatment>>;

const each = (treatment: Treatment, names: string): Fields =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, treatment]),
  );

const version: Fields = { version: 'scrubbed', release: 'scrubbed', appVersion: 'scrubbed' };
const signed = { kept: 'an address whose form was checked, as it was signed' };

const byAdmin = { kept: 'what an admin wrote of a channel; what opens it is shown nowhere' };
const channel: Fields = {
  ...each(byAdmin, 'name url to secret rules token channel room user topic template'),
  quiet_hours: 'form',
};

const byMember = {
  kept: 'what somebody wrote of a monitor; what stands behind a question mark is shown nowhere',
};
const monitor: Fields = {
  ...each(byMember, 'name url headers body answers contains lacks json_path json_value redirect group tags'),
  ...each(
    'form',
    `method host port record interval grace schedule timezone checkin_margin max_runtime
     failure_issue_threshold recovery_threshold timeout confirmations slow_ms status certificate_days
     opens_incidents goal`,
  ),
};

const byPlanner = { kept: 'what somebody wrote of planned work, for everybody to read' };
const work: Fields = {
  title: byPlanner,
  message: byPlanner,
  ...each('form', 'starts_at ends_at weekdays at minutes timezone all monitors'),
  group: byMember,
  tag: byMember,
};

const byTeam = { kept: 'what somebody wrote of an incident for others to read' };
const incident: Fields = {
  ...each(byTeam, 'title cause lead message'),
  severity: 'form',
  public: 'form',
};

const ofPerson = { kept: 'what a member wrote for their own list of issues' };

const named = { kept: 'the name of a member, as an admin wrote it' };

const forEverybody = { kept: 'what somebody wrote for everybody to read' };
const statusPage: Fields = {
  ...each(forEverybody, 'name description components'),
  ...each('form', 'slug published hosts shows language accent'),
  ...each({ kept: 'an image that everybody sees' }, 'logo favicon'),
};

/** Fields of request bodies by route. */
export const bodies: Readonly<Record<string, Fields>> = {
  '/feedback': {
    ...each(
      'scrubbed',
      `message comments description name url release environment user_agent locale viewport console tags
       metadata screenshots contexts`,
    ),
    email: signed,
    contact_email: signed,
    ...each('unread', 'domain sdk website'),
    ...each('form', 'event_id associated_event_id category severity'),
  },
  '/feedback/bulk': { ids: 'form', state: 'form' },
  '/feedback/{id}': { state: 'form' },
  '/sdk-verify': {
    sdk: 'scrubbed',
    ...each('unread', 'url environment release platform sent_at etag'),
    domain: 'form',
    event_id: 'form',
  },
  '/domain-verifications': {
    ...each('form', 'domain hostname method scope'),
    label: 'scrubbed',
  },
  '/domain-verifications/{id}/check': { method: 'form' },
  '/releases': {
    ...version,
    ...each('scrubbed', `${Object.keys(releaseTexts).join(' ')} commits refs metadata`),
    ...each('form', 'date_started dateStarted date_released dateReleased finalize status'),
  },
  '/quarantine': {
    ...each('form', 'case_id until issue_id'),
    reason: { kept: 'what somebody wrote of a test case for others to read' },
  },
  '/deploys': {
    ...version,
    ...each(
      'scrubbed',
      `environment releaseStage name url revision repository deployed_by local_username builderName comment
       key deploy`,
    ),
    ...each('form', 'status date_started dateStarted date_finished dateFinished'),
  },
  '/test-runs': {
    ...each(
      'form',
      `format report status total tests passed failed skipped flaky started_at finished_at duration_ms
       exit_code`,
    ),
    ...each(
      'scrubbed',
      `results release environment commit branch repository suite tool run_key shard build ci tags metadata`,
    ),
  },
  '/issues/{id}': {
    ...each('form', 'status in until date count window users merge undo_merge assigned_to link unlink'),
    release: 'scrubbed',
  },
  '/issues/bulk': {
    ...each('form', 'ids status in until date count window users merge assigned_to'),
    query: 'unread',
    release: 'scrubbed',
  },
  '/issues/{id}/split': { hashes: 'form' },
  '/issues/{id}/comments': { text: { kept: 'what somebody wrote of an issue' } },
  '/domains': {
    ...each('form', 'domain host hostname bug_reports errors sampling allowed_origins'),
  },
  '/saved-views': { ...each(ofPerson, 'name query'), ...each('form', 'sort shared') },
  '/saved-views/{id}': { ...each(ofPerson, 'name query'), ...each('form', 'sort shared') },
  '/members': { name: named, ...each('form', 'role email projects teams') },
  '/members/{id}': each('form', 'role projects'),
  '/teams': each('form', 'name projects'),
  '/teams/{id}': each('form', 'name projects'),
  '/teams/{id}/members': { member_id: 'form' },
  '/projects': { name: 'form' },
  '/projects/{id}': {
    ...each('form', 'name store_ip bug_reports'),
    scrub_fields: { kept: 'names of fields, without their values' },
  },
  '/members/me': each('form', 'time_zone default_view shortcuts'),
  '/ownership': {
    ...each({ kept: 'rules that an admin wrote' }, 'rules codeowners'),
    auto_assignment: 'form',
    repository: { kept: 'an address that an admin wrote, without what stands behind a question mark' },
  },
  '/inbound-filters': {
    ...each('form', 'browser_extensions web_crawlers localhost legacy_browsers ip_addresses'),
    ...each({ kept: 'patterns that an admin wrote, compared with what is sent' }, 'releases error_messages'),
  },
  '/alert-channels': { type: 'form', ...channel },
  '/alert-channels/test': {
    type: 'form',
    ...each(byAdmin, 'name url to secret token channel room user topic template'),
  },
  '/alert-channels/{id}': { ...channel, paused: 'form', paused_until: 'form' },
  '/maintenance-windows': work,
  '/maintenance-windows/{id}': work,
  '/reports': { period: 'form' },
  '/incidents': { ...incident, started_at: 'form', monitors: 'form', components: 'form' },
  '/report-schedules': { alert_channel_id: 'form', kind: 'form', at: 'form', timezone: 'form' },
  '/report-schedules/{id}': { at: 'form', timezone: 'form' },
  '/incidents/{id}': {
    ...incident,
    ...each('form', 'state acknowledged post_mortem_public link dismiss'),
    post_mortem: byTeam,
  },
  '/monitors': { type: 'form', ...monitor, monitor_slug: 'form', environment: byMember },
  '/monitors/{id}': { ...monitor, paused: 'form', paused_until: 'form', new_address: 'form' },
  '/status-pages': statusPage,
  '/status-pages/{id}': statusPage,
  '/status-pages/{id}/subscribers': { url: byAdmin },
  '/domains/{id}': { bug_reports: 'form', errors: 'form', sampling: 'form', allowed_origins: 'form' },
};

export const parts: ReadonlyArray<readonly [string, z.ZodObject, Fields]> = [
  [
    'a commit',
    releaseCommit,
    {
      ...each('scrubbed', 'id repository message author_name author_email patch_set'),
      timestamp: 'form',
    },
  ],
  ['a ref', releaseRef, { repository: 'scrubbed', commit: 'scrubbed', previous_commit: 'scrubbed' }],
  ['a line of the console', consoleLine, { level: 'scrubbed', message: 'scrubbed', timestamp: 'scrubbed' }],
  [
    'a screenshot',
    screenshotField,
    {
      content_type: 'unread',
      data: { kept: 'the bytes of a picture' },
      name: 'scrubbed',
    },
  ],
  [
    'an event',
    normalizedEvent,
    {
      ...each('form', 'event_id timestamp level dist'),
      ...each(
        'scrubbed',
        `platform logger transaction server_name release environment logentry exception threads breadcrumbs
         tags user request contexts extra fingerprint sdk modules debug_meta type`,
      ),
      errors: 'unread',
    },
  ],
  [
    'an exception',
    exceptionValue,
    {
      ...each('scrubbed', 'type value module thread_id mechanism stacktrace raw_stacktrace'),
    },
  ],
  [
    'a frame',
    stackFrame,
    {
      ...each(
        'scrubbed',
        `function raw_function filename abs_path module package platform pre_context context_line
         post_context`,
      ),
      ...each('form', 'lineno colno in_app'),
    },
  ],
];

// The pages that all checks look at, in the demo's workspace: a new page joins them here.

export interface LookedAt {
  /** What stands in the name of its test. */
  readonly name: string;
  /** Below the base; or found on another page: the first link that begins so, and has more. */
  readonly path: string;
  readonly from?: string;
  /** 200 unless said. */
  readonly status?: number;
  /** The demo unless said: see worlds.ts for the others. */
  readonly world?: World;
  /** The button that is pressed first, by its name: it opens a dialog. */
  readonly opens?: string;
}

/** A workspace that answers as the demo never does. */
export type World = 'demo' | 'empty' | 'asOfAViewer' | 'crowded' | 'broken';

/** Those of what is reported: errors, feedback, releases, tests. */
export const reportedLookedAt: readonly LookedAt[] = [
  { name: 'overview', path: '/' },
  { name: 'overview of a project, of a day', path: '/?project=1&range=24h' },
  { name: 'issues', path: '/issues' },
  { name: 'issues, with a mistake', path: '/issues?query=total+lvl:error+is:new+level:eror&range=30d' },
  { name: 'issues, a range that is wrong', path: '/issues?from=yesterday&to=2026-11-21' },
  { name: 'issues, none found', path: '/issues?query=nothing-is-called-so' },
  { name: 'views of issues', path: '/issues/views' },
  { name: 'new view of issues', path: '/issues/views/new?query=is:new' },
  { name: 'settings', path: '/settings' },
  { name: 'issue', path: '/issues/1' },
  { name: 'issue, its last day', path: '/issues/1?span=day' },
  { name: 'events of an issue', path: '/issues/1/events' },
  { name: 'tags of an issue', path: '/issues/1/tags' },
  { name: 'activity of an issue', path: '/issues/1/activity' },
  { name: 'issues like an issue', path: '/issues/1/similar' },
  { name: 'merging an issue', path: '/issues/1/merge' },
  { name: 'splitting an issue', path: '/issues/1/split' },
  { name: 'splitting an issue that was merged', path: '/issues/39/split' },
  { name: 'ignoring an issue', path: '/issues/1/ignore' },
  { name: 'deleting an issue', path: '/issues/1/delete' },
  { name: 'event', path: '/issues/1/events/', from: '/issues/1/events' },
  { name: 'users', path: '/users' },
  { name: 'users, none found', path: '/users?query=nobody' },
  { name: 'feedback', path: '/feedback' },
  { name: 'report', path: '/feedback/', from: '/feedback' },
  { name: 'live tail', path: '/live' },
  { name: 'search, not asked', path: '/search' },
  { name: 'search', path: '/search?q=total' },
  { name: 'search, none found', path: '/search?q=nothing-is-called-so' },
  { name: 'projects', path: '/projects' },
  { name: 'new project', path: '/projects/new' },
  { name: 'project', path: '/projects/1' },
  { name: 'project, other lines to send', path: '/projects/1?lines=wordpress' },
  { name: 'changing a project', path: '/projects/1/change' },
  { name: 'new key', path: '/projects/1/keys/new' },
  { name: 'key', path: '/projects/1/keys/1' },
  { name: 'domains', path: '/domains' },
  { name: 'new domain', path: '/domains/new' },
  { name: 'domain', path: '/domains/1' },
  { name: 'domain whose proof fails', path: '/domains/', from: '/domains?state=failing' },
  { name: 'feedback, none found', path: '/feedback?q=nothing-says-so' },

  { name: 'releases', path: '/releases' },
  { name: 'release', path: '/releases/', from: '/releases' },
  { name: 'deploys', path: '/deploys' },
  { name: 'artifacts', path: '/artifacts' },
  { name: 'artifact', path: '/artifacts/', from: '/artifacts' },
  { name: 'test runs', path: '/test-runs' },
  { name: 'test run', path: '/test-runs/', from: '/test-runs' },
  { name: 'cases of a test run', path: '/test-runs/1/cases' },
  { name: 'test case', path: '/test-runs/cases/', from: '/test-runs/1/cases' },

  // The only match is shown at once.
  { name: 'user', path: '/users?query=u_0039u' },
  { name: 'linking an issue', path: '/issues/1/links' },
  { name: 'ownership', path: '/projects/1/ownership' },
];

/** And those of what is watched and who is told, and of what is the same everywhere. */
export const watchedLookedAt: readonly LookedAt[] = [
  { name: 'monitors', path: '/monitors' },
  { name: 'new monitor', path: '/monitors/new' },
  { name: 'new HTTP(S) monitor', path: '/monitors/new/http' },
  { name: 'new cron job monitor', path: '/monitors/new/cron' },
  { name: 'inbound filters', path: '/projects/1/filters' },
  { name: 'monitor', path: '/monitors/front-page' },
  { name: 'settings of a monitor', path: '/monitors/front-page/settings' },
  { name: 'deleting a monitor', path: '/monitors/front-page/delete' },
  { name: 'monitor of a name', path: '/monitors/mail-records' },
  { name: 'monitor of a certificate', path: '/monitors/shop-certificate' },
  { name: 'settings of a certificate’s', path: '/monitors/shop-certificate/settings' },
  { name: 'heartbeat', path: '/monitors/mail-digest' },
  { name: 'settings of a heartbeat', path: '/monitors/mail-digest/settings' },
  { name: 'cron job', path: '/monitors/nightly-stock-import' },
  { name: 'settings of a cron job', path: '/monitors/nightly-stock-import/settings' },
  { name: 'incidents', path: '/incidents' },
  { name: 'incidents, none found', path: '/incidents?q=nothing-is-called-so' },
  { name: 'new incident', path: '/incidents/new' },
  { name: 'incident that goes on', path: '/incidents/15' },
  { name: 'incident that is over', path: '/incidents/1' },
  { name: 'post-mortem of an incident', path: '/incidents/1/post-mortem' },
  { name: 'deleting an incident', path: '/incidents/15/delete' },
  { name: 'planning work', path: '/incidents/plan' },
  { name: 'maintenance', path: '/incidents/14' },
  { name: 'changing planned work', path: '/incidents/14/plan' },
  { name: 'calling work off', path: '/incidents/14/call-off' },
  { name: 'status pages', path: '/status-pages' },
  { name: 'new status page', path: '/status-pages/new' },
  { name: 'status page', path: '/status-pages/harbour-pine' },
  { name: 'deleting a status page', path: '/status-pages/harbour-pine/delete' },
  { name: 'new component', path: '/status-pages/harbour-pine/components/new?group=Shop' },
  { name: 'component that monitors feed', path: '/status-pages/harbour-pine/components/1' },
  { name: 'component that somebody feeds', path: '/status-pages/harbour-pine/components/4' },
  { name: 'status, for everybody', path: '/status/harbour-pine' },
  { name: 'status, for members', path: '/status/inside' },
  { name: 'alert channels', path: '/alert-channels' },
  { name: 'new alert channel', path: '/alert-channels/new' },
  { name: 'new Slack channel', path: '/alert-channels/new/slack' },
  { name: 'new webhook', path: '/alert-channels/new/webhook' },
  { name: 'alert channel', path: '/alert-channels/1' },
  { name: 'settings of an alert channel', path: '/alert-channels/2/settings' },
  { name: 'deleting an alert channel', path: '/alert-channels/1/delete' },
  { name: 'rules of alerts', path: '/alert-channels/rules' },
  { name: 'new rule of alerts', path: '/alert-channels/rules/new' },
  { name: 'rule of alerts', path: '/alert-channels/rules/1' },
  { name: 'reports', path: '/reports' },
  { name: 'reports of months', path: '/reports?span=month' },
  { name: 'report that goes on', path: '/reports/2026-W47' },
  { name: 'report that was kept', path: '/reports/2026-W46' },
  { name: 'report of a month', path: '/reports/2026-10' },
  { name: 'deleting a report', path: '/reports/2026-W46/delete' },
  { name: 'reports by e-mail', path: '/reports/schedules' },
  { name: 'audit', path: '/audit' },
  { name: 'members', path: '/members' },
  { name: 'inviting a member', path: '/members/invite' },
  { name: 'invitations', path: '/members/invitations' },
  { name: 'teams', path: '/members/teams' },
  { name: 'a new team', path: '/members/teams/new' },
  { name: 'member', path: '/members/1' },
  { name: 'sign-in settings', path: '/members/sign-in' },
  { name: 'sessions', path: '/members/sessions' },
  { name: 'help', path: '/help' },
  { name: 'reference of the API', path: '/help/api' },
  { name: 'reference of issues', path: '/help/api/issues' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-out', path: '/sign-out' },
  { name: 'first run', path: '/', world: 'empty' },
  { name: 'setup', path: '/setup', world: 'empty' },
  { name: 'a filter that is none, 400', path: '/feedback?state=none', status: 400 },
  { name: 'nothing at this address, 404', path: '/issues/999999999', status: 404 },
  { name: 'not yours to do, 403', path: '/projects/1/change', world: 'asOfAViewer', status: 403 },
  { name: 'too many pages, 429', path: '/issues', world: 'crowded', status: 429 },
  { name: 'a page that failed, 500', path: '/issues', world: 'broken', status: 500 },
];

/** Dialogs, each opened over the page that it belongs to. */
export const opened: readonly LookedAt[] = [
  { name: 'merging an issue', path: '/issues/1', opens: 'Merge…' },
  { name: 'making a key', path: '/projects/1', opens: 'New key…' },
  { name: 'deleting an issue', path: '/issues/1', opens: 'Delete issue…' },
];

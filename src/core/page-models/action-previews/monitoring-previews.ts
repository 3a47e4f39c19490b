export const monitoringActionPreviews: Readonly<Record<string, ActionPreview>> = {
  '/monitors/new': {
    title: 'New monitor',
    what: 'The monitor would check a URL, port, DNS record or certificate regularly, or expect check-ins from a job. The first check would run within five seconds.',
  },
  '/monitors': {
    title: 'Create monitor',
    what: 'Its first check would run within five seconds, and it would appear in this list with its result.',
  },
  '/monitors/{slug}/settings': {
    title: 'Edit monitor',
    what: 'The new settings would be saved and a check would run at once.',
  },
  '/monitors/{slug}/delete': {
    title: 'Delete monitor',
    what: 'It would be deleted with its checks and statistics.',
  },
  '/monitors/{slug}/check': {
    title: 'Check now',
    what: 'A check would run at once, and its result would appear first in the list of checks.',
  },
  '/monitors/{slug}/pause': {
    title: 'Pause monitor',
    what: 'No checks would run and no notifications would be sent until the chosen time. Paused time counts neither as up nor as down.',
  },
  '/monitors/{slug}/resume': {
    title: 'Resume monitor',
    what: 'It would be pending until its next check, and then up or down.',
  },
  '/reports/schedules': {
    title: 'Schedule report',
    what: 'The channel would receive the report of each week or month on the following morning.',
  },
  '/reports/schedules/{schedule_id}/stop': {
    title: 'Stop reports',
    what: 'The channel would receive no more reports. A report that is already being sent is still retried.',
  },
  '/reports/{period}/keep': {
    title: 'Save a copy of this report',
    what: 'It would not change any more, even when the events it was computed from are deleted.',
  },
  '/reports/{period}/delete': {
    title: 'Delete saved report',
    what: 'It would be computed again from the data that still exists.',
  },
  '/incidents/new': {
    title: 'New incident',
    what: 'It would appear in this list and, if it affects a component, on the status page. Matching alert rules would send notifications.',
  },
  '/incidents': {
    title: 'Create incident',
    what: 'It would be in state Investigating, with your text as its first update.',
  },
  '/incidents/{incident_id}/delete': {
    title: 'Delete incident',
    what: 'It would be deleted with its updates and no longer count in statistics.',
  },
  '/incidents/plan': {
    title: 'Schedule maintenance',
    what: 'It would be announced on the status pages it affects. During maintenance no notifications are sent, and the time does not count against uptime.',
  },
  '/incidents/{incident_id}/plan': {
    title: 'Edit maintenance',
    what: 'The new times and affected monitors would be saved, also on the status pages.',
  },
  '/incidents/{incident_id}/call-off': {
    title: 'Cancel maintenance',
    what: 'It would end now or not take place, and its monitors would be checked again.',
  },
  '/incidents/{incident_id}/acknowledge': {
    title: 'Acknowledge incident',
    what: 'It would be assigned to you, reminders would stop, and the time to acknowledge would end.',
  },
  '/incidents/{incident_id}/resolve': {
    title: 'Resolve incident',
    what: 'It would be resolved, also on the status pages. It can be reopened.',
  },
  '/incidents/{incident_id}/reopen': {
    title: 'Reopen incident',
    what: 'It would be in state Investigating again, and its duration would continue.',
  },
  '/incidents/{incident_id}/state': {
    title: 'Change incident state',
    what: 'Its state would change, and the change would appear in its updates with your name.',
  },
  '/incidents/{incident_id}/updates': {
    title: 'Post update',
    what: 'The update would be visible to the team, or to everyone on the status pages and in their feeds.',
  },
  '/incidents/{incident_id}/causes': {
    title: 'Link a cause',
    what: 'The issue, release, deploy or test run would be linked or dismissed. Both pages would show the link.',
  },
  '/incidents/{incident_id}/post-mortem': {
    title: 'Write post-mortem',
    what: 'It would appear below the updates, for the team or for everyone.',
  },
  '/status-pages/new': {
    title: 'New status page',
    what: 'It would have its own URL and show the components you choose.',
  },
  '/status-pages/{slug}': {
    title: 'Edit status page',
    what: 'Its components, their order and their monitors would be saved, visible to everyone within 15 seconds.',
  },
  '/status-pages': {
    title: 'Create status page',
    what: 'It would be visible to members only until you publish it, without components yet.',
  },
  '/status-pages/{slug}/delete': {
    title: 'Delete status page',
    what: 'Its URL and custom hostnames would stop working.',
  },
  '/status-pages/{slug}/components': {
    title: 'Add component',
    what: 'It would be the last in its group and show the worst state of its monitors, or a state set manually.',
  },
  '/status-pages/{slug}/components/{component_id}': {
    title: 'Edit component',
    what: 'Its name, group and monitors would be saved, or it would be removed.',
  },
  '/status-pages/{slug}/components/{component_id}/state': {
    title: 'Set component state',
    what: 'Visible to everyone within 15 seconds, until it is changed.',
  },
  '/status-pages/{slug}/subscribers': {
    title: 'Add webhook',
    what: 'Each public update and each maintenance would be sent to this URL, signed with a secret that is shown once.',
  },
  '/status-pages/{slug}/subscribers/{subscriber_id}/delete': {
    title: 'Delete subscriber',
    what: 'Updates would no longer be sent to this address, and the address would be deleted.',
  },
  '/alert-channels/new': {
    title: 'New alert channel',
    what: 'Notifications would be sent to the e-mail address, chat or URL you enter.',
  },
  '/alert-channels/new/{type}': {
    title: 'Create alert channel',
    what: 'It would be notified of new and regressed issues. The signing secret of a webhook is shown once.',
  },
  '/alert-channels/{channel_id}/retry': {
    title: 'Retry pending notifications',
    what: 'Every pending notification of this channel would be retried at once, oldest first.',
  },
  '/alert-channels/{channel_id}/test': {
    title: 'Send test notification',
    what: 'A test notification would be sent, and the response would appear first in the deliveries.',
  },
  '/alert-channels/{channel_id}/pause': {
    title: 'Pause alert channel',
    what: 'Nothing would be sent to it until the chosen time. Events during the pause are not sent later.',
  },
  '/alert-channels/{channel_id}/resume': {
    title: 'Enable alert channel',
    what: 'It would receive notifications again.',
  },
  '/alert-channels/{channel_id}/settings': {
    title: 'Edit alert channel',
    what: 'Its name, target and quiet hours would be saved.',
  },
  '/alert-channels/{channel_id}/delete': {
    title: 'Delete alert channel',
    what: 'It would be deleted with its delivery history, and rules would no longer notify it.',
  },
  '/alert-channels/{channel_id}/unsubscribe': {
    title: 'Unsubscribe',
    what: 'Your address would be removed from the recipients of this channel.',
  },
  '/alert-channels/{channel_id}/browsers': {
    title: 'Enable notifications in this browser',
    what: 'This browser would show what this channel sends about projects you have access to.',
  },
  '/alert-channels/{channel_id}/browsers/{subscription_id}/remove': {
    title: 'Remove browser',
    what: 'This browser would no longer show what this channel sends.',
  },
  '/alert-channels/rules/new': {
    title: 'New alert rule',
    what: 'It would say which events notify which channels.',
  },
  '/alert-channels/rules/new/{on}': {
    title: 'Create alert rule',
    what: 'It would notify the chosen channels from then on.',
  },
  '/alert-channels/rules/{rule_id}': {
    title: 'Edit alert rule',
    what: 'The new settings would apply to future events. The form shows how often the rule would have matched in the last days.',
  },
};

export interface ActionPreview {
  readonly title: string;
  readonly what: string;
}

// What acts on monitors, incidents, status pages and alert channels would do.
import type { Would } from './would-of.ts';

export const uptimeActs: Readonly<Record<string, Would>> = {
  '/monitors/new': {
    title: 'Add a monitor',
    what: 'It would ask an address, a port, a name or a certificate as often as you say, or wait for a job to report. The first check follows within five seconds.',
  },
  '/monitors': {
    title: 'Make a monitor',
    what: 'It would be asked within five seconds, and stand on this list with what it answers.',
  },
  '/monitors/{slug}/settings': {
    title: 'Change this monitor',
    what: 'What it asks, how often, and what must be answered would be as chosen, and be asked at once.',
  },
  '/monitors/{slug}/delete': {
    title: 'Delete this monitor',
    what: 'It would be gone with all that it measured.',
    needs: 'admin',
  },
  '/monitors/{slug}/check': {
    title: 'Look now',
    what: 'It would be asked at once, outside its turn, and the answer stand first among its checks.',
  },
  '/monitors/{slug}/pause': {
    title: 'Pause this monitor',
    what: 'Nothing would be asked and nobody told until the time that was chosen. The time does not count as up or down.',
  },
  '/monitors/{slug}/resume': {
    title: 'Go on watching',
    what: 'It would be pending until its next check, and then be up or down as it answers.',
  },
  '/reports/schedules': {
    title: 'Send reports',
    what: 'The channel would be sent the report of each week, or of each month, on the morning after it.',
    needs: 'admin',
  },
  '/reports/schedules/{schedule_id}/stop': {
    title: 'Send no more reports',
    what: 'The channel would be sent none of them any more. What waits already is still tried.',
    needs: 'admin',
  },
  '/reports/{period}/keep': {
    title: 'Keep this report',
    what: 'It would stay as it is now, also when the events that it was computed of are gone.',
  },
  '/reports/{period}/delete': {
    title: 'Delete what was kept',
    what: 'It would be computed anew from then on, of what is still there.',
    needs: 'admin',
  },
  '/incidents/new': {
    title: 'Open an incident',
    what: 'It would stand on this list and, where it hits a component, on the status page. Channels whose rules fit are told.',
  },
  '/incidents': {
    title: 'Open this incident',
    what: 'It would be investigated from now on, with what you said of it first among its updates.',
  },
  '/incidents/{incident_id}/delete': {
    title: 'Delete this incident',
    what: 'It would be gone with all that was said of it, and count in no figure any more.',
    needs: 'admin',
  },
  '/incidents/plan': {
    title: 'Plan work',
    what: 'It would be announced on the status pages that it touches. While it lasts nobody is told, and it does not count against uptime.',
  },
  '/incidents/{incident_id}/plan': {
    title: 'Change this work',
    what: 'It would be when you say and about what you say, on the status pages too. What goes on goes on where its time still is.',
  },
  '/incidents/{incident_id}/call-off': {
    title: 'Call this work off',
    what: 'It would end now, or never begin, and what it is about would be watched again.',
  },
  '/incidents/{incident_id}/acknowledge': {
    title: 'Acknowledge this incident',
    what: 'It would say that you see to it, channels would stop asking, and the time to acknowledge would end here.',
  },
  '/incidents/{incident_id}/resolve': {
    title: 'Resolve this incident',
    what: 'It would be over, on the status pages too, and the time to resolve would end here. It can be opened again.',
  },
  '/incidents/{incident_id}/reopen': {
    title: 'Open this incident again',
    what: 'It would be investigated once more, and its length go on from where it began.',
  },
  '/incidents/{incident_id}/state': {
    title: 'Change the state of this incident',
    what: 'It would be investigated, identified or watched, as chosen, and the change stand among its updates with your name.',
  },
  '/incidents/{incident_id}/updates': {
    title: 'Say what is known',
    what: 'The update would be seen by the team, or by everybody on the status pages and in their feeds, as chosen.',
  },
  '/incidents/{incident_id}/causes': {
    title: 'Say what caused it',
    what: 'The issue, release, deploy or run would be linked, or set aside, and the link stand on both pages.',
  },
  '/incidents/{incident_id}/post-mortem': {
    title: 'Write a post-mortem',
    what: 'What happened, what went well and what changes would stand below the updates, for the team or for everybody.',
  },
  '/status-pages/new': {
    title: 'Add a status page',
    what: 'It would have an address of its own, and show the components that you choose and what feeds them.',
    needs: 'admin',
  },
  '/status-pages/{slug}': {
    title: 'Change this status page',
    what: 'Its components, their order and what feeds them would be as chosen, and everybody see it within 15 seconds.',
    needs: 'admin',
  },
  '/status-pages': {
    title: 'Make this status page',
    what: 'It would be for members alone until it is published, with no components yet.',
    needs: 'admin',
  },
  '/status-pages/{slug}/delete': {
    title: 'Delete this status page',
    what: 'Its address and its hosts would lead nowhere any more.',
    needs: 'admin',
  },
  '/status-pages/{slug}/components': {
    title: 'Add a component',
    what: 'It would stand last in its group, as the worst of the monitors that feed it, or as somebody says.',
    needs: 'admin',
  },
  '/status-pages/{slug}/components/{component_id}': {
    title: 'Change this component',
    what: 'Its name, its group and what feeds it would be as chosen, or it would be gone.',
    needs: 'admin',
  },
  '/status-pages/{slug}/components/{component_id}/state': {
    title: 'Say how this component is',
    what: 'Everybody would read it within 15 seconds, until somebody says otherwise.',
  },
  '/alert-channels/new': {
    title: 'Add a channel',
    what: 'Messages would go to the mailbox, the room or the address that you name, once a test has arrived there.',
    needs: 'admin',
  },
  '/alert-channels': {
    title: 'Make a channel',
    what: 'It would be told that an issue is new or came back; the secret of a webhook is shown once.',
    needs: 'admin',
  },
  '/alert-channels/{channel_id}/retry': {
    title: 'Send again what did not arrive',
    what: 'Every message that waits for this channel would be tried at once, the oldest first.',
    needs: 'admin',
  },
  '/alert-channels/{channel_id}/test': {
    title: 'Send a test',
    what: 'A message that says it is a test would go out, and its answer stand first among the deliveries.',
    needs: 'admin',
  },
  '/alert-channels/{channel_id}/pause': {
    title: 'Pause this channel',
    what: 'Nothing would be sent to it until the time that was chosen. What happens meanwhile is not sent later.',
    needs: 'admin',
  },
  '/alert-channels/{channel_id}/resume': {
    title: 'Switch this channel on',
    what: 'It would be told of what happens from then on.',
    needs: 'admin',
  },
  '/alert-channels/{channel_id}/settings': {
    title: 'Change this channel',
    what: 'Its name, where it leads and its quiet hours would be as chosen. A new target is tested before it is used.',
    needs: 'admin',
  },
  '/alert-channels/{channel_id}/delete': {
    title: 'Delete this channel',
    what: 'It would be gone with its deliveries, and its rules tell nobody there.',
    needs: 'admin',
  },
  '/alert-channels/rules/new': {
    title: 'Add a rule',
    what: 'It would say what has to happen, to what, and which channels are told of it.',
    needs: 'admin',
  },
  '/alert-channels/rules': {
    title: 'Make a rule',
    what: 'It would hold for all projects from then on, and its conditions stand on its own page.',
    needs: 'admin',
  },
  '/alert-channels/rules/{rule_id}': {
    title: 'Change this rule',
    what: 'It would hold as chosen for all that happens from then on. The form shows how often it would have told in the last days.',
    needs: 'admin',
  },
};

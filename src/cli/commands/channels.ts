import { alertChannelChangeRequest, ruleNameList } from '../../../schemas/alert-channels.ts';
import { type AlertChannelView, alertChannelRequest } from '../../core/alerts/channel-schemas.ts';
import {
  createChannel,
  deleteChannel,
  getChannel,
  testChannel,
  updateChannel,
} from '../../core/alerts/channels.ts';
import { viewChannel } from '../../core/alerts/views.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import { getLinkBaseUrl } from '../../core/config/public-urls.ts';
import { type Command, type CommandContext, CommandError, type ParsedArgs } from '../command.ts';
import { sanitizeForTerminal } from '../print.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';
import { parseIdArgument } from '../schema-options.ts';

const test: Command = {
  name: 'channel test',
  summary: 'Queue a test notification for an alert channel; the running server sends it.',
  usage: 'ID',
  async run(context, args) {
    const id = parseIdArgument(args, 'channel');
    const deps = await context.deps();
    const links = getLinkBaseUrl(deps.config);
    const { delivery, messageId } = await testChannel(deps, null, id, links, commandLineSource);
    return {
      json: { alert_channel_id: id, delivery_id: delivery.id, message_id: messageId },
      text: `Test notification ${messageId} is queued for channel ${id}. The running server sends it.`,
    };
  },
};

const ruleOptions = {
  on: `events that notify it, separated by commas: ${ruleNameList.join(', ')}`,
  incident: 'incident that these events open, critical or minor (default: none)',
};

export const channelCommands = resourceCommands({
  name: 'channel',
  view: viewChannel,
  title: ({ name }) => name,
  ...inWorkspace,
  create: {
    aliases: ['add'],
    summary: 'Create an alert channel. It is notified of new and regressed issues, or of the events in --on.',
    usage:
      'NAME --type TYPE [--to RECIPIENTS] [--quiet-hours HOURS] [--on KINDS [--incident SEVERITY]] [--project NAME]',
    schema: alertChannelRequest,
    first: 'name',
    except: ['rules'],
    options: {
      url: 'webhook URL or URL of the service (or CHANNEL_URL)',
      secret:
        'signing secret of a webhook, in base64 (or CHANNEL_SECRET; default: generated, and shown once)',
      token: 'key or token of the service (or CHANNEL_TOKEN)',
      ...ruleOptions,
      project: 'project ID or name whose events notify it (default: all projects)',
    },
    examples: [
      'channel create on-call --type webhook --url https://ops.example/hook',
      'channel create ci --type slack --on deploy.failed,test_run.failed',
    ],
    more: secretsAndRules,
    async run(deps, input, projectId) {
      const { channel, madeSecret } = await createChannel(deps, projectId, input, commandLineSource);
      if (madeSecret === null) return { result: channel };
      const line = `Signing secret: ${madeSecret} (shown only once)`;
      return { result: channel, members: { secret: madeSecret }, line };
    },
    message: (channel) => `Created: ${lineOf(channel)}`,
  },
  list: {
    summary: 'List the alert channels with their state and rules.',
    async read({ deps }) {
      const { store } = await deps();
      const all = await Promise.all(
        (await store.listChannels()).map(({ id }) => store.findChannelRecord(id)),
      );
      return all.filter((channel) => channel !== null);
    },
    emptyText: 'No alert channels.',
    columns: {
      ID: ({ alert_channel_id: id }) => String(id),
      ...{ Name: 'name', Type: 'type', Target: 'target', State: 'state' },
      Events: ({ rules }) =>
        rules.map(({ on, opens_incident: opens }) => (opens ? `${on} (${opens})` : on)).join(', '),
    },
  },
  show: {
    summary: 'Show one alert channel with its state and rules.',
    read: (deps, id) => getChannel(deps, null, id),
  },
  update: {
    aliases: ['change'],
    summary: 'Edit an alert channel; --on replaces its rules.',
    usage:
      'ID [--name NAME] [--url URL | --to RECIPIENTS] [--on KINDS [--incident SEVERITY]] [--paused on|off] …',
    schema: alertChannelChangeRequest,
    except: ['rules'],
    options: {
      url: 'webhook URL or URL of the service (or CHANNEL_URL)',
      secret: 'signing secret of a webhook, in base64 (or CHANNEL_SECRET)',
      token: 'key or token of the service (or CHANNEL_TOKEN)',
      ...ruleOptions,
    },
    example: '--paused on',
    examples: ['channel update 1 --on issue.created,deploy.failed', 'channel update 2 --paused on'],
    more: secretsAndRules,
    run: (deps, id, changes) => updateChannel(deps, null, id, changes, commandLineSource),
    message: (channel) => `Updated: ${lineOf(channel)}`,
  },
  pause: {
    enable: { summary: 'Enable a paused alert channel.' },
    disable: {
      summary: 'Pause an alert channel. Events during the pause are not sent later.',
      options: { until: 'when it is enabled again automatically, for example 2026-12-01T08:00:00Z' },
    },
    line: lineOf,
  },
  others: [test],
  remove: {
    aliases: ['remove'],
    summary: 'Delete an alert channel and its delivery history.',
    run: (deps, id) => deleteChannel(deps, null, id, commandLineSource),
  },
});

/** The environment is also accepted, because every user of the machine can see the arguments of a process. */
function secretsAndRules(args: ParsedArgs, { env }: Pick<CommandContext, 'env'>) {
  const [on, incident] = [args.text('on'), args.text('incident')];
  if (on === undefined && incident !== undefined) {
    throw new CommandError('--incident requires --on. Enter the events that open an incident.');
  }
  const rules = on?.split(',').map((kind) => ({ on: kind.trim(), opens_incident: incident ?? null }));
  return {
    url: args.text('url') ?? env['CHANNEL_URL'],
    secret: args.text('secret') ?? env['CHANNEL_SECRET'],
    token: args.text('token') ?? env['CHANNEL_TOKEN'],
    rules,
  };
}

function lineOf({ alert_channel_id: id, name, target }: AlertChannelView): string {
  return `channel ${id}, ${sanitizeForTerminal(name)}, to ${target}`;
}

// `channel list|add|test|remove`: who is told of what happens. The rules are those of POST /alert-channels.
import { type AlertChannelView, alertChannelRequest } from '../../../schemas/alert-channels.ts';
import { createChannel, deleteChannel, testChannel } from '../../core/alerts/channels.ts';
import { viewChannel } from '../../core/alerts/views.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfChannel } from '../../core/audit/told-alerts.ts';
import { linksOf } from '../../core/config/addresses.ts';
import { parseId } from '../../core/ids.ts';
import {
  type Command,
  CommandFailure,
  exitCodes,
  type ParsedWords,
  printable,
  printJson,
  table,
} from '../command.ts';
import { asFailure, requestOf } from '../text/api-words.ts';
import { getProject } from '../which-project.ts';

export const channelList: Command = {
  name: 'channel list',
  summary: 'Lists the alert channels: who is told, how each of them is, and its rules.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const { store } = await context.deps();
    const found = await Promise.all((await store.listChannels()).map(({ id }) => store.findKeptChannel(id)));
    const channels = found.flatMap((channel) => (channel === null ? [] : [viewChannel(channel)]));
    if (words.flag('json')) printJson(context, channels);
    else context.out(`${channels.length === 0 ? 'No alert channels.' : channelTable(channels)}\n`);
    return exitCodes.fine;
  },
};

export const channelAdd: Command = {
  name: 'channel add',
  summary: 'Adds an alert channel: it is told that an issue is new, and that a resolved one comes back.',
  usage:
    'NAME --type TYPE (--url URL | --to MAILBOXES) [--secret TEXT] [--quiet-hours HOURS] [--project NAME]',
  options: {
    type: { type: 'string', help: 'email, webhook, slack, mattermost, discord, teams or ntfy' },
    url: { type: 'string', help: 'where it leads, for all types but email' },
    to: { type: 'string', help: 'mailboxes with commas between them, for email' },
    secret: {
      type: 'string',
      help: 'by which webhooks are signed, in base64 (default: made, and shown once)',
    },
    'quiet-hours': { type: 'string', help: 'such as "22:00 to 07:00 Europe/Berlin"' },
    project: { type: 'string', help: 'project id or name that it is told of (default: all of them)' },
  },
  positionals: { least: 1, most: 1 },
  examples: ['channel add on-call --type webhook --url https://ops.example/hook'],
  async run(context, words) {
    const asked = requestOf(alertChannelRequest, {
      name: words.positionals[0],
      type: words.text('type'),
      url: words.text('url'),
      to: words.text('to'),
      secret: words.text('secret'),
      quiet_hours: words.text('quiet-hours'),
    });
    const deps = await context.deps();
    const of = words.text('project');
    const projectId = of === undefined ? null : (await getProject(deps, of)).id;
    const adding = actAudited(deps, byCommandLine, async (parts) => {
      const result = await createChannel(parts, projectId, asked, byCommandLine.actor.name);
      return { result, told: toldOfChannel(result.channel, 'channel.created') };
    });
    const { channel, madeSecret } = await inSentences(adding);
    const secret = madeSecret === null ? {} : { secret: madeSecret };
    const added = `Added: channel ${channel.id}, ${printable(channel.name)}, to ${channel.target}\n`;
    const signed = `Its messages are signed with ${madeSecret}, which is shown this once.\n`;
    if (words.flag('json')) printJson(context, { ...viewChannel(channel), ...secret });
    else context.out(madeSecret === null ? added : added + signed);
    return exitCodes.fine;
  },
};

export const channelTest: Command = {
  name: 'channel test',
  summary: 'Puts a test in front of what leaves by a channel; the running server sends it.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words);
    const deps = await context.deps();
    const testing = actAudited(deps, byCommandLine, async (parts) => {
      const result = await testChannel(parts, null, id, linksOf(deps.config));
      return { result, told: toldOfChannel(result.channel, 'channel.tested') };
    });
    const { delivery, messageId } = await inSentences(testing);
    const ids = { alert_channel_id: id, delivery_id: delivery.id, message_id: messageId };
    if (words.flag('json')) printJson(context, ids);
    else context.out(`A test waits for channel ${id}: ${messageId}. The running server sends it.\n`);
    return exitCodes.fine;
  },
};

export const channelRemove: Command = {
  name: 'channel remove',
  summary: 'Deletes an alert channel with its deliveries.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words);
    const deps = await context.deps();
    const removing = actAudited(deps, byCommandLine, async (parts) => {
      const result = await deleteChannel(parts, null, id);
      return { result, told: toldOfChannel(result, 'channel.deleted') };
    });
    const previous = viewChannel(await inSentences(removing));
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Removed: channel ${id}, ${printable(previous.name)}\n`);
    return exitCodes.fine;
  },
};

function channelTable(channels: readonly AlertChannelView[]): string {
  const rows = channels.map(({ alert_channel_id: id, name, type, target, state, rules }) => [
    String(id),
    name,
    type,
    target,
    state,
    rules.map(({ on }) => on).join(', '),
  ]);
  return table(['ID', 'NAME', 'TYPE', 'TARGET', 'STATE', 'TOLD OF'], rows);
}

function idOf(words: ParsedWords): number {
  const word = words.positionals[0] ?? '';
  const id = parseId(word);
  if (id === null) throw new CommandFailure(`"${printable(word)}" is no channel: give its number.`);
  return id;
}

async function inSentences<Result>(act: Promise<Result>): Promise<Result> {
  return act.catch((error: unknown) => {
    throw asFailure(error);
  });
}

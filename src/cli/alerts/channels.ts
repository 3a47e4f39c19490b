// `channel list|show|add|change|test|remove`: who is told of what happens. The rules are those of POST
// /alert-channels.
import {
  type AlertChannelChangeRequest,
  type AlertChannelView,
  alertChannelChangeRequest,
  alertChannelRequest,
  ruleKinds,
} from '../../../schemas/alert-channels.ts';
import {
  changeChannel,
  createChannel,
  deleteChannel,
  getChannel,
  testChannel,
} from '../../core/alerts/channels.ts';
import { viewChannel } from '../../core/alerts/views.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfChannel } from '../../core/audit/told-alerts.ts';
import { linksOf } from '../../core/config/addresses.ts';
import { parseValue } from '../../http/api/parse-body.ts';
import {
  type Command,
  type CommandContext,
  CommandFailure,
  exitCodes,
  type ParsedWords,
  printable,
  printJson,
  table,
} from '../command.ts';
import { idOf, requestOf, saidBy, sayWhat } from '../text/api-words.ts';
import { showCommand } from '../text/view.ts';
import { ownerOf } from '../which-project.ts';

export const channelList: Command = {
  name: 'channel list',
  onlyReads: true,
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

export const channelShow = showCommand({
  name: 'channel show',
  summary: 'Shows one alert channel: where it leads, how it is, and its rules.',
  noun: 'channel',
  read: async (deps, id) => viewChannel(await getChannel(deps, null, id)),
  called: ({ name }) => name,
});

const settings = {
  url: { type: 'string', help: 'where it leads, for all types but email (or CHANNEL_URL)' },
  to: { type: 'string', help: 'mailboxes with commas between them, for email' },
  secret: {
    type: 'string',
    help: 'by which webhooks are signed, in base64 (or CHANNEL_SECRET; default: made, and shown once)',
  },
  'quiet-hours': { type: 'string', help: 'such as "22:00 to 07:00 Europe/Berlin"' },
  on: { type: 'string', help: `of what it is told, with commas between them: ${ruleKinds.join(', ')}` },
  incident: { type: 'string', help: 'what these open: a critical or a minor incident (default: none)' },
} as const;

/** Those that are said as they are; the others make rules. */
const fields = ['to', 'quiet-hours'] as const;

/** What opens a channel, where no option says it: everybody on the machine sees the words of a command. */
function secretsOf(
  { env }: Pick<CommandContext, 'env'>,
  words: ParsedWords,
): { url?: string; secret?: string } {
  const url = words.text('url') ?? env['CHANNEL_URL'];
  const secret = words.text('secret') ?? env['CHANNEL_SECRET'];
  return { ...(url === undefined ? {} : { url }), ...(secret === undefined ? {} : { secret }) };
}

export const channelAdd: Command = {
  name: 'channel add',
  summary:
    'Adds an alert channel: it is told that an issue is new, and that a resolved one comes back, or what --on says.',
  usage:
    'NAME --type TYPE [--to MAILBOXES] [--quiet-hours HOURS] [--on KINDS [--incident SEVERITY]] [--project NAME]',
  options: {
    type: { type: 'string', help: 'email, webhook, slack, mattermost, discord, teams or ntfy' },
    ...settings,
    project: { type: 'string', help: 'project id or name that it is told of (default: all of them)' },
  },
  positionals: { least: 1, most: 1 },
  examples: [
    'channel add on-call --type webhook --url https://ops.example/hook',
    'channel add ci --type slack --on deploy.failed,test_run.failed',
  ],
  async run(context, words) {
    const asked = requestOf(alertChannelRequest, {
      name: words.positionals[0],
      ...saidBy(words, ['type', ...fields]),
      ...secretsOf(context, words),
    });
    const rules = rulesOf(words.text('on'), words.text('incident'));
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const { channel, madeSecret } = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await createChannel(parts, projectId, { ...asked, ...rules }, byCommandLine.actor.name);
      return { result, told: toldOfChannel(result.channel, 'channel.created') };
    });
    const secret = madeSecret === null ? {} : { secret: madeSecret };
    const added = `Added: channel ${channel.id}, ${printable(channel.name)}, to ${channel.target}\n`;
    const signed = `Its messages are signed with ${madeSecret}, which is shown this once.\n`;
    if (words.flag('json')) printJson(context, { ...viewChannel(channel), ...secret });
    else context.out(madeSecret === null ? added : added + signed);
    return exitCodes.fine;
  },
};

export const channelChange: Command = {
  name: 'channel change',
  summary: 'Changes what is given of an alert channel; what --on says takes the place of its rules.',
  usage:
    'ID [--name NAME] [--url URL | --to MAILBOXES] [--on KINDS [--incident SEVERITY]] [--paused on|off] …',
  options: {
    name: { type: 'string', help: 'what it is called' },
    ...settings,
    secret: { type: 'string', help: 'by which webhooks are signed, in base64 (or CHANNEL_SECRET)' },
    paused: { type: 'string', help: 'on or off: whether nothing leaves by it' },
    'paused-until': {
      type: 'string',
      help: 'when a pause ends by itself, such as 2026-12-01T08:00:00Z',
    },
  },
  positionals: { least: 1, most: 1 },
  examples: ['channel change 1 --on issue.is_new,deploy.failed', 'channel change 2 --paused on'],
  async run(context, words) {
    const id = idOf(words, 'channel');
    const said = {
      ...saidBy(words, ['name', ...fields, 'paused-until'], ['paused']),
      ...secretsOf(context, words),
    };
    const rules = rulesOf(words.text('on'), words.text('incident'));
    sayWhat({ ...said, ...rules }, '--paused on');
    const asked = { ...requestOf(alertChannelChangeRequest, said), ...rules };
    const channel = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await changeChannel(parts, null, id, asked);
      return { result, told: toldOfChannel(result, 'channel.changed') };
    });
    const changed = `Changed: channel ${id}, ${printable(channel.name)}, to ${channel.target}\n`;
    if (words.flag('json')) printJson(context, viewChannel(channel));
    else context.out(changed);
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
    const id = idOf(words, 'channel');
    const deps = await context.deps();
    const { delivery, messageId } = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await testChannel(parts, null, id, linksOf(deps.config));
      return { result, told: toldOfChannel(result.channel, 'channel.tested') };
    });
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
    const id = idOf(words, 'channel');
    const deps = await context.deps();
    const previous = viewChannel(
      await actAudited(deps, byCommandLine, async (parts) => {
        const result = await deleteChannel(parts, null, id);
        return { result, told: toldOfChannel(result, 'channel.deleted') };
      }),
    );
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
    rules.map(({ on, opens_incident: opens }) => (opens ? `${on} (${opens})` : on)).join(', '),
  ]);
  return table(['ID', 'NAME', 'TYPE', 'TARGET', 'STATE', 'TOLD OF'], rows);
}

/** What --on and --incident say, by the same rules as a request: as many as it may have, and none unknown. */
function rulesOf(
  on: string | undefined,
  incident: string | undefined,
): Pick<AlertChannelChangeRequest, 'rules'> {
  if (on === undefined && incident !== undefined) {
    throw new CommandFailure('--incident needs --on: say what opens an incident.');
  }
  if (on === undefined) return {};
  const rules = on.split(',').map((kind) => ({ on: kind.trim(), opens_incident: incident ?? null }));
  return { rules: parseValue(alertChannelChangeRequest, { rules }).rules };
}

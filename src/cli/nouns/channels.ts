// `channel …`: alert channels. The rules are those of POST /alert-channels.
import {
  type AlertChannelView,
  alertChannelChangeRequest,
  alertChannelRequest,
  ruleKinds,
} from '../../../schemas/alert-channels.ts';
import {
  createChannel,
  deleteChannel,
  getChannel,
  testChannel,
  updateChannel,
} from '../../core/alerts/channels.ts';
import { viewChannel } from '../../core/alerts/views.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import { linksOf } from '../../core/config/addresses.ts';
import { type Command, type CommandContext, CommandFailure, type ParsedWords } from '../command.ts';
import { printable } from '../print.ts';
import { idOf } from '../requests.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';

const test: Command = {
  name: 'channel test',
  summary: 'Puts a test in front of what leaves by a channel; the running server sends it.',
  usage: 'ID',
  async run(context, words) {
    const id = idOf(words, 'channel');
    const deps = await context.deps();
    const links = linksOf(deps.config);
    const { delivery, messageId } = await testChannel(deps, null, id, links, byCommandLine);
    return {
      json: { alert_channel_id: id, delivery_id: delivery.id, message_id: messageId },
      text: `A test waits for channel ${id}: ${messageId}. The running server sends it.`,
    };
  },
};

const ruleOptions = {
  on: `of what it is told, with commas between them: ${ruleKinds.join(', ')}`,
  incident: 'what these open: a critical or a minor incident (default: none)',
};

export const channelCommands = resourceCommands({
  name: 'channel',
  view: viewChannel,
  title: ({ name }) => name,
  ...inWorkspace,
  create: {
    verb: 'add',
    summary:
      'Adds an alert channel: it is told that an issue is new, and that a resolved one comes back, or what --on says.',
    usage:
      'NAME --type TYPE [--to MAILBOXES] [--quiet-hours HOURS] [--on KINDS [--incident SEVERITY]] [--project NAME]',
    schema: alertChannelRequest,
    first: 'name',
    except: ['rules'],
    options: {
      url: 'where it leads, for all types but email (or CHANNEL_URL)',
      secret: 'by which webhooks are signed, in base64 (or CHANNEL_SECRET; default: made, and shown once)',
      ...ruleOptions,
      project: 'project id or name that it is told of (default: all of them)',
    },
    examples: [
      'channel add on-call --type webhook --url https://ops.example/hook',
      'channel add ci --type slack --on deploy.failed,test_run.failed',
    ],
    more: secretsAndRules,
    async act(deps, asked, projectId) {
      const { channel, madeSecret } = await createChannel(deps, projectId, asked, byCommandLine);
      if (madeSecret === null) return { kept: channel };
      const line = `Its messages are signed with ${madeSecret}, which is shown this once.`;
      return { kept: channel, members: { secret: madeSecret }, line };
    },
    says: (channel) => `Added: ${lineOf(channel)}`,
  },
  list: {
    summary: 'Lists the alert channels: who is told, how each of them is, and its rules.',
    async read({ deps }) {
      const { store } = await deps();
      const all = await Promise.all((await store.listChannels()).map(({ id }) => store.findKeptChannel(id)));
      return all.filter((channel) => channel !== null);
    },
    none: 'No alert channels.',
    columns: {
      ID: ({ alert_channel_id: id }) => String(id),
      ...{ NAME: 'name', TYPE: 'type', TARGET: 'target', STATE: 'state' },
      'TOLD OF': ({ rules }) =>
        rules.map(({ on, opens_incident: opens }) => (opens ? `${on} (${opens})` : on)).join(', '),
    },
  },
  show: {
    summary: 'Shows one alert channel: where it leads, how it is, and its rules.',
    read: (deps, id) => getChannel(deps, null, id),
  },
  update: {
    verb: 'change',
    summary: 'Changes what is given of an alert channel; what --on says takes the place of its rules.',
    usage:
      'ID [--name NAME] [--url URL | --to MAILBOXES] [--on KINDS [--incident SEVERITY]] [--paused on|off] …',
    schema: alertChannelChangeRequest,
    except: ['rules'],
    options: {
      url: 'where it leads, for all types but email (or CHANNEL_URL)',
      secret: 'by which webhooks are signed, in base64 (or CHANNEL_SECRET)',
      ...ruleOptions,
    },
    such: '--paused on',
    examples: ['channel change 1 --on issue.is_new,deploy.failed', 'channel change 2 --paused on'],
    more: secretsAndRules,
    act: (deps, id, asked) => updateChannel(deps, null, id, asked, byCommandLine),
    says: (channel) => `Changed: ${lineOf(channel)}`,
  },
  others: [test],
  remove: {
    verb: 'remove',
    summary: 'Deletes an alert channel with its deliveries.',
    act: (deps, id) => deleteChannel(deps, null, id, byCommandLine),
  },
});

/** The environment is also accepted, because every user of the machine can see the arguments of a process. */
function secretsAndRules(words: ParsedWords, { env }: Pick<CommandContext, 'env'>) {
  const [on, incident] = [words.text('on'), words.text('incident')];
  if (on === undefined && incident !== undefined) {
    throw new CommandFailure('--incident needs --on: say what opens an incident.');
  }
  const rules = on?.split(',').map((kind) => ({ on: kind.trim(), opens_incident: incident ?? null }));
  return {
    url: words.text('url') ?? env['CHANNEL_URL'],
    secret: words.text('secret') ?? env['CHANNEL_SECRET'],
    rules,
  };
}

function lineOf({ alert_channel_id: id, name, target }: AlertChannelView): string {
  return `channel ${id}, ${printable(name)}, to ${target}`;
}

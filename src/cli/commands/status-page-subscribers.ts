import { subscriberRequest } from '../../../schemas/status-pages.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import { parseId } from '../../core/ids.ts';
import {
  createWebhookSubscriber,
  listSubscribers,
  removeSubscriber,
  viewSubscriber,
} from '../../core/status-pages/subscribers.ts';
import { type Command, CommandError } from '../command.ts';
import { formatViewTable, sanitizeForTerminal } from '../print.ts';
import { parseIdArgument, parseRequest } from '../schema-options.ts';

const create: Command = {
  name: 'status-page-subscriber create',
  summary: 'Send each update of a status page to a webhook, as signed JSON.',
  usage: 'PAGE URL',
  examples: ['status-page-subscriber create 1 https://ops.example/hook'],
  async run(context, words) {
    const pageId = parseIdArgument(words, 'status page');
    const input = parseRequest(subscriberRequest, { url: words.positionals[1] });
    const added = await createWebhookSubscriber(await context.deps(), null, pageId, input, commandLineSource);
    const { address } = viewSubscriber(added);
    const text = `Created: webhook ${sanitizeForTerminal(address)}\nSecret, shown only now: ${added.secret}`;
    return { json: { ...viewSubscriber(added), secret: added.secret }, text };
  },
};

const list: Command = {
  name: 'status-page-subscriber list',
  onlyReads: true,
  summary: 'List those who get the updates of a status page.',
  usage: 'PAGE',
  examples: ['status-page-subscriber list 1'],
  async run(context, words) {
    const pageId = parseIdArgument(words, 'status page');
    const views = (await listSubscribers(await context.deps(), null, pageId)).map(viewSubscriber);
    const columns = {
      ID: ({ subscriber_id: id }: (typeof views)[number]) => String(id),
      Kind: 'kind',
      Address: ({ address }: (typeof views)[number]) => sanitizeForTerminal(address),
      Since: 'subscribed_at',
      'Last error': ({ last_error: error }: (typeof views)[number]) => sanitizeForTerminal(error),
    } as const;
    return { json: views, text: views.length === 0 ? 'No subscribers.' : formatViewTable(columns, views) };
  },
};

const remove: Command = {
  name: 'status-page-subscriber delete',
  summary: 'Delete a subscriber of a status page, with the address.',
  usage: 'PAGE ID',
  examples: ['status-page-subscriber delete 1 4'],
  async run(context, words) {
    const pageId = parseIdArgument(words, 'status page');
    const second = words.positionals[1] ?? '';
    const id = parseId(second);
    if (id === null) throw new CommandError(`Invalid subscriber ID: "${sanitizeForTerminal(second)}".`);
    const removed = await removeSubscriber(await context.deps(), null, { pageId, id }, commandLineSource);
    return {
      json: { deleted: true, previous: viewSubscriber(removed) },
      text: `Deleted: subscriber ${id} of status page ${pageId}`,
    };
  },
};

export const statusPageSubscriberCommands = [create, list, remove];

import { readFileSync } from 'node:fs';
import {
  brandImages,
  componentStates,
  type StatusPageView,
  statusPageChangeRequest,
  statusPageRequest,
  subscriberRequest,
} from '../../../schemas/status-pages.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  setComponentState,
  updateStatusPage,
} from '../../core/status-pages/status-pages.ts';
import {
  createWebhookSubscriber,
  listSubscribers,
  removeSubscriber,
  viewSubscriber,
} from '../../core/status-pages/subscribers.ts';
import { viewStatusPage } from '../../core/status-pages/views.ts';
import { type Command, CommandError, type ParsedArgs } from '../command.ts';
import { listResult, sanitizeForTerminal } from '../print.ts';
import { deleteResult, inWorkspace, resourceCommands } from '../resource.ts';
import { parseIdArgument, parseRequest } from '../schema-options.ts';

const updateComponent: Command = {
  name: 'status-page-component update',
  aliases: ['status-page update-component', 'status-page say'],
  summary: 'Set the state of a status page component that has no monitors.',
  usage: 'PAGE_ID COMPONENT_ID working|slow|not_working|planned_work',
  examples: ['status-page-component update 1 4 not_working'],
  async run(context, args) {
    const id = parseIdArgument(args, 'status page');
    const componentId = parseIdArgument(args, 'component', 1);
    const third = args.positionals[2];
    const state = componentStates.find((each) => each === third);
    if (state === undefined) {
      throw new CommandError(
        `The state must be one of ${componentStates.join(', ')}, not "${sanitizeForTerminal(third ?? '')}".`,
      );
    }
    const deps = await context.deps();
    const page = await setComponentState(deps, null, { id, componentId }, state, commandLineSource);
    const text = `Updated: component ${componentId} of ${sanitizeForTerminal(page.name)} is ${state}`;
    return { json: viewStatusPage(page), text };
  },
};

const imageOptions = {
  logo: 'a PNG or WebP file of at most 100 KiB; empty for none',
  favicon: 'a square PNG or WebP file; by default made from the logo',
};

/** The images that `--logo` and `--favicon` name, as the API takes them. Throws CommandError. */
function readImages(args: ParsedArgs): Readonly<Record<string, string>> {
  const entries = brandImages.flatMap((kind) => {
    const path = args.text(kind);
    return path === undefined ? [] : [[kind, path === '' ? '' : readBase64(kind, path)] as const];
  });
  return Object.fromEntries(entries);
}

function readBase64(option: string, path: string): string {
  try {
    return readFileSync(path, 'base64');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new CommandError(`--${option}: ${sanitizeForTerminal(path)} cannot be read (${code}).`);
  }
}

export const statusPageCommands = resourceCommands({
  name: 'status-page',
  noun: 'status page',
  view: viewStatusPage,
  title: ({ name }) => name,
  ...inWorkspace,
  create: {
    aliases: ['add'],
    summary: 'Create a status page.',
    usage: 'NAME [--published on] [--hosts HOSTS] [--components JSON] [--project NAME]',
    schema: statusPageRequest,
    first: 'name',
    options: { project: 'project ID or name (default: none)', ...imageOptions },
    more: readImages,
    examples: [`status-page create Shop --published on --components '[{"name":"Checkout","monitors":[1]}]'`],
    run: async (deps, input, projectId) => ({
      result: await createStatusPage(deps, projectId, input, commandLineSource),
    }),
    message: (page) => `Created: ${lineOf(page)}, at /status/${page.slug}`,
  },
  list: {
    summary: 'List the status pages with their visibility and state.',
    read: async ({ deps }) => (await deps()).store.listStatusPages(null),
    emptyText: 'No status pages.',
    columns: {
      ID: ({ status_page_id: id }) => String(id),
      Name: 'name',
      Path: ({ slug }) => `/status/${slug}`,
      Hosts: ({ hosts }) => hosts.join(', '),
      'Visible to': ({ published }) => (published ? 'everyone' : 'members'),
      Components: ({ components }) => components.length,
      State: 'state',
    },
  },
  show: {
    summary: 'Show one status page with its components and their states.',
    read: (deps, id) => getStatusPage(deps, null, id),
  },
  update: {
    aliases: ['change'],
    summary: 'Edit a status page.',
    usage: 'ID [--published on|off] [--hosts HOSTS] [--components JSON]',
    schema: statusPageChangeRequest,
    example: '--published on',
    options: imageOptions,
    more: readImages,
    examples: [
      'status-page update 1 --published off',
      "status-page update 1 --logo logo.png --accent '#0a7f5c'",
    ],
    run: (deps, id, changes) => updateStatusPage(deps, null, id, changes, commandLineSource),
    message: (page) => `Updated: ${lineOf(page)}`,
  },
  others: [updateComponent],
  remove: {
    aliases: ['remove'],
    summary: 'Delete a status page with its components.',
    run: (deps, id) => deleteStatusPage(deps, null, id, commandLineSource),
  },
});

function lineOf({ status_page_id: id, name }: StatusPageView): string {
  return `status page ${id}, ${sanitizeForTerminal(name)}`;
}

const create: Command = {
  name: 'status-page-subscriber create',
  summary: 'Send each update of a status page to a webhook, as signed JSON.',
  usage: 'PAGE URL',
  examples: ['status-page-subscriber create 1 https://ops.example/hook'],
  async run(context, args) {
    const pageId = parseIdArgument(args, 'status page');
    const input = parseRequest(subscriberRequest, { url: args.positionals[1] });
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
  async run(context, args) {
    const pageId = parseIdArgument(args, 'status page');
    const views = (await listSubscribers(await context.deps(), null, pageId)).map(viewSubscriber);
    return listResult(views, 'No subscribers.', {
      ID: ({ subscriber_id: id }) => String(id),
      Kind: 'kind',
      Address: ({ address }) => sanitizeForTerminal(address),
      Since: 'subscribed_at',
      'Last error': ({ last_error: error }) => sanitizeForTerminal(error),
    });
  },
};

const remove: Command = {
  name: 'status-page-subscriber delete',
  summary: 'Delete a subscriber of a status page, with the address.',
  usage: 'PAGE ID',
  examples: ['status-page-subscriber delete 1 4'],
  async run(context, args) {
    const pageId = parseIdArgument(args, 'status page');
    const id = parseIdArgument(args, 'subscriber', 1);
    const removed = await removeSubscriber(await context.deps(), null, { pageId, id }, commandLineSource);
    return deleteResult(viewSubscriber(removed), `Deleted: subscriber ${id} of status page ${pageId}`);
  },
};

export const statusPageSubscriberCommands = [create, list, remove];

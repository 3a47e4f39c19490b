// `status-page …`. The rules are those of POST /status-pages.
import {
  componentStates,
  type StatusPageView,
  statusPageChangeRequest,
  statusPageRequest,
} from '../../../schemas/status-pages.ts';
import { byCommandLine } from '../../core/audit/audit.ts';
import { parseId } from '../../core/ids.ts';
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  sayComponent,
  updateStatusPage,
} from '../../core/status-pages/status-pages.ts';
import { viewStatusPage } from '../../core/status-pages/views.ts';
import { type Command, CommandFailure } from '../command.ts';
import { printable } from '../print.ts';
import { idOf } from '../requests.ts';
import { inWorkspace, resourceCommands } from '../resource.ts';

const say: Command = {
  name: 'status-page say',
  summary: 'Says how a part of a status page is that no monitor feeds.',
  usage: 'ID COMPONENT working|slow|not_working|planned_work',
  examples: ['status-page say 1 4 not_working'],
  async run(context, words) {
    const id = idOf(words, 'status page');
    const [, second = '', third] = words.positionals;
    const componentId = parseId(second);
    if (componentId === null) {
      throw new CommandFailure(`"${printable(second)}" is no component: give its number.`);
    }
    const state = componentStates.find((each) => each === third);
    if (state === undefined) {
      throw new CommandFailure(`"${printable(third ?? '')}" is none of ${componentStates.join(', ')}.`);
    }
    const deps = await context.deps();
    const page = await sayComponent(deps, null, { id, componentId }, state, byCommandLine);
    const text = `Said: component ${componentId} of ${printable(page.name)} is ${state}`;
    return { json: viewStatusPage(page), text };
  },
};

export const statusPageCommands = resourceCommands({
  name: 'status-page',
  noun: 'status page',
  view: viewStatusPage,
  title: ({ name }) => name,
  ...inWorkspace,
  create: {
    verb: 'add',
    summary: 'Makes a status page.',
    usage: 'NAME [--published on] [--hosts HOSTS] [--components JSON] [--project NAME]',
    schema: statusPageRequest,
    first: 'name',
    options: { project: 'project id or name that it belongs to (default: none)' },
    examples: [`status-page add Shop --published on --components '[{"name":"Checkout","monitors":[1]}]'`],
    act: async (deps, asked, projectId) => ({
      kept: await createStatusPage(deps, projectId, asked, byCommandLine),
    }),
    says: (page) => `Made: ${lineOf(page)}, at /status/${page.slug}`,
  },
  list: {
    summary: 'Lists the status pages: where each is, who may see it, and how it stands.',
    read: async ({ deps }) => (await deps()).store.listKeptStatusPages(null),
    none: 'No status pages.',
    columns: {
      ID: ({ status_page_id: id }) => String(id),
      NAME: 'name',
      AT: ({ slug }) => `/status/${slug}`,
      HOSTS: ({ hosts }) => hosts.join(', '),
      'SEEN BY': ({ published }) => (published ? 'everybody' : 'members'),
      COMPONENTS: ({ components }) => components.length,
      STATE: 'state',
    },
  },
  show: {
    summary: 'Shows one status page: where it is, its parts, and how each of them stands.',
    read: (deps, id) => getStatusPage(deps, null, id),
  },
  update: {
    verb: 'change',
    summary: 'Changes what is given of a status page.',
    usage: 'ID [--published on|off] [--hosts HOSTS] [--components JSON]',
    schema: statusPageChangeRequest,
    such: '--published on',
    examples: ['status-page change 1 --published off'],
    act: (deps, id, asked) => updateStatusPage(deps, null, id, asked, byCommandLine),
    says: (page) => `Changed: ${lineOf(page)}`,
  },
  others: [say],
  remove: {
    verb: 'remove',
    summary: 'Deletes a status page with its parts.',
    act: (deps, id) => deleteStatusPage(deps, null, id, byCommandLine),
  },
});

function lineOf({ status_page_id: id, name }: StatusPageView): string {
  return `status page ${id}, ${printable(name)}`;
}

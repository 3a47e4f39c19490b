// `status-page list|show|add|change|say|remove`: what everybody may see of how things stand. The rules are
// those of POST /status-pages.
import {
  componentStates,
  type StatusPageChangeRequest,
  type StatusPageView,
  statusPageChangeRequest,
  statusPageRequest,
} from '../../../schemas/status-pages.ts';
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { toldOfStatusPage } from '../../core/audit/told-status-pages.ts';
import { parseId } from '../../core/ids.ts';
import {
  changeStatusPage,
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  sayComponent,
} from '../../core/status-pages/status-pages.ts';
import { viewStatusPage } from '../../core/status-pages/views.ts';
import { parseValue } from '../../http/api/parse-body.ts';
import {
  type Command,
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

export const statusPageList: Command = {
  name: 'status-page list',
  onlyReads: true,
  summary: 'Lists the status pages: where each is, who may see it, and how it stands.',
  usage: '',
  options: {},
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const { store } = await context.deps();
    const pages = (await store.listKeptStatusPages(null)).map(viewStatusPage);
    if (words.flag('json')) printJson(context, pages);
    else context.out(`${pages.length === 0 ? 'No status pages.' : pageTable(pages)}\n`);
    return exitCodes.fine;
  },
};

export const statusPageShow = showCommand({
  name: 'status-page show',
  summary: 'Shows one status page: where it is, its parts, and how each of them stands.',
  noun: 'status page',
  read: async (deps, id) => viewStatusPage(await getStatusPage(deps, null, id)),
  called: ({ name }) => name,
});

const settings = {
  slug: { type: 'string', help: 'what stands in its address (default: made of the name)' },
  description: { type: 'string', help: 'a line below the title' },
  published: { type: 'string', help: 'on: everybody sees it; off: members alone (default: off)' },
  hosts: { type: 'string', help: 'hosts of its own, with commas between them' },
  shows: { type: 'string', help: 'of days, percent, incidents, feeds (default: all), with commas' },
  components: { type: 'string', help: 'its parts as JSON, as POST /status-pages takes them' },
} as const;

/** Those that are said as they are. */
const fields = ['slug', 'description', 'hosts', 'shows'] as const;

export const statusPageAdd: Command = {
  name: 'status-page add',
  summary: 'Makes a status page.',
  usage: 'NAME [--published on] [--hosts HOSTS] [--components JSON] [--project NAME]',
  options: {
    ...settings,
    project: { type: 'string', help: 'project id or name that it belongs to (default: none)' },
  },
  positionals: { least: 1, most: 1 },
  examples: [`status-page add Shop --published on --components '[{"name":"Checkout","monitors":[1]}]'`],
  async run(context, words) {
    const name = words.positionals[0] ?? '';
    const given = { name, ...saidBy(words, fields, ['published']) };
    const asked = { ...requestOf(statusPageRequest, given), ...componentsIn(words) };
    const deps = await context.deps();
    const projectId = await ownerOf(deps, words);
    const page = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await createStatusPage(parts, projectId, asked, byCommandLine.actor.name, {
        isWorkspaceAdmin: true,
      });
      return { result, told: toldOfStatusPage(result, 'status_page.created') };
    });
    if (words.flag('json')) printJson(context, viewStatusPage(page));
    else context.out(`Made: status page ${page.id}, ${printable(page.name)}, at /status/${page.slug}\n`);
    return exitCodes.fine;
  },
};

export const statusPageChange: Command = {
  name: 'status-page change',
  summary: 'Changes what is given of a status page.',
  usage: 'ID [--published on|off] [--hosts HOSTS] [--components JSON]',
  options: { name: { type: 'string', help: 'what it is called' }, ...settings },
  positionals: { least: 1, most: 1 },
  examples: ['status-page change 1 --published off'],
  async run(context, words) {
    const id = idOf(words, 'status page');
    const given = saidBy(words, ['name', ...fields], ['published']);
    const components = componentsIn(words);
    sayWhat({ ...given, ...components }, '--published on');
    const asked = { ...requestOf(statusPageChangeRequest, given), ...components };
    const page = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await changeStatusPage(parts, null, id, asked, { isWorkspaceAdmin: true });
      return { result, told: toldOfStatusPage(result, 'status_page.changed') };
    });
    if (words.flag('json')) printJson(context, viewStatusPage(page));
    else context.out(`Changed: status page ${id}, ${printable(page.name)}\n`);
    return exitCodes.fine;
  },
};

export const statusPageSay: Command = {
  name: 'status-page say',
  summary: 'Says how a part of a status page is that no monitor feeds.',
  usage: 'ID COMPONENT working|slow|not_working|planned_work',
  options: {},
  positionals: { least: 3, most: 3 },
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
    const page = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await sayComponent(parts, null, { id, componentId }, state);
      return { result, told: toldOfStatusPage(result, 'status_page.said') };
    });
    if (words.flag('json')) printJson(context, viewStatusPage(page));
    else context.out(`Said: component ${componentId} of ${printable(page.name)} is ${state}\n`);
    return exitCodes.fine;
  },
};

export const statusPageRemove: Command = {
  name: 'status-page remove',
  summary: 'Deletes a status page with its parts.',
  usage: 'ID',
  options: {},
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const id = idOf(words, 'status page');
    const removed = await actAudited(await context.deps(), byCommandLine, async (parts) => {
      const result = await deleteStatusPage(parts, null, id);
      return { result, told: toldOfStatusPage(result, 'status_page.deleted') };
    });
    const previous = viewStatusPage(removed);
    if (words.flag('json')) printJson(context, { deleted: true, previous });
    else context.out(`Removed: status page ${id}, ${printable(previous.name)}\n`);
    return exitCodes.fine;
  },
};

function componentsIn(words: ParsedWords): Pick<StatusPageChangeRequest, 'components'> {
  const text = words.text('components');
  if (text === undefined) return {};
  try {
    const { components } = parseValue(statusPageChangeRequest, { components: JSON.parse(text) as unknown });
    return { components };
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new CommandFailure('--components is no JSON: give a list such as \'[{"name": "Shop"}]\'.');
    }
    throw error;
  }
}

function pageTable(pages: readonly StatusPageView[]): string {
  const rows = pages.map((each) => [
    String(each.status_page_id),
    each.name,
    `/status/${each.slug}`,
    each.hosts.join(', '),
    each.published ? 'everybody' : 'members',
    each.components.length,
    each.state,
  ]);
  return table(['ID', 'NAME', 'AT', 'HOSTS', 'SEEN BY', 'COMPONENTS', 'STATE'], rows);
}

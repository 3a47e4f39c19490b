import { z } from 'zod';
import {
  brandImages,
  componentStates,
  statusPageChangeRequest,
  statusPageRequest,
  subscriberRequest,
} from '../../../schemas/status-pages.ts';
import { createMissingParamsError } from '../../../src/core/errors.ts';
import { findBrandFile, statusModel } from '../../../src/core/page-models/monitoring/status.ts';
import {
  componentModel,
  getStatusPageOfPath,
  newComponentModel,
  statusPageNameModel,
  subscriberModel,
  subscribersModel,
} from '../../../src/core/page-models/monitoring/status-page-forms.ts';
import { statusPageModel, statusPagesModel } from '../../../src/core/page-models/monitoring/status-pages.ts';
import { pageNotFound, pathId, type RequestContext } from '../../../src/core/page-models/request-context.ts';
import {
  createStatusPage,
  deleteStatusPage,
  movePart,
  setComponentState,
  updateStatusPage,
} from '../../../src/core/status-pages/status-pages.ts';
import { createWebhookSubscriber, removeSubscriber } from '../../../src/core/status-pages/subscribers.ts';
import type { StatusPageRecord } from '../../../src/core/store/status-pages.ts';
import { parseValue } from '../../../src/http/api/parse-parameters.ts';
import { action, confirmationForm, file, page, showPage } from '../../../src/http/pages/declarations.ts';
import type { FormValues } from '../../../src/web/components/form.ts';
import {
  componentForm,
  componentPage,
  deleteStatusPagePage,
  newComponentPage,
  newStatusPageForm,
  newStatusPagePage,
  statusPageForm,
} from '../../../src/web/status-pages/forms.ts';
import { statusPagePage } from '../../../src/web/status-pages/settings.ts';
import { accentSheet, statusPage } from '../../../src/web/status-pages/status.ts';
import { statusBadge, statusFeed } from '../../../src/web/status-pages/status-feed.ts';
import { statusPagesPage } from '../../../src/web/status-pages/status-pages.ts';
import {
  deleteSubscriberPage,
  newWebhookForm,
  newWebhookPage,
  subscribersPage,
  webhookAddedPage,
} from '../../../src/web/status-pages/subscribers.ts';

const one = '/status-pages/{slug}';
const part = `${one}/components/{component_id}`;

export function statusPagePages() {
  const stateForm = z.object({ state: z.enum(componentStates, 'Choose a state.') });
  return [
    page('/status-pages', 'viewer', statusPagesModel, statusPagesPage),
    page('/status-pages/new', 'admin', async () => ({}), newStatusPagePage),
    action('/status-pages', 'admin', newStatusPageForm.schema, make, {
      onInvalid: { model: async () => ({}), view: newStatusPagePage },
    }),
    page(one, 'viewer', statusPageModel, statusPagePage),
    action(one, 'admin', statusPageForm.schema, change, {
      onInvalid: { model: statusPageModel, view: statusPagePage },
    }),
    page(`${one}/delete`, 'admin', statusPageNameModel, deleteStatusPagePage),
    action(`${one}/delete`, 'admin', confirmationForm, remove),
    page(`${one}/components/new`, 'admin', newComponentModel, newComponentPage),
    action(`${one}/components`, 'admin', componentForm.schema, describe, {
      onInvalid: { model: newComponentModel, view: newComponentPage },
    }),
    page(part, 'member', componentModel, componentPage),
    action(part, 'admin', componentForm.schema, describe, {
      onInvalid: { model: componentModel, view: componentPage },
    }),
    action(`${part}/state`, 'member', stateForm, (context, { state }) =>
      changeComponentState(context, state),
    ),
    ...subscriberDeclarations(),
    ...statusDeclarations(),
  ];
}

function subscriberDeclarations() {
  const all = `${one}/subscribers`;
  const removal = `${all}/{subscriber_id}/delete`;
  return [
    page(all, 'admin', subscribersModel, subscribersPage),
    page(`${all}/new`, 'admin', statusPageNameModel, newWebhookPage),
    action(all, 'admin', newWebhookForm.schema, addWebhook, {
      onInvalid: { model: statusPageNameModel, view: newWebhookPage },
    }),
    page(removal, 'admin', subscriberModel, deleteSubscriberPage),
    action(removal, 'admin', confirmationForm, dropSubscriber),
  ];
}

async function addWebhook(context: RequestContext, { url }: FormValues<typeof newWebhookForm>) {
  const { id, slug, name } = await getStatusPageOfPath(context);
  const input = parseValue(subscriberRequest, { url });
  const { secret } = await createWebhookSubscriber(context.deps, null, id, input, context.by);
  return showPage((pageContext) => webhookAddedPage({ slug, name }, secret ?? '', pageContext));
}

async function dropSubscriber(context: RequestContext) {
  const page = await getStatusPageOfPath(context);
  const id = pathId(context, 'subscriber_id', 'A subscriber with this number');
  const ids = { pageId: page.id, id };
  await removeSubscriber(context.deps, null, ids, context.by);
  return { to: `${pathOf(page)}/subscribers` };
}

/** The feed comes first, since `{slug}` would match its path. */
function statusDeclarations() {
  return [
    file('/status/{slug}.rss', 'viewer', async (context) => {
      const model = await statusModel(context);
      if (!model.has_feeds) throw pageNotFound('A feed of this page');
      const address = `${context.pagesUrl}/status/${encodeURIComponent(model.slug)}`;
      return { contentType: 'application/rss+xml; charset=utf-8', bytes: statusFeed(model, address) };
    }),
    file('/status/{slug}/badge.svg', 'viewer', async (context) => ({
      contentType: 'image/svg+xml; charset=utf-8',
      bytes: statusBadge(await statusModel(context)),
    })),
    file('/status/{slug}/accent.css', 'viewer', async (context) => {
      const sheet = accentSheet((await statusModel(context)).brand);
      if (sheet === null) throw pageNotFound('An accent colour of this page');
      return { contentType: 'text/css; charset=utf-8', bytes: sheet };
    }),
    ...brandImages.map((kind) =>
      file(`/status/{slug}/${kind}`, 'viewer', async (context) => {
        const { id } = await getStatusPageOfPath(context);
        const image = await findBrandFile(context.deps.store, id, kind);
        if (image === null) throw pageNotFound('An image of this page');
        const { contentType, bytes } = image;
        return { contentType, bytes, contentSecurityPolicy: "sandbox; default-src 'none'" };
      }),
    ),
    page('/status/{slug}', 'viewer', statusModel, statusPage),
  ];
}

async function make(context: RequestContext, form: FormValues<typeof newStatusPageForm>) {
  const input = parseValue(statusPageRequest, form);
  return { to: pathOf(await createStatusPage(context.deps, null, input, context.by)) };
}

/** Saves the form; its button may also move an item or lead to another page. */
async function change(context: RequestContext, form: FormValues<typeof statusPageForm>) {
  const before = await getStatusPageOfPath(context);
  if (form.do === 'delete') return { to: `${pathOf(before)}/delete` };
  const { do: operation = '' } = form;
  const [, direction, kind, target = ''] = /^(up|down)-(group|component)-(.*)$/s.exec(operation) ?? [];
  const names = new Map((form.was ?? []).map((was, at) => [was, form.group?.[at] ?? was]));
  const page = await saved(context, before, (current) => {
    const named = current.components.map((each) => ({ ...each, group: names.get(each.group) ?? each.group }));
    const moved =
      kind === 'group'
        ? ({ what: kind, at: groupsOf(named).indexOf(names.get(target) ?? target) } as const)
        : ({ what: 'component', id: Number(target) } as const);
    const components = direction === undefined ? named : movePart(named, moved, direction === 'up' ? -1 : 1);
    return {
      name: form.name,
      description: form.description ?? '',
      hosts: (form.hosts ?? '').split(/[\s,]+/).filter((host) => host !== ''),
      shows: form.shows ?? [],
      language: form.language,
      published: form.published,
      accent: form.accent ?? '',
      logo: form.logo ?? (form.remove_logo === 'on' ? '' : undefined),
      favicon: form.favicon ?? (form.remove_favicon === 'on' ? '' : undefined),
      components: components.map(({ id, name, group }) => ({ component_id: id, name, group })),
    };
  });
  if (operation === 'add_group') return { to: `${pathOf(page)}/components/new` };
  const [, to] = /^add_component-(.*)$/s.exec(operation) ?? [];
  if (to === undefined) return { to: pathOf(page) };
  // The group may have been renamed.
  const one = before.components.find((each) => each.group === to);
  const group = page.components.find((each) => each.id === one?.id)?.group ?? '';
  return { to: `${pathOf(page)}/components/new`, query: { group } };
}

function groupsOf(components: StatusPageRecord['components']): string[] {
  return [...new Set(components.map(({ group }) => group))];
}

async function describe(
  context: RequestContext,
  { name, group, monitors, do: operation }: FormValues<typeof componentForm>,
) {
  if (operation !== 'remove' && name === undefined) throw createMissingParamsError(['name']);
  const page = await getStatusPageOfPath(context);
  const id = context.path['component_id'] === undefined ? null : componentOf(context, page);
  const edited = { component_id: id, name: name ?? '', group: group ?? '', monitors: monitors ?? [] };
  const isOwn = (each: { readonly component_id: number }): boolean => each.component_id === id;
  const saving = saved(context, page, ({ components }) => {
    const existing = components.map((each) => ({ component_id: each.id, name: each.name }));
    if (operation === 'remove') return { components: existing.filter((each) => !isOwn(each)) };
    return {
      components: id === null ? [...existing, edited] : existing.map((each) => (isOwn(each) ? edited : each)),
    };
  });
  return { to: pathOf(await saving) };
}

async function changeComponentState(context: RequestContext, state: (typeof componentStates)[number]) {
  const page = await getStatusPageOfPath(context);
  const componentId = componentOf(context, page);
  const part = { id: page.id, componentId };
  return {
    to: pathOf(await setComponentState(context.deps, null, part, state, context.by)),
  };
}

function componentOf(context: RequestContext, { components }: StatusPageRecord): number {
  const label = 'A component with this number';
  const number = pathId(context, 'component_id', label);
  if (!components.some(({ id }) => id === number)) throw pageNotFound(label);
  return number;
}

/** The change is computed from the current page, which may have been changed meanwhile. */
async function saved(
  context: RequestContext,
  { id }: StatusPageRecord,
  askedOf: (page: StatusPageRecord) => object,
): Promise<StatusPageRecord> {
  const read = (page: StatusPageRecord) => parseValue(statusPageChangeRequest, askedOf(page));
  // The server's own host cannot become that of a status page.
  const askedAt = URL.parse(context.pagesUrl)?.host;
  return updateStatusPage(context.deps, null, id, read, context.by, askedAt);
}

async function remove(context: RequestContext) {
  const { id } = await getStatusPageOfPath(context);
  await deleteStatusPage(context.deps, null, id, context.by);
  return { to: '/status-pages' };
}

function pathOf({ slug }: Pick<StatusPageRecord, 'slug'>): string {
  return `/status-pages/${encodeURIComponent(slug)}`;
}

import { issueBulkForm } from '../../schemas/issues.ts';
import { undoBulkAction } from '../../src/core/issues/bulk-undo.ts';
import { runBulkAction } from '../../src/core/page-models/issues/bulk-actions.ts';
import { completeIssueSearch } from '../../src/core/page-models/issues/completions.ts';
import { issuesModel } from '../../src/core/page-models/issues/list.ts';
import { listIssueViews } from '../../src/core/page-models/issues/views.ts';
import { pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import {
  createSavedView,
  deleteSavedView,
  getPageSettings,
  ownerIdOf,
  updatePageSettings,
  updateSavedView,
} from '../../src/core/saved-views/saved-views.ts';
import { action, file, goBack, noForm, page, showPage } from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import { bulkQuestionPage } from '../../src/web/issues/bulk-bar.ts';
import { issuesPage } from '../../src/web/issues/list.ts';
import {
  defaultViewForm,
  newViewForm,
  newViewPage,
  settingsForm,
  settingsPage,
  shareForm,
  viewSearchForm,
  viewsPage,
} from '../../src/web/issues/saved-views.ts';

export function issueListPages() {
  return [
    page('/issues', 'viewer', issuesModel, issuesPage),
    file('/issues/completions', 'viewer', async (context) => ({
      contentType: 'application/json; charset=utf-8',
      bytes: `${JSON.stringify(await completeIssueSearch(context))}\n`,
    })),
    action('/issues/bulk', 'member', issueBulkForm, async (context, form) => {
      const done = await runBulkAction(context, form);
      if ('question' in done) return showPage((pageContext) => bulkQuestionPage(done.question, pageContext));
      if (form.sure === undefined) return goBack(done.notice);
      // The question was a page of its own: back to the list that it was about.
      const { view, query, range, environment, sort } = form;
      return { to: '/issues', query: { view, query, range, environment, sort }, ...done };
    }),
    action('/issues/bulk/{bulk_id}/undo', 'member', noForm, async (context) => {
      const id = pathId(context, 'bulk_id', 'An action with this number');
      const { restored, unchanged } = await undoBulkAction(
        context.deps,
        ownerIdOf(context.currentUser),
        id,
        context.by,
      );
      return goBack(`issues-undone.${restored}.${unchanged}`);
    }),
    page('/issues/views', 'viewer', async (context) => ({ views: await listIssueViews(context) }), viewsPage),
    page(
      '/issues/views/new',
      'viewer',
      async ({ query }) => ({
        query: (query.get('query') ?? '').slice(0, 1_000),
        sort: query.get('sort') ?? 'last_seen',
      }),
      newViewPage,
    ),
    ...viewActions(),
    page('/settings', 'viewer', settingsModel, settingsPage),
    action(
      '/settings',
      'viewer',
      settingsForm.schema,
      async (context, { timezone: timeZone, shortcuts }) => {
        const change = { timeZone, hasShortcuts: shortcuts === 'on' };
        await updatePageSettings(context.deps, context.currentUser, change, context.by);
        return goBack('settings-saved');
      },
      { onInvalid: { model: settingsModel, view: settingsPage } },
    ),
  ];
}

function viewActions() {
  const minRole = 'viewer';
  const idOf = (context: RequestContext): number =>
    pathId(context, 'view_id', 'One of your views with this number');
  return [
    action('/issues/views', minRole, newViewForm.schema, createView, {
      onInvalid: {
        model: async (_context, { values: { query = '', sort = 'last_seen' } }) => ({
          query: String(query),
          sort: String(sort),
        }),
        view: newViewPage,
      },
      fieldOf: { notifier_saved_view_name: 'name', notifier_saved_views_max: 'name' },
    }),
    action(
      '/issues/views/default',
      minRole,
      defaultViewForm.schema,
      async (context, { view: defaultView }) => {
        await updatePageSettings(context.deps, context.currentUser, { defaultView }, context.by);
        return goBack('view-default');
      },
    ),
    action(
      '/issues/views/{view_id}',
      minRole,
      viewSearchForm.schema,
      async (context, { query = '', sort = 'last_seen' }) => {
        await updateSavedView(context.deps, context.currentUser, idOf(context), { query, sort }, context.by);
        return goBack('view-saved');
      },
    ),
    // What they shared as a member, a viewer may take back.
    action('/issues/views/{view_id}/share', minRole, shareForm.schema, async (context, { shared }) => {
      const change = { isShared: shared === 'yes' };
      await updateSavedView(context.deps, context.currentUser, idOf(context), change, context.by);
      return goBack('view-saved');
    }),
    action('/issues/views/{view_id}/delete', minRole, noForm, async (context) => {
      await deleteSavedView(context.deps, context.currentUser, idOf(context), context.by);
      return { to: '/issues/views', notice: 'view-deleted' };
    }),
  ];
}

async function createView(
  context: RequestContext,
  { name, shared, query = '', sort = 'last_seen' }: FormValues<typeof newViewForm>,
) {
  const fields = { name, query, sort, isShared: shared === 'on' };
  const { id } = await createSavedView(context.deps, context.currentUser, fields, context.by);
  return { to: '/issues', query: { view: id }, notice: 'view-saved' };
}

async function settingsModel({ deps, currentUser }: RequestContext) {
  const { timeZone, hasShortcuts } = await getPageSettings(deps, currentUser);
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  return { time_zone: timeZone, time_zones: zones, shortcuts: hasShortcuts };
}

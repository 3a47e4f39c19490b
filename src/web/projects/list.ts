import type { ProjectRowView, ProjectsModel } from '../../core/page-models/projects/list.ts';
import { sparkline } from '../charts/sparkline.ts';
import { dialogButton, formDialog } from '../components/dialog-forms.ts';
import { bidiIsolated, emptyState, noneText, noResults } from '../components/elements.ts';
import { listPage } from '../components/list.ts';
import { type Column, column, titleCell } from '../components/table.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatCountOrDash, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { newProjectDialogForm } from './forms.ts';
import { heldBackNote } from './processing.ts';

const path = '/projects';

export function projectsPage(model: ProjectsModel, context: PageContext): PageContent {
  const { filters, found, platforms, projects, retention, newer, older } = model;
  const make = [
    dialogButton(context, newProjectDialogForm, { word: 'New project…', class: 'btn primary' }),
    formDialog(context, newProjectDialogForm),
  ];
  const { q, platform } = filters;
  const hasPlatforms = platforms.length > 0 || platform !== null;
  return listPage(context, {
    path,
    title: 'Projects',
    head: { actions: context.currentUser?.canManage === true && model.total > 0 ? make : null },
    intro: retention === null ? null : heldBackNote(retention),
    filters: {
      search: { label: 'Search projects', hint: 'Name or host', value: q },
      choices: hasPlatforms
        ? [
            {
              name: 'platform',
              label: 'Platform',
              any: 'Any platform',
              choices: platforms,
              chosen: platform,
            },
          ]
        : [],
    },
    noRows: emptyList(model, context),
    caption: 'Projects, most events first',
    columns: columns(context),
    rows: projects,
    pages: { query: { q, platform }, newer, older, all: found, noun: ['project'], isForMany: true },
    below: projects.length === 0 ? null : openIssues(model),
  });
}

function emptyList({ filters, total }: ProjectsModel, context: PageContext): VNode {
  if (total > 0 && (filters.q !== null || filters.platform !== null)) {
    const all = pageLink(context, path, null, 'Show all projects');
    const words =
      filters.q === null ? null : ['has ', bidiIsolated(filters.q), ' in its name or in one of its hosts'];
    const platform =
      filters.platform === null ? null : ['has issues of the platform ', bidiIsolated(filters.platform)];
    const hasBoth = words !== null && platform !== null;
    return noResults(
      context,
      'No projects match',
      ['None ', words, hasBoth ? ' and ' : null, platform, '.'],
      all,
    );
  }
  if (total > 0) {
    return emptyState('No more projects', 'This page is after the end of the list.', [
      pageLink(context, path, null, 'First page'),
    ]);
  }
  const description = 'Errors, feedback and releases are sent to a project with its keys.';
  const make = pageLink(context, '/projects/new', { class: 'btn primary' }, 'Create project');
  return emptyState(
    'No projects yet',
    description,
    context.currentUser?.canManage === true ? make : 'Ask an admin to create one.',
  );
}

function openIssues({ open_issues: open, found }: ProjectsModel): VNode {
  const projectsText = found === 1 ? 'it' : 'these projects';
  return html`<p class="small dim legend">
    ${`${counted(open, 'issue')} ${open === 1 ? 'is' : 'are'} unresolved in ${projectsText}.`}
  </p>`;
}

function columns(context: PageContext): Array<Column<ProjectRowView>> {
  const seen = ({ last_event_at: at }: ProjectRowView): VNode | null =>
    at === null ? null : timeAgo(at, context.nowMs);
  return [
    { name: 'Project', row: (project) => title(project, seen(project), context) },
    {
      name: '24 h',
      class: 'd3',
      cell: ({ hours, events_24h: events }) =>
        sparkline({ values: hours, name: `${counted(events, 'event')} in 24 hours` }),
    },
    column('Events, 24 h', 'r d5 w6', 'r d5', ({ events_24h: events }) => formatCountOrDash(events)),
    column('Unresolved', 'r d2 w5', 'r d2', ({ project_id: project, open_issues: open }) =>
      open === 0 ? '–' : pageLink(context, { path: '/issues', query: { project } }, null, count(open)),
    ),
    column('Last event', 'd2 w7 seen', 'd2 seen', (project) => seen(project) ?? noneText('never')),
    column('Latest release', 'd1 w8', 'd1', ({ project_id: project, newest_release: newest }) => {
      if (newest === null) return noneText();
      const to = { path: `/releases/${newest.release_id}`, query: { project } };
      return pageLink(context, to, null, bidiIsolated(newest.version));
    }),
  ];
}

function title(project: ProjectRowView, seen: VNode | null, context: PageContext): VNode {
  const { project_id: id, newest_release: release, open_issues: open, events_24h: events } = project;
  return titleCell(context, {
    path: `${path}/${id}`,
    title: project.name,
    subtitle: sdkAndHosts(project),
    folded: [
      ['f5', [html`<b>${count(events)}</b>`, events === 1 ? ' event' : ' events']],
      ['f2', open === 0 ? null : [html`<b>${count(open)}</b>`, ' open']],
      ['f2', seen],
      ['f1', release === null ? null : bidiIsolated(release.version)],
    ],
  });
}

function sdkAndHosts({ sdk, hosts, host_count: hostCount }: ProjectRowView): Content {
  const more = hostCount - hosts.length;
  const text = more > 0 ? `${hosts.join(', ')} and ${count(more)} more` : hosts.join(', ');
  if (sdk === null && text === '') return 'no events yet';
  return [
    sdk === null ? null : bidiIsolated(sdk),
    sdk === null || text === '' ? null : ' ',
    text === '' ? null : html`<code>${bidiIsolated(text)}</code>`,
  ];
}

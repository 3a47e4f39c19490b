// The page of all projects: what came in a day, what is open, what was released last.
import type { VNode } from 'preact';
import type { ProjectRowView, ProjectsModel } from '../../core/workspace/projects/list.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingDialog, opener } from '../parts/asking.ts';
import { askForm, searchField, select, submit } from '../parts/controls.ts';
import { empty, hiddenCaption, nothingFits, outside, pageHead, pager } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { cell, columnHead, headRow, titleCell } from '../parts/table.ts';
import { ago } from '../parts/time.ts';
import { spark } from '../plots/spark.ts';
import { count, counted, countOrDash } from '../words/numbers.ts';
import { heldBack } from './care.ts';
import { newProjectAsking } from './forms.ts';

/** Projects, those with most events first. */
export function projectsPage(model: ProjectsModel, frame: Frame): PageContent {
  const mayManage = frame.visitor?.canManage === true;
  const make = [
    ...opener(frame, newProjectAsking, { word: 'Make a project…', class: 'btn primary' }),
    askingDialog(frame, newProjectAsking),
  ];
  return {
    title: 'Projects',
    main: [
      pageHead({ title: 'Projects', ...(mayManage ? { acts: make } : {}) }),
      model.retention === null ? null : heldBack(model.retention),
      askForm(
        frame,
        { path: '/projects', label: 'Filter' },
        searchField('q', 'Search projects', 'Name or host', model.asked.q),
        ...platformChoice(model),
        submit('Apply'),
      ),
      model.projects.length === 0 ? nothing(model, frame) : table(model, frame),
    ],
  };
}

/** The platforms there are; one that is asked for and not there is a choice too, so that it is seen. */
function platformChoice({ asked, platforms }: ProjectsModel): Content[] {
  const all = [...new Set([...platforms, ...(asked.platform === null ? [] : [asked.platform])])];
  if (all.length === 0) return [];
  const choices = [{ value: '', name: 'Any platform' }, ...all.map((name) => ({ value: name, name }))];
  return select({ id: 'platform', name: 'platform', label: 'Platform' }, choices, asked.platform);
}

function nothing({ asked, total }: ProjectsModel, frame: Frame): VNode {
  if (total > 0 && (asked.q !== null || asked.platform !== null)) {
    const all = pageLink(frame, { path: '/projects' }, null, 'Show all projects');
    const words = asked.q === null ? null : ['has ', outside(asked.q), ' in its name or in one of its hosts'];
    const platform =
      asked.platform === null ? null : ['has issues of the platform ', outside(asked.platform)];
    const both = words !== null && platform !== null;
    return nothingFits(frame, 'No project fits', ['None ', words, both ? ' and ' : null, platform, '.'], all);
  }
  if (total > 0) {
    return empty('No more projects', 'The list ends before this page.', [
      pageLink(frame, { path: '/projects' }, null, 'To its beginning'),
    ]);
  }
  const why = 'Errors, reports and releases are sent to a project, with its keys.';
  const make = pageLink(frame, { path: '/projects/new' }, null, 'Make the first');
  return empty('No project yet', why, frame.visitor?.canManage === true ? make : 'An admin makes one.');
}

function table(model: ProjectsModel, frame: Frame): Content[] {
  const heads = [
    columnHead('Project'),
    columnHead('24 h', 'd3'),
    columnHead('Events, 24 h', 'r d5 w6'),
    columnHead('Open', 'r d2 w5'),
    columnHead('Last event', 'd2 w7 seen'),
    columnHead('Newest release', 'd1 w8'),
  ];
  const { asked, found, projects, newer, older } = model;
  const all = el(
    'table',
    { class: 't list' },
    hiddenCaption('Projects, most events first'),
    headRow(...heads),
    el('tbody', null, ...projects.map((each) => row(each, frame))),
  );
  const way = (page: number | null) =>
    page === null ? null : { q: asked.q, platform: asked.platform, page: page === 1 ? null : page };
  const pages =
    newer === null && older === null
      ? null
      : pager(frame, {
          path: '/projects',
          said: `${count(projects.length)} of ${counted(found, 'project')}`,
          newer: way(newer),
          older: way(older),
        });
  const open = model.open_issues;
  const said = `${counted(open, 'issue')} ${open === 1 ? 'is' : 'are'} open in ${found === 1 ? 'it' : 'all of these'}.`;
  return [all, pages, el('p', { class: 'small dim legend' }, said)];
}

function row(project: ProjectRowView, frame: Frame): VNode {
  const { project_id: id, newest_release: release, open_issues: open, events_24h: events } = project;
  const seen = project.last_event_at === null ? null : ago(project.last_event_at, frame.nowMs);
  const version = release === null ? null : outside(release.version);
  const openLink = pageLink(frame, { path: '/issues', query: { project: id } }, null, count(open));
  const releasePath = { path: `/releases/${release?.release_id}`, query: { project: id } };
  return el(
    'tr',
    null,
    titleCell(frame, {
      path: `/projects/${id}`,
      title: project.name,
      place: place(project),
      folded: [
        el('span', { class: 'f5' }, el('b', null, count(events)), events === 1 ? ' event' : ' events'),
        open === 0 ? null : el('span', { class: 'f2' }, el('b', null, count(open)), ' open'),
        seen === null ? null : el('span', { class: 'f2' }, seen),
        version === null ? null : el('span', { class: 'f1' }, version),
      ],
    }),
    cell(spark({ values: project.hours, name: `${counted(events, 'event')} in 24 hours` }), 'd3'),
    cell(countOrDash(events), 'r d5'),
    cell(open === 0 ? '–' : openLink, 'r d2'),
    cell(seen ?? el('span', { class: 'dim' }, 'not yet'), 'd2 seen'),
    cell(
      version === null ? el('span', { class: 'dim' }, 'none') : pageLink(frame, releasePath, null, version),
      'd1',
    ),
  );
}

function place({ sdk, hosts, host_count: hostCount }: ProjectRowView): Content {
  const more = hostCount - hosts.length;
  const said = more > 0 ? `${hosts.join(', ')} and ${count(more)} more` : hosts.join(', ');
  if (sdk === null && said === '') return 'nothing was sent yet';
  return [
    sdk === null ? null : outside(sdk),
    sdk === null || said === '' ? null : ' ',
    said === '' ? null : el('code', null, outside(said)),
  ];
}

import { inboundFiltersRequest } from '../../../schemas/inbound-filters.ts';
import { commandLineSource } from '../../core/audit/audit.ts';
import { updateInboundFilters, viewInboundFilters } from '../../core/projects/inbound-filters.ts';
import type { Project } from '../../core/store/projects.ts';
import { getProject } from '../project-option.ts';
import { resourceCommands } from '../resource.ts';

export const inboundFilterCommands = resourceCommands({
  name: 'inbound-filter',
  noun: 'inbound filters of project',
  view: (project: Project) => ({
    project_id: project.id,
    name: project.name,
    ...viewInboundFilters(project),
  }),
  title: ({ name }) => name,
  target: (deps, args) => getProject(deps, args.positionals[0] ?? ''),
  show: {
    summary: 'Show which inbound filters of a project are on.',
    usage: 'PROJECT',
    read: async (_deps, project: Project) => project,
  },
  update: {
    summary:
      'Choose which events of a project are dropped before they are stored. All filters are off by default.',
    usage: 'PROJECT [--web-crawlers on|off] [--releases LIST] [--error-messages LIST] …',
    schema: inboundFiltersRequest,
    example: '--web-crawlers on',
    examples: [
      'inbound-filter update shop --web-crawlers on --localhost on',
      "inbound-filter update shop --error-messages 'ResizeObserver loop*,*Script error*'",
    ],
    run: (deps, project, changes) => updateInboundFilters(deps, project, changes, commandLineSource),
    message: (view) => `Project ${view.project_id} "${view.name}": ${filtersOn(view)}.`,
  },
});

function filtersOn(view: ReturnType<typeof viewInboundFilters>): string {
  const on = Object.entries(view).flatMap(([name, value]) => {
    if (value === true) return [name];
    return Array.isArray(value) && value.length > 0 ? [`${name} ${value.join(' ')}`] : [];
  });
  return on.length === 0 ? 'no inbound filter is on' : on.join(', ');
}

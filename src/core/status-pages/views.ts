import type { StatusPageView } from '../../../schemas/status-pages.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { StatusPageRecord } from '../store/status-pages/status-page-records.ts';
import { worstState } from './states.ts';

export function viewStatusPage(page: StatusPageRecord): StatusPageView {
  return {
    status_page_id: page.id,
    slug: page.slug,
    name: page.name,
    description: page.line,
    published: page.isPublic,
    hosts: [...page.hosts],
    shows: [...page.shows],
    language: page.language,
    state: worstState(page.components.map(({ state }) => state)),
    components: page.components.map(({ id, name, group, monitorIds, state }) => ({
      component_id: id,
      name,
      group,
      monitors: [...monitorIds],
      state,
    })),
    created_at: formatTime(page.createdAtMs),
    created_by: page.createdBy,
  };
}

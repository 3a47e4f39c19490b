import type { StatusPageView } from '../../../schemas/status-pages.ts';
import { momentText } from '../reading/moments.ts';
import type { KeptStatusPage } from '../store/status-pages/keeping.ts';
import { worstState } from './states.ts';

export function viewStatusPage(page: KeptStatusPage): StatusPageView {
  return {
    status_page_id: page.id,
    slug: page.slug,
    name: page.name,
    description: page.line,
    published: page.isPublic,
    hosts: [...page.hosts],
    shows: [...page.shows],
    state: worstState(page.components.map(({ state }) => state)),
    components: page.components.map(({ id, name, group, monitorIds, state }) => ({
      component_id: id,
      name,
      group,
      monitors: [...monitorIds],
      state,
    })),
    created_at: momentText(page.createdAtMs),
    created_by: page.createdBy,
  };
}

import type { StatusPageView } from '../../../schemas/status-pages.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { BrandImageInfo, StatusPageRecord } from '../store/status-pages.ts';
import { worstState } from './states.ts';

function viewBrandImage(image: BrandImageInfo | null): StatusPageView['logo'] {
  if (image === null) return null;
  const { contentType, width, height, size } = image;
  return { content_type: contentType, width, height, bytes: size };
}

export function viewStatusPage(page: StatusPageRecord): StatusPageView {
  return {
    status_page_id: page.id,
    slug: page.slug,
    name: page.name,
    description: page.description,
    published: page.isPublic,
    hosts: [...page.hosts],
    shows: [...page.shows],
    language: page.language,
    accent: page.accent,
    logo: viewBrandImage(page.images.logo),
    favicon: viewBrandImage(page.images.favicon),
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

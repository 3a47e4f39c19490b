// What the history is told of acts on status pages.
import type { KeptStatusPage } from '../store/status-pages/keeping.ts';
import type { AuditedAct } from './audit.ts';

/** Something that was done with a status page. */
export function toldOfStatusPage(
  { slug, projectId, name, isPublic, hosts, components }: KeptStatusPage,
  action: `status_page.${'created' | 'changed' | 'said' | 'deleted'}`,
): AuditedAct {
  const parts = `${components.length} ${components.length === 1 ? 'component' : 'components'}`;
  const summary = [isPublic ? 'public' : 'for members', parts, ...hosts].join(', ');
  return {
    action,
    object: { kind: 'status_page', id: slug, name },
    projectId,
    summary: action === 'status_page.deleted' ? '' : summary,
  };
}

import type { SentryOrganization, SentryProject } from '../../../schemas/sentry-api.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Project } from '../store/projects.ts';

export function viewSentryProject({ id, name, createdAtMs }: Project): SentryProject {
  return { id: String(id), slug: name, name, dateCreated: formatTime(createdAtMs), team: null };
}

/** As old as the oldest of the projects that the caller sees. */
export function viewSentryOrganization(projects: readonly Project[]): SentryOrganization {
  const createdAtMs = Math.min(...projects.map((project) => project.createdAtMs));
  return {
    id: '1',
    slug: 'notifier',
    name: 'Notifier',
    dateCreated: formatTime(createdAtMs),
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    features: [],
  };
}

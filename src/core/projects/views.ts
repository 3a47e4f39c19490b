import type { Config } from '../config/config.ts';
import { createDsns, type DsnForms } from '../config/public-urls.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { Project, ProjectKey } from '../store/projects.ts';
import { viewInboundFilters } from './inbound-filters.ts';
import { type CreatedKey, isKeyValid, maskKey } from './keys.ts';
import type { CreatedProject } from './projects.ts';

export function viewProject(project: Project) {
  return {
    project_id: project.id,
    name: project.name,
    created_at: formatTime(project.createdAtMs),
    grouping: project.groupingVersion,
    scrub_fields: project.scrubFields,
    store_ip: project.storeIpAddresses,
    bug_reports: project.bugReports,
    inbound_filters: viewInboundFilters(project),
  };
}

/** With the full keys, which are shown only once. */
export function viewCreatedProject({ project, publicKey, secretKey }: CreatedProject, config: Config) {
  return {
    project_id: project.id,
    name: project.name,
    public_key: publicKey.text,
    secret_key: secretKey.text,
    ...viewDsns(createDsns(config, publicKey.text, project.id)),
  };
}

/** Null if the key cannot be part of a DSN. */
export function viewDsns(dsns: DsnForms | null) {
  return { dsn: dsns?.dsn ?? null, long_dsn: dsns?.longDsn ?? null };
}

/** Secret keys are masked. `nowMs` decides `live`. */
export function viewKey(key: ProjectKey, nowMs: number) {
  return {
    key_id: key.id,
    project_id: key.projectId,
    kind: key.kind,
    key: key.publicKey ?? maskKey(key),
    live: isKeyValid(key, nowMs),
    imported: key.imported,
    label: key.label,
    scopes: key.scopes,
    allowed_origins: key.allowedOrigins,
    created_at: formatTime(key.createdAtMs),
    expires_at: formatTime(key.expiresAtMs),
    revoked_at: formatTime(key.revokedAtMs),
    last_used_at: formatTime(key.lastUsedAtMs),
  };
}

/** With the full key, which is shown only once, and the DSN of a public key. */
export function viewCreatedKey({ key, text }: CreatedKey, config: Config) {
  const dsns = key.kind === 'public' ? viewDsns(createDsns(config, text, key.projectId)) : {};
  return { key_id: key.id, project_id: key.projectId, kind: key.kind, key: text, ...dsns };
}

// Applies the configuration at every start, in one transaction: a refused start changes nothing.

import type { Config, ConfiguredDomain } from '../config/config.ts';
import { ConfigError } from '../config/parse-values.ts';
import type { Deps } from '../deps.ts';
import { randomBase62 } from '../ids.ts';
import { commandName } from '../parsing/command-name.ts';
import { adminTokenSetting } from '../store/members.ts';
import type { KeyKind, Project, ProjectKey } from '../store/projects.ts';
import { lastStartSetting } from '../store/setting-names.ts';
import type { StartupStore } from '../store/store.ts';
import { buildKey, detectKeyForm, generateKey, hashKey, hasValidChecksum, isKeyValid } from './keys.ts';

/** Keys and the token are only set if created now, because they are shown once. */
export interface StartResult {
  /** The configured project; null if the configuration names none. */
  readonly project: Project | null;
  readonly isNew: boolean;
  readonly projectsCount: number;
  readonly publicKey: string | null;
  readonly secretKey: string | null;
  readonly adminToken: string | null;
  /** Settings and hosts that were added to an existing project. */
  readonly added: readonly string[];
  readonly warnings: readonly string[];
}

type ServiceDeps = Pick<Deps, 'config' | 'now' | 'randomBytes'> & { readonly store: StartupStore };

const firstProjectName = 'default';
const firstDomains: readonly ConfiguredDomain[] = [{ host: 'localhost', bugReports: true }];

/** Creates the first project, later adds configured keys and domains. `onCreated` runs before the commit and must be
 * synchronous: if it throws nothing is stored, so no key exists that nobody has seen. Throws ConfigError. */
export async function applyConfiguration(
  deps: Deps,
  onCreated: (settled: StartResult) => void,
): Promise<StartResult> {
  return deps.store.transaction(async (store) => {
    const txDeps = { ...deps, store };
    // Takes the write lock: a second server that starts now waits, and then finds what the first one created.
    await store.setSetting(lastStartSetting, String(deps.now()));
    const settled = await applyProject(txDeps);
    const adminToken = await applyAdminToken(txDeps);
    const result = { ...settled, adminToken };
    onCreated(result);
    return result;
  });
}

async function applyProject(deps: ServiceDeps): Promise<Omit<StartResult, 'adminToken'>> {
  const projects = await deps.store.listProjects();
  if (projects.length === 0) return makeProject(deps);
  const { config } = deps;
  const project = findConfiguredProject(projects, config.projectName);
  const projectsCount = projects.length;
  const nothingMade = { isNew: false, publicKey: null, secretKey: null };
  if (project === null) {
    return {
      ...nothingMade,
      project,
      projectsCount,
      added: [],
      warnings: warnWithoutProject(config, projects),
    };
  }
  const warnings: string[] = [];
  const added: string[] = [];
  for (const { kind, variable, text } of configuredKeys(config)) {
    const { key, created } = await addConfiguredKey(deps, project, kind, variable, text);
    if (created) added.push(variable);
    else if (!isKeyValid(key, deps.now())) warnings.push(endedKey(variable, key));
  }
  for (const domain of config.domains ?? []) {
    const { created } = await deps.store.addDomain(domainOf(project, domain, deps.now()));
    if (created) added.push(domain.host);
  }
  return { ...nothingMade, project, projectsCount, added, warnings };
}

async function makeProject(deps: ServiceDeps): Promise<Omit<StartResult, 'adminToken'>> {
  const { config, store, now, randomBytes } = deps;
  const project = await store.createProject({
    name: config.projectName ?? firstProjectName,
    createdAtMs: now(),
    // Configured domains mean a website, so user feedback from apps is off.
    bugReports: (config.domains ?? []).length === 0,
  });
  const texts = { public: config.publicKey ?? '', secret: config.secretKey ?? '' };
  const configured = configuredKeys(config);
  for (const { kind, variable, text } of configured)
    await addConfiguredKey(deps, project, kind, variable, text);
  for (const kind of ['public', 'secret'] as const) {
    if (configured.some((each) => each.kind === kind)) continue;
    texts[kind] = generateKey(kind, randomBytes);
    const key = { projectId: project.id, kind, text: texts[kind], isImported: false, createdAtMs: now() };
    await store.createKey(buildKey(key));
  }
  for (const domain of config.domains ?? firstDomains)
    await store.addDomain(domainOf(project, domain, now()));
  return {
    project,
    isNew: true,
    projectsCount: 1,
    publicKey: texts.public,
    secretKey: config.secretKey === null ? texts.secret : null,
    added: [],
    warnings: [],
  };
}

/** The project of that name; without a name the only one, or the one named `default`. */
function findConfiguredProject(projects: readonly Project[], name: string | null): Project | null {
  const [first, ...others] = projects;
  if (name === null && first !== undefined && others.length === 0) return first;
  return projects.find((project) => project.name === (name ?? firstProjectName)) ?? null;
}

function warnWithoutProject(config: Config, projects: readonly Project[]): string[] {
  const names = projects.slice(0, 5).map((project) => `"${project.name}"`);
  const known = `${names.join(', ')}${projects.length > names.length ? ' …' : ''}`;
  const waiting = [
    ...configuredKeys(config).map(({ variable }) => variable),
    ...(config.domains === null ? [] : ['NOTIFIER_DOMAINS']),
  ];
  if (config.projectName === null) {
    if (waiting.length === 0) return [];
    throw new ConfigError(
      `NOTIFIER_PROJECT is not set, and there are ${projects.length} projects (${known}). Set it to the project that ${waiting.join(', ')} belongs to.`,
    );
  }
  const named = `NOTIFIER_PROJECT is "${config.projectName}", but no project has this name (existing: ${known})`;
  if (waiting.length === 0) return [`${named}. A project is only created if there is none yet.`];
  throw new ConfigError(
    `${named}, and ${waiting.join(', ')} needs it. Use an existing one, or create it: ${commandName} project create "${config.projectName}".`,
  );
}

interface ConfiguredKey {
  readonly kind: KeyKind;
  readonly variable: string;
  readonly text: string;
}

function configuredKeys(config: Config): ConfiguredKey[] {
  const keys = [
    { kind: 'public', variable: 'NOTIFIER_PUBLIC_KEY', text: config.publicKey },
    { kind: 'secret', variable: 'NOTIFIER_SECRET_KEY', text: config.secretKey },
  ] as const;
  return keys.flatMap(({ text, ...key }) => (text === null ? [] : [{ ...key, text }]));
}

/** Adds a configured key, unless the project has it. Throws ConfigError if another project or kind has it. */
async function addConfiguredKey(
  { store, now }: ServiceDeps,
  project: Project,
  kind: KeyKind,
  variable: string,
  text: string,
): Promise<{ key: ProjectKey; created: boolean }> {
  const { key, created } = await store.addKey(
    buildKey({ projectId: project.id, kind, text, isImported: true, createdAtMs: now() }),
  );
  if (key.projectId !== project.id) {
    const other = await store.findProject(key.projectId);
    const whose = `project ${key.projectId}${other === null ? '' : ` "${other.name}"`}`;
    throw new ConfigError(
      `${variable} is a key of ${whose}, but the settings are for project ${project.id} "${project.name}". Correct NOTIFIER_PROJECT, or use another key.`,
    );
  }
  if (key.kind !== kind) {
    throw new ConfigError(
      `${variable} is key ${key.id} of project ${project.id} "${project.name}", which is a ${key.kind} key. Use a ${kind} key.`,
    );
  }
  return { key, created };
}

function endedKey(variable: string, { id, revokedAtMs, kind }: ProjectKey): string {
  const ended = revokedAtMs === null ? 'has expired' : 'was revoked';
  return `${variable} is key ${id}, which ${ended}, so requests with it are refused with 401. Remove it from the settings, or create a new one: ${commandName} key create ${kind}.`;
}

function domainOf({ id: projectId }: Project, domain: ConfiguredDomain, createdAtMs: number) {
  return { projectId, ...domain, createdAtMs };
}

/** Returns a newly created token; only its hash is stored. A configured token replaces the previous one. */
async function applyAdminToken({ config, store, randomBytes }: ServiceDeps): Promise<string | null> {
  if (config.adminToken !== null) {
    await store.setSetting(adminTokenSetting, hashKey(config.adminToken));
    return null;
  }
  if ((await store.findSetting(adminTokenSetting)) !== null) return null;
  return rotateAdminToken({ store, randomBytes });
}

export async function rotateAdminToken(
  deps: Pick<Deps, 'randomBytes'> & { readonly store: Pick<StartupStore, 'setSetting'> },
): Promise<string> {
  const token = `ntf_admin_${randomBase62(43, deps.randomBytes)}`;
  await deps.store.setSetting(adminTokenSetting, hashKey(token));
  return token;
}

/** Warnings for configured keys of the wrong kind, or with a wrong checksum (typing mistakes). */
export function listKeyWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (config.publicKey !== null && detectKeyForm(config.publicKey) === 'secret') {
    warnings.push('NOTIFIER_PUBLIC_KEY looks like a secret key, and would be visible on every page.');
  }
  if (config.secretKey !== null && detectKeyForm(config.secretKey) === 'public') {
    warnings.push('NOTIFIER_SECRET_KEY looks like a public key.');
  }
  const named = { NOTIFIER_PUBLIC_KEY: config.publicKey, NOTIFIER_SECRET_KEY: config.secretKey };
  for (const [name, key] of Object.entries(named)) {
    if (key === null || detectKeyForm(key) === null || hasValidChecksum(key)) continue;
    warnings.push(`${name} looks like a mistyped key: its checksum is wrong.`);
  }
  return warnings;
}

// The first start: one project with its keys and domains, and the workspace token. A second start finds them and changes nothing.
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { checksumHolds, hashKey, issueKey, kindByForm, randomBase62 } from './keys.ts';
import type { Project } from './store.ts';

export interface FirstRun {
  readonly project: Project;
  readonly publicKey: string;
  readonly secretKey: string;
}

const adminTokenSetting = 'admin_token_hash';

/**
 * Makes the first project where there is none: keys at random or those of the configuration, taken over as they are,
 * and its domains. Answers null, and writes nothing, where a project is there already.
 */
export async function ensureFirstProject(deps: Deps): Promise<FirstRun | null> {
  if ((await deps.store.listProjects()).length > 0) return null;
  const { config, store } = deps;
  const project = await store.createProject({ name: config.projectName, createdAtMs: deps.now() });
  const publicKey = await issueKey(deps, project.id, 'public', imported(config.publicKey));
  const secretKey = await issueKey(deps, project.id, 'secret', imported(config.secretKey));
  for (const domain of config.firstDomains) {
    await store.addDomain({ projectId: project.id, ...domain, createdAtMs: deps.now() });
  }
  return { project, publicKey: publicKey.text, secretKey: secretKey.text };
}

/**
 * Sees to the token that signs in to the workspace. Answers its text only when it was made now: it is kept as a digest.
 * A token of the configuration replaces the one before.
 */
export async function ensureAdminToken(deps: Deps): Promise<string | null> {
  const { config, store } = deps;
  if (config.adminToken !== null) {
    await store.setSetting(adminTokenSetting, hashKey(config.adminToken));
    return null;
  }
  if ((await store.getSetting(adminTokenSetting)) !== null) return null;
  return rotateAdminToken(deps);
}

/** Makes a new workspace token; the old one ends at once. */
export async function rotateAdminToken(deps: Pick<Deps, 'store' | 'randomBytes'>): Promise<string> {
  const token = `ntf_admin_${randomBase62(43, deps.randomBytes)}`;
  await deps.store.setSetting(adminTokenSetting, hashKey(token));
  return token;
}

function imported(key: Config['publicKey']): { imported?: string } {
  return key === null ? {} : { imported: key };
}

/** Sentences about configured keys that look like ours and cannot be, so that a typing mistake is seen at the start. */
export function keyWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (config.publicKey !== null && kindByForm(config.publicKey) === 'secret') {
    warnings.push('NOTIFIER_PUBLIC_KEY has the form of a secret key: everybody who sees a page will see it.');
  }
  if (config.secretKey !== null && kindByForm(config.secretKey) === 'public') {
    warnings.push('NOTIFIER_SECRET_KEY has the form of a public key.');
  }
  const named = { NOTIFIER_PUBLIC_KEY: config.publicKey, NOTIFIER_SECRET_KEY: config.secretKey };
  for (const [name, key] of Object.entries(named)) {
    if (key === null || kindByForm(key) === null || checksumHolds(key)) continue;
    warnings.push(
      `${name} looks like a key of this program with a typing mistake: its checksum does not hold.`,
    );
  }
  return warnings;
}

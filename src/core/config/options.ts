// Options of `createNotifier`, converted to environment variables so that both are validated alike.

import { ConfigError, type Env, findNearestName } from './parse-values.ts';
import { type LogLevel, type Settings, secretSettingNames, settingNames, settings } from './settings.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

interface ValueOfKind {
  text: string;
  secret: string;
  number: number;
  switch: boolean;
  list: readonly string[];
  level: LogLevel;
}

type SecretName = {
  [Name in keyof Settings]: Settings[Name] extends 'secret' ? Name : never;
}[keyof Settings];

/** Settings in camel case (`databaseUrl`), with the defaults of `.env.example`, and `…File` for secrets. */
export type NotifierOptions = {
  readonly [Name in keyof Settings as CamelCase<Name>]?: ValueOfKind[Settings[Name]] | undefined;
} & {
  readonly [Name in SecretName as `${CamelCase<Name>}File`]?: string | undefined;
};

type Kind = keyof ValueOfKind;

interface Option {
  readonly setting: string;
  readonly kind: Kind;
}

const optionsByName = new Map<string, Option>([
  ...settingNames.map((setting): [string, Option] => [
    optionName(setting),
    { setting, kind: settings[setting] },
  ]),
  ...secretSettingNames.map((name): [string, Option] => [
    optionName(`${name}_FILE`),
    { setting: `${name}_FILE`, kind: 'text' },
  ]),
]);

const namesBySetting = new Map([...optionsByName].map(([name, { setting }]) => [setting, name]));

const kindWords: Readonly<Record<Kind, string>> = {
  text: 'a text',
  secret: 'a text',
  number: 'a number',
  switch: 'true or false',
  list: 'a list of strings',
  level: 'a text',
};

/** Throws ConfigError for an unknown name or a wrong type; `loadConfig` validates the values. */
export function toEnvironment(options: NotifierOptions): Env {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(options)) {
    const option = optionsByName.get(name);
    if (option === undefined) {
      throw new ConfigError(`${name} is not an option. Did you mean ${nearestOption(name)}?`);
    }
    if (value !== undefined) env[option.setting] = textOf(name, option.kind, value);
  }
  return env;
}

/** Replaces setting names in a message by option names, except in quotes. */
export function renameSettingsInMessage(sentence: string): string {
  return sentence.replace(/"[^"]*"|\b[A-Z][A-Z_]+\b/g, (found) => namesBySetting.get(found) ?? found);
}

/** `publicKey` suggests `notifierPublicKey`. */
function nearestOption(name: string): string {
  const known = [...optionsByName.keys()];
  const ending = name.toLowerCase();
  return known.find((each) => each.toLowerCase().endsWith(ending)) ?? findNearestName(name, known);
}

function textOf(name: string, kind: Kind, value: unknown): string {
  if (typeof value === 'string') return value;
  if (kind === 'number' && typeof value === 'number') return String(value);
  if (kind === 'switch' && typeof value === 'boolean') return value ? 'on' : 'off';
  if (kind === 'list' && Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.join(',');
  }
  // The value is not quoted because it may be a secret.
  const received =
    value === null ? 'null' : Array.isArray(value) ? 'this list' : `a value of type ${typeof value}`;
  throw new ConfigError(`${name} must be ${kindWords[kind]}, not ${received}.`);
}

function optionName(setting: string): string {
  return setting.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

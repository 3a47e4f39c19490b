// The settings as options of `createNotifier`: the same names in camel case, with values as a program writes
// them. They become what the environment would hold, so that one reader checks both in the same words.
import { type LogLevel, type Settings, secretNames, settingNames, settings } from './settings.ts';
import { ConfigError, type Env, nearest } from './values.ts';

/** `DATABASE_URL` as `databaseUrl`. */
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

/**
 * The settings of `.env.example` in camel case (`databaseUrl`, `notifierPublicKey`,
 * `rateLimitEventsPerMinute`), each with the default that stands there, and `…File` beside each secret.
 * Absent and undefined are the same.
 */
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
  ...secretNames.map((name): [string, Option] => [
    optionName(`${name}_FILE`),
    { setting: `${name}_FILE`, kind: 'text' },
  ]),
]);

const namesBySetting = new Map([...optionsByName].map(([name, { setting }]) => [setting, name]));

/** What an option has to be, for its refusal. */
const kindWords: Readonly<Record<Kind, string>> = {
  text: 'a text',
  secret: 'a text',
  number: 'a number',
  switch: 'true or false',
  list: 'a list of strings',
  level: 'a text',
};

/**
 * The environment that says what the options say. Throws ConfigError, with one sentence, for a name that is
 * no option and for a value of another kind; what the values hold is for `loadConfig` to check.
 */
export function environmentOf(options: NotifierOptions): Env {
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

/** A sentence about settings as one about options; what it quotes stays as it is. */
export function inOptionNames(sentence: string): string {
  return sentence.replace(/"[^"]*"|\b[A-Z][A-Z_]+\b/g, (found) => namesBySetting.get(found) ?? found);
}

/** `publicKey` means `notifierPublicKey`, however many letters are missing. */
function nearestOption(name: string): string {
  const known = [...optionsByName.keys()];
  const ending = name.toLowerCase();
  return known.find((each) => each.toLowerCase().endsWith(ending)) ?? nearest(name, known);
}

function textOf(name: string, kind: Kind, value: unknown): string {
  if (typeof value === 'string') return value;
  if (kind === 'number' && typeof value === 'number') return String(value);
  if (kind === 'switch' && typeof value === 'boolean') return value ? 'on' : 'off';
  if (kind === 'list' && Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.join(',');
  }
  // Never the value: it may be a secret in the wrong place.
  const given =
    value === null ? 'null' : Array.isArray(value) ? 'this list' : `a value of type ${typeof value}`;
  throw new ConfigError(`${name} must be ${kindWords[kind]}, not ${given}.`);
}

function optionName(setting: string): string {
  return setting.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

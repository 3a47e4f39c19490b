import {
  ConfigError,
  type Env,
  readBooleanSetting,
  readChoiceSetting,
  readTextSetting,
  splitCommaList,
  toPrintable,
} from './parse-values.ts';

export type ProviderId = 'google' | 'github' | 'oidc';

export interface ProviderConfig {
  readonly id: ProviderId;
  /** Completes "Continue with …". */
  readonly name: string;
  /** The OIDC issuer, or where GitHub is. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  /** Takes addresses without `email_verified`, because the provider's admins set them. */
  readonly trustsEmail: boolean;
}

const roles = ['viewer', 'member', 'admin'] as const;
type ConfiguredRole = (typeof roles)[number];

export type SignInConfig = ReturnType<typeof readSignInConfig>;

export const noSignIn: SignInConfig = {
  providers: [],
  joinDomains: [],
  defaultRole: 'viewer',
  roleClaim: null,
  roles: [],
};

export function readSignInConfig(env: Env, fetchAllow: readonly string[]) {
  const providers = [
    providerOf(env, 'google', 'Google', 'https://accounts.google.com'),
    providerOf(env, 'github', 'GitHub', githubUrl(env, fetchAllow)),
    oidcProvider(env, fetchAllow),
  ].filter((each) => each !== null);
  const roleClaim = readTextSetting(env, 'SIGN_IN_ROLE_CLAIM') ?? null;
  const mapped = splitCommaList(readTextSetting(env, 'SIGN_IN_ROLES')).map(mappedRole);
  if ((roleClaim === null) !== (mapped.length === 0)) {
    throw new ConfigError('SIGN_IN_ROLE_CLAIM and SIGN_IN_ROLES are used together: set both, or none.');
  }
  return {
    providers,
    /** Whoever has a verified address of these domains becomes a member. */
    joinDomains: splitCommaList(readTextSetting(env, 'SIGN_IN_DOMAINS')).map(joinDomain),
    // An admin is named one by one, or by the claim.
    defaultRole: readChoiceSetting(env, 'SIGN_IN_DEFAULT_ROLE', ['viewer', 'member'], 'viewer'),
    /** Claim of the OIDC provider that decides the role at each sign-in; null if none does. */
    roleClaim,
    roles: mapped,
  };
}

function providerOf(env: Env, id: 'google' | 'github', name: string, issuer: string): ProviderConfig | null {
  const start = `SIGN_IN_${id.toUpperCase()}_CLIENT`;
  const clientId = readTextSetting(env, `${start}_ID`);
  const clientSecret = readTextSetting(env, `${start}_SECRET`);
  if (clientId === undefined && clientSecret === undefined) return null;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError(`${start}_ID and ${start}_SECRET are used together: set both, or none.`);
  }
  return { id, name, issuer, clientId, clientSecret, trustsEmail: false };
}

function oidcProvider(env: Env, fetchAllow: readonly string[]): ProviderConfig | null {
  const issuer = readTextSetting(env, 'SIGN_IN_OIDC_ISSUER');
  const clientId = readTextSetting(env, 'SIGN_IN_OIDC_CLIENT_ID');
  if (issuer === undefined && clientId === undefined) return null;
  if (issuer === undefined || clientId === undefined) {
    throw new ConfigError(
      'SIGN_IN_OIDC_ISSUER and SIGN_IN_OIDC_CLIENT_ID are used together: set both, or none.',
    );
  }
  requireProviderUrl('SIGN_IN_OIDC_ISSUER', issuer, fetchAllow);
  // There the directory of anybody would count, and so would the addresses that it claims.
  if (/\/(common|organizations|consumers)(\/|$)/i.test(issuer)) {
    throw new ConfigError(
      'SIGN_IN_OIDC_ISSUER must name one tenant of Entra ID, such as https://login.microsoftonline.com/TENANT_ID/v2.0.',
    );
  }
  const name = readTextSetting(env, 'SIGN_IN_OIDC_NAME') ?? 'SSO';
  if (!/^[^\p{C}]{1,60}$/u.test(name)) {
    throw new ConfigError('SIGN_IN_OIDC_NAME must be 1 to 60 characters.');
  }
  return {
    id: 'oidc',
    name,
    issuer,
    clientId,
    clientSecret: readTextSetting(env, 'SIGN_IN_OIDC_CLIENT_SECRET') ?? null,
    trustsEmail: readBooleanSetting(env, 'SIGN_IN_OIDC_TRUST_EMAIL'),
  };
}

function githubUrl(env: Env, fetchAllow: readonly string[]): string {
  const value = readTextSetting(env, 'SIGN_IN_GITHUB_URL') ?? 'https://github.com';
  return requireProviderUrl('SIGN_IN_GITHUB_URL', value, fetchAllow).origin;
}

/** https; or http to a host that NOTIFIER_FETCH_ALLOW names, inside of a network of one's own. */
function requireProviderUrl(name: string, value: string, fetchAllow: readonly string[]): URL {
  const url = URL.parse(value);
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === '';
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isAllowed = fetchAllow.some((entry) => entry.toLowerCase() === host);
  if (isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isAllowed))) return url;
  throw new ConfigError(
    `${name} must be a URL that starts with https:// (or http:// to a host in NOTIFIER_FETCH_ALLOW), not "${toPrintable(value)}".`,
  );
}

function joinDomain(value: string): string {
  const domain = value.toLowerCase();
  if (/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(domain)) return domain;
  throw new ConfigError(
    `SIGN_IN_DOMAINS must be a comma-separated list of e-mail domains, for example shop.example; "${toPrintable(value)}" is not one.`,
  );
}

function mappedRole(entry: string): readonly [string, ConfiguredRole] {
  const [, value, word] = /^(.+)=([a-z]+)$/.exec(entry) ?? [];
  const role = roles.find((each) => each === word);
  if (value !== undefined && role !== undefined) return [value.trim(), role];
  throw new ConfigError(
    `SIGN_IN_ROLES must be a comma-separated list of value=role with the roles ${roles.join(', ')}, for example ops=admin; "${toPrintable(entry)}" is not one.`,
  );
}

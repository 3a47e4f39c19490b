import { expect, it } from '@jest/globals';
import { readSignInConfig } from '../../../src/core/config/sign-in.ts';

const oidc = { SIGN_IN_OIDC_ISSUER: 'https://sso.example/realms/x', SIGN_IN_OIDC_CLIENT_ID: 'id' };
const read =
  (env: Record<string, string>, allow: string[] = []) =>
  () =>
    readSignInConfig(env, allow);

it('has no provider without settings, and each with its own', () => {
  expect(read({})().providers).toEqual([]);
  const github = { SIGN_IN_GITHUB_CLIENT_ID: 'id', SIGN_IN_GITHUB_CLIENT_SECRET: 's' };
  expect(read({ ...oidc, ...github })().providers).toMatchObject([
    { id: 'github', name: 'GitHub', issuer: 'https://github.com' },
    { id: 'oidc', name: 'SSO', issuer: oidc.SIGN_IN_OIDC_ISSUER, clientSecret: null, trustsEmail: false },
  ]);
});

it('accepts http only for a host that may be private', () => {
  const inside = { ...oidc, SIGN_IN_OIDC_ISSUER: 'http://keycloak:8080/realms/x' };
  expect(read(inside)).toThrow('SIGN_IN_OIDC_ISSUER must be a URL that starts with https://');
  expect(read(inside, ['keycloak'])().providers).toHaveLength(1);
});

it.each([
  [{ SIGN_IN_GOOGLE_CLIENT_ID: 'x' }, 'SIGN_IN_GOOGLE_CLIENT_SECRET are used together'],
  [{ SIGN_IN_OIDC_ISSUER: 'https://sso.example' }, 'SIGN_IN_OIDC_CLIENT_ID are used together'],
  [{ ...oidc, SIGN_IN_OIDC_ISSUER: 'https://login.example/common/v2.0' }, 'one tenant of Entra ID'],
  [{ ...oidc, SIGN_IN_OIDC_ISSUER: 'https://login.example/common' }, 'one tenant of Entra ID'],
  [{ ...oidc, SIGN_IN_OIDC_ISSUER: 'https://login.example/Organizations/v2.0' }, 'one tenant of Entra ID'],
  [{ SIGN_IN_DOMAINS: 'shop.example, *' }, '"*" is not one'],
  [{ SIGN_IN_DEFAULT_ROLE: 'admin' }, 'must be one of viewer, member'],
  [{ SIGN_IN_ROLE_CLAIM: 'groups' }, 'are used together'],
  [{ SIGN_IN_ROLE_CLAIM: 'groups', SIGN_IN_ROLES: 'ops=owner' }, '"ops=owner" is not one'],
])('refuses %j', (env, words) => {
  expect(read(env as Record<string, string>)).toThrow(words);
});

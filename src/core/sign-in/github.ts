import { z } from 'zod';
import type { ProviderConfig } from '../config/sign-in.ts';
import type { ProviderAccount } from './provider-account.ts';

type Fetch = (url: string, options: { method: string; headers: Record<string, string> }) => Promise<Response>;

const user = z.object({ id: z.number().int(), login: z.string(), name: z.string().nullish() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** From GitHub's API, since there is no id token. With the primary address, if it is verified. */
export async function readGithubAccount(
  fetch: Fetch,
  { issuer }: ProviderConfig,
  accessToken: string,
): Promise<ProviderAccount> {
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
  const get = async (path: string): Promise<unknown> => {
    const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${accessToken}` };
    const answer = await fetch(`${api}${path}`, { method: 'GET', headers });
    if (answer.status !== 200) throw new Error(`GitHub answered ${path} with ${answer.status}.`);
    return answer.json();
  };
  const { id, login, name } = user.parse(await get('/user'));
  const primary = emails.parse(await get('/user/emails')).find((each) => each.primary);
  return {
    issuer,
    // The number: a login can be changed, and taken by somebody else.
    subject: String(id),
    email: primary?.email ?? null,
    isEmailVerified: primary?.verified ?? false,
    name: name ?? login,
    roleValues: null,
  };
}

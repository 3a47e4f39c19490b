// A member who calls the API with a token of their own.
import { commandLineSource } from '../../src/core/audit/audit.ts';
import { createMember } from '../../src/core/members/members.ts';
import { createPersonalToken } from '../../src/core/members/personal-tokens.ts';
import { startSession } from '../../src/core/members/sessions.ts';
import { type Member, type Role, type TokenScope, tokenScopes } from '../../src/core/store/members.ts';
import type { TestApp } from './app.ts';

/** A session in a browser; answers its ID. */
export async function openSession({ deps }: TestApp, { id }: Member): Promise<number> {
  const place = { userAgent: 'Mozilla/5.0 Firefox/140.0', network: '192.0.2.0/24', requestId: 'test' };
  await startSession(deps, { memberId: id }, place, 'by a test');
  const sessions = await deps.store.listSessions({ memberId: id }, deps.now());
  return Math.max(...sessions.map((session) => session.id));
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
  readonly body: any;
}

export interface AsMember {
  readonly member: Member;
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

let people = 0;

/** In the project `test`, where the route has one. `projectIds` are chosen projects, null all. */
export async function openAsMember(
  { deps, api }: TestApp,
  role: Role,
  scopes: readonly TokenScope[] = tokenScopes,
  projectIds: readonly number[] | null = null,
): Promise<AsMember> {
  people += 1;
  const fields = { name: `Caller ${people}`, role, email: null };
  const member = await createMember(deps, fields, commandLineSource);
  if (projectIds !== null) {
    await deps.store.setAccess({ memberId: member.id }, { hasAllProjects: false, projectIds });
  }
  const token = { name: 'a test', scopes, expiresAtMs: deps.now() + 86_400_000 };
  const { text } = await createPersonalToken(deps, member, token, commandLineSource);
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(api + path, {
      method,
      headers: {
        authorization: `Bearer ${text}`,
        'x-notifier-project': 'test',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  return {
    member,
    token: text,
    get: (path) => ask('GET', path),
    post: (path, body = {}) => ask('POST', path, body),
    delete: (path) => ask('DELETE', path),
  };
}

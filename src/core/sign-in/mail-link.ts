// A sign-in link by e-mail, for whoever types an address: the answer is the same for every address.
import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { createMemberLink, signInUrl } from '../members/links.ts';
import { minuteMs } from '../parsing/durations.ts';
import type { LimitStore } from '../ports/limit-store.ts';
import type { Member } from '../store/members.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'notificationSender' | 'log'>;

const perAddressMax = 3;
const windowMs = 15 * minuteMs;

export function parseEmail(text: string): string | null {
  const email = text.trim();
  return email.length <= 254 && /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(email) ? email : null;
}

/** False once an address was asked for too often, whether or not it is a member's. */
export async function mayMailLink(limits: LimitStore, email: string): Promise<boolean> {
  const key = hash('sha256', email.toLowerCase());
  const bucket = { limiter: 'sign-in-mail', key, limit: perAddressMax, windowMs };
  const [charge] = await limits.take([{ buckets: [bucket], cost: 1 }]);
  return charge?.admitted === true;
}

/** Does not wait for the mail server: how long an answer takes would say whose address it is. */
export function mailSignInLinks(deps: ServiceDeps, email: string, pagesUrl: string): Promise<void> {
  return sendLinks(deps, email, pagesUrl).catch((error: unknown) => {
    deps.log.warn({ error: String(error) }, 'a sign-in link could not be sent');
  });
}

async function sendLinks(deps: ServiceDeps, email: string, pagesUrl: string): Promise<void> {
  for (const member of await deps.store.listMembersByEmail(email)) {
    const { token } = await createMemberLink(deps, member.id, { byMail: true });
    const sent = await deps.notificationSender?.mail(linkMail(deps, member, signInUrl(pagesUrl, token)));
    if (sent?.ok !== true) throw new Error(sent?.detail ?? 'there is no mail server');
  }
}

/** To the address that an admin entered, not to what was typed. */
function linkMail({ now, randomBytes }: ServiceDeps, { name, email }: Member, url: string) {
  const host = new URL(url).host;
  const id = randomBytes(16).toString('hex');
  return {
    to: email ?? '',
    subject: `Sign in to Notifier at ${host}`,
    text: [
      `Hello ${name},`,
      '',
      'Open this link and press “Sign in”. It works once, for 15 minutes:',
      '',
      url,
      '',
      'If you did not ask for it, ignore this mail: without the link nobody can sign in.',
      '',
    ].join('\n'),
    html: null,
    messageId: `<sign-in-${id}@${new URL(url).hostname}>`,
    atMs: now(),
    stopUrl: null,
  };
}

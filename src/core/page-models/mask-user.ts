import { cutText } from '../parsing/cut-text.ts';
import type { UserIdentity } from '../users/identity.ts';

const idShown = 12;

/** What pages call a user; null for one who has no name, such as one that was erased. */
export function nameOfIdentity({ id, username, name, email, ip_address }: UserIdentity): string | null {
  return id ?? username ?? name ?? email ?? ip_address;
}

/** As pages show a user: ids that an application made up itself are needed to find the user. */
export function maskIdentity<Identity extends UserIdentity>(user: Identity): Identity {
  const mask = (text: string | null, maskText: (text: string) => string): string | null =>
    text === null ? null : maskText(text);
  return {
    ...user,
    // An application may send addresses as ids.
    id: mask(user.id, (id) => (id.includes('@') ? maskId(id) : id)),
    email: mask(user.email, maskId),
    username: mask(user.username, maskName),
    name: mask(user.name, maskName),
    ip_address: mask(user.ip_address, maskId),
  };
}

/** An e-mail address keeps its host, a long id its ends. */
export function maskId(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${cutText(text, 1)}…${text.slice(at)}`;
  return text.length <= idShown ? text : `${text.slice(0, 6)}…${text.slice(-2)}`.toWellFormed();
}

export function maskName(name: string): string {
  return `${cutText(name, 1)}…`;
}

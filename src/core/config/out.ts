// What leaves this server beside answers: whom alert channels may reach, and the operator's mail server.
import { isIP } from 'node:net';
import { ConfigError, type Env, items, text, urlOf } from './values.ts';

export interface OutSettings {
  /** Hosts, addresses and CIDR blocks that alert channels may reach although they are private. */
  readonly fetchAllow: readonly string[];
  /** The operator's mail server; null: there is no mail. */
  readonly smtpUrl: string | null;
  /** Who mail is from; null: as the address of the server says. */
  readonly smtpFrom: string | null;
}

/** Reads them. Throws ConfigError. */
export function outSettings(env: Env): OutSettings {
  return {
    fetchAllow: items(text(env, 'NOTIFIER_FETCH_ALLOW')).map(allowedEntry),
    smtpUrl: urlOf(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    smtpFrom: mailbox(text(env, 'SMTP_FROM')),
  };
}

function allowedEntry(entry: string): string {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  const isHost = family === 0 && bits === undefined && /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252})$/.test(entry);
  const isNetwork =
    family !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)));
  if (isHost || isNetwork) return entry;
  throw new ConfigError(
    `NOTIFIER_FETCH_ALLOW must be a comma list of hosts, addresses or CIDR blocks; "${entry}" is none of them.`,
  );
}

function mailbox(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (/^[^<>\r\n]{0,200}<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(value)) return value;
  throw new ConfigError(`SMTP_FROM must be a mailbox such as notifier@shop.example, not "${value}".`);
}

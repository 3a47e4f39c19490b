// Who an event happened to, as pages and their twins tell it: enough to tell two people apart, and no more.
import { cutText } from '../../reading/cut-text.ts';
import { type Payload, recordOf, textOf } from './payload.ts';

const idShown = 12;

const masks: ReadonlyMap<string, (text: string) => string> = new Map([
  ['id', masked],
  ['email', masked],
  ['ip_address', masked],
  ['username', begun],
  ['name', begun],
]);

/** An event with its user masked: ids in their middle, names and addresses behind their beginning. */
export function withMaskedUser<Event extends object>(event: Event): Event {
  const user = recordOf((event as Payload)['user']);
  if (user === null) return event;
  const members = Object.entries(user).map(([name, value]) => {
    const mask = masks.get(name);
    const text = textOf(value);
    return [name, mask === undefined || text === '' ? value : mask(text)] as const;
  });
  return { ...event, user: Object.fromEntries(members) };
}

/** `u_7c19…e2`, `m…@shop.example`. */
function masked(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${cutText(text, 1)}…${text.slice(at)}`;
  return text.length <= idShown ? text : `${text.slice(0, 6)}…${text.slice(-2)}`.toWellFormed();
}

/** A name is somebody's: its beginning tells two users apart. */
function begun(name: string): string {
  return `${cutText(name, 1)}…`;
}

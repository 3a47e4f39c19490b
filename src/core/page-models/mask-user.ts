import { cutText } from '../parsing/cut-text.ts';

const idShown = 12;

/** An e-mail address keeps its host, a long id its ends. */
export function maskId(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${cutText(text, 1)}…${text.slice(at)}`;
  return text.length <= idShown ? text : `${text.slice(0, 6)}…${text.slice(-2)}`.toWellFormed();
}

export function maskName(name: string): string {
  return `${cutText(name, 1)}…`;
}

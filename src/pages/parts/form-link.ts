// The way to a form: a link to its page; in the demo, where there is none, the act that says what it would
// do.
import type { VNode } from 'preact';
import type { Frame } from '../frame.ts';
import { actForm, submit } from './controls.ts';
import { pageLink } from './link.ts';

/** A link, or the form of the demo, that looks like a button. */
export function formLink(frame: Frame, path: string, word: string, look: string): VNode | null {
  if (frame.demo !== undefined) return actForm(frame, path, null, submit(word, { class: look }));
  return pageLink(frame, { path }, { class: look }, word);
}

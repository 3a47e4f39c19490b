import type { VNode } from 'preact';
import type { Frame } from '../frame.ts';
import { pageLink } from './link.ts';

export function formLink(frame: Frame, path: string, word: string, look: string): VNode {
  return pageLink(frame, { path }, { class: look }, word);
}

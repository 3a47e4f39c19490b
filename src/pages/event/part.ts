// A part of an event's page that begins where its column begins: a section without the room above.
import type { VNode } from 'preact';
import { type Content, el } from '../el.ts';

/** As `section` of the layout, with a class of the columns of an event. */
export function columnPart(
  {
    id,
    title,
    beside,
    name,
  }: { readonly id: string; readonly title: string; readonly beside?: Content; readonly name: string },
  ...content: Content[]
): VNode {
  const heading = el('h2', { id }, title);
  const hasBeside = beside !== undefined && beside !== null;
  return el(
    'section',
    { class: name, 'aria-labelledby': id },
    hasBeside ? el('div', { class: 'top' }, heading, beside) : heading,
    ...content,
  );
}

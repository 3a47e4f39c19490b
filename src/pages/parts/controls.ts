// Forms, buttons, fields, menus and dialogs. Every act is a form that works without a script.
import { cloneElement, isValidElement, type VNode } from 'preact';
import { type Attributes, type Content, el } from '../el.ts';
import { addressOf, type Frame, membersOf, type QueryMembers } from '../frame.ts';
import { icon } from './icons.ts';

/** The name under which each form of ours carries the token that shows it is one. */
export const csrfField = 'csrf_token';
/** And the one that says which page to go back to. */
export const backField = 'back';

/**
 * A form that acts: it posts to `path` with the token that shows it is ours, and with where to go on from
 * there. Nothing for who is not signed in.
 */
export function actForm(
  frame: Frame,
  path: string,
  attributes: Attributes | null,
  ...content: Content[]
): VNode | null {
  if (frame.demo !== undefined) return wouldForm(frame, path, attributes, content);
  if (frame.visitor === null) return null;
  return el(
    'form',
    { ...attributes, method: 'post', action: addressOf(frame, path) },
    el('input', { type: 'hidden', name: csrfField, value: frame.visitor.csrfToken }),
    el('input', { type: 'hidden', name: backField, value: backOf(frame) }),
    ...content,
  );
}

/**
 * The same in the demo, where nothing can be done: it leads to the page that says what it would do. What is
 * filled in stays here: its fields are of a form that is never sent.
 */
function wouldForm(
  frame: Frame,
  path: string,
  attributes: Attributes | null,
  content: readonly Content[],
): VNode {
  return el(
    'form',
    { ...attributes, method: 'get', action: `${frame.base}/would` },
    el('input', { type: 'hidden', name: 'act', value: path }),
    el('input', { type: 'hidden', name: backField, value: backOf(frame) }),
    ...content.map(unsent),
  );
}

/** The name of the form of the demo that is never sent (`unsentForm`). */
const unsentId = 'unsent';

/** Stands once on every page of the demo: what belongs to it goes nowhere. */
export function unsentForm(): VNode {
  // Its button cannot be pressed: with one that is disabled, Enter in a field sends nothing either.
  const button = el('button', { type: 'submit', disabled: true }, 'Nothing is sent');
  return el('form', { id: unsentId, method: 'dialog', hidden: true }, button);
}

/** The same with fields of the form that is not sent, and buttons that say nothing but themselves. */
function unsent(content: Content): Content {
  if (Array.isArray(content)) return content.map(unsent);
  if (!isValidElement(content)) return content;
  const { type, props } = content;
  const { children, name } = props as { readonly children?: Content; readonly name?: unknown };
  const own =
    name === undefined || name === null
      ? null
      : type === 'button'
        ? { name: null, value: null }
        : { form: unsentId };
  return children === undefined
    ? cloneElement(content, own ?? {})
    : cloneElement(content, own ?? {}, unsent(children));
}

/** The page that is looked at, as an act leads back to it. */
function backOf({ path, query }: Pick<Frame, 'path' | 'query'>): string {
  const kept = new URLSearchParams(query);
  kept.delete('notice');
  const text = kept.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A form that asks: its fields become the query of `path`. `kept` goes along unseen. */
export function askForm(
  frame: Frame,
  { path, kept, label }: { readonly path: string; readonly kept?: QueryMembers; readonly label: string },
  ...content: Content[]
): VNode {
  const unseen = membersOf({ project: frame.project?.id, ...kept }).map(([name, value]) =>
    el('input', { type: 'hidden', name, value }),
  );
  return el(
    'form',
    { class: 'filters', method: 'get', action: `${frame.base}${path}`, 'aria-label': label },
    ...unseen,
    ...content,
  );
}

/** The one thing that a form does. `name` and `value` tell it apart from its neighbours. */
export function submit(word: Content, attributes: Attributes = {}): VNode {
  return el('button', { class: 'btn', ...attributes, type: 'submit' }, word);
}

/** A field for a search among what is listed. */
export function searchField(id: string, label: string, placeholder: string, value: string | null): VNode {
  return el(
    'span',
    { class: 'find' },
    el('label', { class: 'vh', for: id }, label),
    icon('search'),
    el('input', { id, name: 'q', type: 'search', placeholder, value, autocomplete: 'off', maxlength: 200 }),
  );
}

export interface Choice {
  readonly value: string;
  readonly name: string;
}

/**
 * A choice in a line of filters; its label is read and not seen, so the first choice says what it is about.
 */
export function select(
  { id, name, label }: { readonly id: string; readonly name: string; readonly label: string },
  choices: readonly Choice[],
  chosen: string | null,
): Content[] {
  const options = choices.map((choice) =>
    el('option', { value: choice.value, selected: choice.value === (chosen ?? '') }, choice.name),
  );
  return [el('label', { class: 'vh', for: id }, label), el('select', { id, name }, ...options)];
}

export interface Field {
  readonly id: string;
  readonly label: Content;
  /** What to write, in a sentence. */
  readonly hint?: Content;
  /** What is wrong with what was written, and what to write instead. */
  readonly wrong?: string | null;
}

/** A field of a form, with its label, its hint and what is wrong with it. */
export function field({ id, label, hint, wrong }: Field, input: Attributes): VNode {
  const isWrong = wrong !== undefined && wrong !== null;
  const described = [isWrong ? `${id}-wrong` : null, hint === undefined ? null : `${id}-hint`];
  const attributes = {
    type: 'text',
    ...input,
    id,
    'aria-describedby': described.filter((each) => each !== null).join(' ') || null,
    'aria-invalid': isWrong ? 'true' : null,
  };
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el('input', attributes),
    isWrong ? el('p', { class: 'wrong', id: `${id}-wrong` }, wrong) : null,
    hint === undefined ? null : el('p', { class: 'hint', id: `${id}-hint` }, hint),
  );
}

/** A button that opens a menu, and the menu: links and submit buttons, one a line. */
export function menu({ id, word, label, attributes }: MenuOptions, ...items: Content[]): Content[] {
  return [
    el(
      'button',
      { class: 'btn', type: 'button', popovertarget: id, 'aria-label': label ?? null, ...attributes },
      word,
      icon('caret'),
    ),
    el('div', { class: 'menu', id, popover: 'auto' }, ...items),
  ];
}

export interface MenuOptions {
  readonly id: string;
  readonly word: Content;
  /** Said in place of the word, where that is only a caret. */
  readonly label?: string;
  readonly attributes?: Attributes;
}

/** Copies the text of the element of that id; only there where a script is. */
export function copyButton(id: string, what: string): VNode {
  return el(
    'button',
    { class: 'copy btn small js', type: 'button', 'data-copy': `#${id}` },
    'Copy',
    el('span', { class: 'vh' }, ` ${what}`),
  );
}

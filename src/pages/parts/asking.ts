// What asks before it is done: one form that stands in a dialog and on a page of its own. The page is the way
// where no script runs or the browser knows no dialogs; both are made of the same parts.
import type { VNode } from 'preact';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, submit } from './controls.ts';
import { pageHead } from './layout.ts';
import { pageLink } from './link.ts';

/** A form that asks. */
export interface Asking {
  /** The name of its dialog on the page that it opens from. */
  readonly id: string;
  /** Its own page. */
  readonly path: string;
  readonly title: Content;
  /** What follows from it. */
  readonly why?: Content;
  /** Where it is posted to. */
  readonly act: string;
  readonly fields: readonly Content[];
  readonly verb: string;
  /** `primary`, or `danger` before what cannot be undone. */
  readonly weight?: 'primary' | 'danger';
}

/** How the control that opens it looks; in a menu it has no class. */
export interface Opener {
  readonly word: Content;
  readonly class?: string;
  /** Said in place of the word, where that is the same on several controls. */
  readonly label?: string;
}

/** What opens it: a button for its dialog, or a link to its page where no script runs. */
export function opener(
  frame: Frame,
  { id, path }: Pick<Asking, 'id' | 'path'>,
  { word, label, class: look = '' }: Opener,
): Content[] {
  const named = { 'aria-label': label ?? null };
  const classes = (more: string): string => (look === '' ? more : `${look} ${more}`);
  return [
    el(
      'button',
      { ...named, class: classes('js'), type: 'button', command: 'show-modal', commandfor: id },
      word,
    ),
    pageLink(frame, { path }, { ...named, class: classes('nojs') }, word),
  ];
}

/** A dialog of this name; its forms stand in `content`. */
export function dialog(id: string, title: Content, ...content: Content[]): VNode {
  return el('dialog', { id, 'aria-labelledby': `${id}-t` }, el('h2', { id: `${id}-t` }, title), ...content);
}

/** The button that closes a dialog and does nothing. */
export function closer(id: string, word = 'Cancel'): VNode {
  return el('button', { class: 'btn', type: 'button', command: 'close', commandfor: id }, word);
}

/** The form in its dialog; nothing for who is not signed in. */
export function askingDialog(frame: Frame, asking: Asking): VNode | null {
  if (frame.visitor === null) return null;
  const { id, title, why, act, fields } = asking;
  return dialog(
    id,
    title,
    actForm(
      frame,
      act,
      null,
      why === undefined ? null : el('p', { class: 'soft' }, why),
      ...fields,
      el('p', { class: 'acts end' }, closer(id), verbOf(asking)),
    ),
  );
}

/** The form on its own page; `from` is where *Cancel* leads. */
export function askingPart(
  frame: Frame,
  asking: Asking,
  { above, from }: { readonly above?: Content; readonly from: string },
): VNode {
  const { title, why, act, fields } = asking;
  return el(
    'div',
    { class: 'narrow' },
    pageHead(above === undefined ? { title } : { above, title }),
    why === undefined ? null : el('p', { class: 'lede' }, why),
    actForm(
      frame,
      act,
      { class: 'stack space' },
      ...fields,
      el('p', { class: 'acts' }, verbOf(asking), pageLink(frame, { path: from }, { class: 'btn' }, 'Cancel')),
    ),
  );
}

/** A form that is a page by itself: the last of `crumbs` is where *Cancel* leads. */
export interface FormPage {
  /** What the window is called. */
  readonly title: string;
  readonly crumbs: ReadonlyArray<{ readonly name: string; readonly path: string }>;
  /** What stands at its head; the title unless said. */
  readonly heading?: Content;
  readonly why?: Content;
  /** Where it is posted to. */
  readonly act: string;
  readonly fields: readonly Content[];
  readonly verb: string;
}

/** The page of a form. */
export function formPage(
  frame: Frame,
  { crumbs, heading, ...form }: FormPage,
  weight?: 'danger',
): PageContent {
  const { title } = form;
  const asking = {
    ...form,
    id: '',
    path: '',
    title: heading ?? title,
    weight: weight ?? ('primary' as const),
  };
  return { title, crumbs, main: askingPart(frame, asking, { from: crumbs.at(-1)?.path ?? '/' }) };
}

/**
 * The page that asks before something goes: its form is posted to where it stands, with a word without which
 * nothing goes.
 */
export function dangerPage(frame: Frame, page: Omit<FormPage, 'fields'>): PageContent {
  const sure = el('input', { type: 'hidden', name: 'sure', value: 'yes' });
  return formPage(frame, { ...page, fields: [sure] }, 'danger');
}

/** The form of what is done only by who ticks its box: `words` say what follows. */
export function sureForm(frame: Frame, path: string, words: string, verb: string): VNode | null {
  return actForm(
    frame,
    path,
    { class: 'stack' },
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'sure', value: 'yes', required: true }),
      ` ${words}`,
    ),
    el('p', null, submit(verb, { class: 'btn danger' })),
  );
}

/** What was just made and is shown this once: `text`, by what it is called, and the way on. */
export function shownOncePage(
  frame: Frame,
  {
    title,
    crumbs,
    why,
    label,
    text,
    path,
    name,
  }: {
    readonly title: string;
    readonly crumbs: FormPage['crumbs'];
    readonly why: string;
    readonly label: string;
    readonly text: string;
    readonly path: string;
    readonly name: Content;
  },
): PageContent {
  const main = el(
    'div',
    { class: 'narrow' },
    pageHead({ title }),
    el('p', null, why),
    el('pre', { class: 'snip', tabindex: 0, role: 'group', 'aria-label': label }, el('code', null, text)),
    el('p', null, pageLink(frame, { path }, { class: 'btn primary' }, name)),
  );
  return { title, crumbs, main };
}

function verbOf({ verb, weight = 'primary' }: Asking): VNode {
  return submit(verb, { class: `btn ${weight}` });
}

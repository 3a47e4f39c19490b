// Confirmation forms. Each can be shown as a dialog and as a page, for browsers without scripts or dialogs.
import type { VNode } from 'preact';
import { type Content, el } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { actionForm, submitButton } from './controls.ts';
import { pageHead } from './elements.ts';
import { pageLink } from './link.ts';

export interface DialogForm {
  readonly id: string;
  readonly path: string;
  readonly title: Content;
  readonly why?: Content;
  /** Path to which the form is posted. */
  readonly act: string;
  readonly fields: readonly Content[];
  readonly verb: string;
  /** `danger` for actions that cannot be undone. */
  readonly weight?: 'primary' | 'danger';
}

export interface DialogButton {
  readonly word: Content;
  readonly class?: string;
  /** Accessible name, if several controls have the same word. */
  readonly label?: string;
}

export function dialogButton(
  context: PageContext,
  { id, path }: Pick<DialogForm, 'id' | 'path'>,
  { word, label, class: look = '' }: DialogButton,
): Content[] {
  const named = { 'aria-label': label ?? null };
  const classes = (more: string): string => (look === '' ? more : `${look} ${more}`);
  return [
    el(
      'button',
      { ...named, class: classes('js'), type: 'button', command: 'show-modal', commandfor: id },
      word,
    ),
    pageLink(context, { path }, { ...named, class: classes('nojs') }, word),
  ];
}

export function dialog(id: string, title: Content, ...content: Content[]): VNode {
  return el('dialog', { id, 'aria-labelledby': `${id}-t` }, el('h2', { id: `${id}-t` }, title), ...content);
}

export function closeDialogButton(id: string, word = 'Cancel'): VNode {
  return el('button', { class: 'btn', type: 'button', command: 'close', commandfor: id }, word);
}

/** Null if not signed in. */
export function formDialog(frame: PageContext, asking: DialogForm): VNode | null {
  if (frame.currentUser === null) return null;
  const { id, title, why, act, fields } = asking;
  return dialog(
    id,
    title,
    actionForm(
      frame,
      act,
      null,
      why === undefined ? null : el('p', { class: 'soft' }, why),
      ...fields,
      el('p', { class: 'acts end' }, closeDialogButton(id), verbOf(asking)),
    ),
  );
}

export function formSection(
  frame: PageContext,
  asking: DialogForm,
  { above, from }: { readonly above?: Content; readonly from: string },
): VNode {
  const { title, why, act, fields } = asking;
  return el(
    'div',
    { class: 'narrow' },
    pageHead(above === undefined ? { title } : { above, title }),
    why === undefined ? null : el('p', { class: 'lede' }, why),
    actionForm(
      frame,
      act,
      { class: 'stack space' },
      ...fields,
      el('p', { class: 'acts' }, verbOf(asking), pageLink(frame, { path: from }, { class: 'btn' }, 'Cancel')),
    ),
  );
}

export interface FormPage {
  readonly title: string;
  readonly crumbs: ReadonlyArray<{ readonly name: string; readonly path: string }>;
  readonly heading?: Content;
  readonly why?: Content;
  readonly act: string;
  readonly fields: readonly Content[];
  readonly verb: string;
}

export function formPage(
  frame: PageContext,
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
  return { title, crumbs, main: formSection(frame, asking, { from: crumbs.at(-1)?.path ?? '/' }) };
}

/** Confirmation page of a destructive action, posted to its own path with `sure=yes`, which is required. */
export function confirmPage(frame: PageContext, page: Omit<FormPage, 'fields'>): PageContent {
  const sure = el('input', { type: 'hidden', name: 'sure', value: 'yes' });
  return formPage(frame, { ...page, fields: [sure] }, 'danger');
}

/** A form with a required checkbox; `words` state the consequences. */
export function confirmCheckboxForm(
  frame: PageContext,
  path: string,
  words: string,
  verb: string,
): VNode | null {
  return actionForm(
    frame,
    path,
    { class: 'stack' },
    el(
      'label',
      { class: 'check' },
      el('input', { type: 'checkbox', name: 'sure', value: 'yes', required: true }),
      ` ${words}`,
    ),
    el('p', null, submitButton(verb, { class: 'btn danger' })),
  );
}

export function secretShownOncePage(
  frame: PageContext,
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

function verbOf({ verb, weight = 'primary' }: DialogForm): VNode {
  return submitButton(verb, { class: `btn ${weight}` });
}

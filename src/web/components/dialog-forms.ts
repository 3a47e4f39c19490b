// Confirmation forms. Each can be shown as a dialog and as a page, for browsers without scripts or dialogs.
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { actionForm, submitButton } from './controls.ts';
import { codeBlock, pageHead } from './elements.ts';

export interface DialogForm {
  readonly id: string;
  readonly path: string;
  readonly title: Content;
  readonly description?: Content;
  /** Path to which the form is posted. */
  readonly action: string;
  readonly fields: readonly Content[];
  readonly verb: string;
  /** `danger` for actions that cannot be undone. */
  readonly weight?: 'primary' | 'danger';
}

interface DialogButton {
  readonly word: Content;
  readonly class?: string;
  /** Accessible name, if several controls have the same word. */
  readonly label?: string;
}

export function dialogButton(
  context: PageContext,
  { id, path }: Pick<DialogForm, 'id' | 'path'>,
  { word, label, class: className = '' }: DialogButton,
): Content[] {
  const named = { 'aria-label': label ?? null };
  const classes = (more: string): string => (className === '' ? more : `${className} ${more}`);
  return [
    html`<button ...${named} class=${classes('js')} type="button" command="show-modal" commandfor=${id}>
      ${word}
    </button>`,
    pageLink(context, path, { ...named, class: classes('nojs') }, word),
  ];
}

export function dialog(id: string, title: Content, ...content: Content[]): VNode {
  return el('dialog', { id, 'aria-labelledby': `${id}-t` }, el('h2', { id: `${id}-t` }, title), ...content);
}

export function closeDialogButton(id: string, word = 'Cancel'): VNode {
  return el('button', { class: 'btn', type: 'button', command: 'close', commandfor: id }, word);
}

/** Null if not signed in. */
export function formDialog(context: PageContext, form: DialogForm): VNode | null {
  if (context.currentUser === null) return null;
  const { id, title, description, action, fields } = form;
  return dialog(
    id,
    title,
    actionForm(
      context,
      action,
      null,
      description === undefined ? null : el('p', { class: 'soft' }, description),
      ...fields,
      el('p', { class: 'acts end' }, closeDialogButton(id), verbOf(form)),
    ),
  );
}

export function formSection(
  context: PageContext,
  form: Omit<DialogForm, 'id' | 'path'>,
  { above, from }: { readonly above?: Content; readonly from: string },
): VNode {
  const { title, description, action, fields } = form;
  return html`<div class="narrow">
    ${pageHead(above === undefined ? { title } : { above, title })}
    ${description === undefined ? null : el('p', { class: 'lede' }, description)}
    ${actionForm(
      context,
      action,
      { class: 'stack space' },
      ...fields,
      el('p', { class: 'acts' }, verbOf(form), pageLink(context, from, { class: 'btn' }, 'Cancel')),
    )}
  </div>`;
}

interface FormPage extends Pick<DialogForm, 'description' | 'action' | 'fields' | 'verb'> {
  readonly title: string;
  readonly breadcrumbs: ReadonlyArray<{ readonly name: string; readonly path: string }>;
  readonly heading?: Content;
}

export function formPage(
  context: PageContext,
  { breadcrumbs, heading, ...form }: FormPage,
  weight?: 'danger',
): PageContent {
  const { title } = form;
  const shown = { ...form, title: heading ?? title, ...(weight === undefined ? {} : { weight }) };
  const main = formSection(context, shown, { from: breadcrumbs.at(-1)?.path ?? '/' });
  return { title, breadcrumbs, main };
}

/** Confirmation page of a destructive action, posted to its own path with `sure=yes`, which is required. */
export function confirmPage(context: PageContext, page: Omit<FormPage, 'fields'>): PageContent {
  const confirmation = el('input', { type: 'hidden', name: 'sure', value: 'yes' });
  return formPage(context, { ...page, fields: [confirmation] }, 'danger');
}

/** A form with a required checkbox; `consequences` says what it does. */
export function confirmCheckboxForm(
  context: PageContext,
  path: string,
  consequences: string,
  verb: string,
): VNode | null {
  return actionForm(
    context,
    path,
    { class: 'stack' },
    html`<label class="check">
      <input type="checkbox" name="sure" value="yes" required /> ${consequences}
    </label>`,
    el('p', null, submitButton(verb, { class: 'btn danger' })),
  );
}

interface ShownSecret extends Pick<FormPage, 'title' | 'breadcrumbs'> {
  readonly description: string;
  readonly label: string;
  readonly text: string;
  /** Of the page to go on to. */
  readonly path: string;
  readonly name: Content;
}

export function secretShownOncePage(context: PageContext, secret: ShownSecret): PageContent {
  const { title, breadcrumbs, path, name } = secret;
  const main = html`<div class="narrow">
    ${pageHead({ title })}<p>${secret.description}</p>
    ${codeBlock(secret.label, secret.text, 'snip')}
    <p>${pageLink(context, path, { class: 'btn primary' }, name)}</p>
  </div>`;
  return { title, breadcrumbs, main };
}

function verbOf({ verb, weight = 'primary' }: Pick<DialogForm, 'verb' | 'weight'>): VNode {
  return submitButton(verb, { class: `btn ${weight}` });
}

import { cloneElement, isValidElement } from 'preact';
import { type Attributes, type Content, el, html, type VNode } from '../el.ts';
import { type PageContext, pageUrl, type QueryParams, queryEntries } from '../page-context.ts';
import { icon, statusMark } from './icons.ts';

export const csrfField = 'csrf_token';
export const returnToField = 'back';

/** A POST form with the CSRF token and the page to return to. Null if not signed in. */
export function actionForm(
  context: PageContext,
  path: string,
  attributes: Attributes | null,
  ...content: Content[]
): VNode | null {
  if (context.demo !== undefined) return previewForm(context, path, attributes, content);
  if (context.currentUser === null) return null;
  return html`<form ...${attributes} method="post" action=${pageUrl(context, path)}>
    <input type="hidden" name=${csrfField} value=${context.currentUser.csrfToken} />
    <input type="hidden" name=${returnToField} value=${returnPath(context)} />${content}
  </form>`;
}

/** A form that is one button. */
export function actionButton(
  context: PageContext,
  path: string,
  word: Content,
  button: Attributes = {},
): VNode | null {
  return actionForm(context, path, null, submitButton(word, button));
}

/** Fields, and one button below them. */
export function fieldsForm(
  context: PageContext,
  path: string,
  fields: readonly Content[],
  word: string,
  button: Attributes = {},
): VNode | null {
  return actionForm(context, path, { class: 'stack' }, ...fields, el('p', null, submitButton(word, button)));
}

/** Pauses for a while, or ends the pause. */
export function pauseButton(
  context: PageContext,
  path: string,
  isPaused: boolean,
  { resume, forever }: { readonly resume: string; readonly forever: string },
): VNode | null {
  if (isPaused) return actionButton(context, `${path}/resume`, resume);
  const choice = (word: string, value: string): VNode =>
    submitButton(word, { class: null, name: 'for', value });
  const choices = [choice('For 1 hour', '1h'), choice('For 24 hours', '24h'), choice(forever, 'ever')];
  return actionForm(context, `${path}/pause`, null, ...menu({ id: 'm-pause', word: 'Pause' }, ...choices));
}

/** Enter in a field presses the first button of a form: this one, which is not seen. */
export function enterSavesButton(word = 'Save'): VNode {
  return html`<button class="vh" type="submit" name="do" value="save" tabindex="-1" aria-hidden="true">
    ${word}
  </button>`;
}

/** In the demo: shows a preview. The fields belong to a form that is never submitted; input is not sent. */
function previewForm(
  context: PageContext,
  path: string,
  attributes: Attributes | null,
  content: readonly Content[],
): VNode {
  return html`<form ...${attributes} method="get" action="${context.base}/action-preview">
    <input type="hidden" name="act" value=${path} />
    <input type="hidden" name=${returnToField} value=${returnPath(context)} />${content.map(detachFromForm)}
  </form>`;
}

const unsentId = 'unsent';

/** Must be on every page of the demo once. */
export function unsubmittedForm(): VNode {
  // A disabled submit button also prevents submission by Enter.
  const button = el('button', { type: 'submit', disabled: true }, 'Nothing is sent');
  return el('form', { id: unsentId, method: 'dialog', hidden: true }, button);
}

/** Moves fields to the unsubmitted form and removes the names of buttons. */
function detachFromForm(content: Content): Content {
  if (Array.isArray(content)) return content.map(detachFromForm);
  if (!isValidElement(content)) return content;
  const { type, props } = content;
  const { children, name } = props as { readonly children?: Content; readonly name?: unknown };
  const changes =
    name === undefined || name === null
      ? null
      : type === 'button'
        ? { name: null, value: null }
        : { form: unsentId };
  return children === undefined
    ? cloneElement(content, changes ?? {})
    : cloneElement(content, changes ?? {}, detachFromForm(children));
}

function returnPath({ path, query }: Pick<PageContext, 'path' | 'query'>): string {
  const params = new URLSearchParams(query);
  // What an action left, or what it was done to, is not there after the next one.
  params.delete('notice');
  params.delete('selected');
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}

interface QueryForm {
  readonly path: string;
  readonly preserved?: QueryParams;
  readonly label: string;
}

/** A GET form: its fields become the query of `path`; `preserved` adds hidden fields. */
export function queryForm(
  context: PageContext,
  { path, preserved, label }: QueryForm,
  ...content: Content[]
): VNode {
  return html`<form class="filters" method="get" action=${`${context.base}${path}`} aria-label=${label}>
    ${queryFields(context, preserved)}${content}
  </form>`;
}

/** Hidden fields of a GET form: the selected project and what else is kept. */
export function queryFields({ project }: PageContext, preserved: QueryParams = {}): VNode[] {
  return hiddenFields(queryEntries({ project: project?.id, ...preserved }));
}

export function hiddenFields(values: ReadonlyArray<readonly [name: string, value: string]>): VNode[] {
  return values.map(([name, value]) => el('input', { type: 'hidden', name, value }));
}

/** `name` and `value` distinguish several buttons of a form. */
export function submitButton(word: Content, attributes: Attributes = {}): VNode {
  return el('button', { class: 'btn', ...attributes, type: 'submit' }, word);
}

export function searchField(
  id: string,
  label: string,
  placeholder: string,
  value: string | null,
  attributes: Attributes = {},
): VNode {
  const shown = { type: 'search', placeholder, value, autocomplete: 'off', maxlength: 200 };
  return html`<span class="find">
    <label class="vh" for=${id}>${label}</label>${icon('search')}
    <input id=${id} name="q" ...${shown} ...${attributes} />
  </span>`;
}

export interface Choice {
  readonly value: string;
  readonly name: string;
}

/** A select in a filter form. The label is visually hidden, so the first choice must say what it is about. */
export function select(
  { id, name, label }: { readonly id: string; readonly name: string; readonly label: string },
  choices: readonly Choice[],
  chosen: string | null,
): Content[] {
  return [
    el('label', { class: 'vh', for: id }, label),
    el('select', { id, name }, ...optionsOf(choices, chosen)),
  ];
}

export function optionsOf(choices: readonly Choice[], chosen: string | null): VNode[] {
  return choices.map((choice) =>
    el('option', { value: choice.value, selected: choice.value === (chosen ?? '') }, choice.name),
  );
}

export interface Field {
  readonly id: string;
  readonly label: Content;
  readonly hint?: Content;
  readonly error?: string | null | undefined;
  readonly unit?: string;
  readonly isOptional?: boolean;
  readonly class?: string;
}

export function field(options: Field, input: Attributes): VNode {
  return fieldBox(options, (described) =>
    el('input', { type: 'text', ...input, id: options.id, ...described }),
  );
}

export function fieldBox(
  { id, label, hint, error, unit, isOptional = false, class: className }: Field,
  control: (described: Attributes) => VNode,
): VNode {
  const isWrong = error !== undefined && error !== null;
  const ids = [isWrong ? `${id}-wrong` : null, hint === undefined ? null : `${id}-hint`];
  const shown = control({
    'aria-describedby': ids.filter((each) => each !== null).join(' ') || null,
    'aria-invalid': isWrong ? 'true' : null,
  });
  return html`<div class=${className === undefined ? 'field' : `field ${className}`}>
    <label for=${id}>${label}${isOptional ? [' ', el('span', { class: 'opt-l' }, 'optional')] : null}</label>
    ${unit === undefined ? shown : el('span', { class: 'unit' }, shown, unit)}
    ${isWrong ? el('p', { class: 'wrong', id: `${id}-wrong` }, statusMark('failed', error)) : null}
    ${hint === undefined ? null : el('p', { class: 'hint', id: `${id}-hint` }, hint)}
  </div>`;
}

interface Menu {
  readonly id: string;
  readonly word: Content;
  /** Accessible name, if it is not the word. */
  readonly label?: string;
  readonly attributes?: Attributes;
}

export function menu({ id, word, label, attributes }: Menu, ...items: Content[]): Content[] {
  return [
    html`<button class="btn" type="button" popovertarget=${id} aria-label=${label ?? null} ...${attributes}>
      ${word}${icon('caret')}
    </button>`,
    el('div', { class: 'menu', id, popover: 'auto' }, ...items),
  ];
}

/** A button that posts `name` with `value`, such as an item of a menu. */
export function choiceButton(
  name: string,
  value: string,
  word: Content,
  small: Content = null,
  attributes: Attributes = {},
): VNode {
  const explained = small === null ? null : html`<span class="dim">${small}</span>`;
  return html`<button type="submit" name=${name} value=${value} ...${attributes}>${word}${explained}</button>`;
}

/** Copies the text of the element with that id; hidden without scripts. */
export function copyButton(id: string, label: string): VNode {
  return html`<button class="copy btn small js" type="button" data-copy="#${id}">
    Copy<span class="vh"> ${label}</span>
  </button>`;
}

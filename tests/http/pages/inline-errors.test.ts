// A wrong value brings the form back with what was typed, and the error beside its field.
import { describe, expect, it } from '@jest/globals';
import { parse } from 'parse5';
import { workspacePages } from '../../../routes/pages/index.ts';
import { shared } from '../../support/shared.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';
import { openWorkspace } from '../../support/workspace.ts';
import { targetOf } from './act-targets.ts';

// Reports are scheduled where there is mail.
const workspace = shared(() => openWorkspace({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } }));

const long = 'x'.repeat(300);
const lines = 'x'.repeat(25_000);
const noSuchZone = 'Europe/Nowhere';

/** By the address of its action: fields with a value that the form does not take. An empty one is needed. */
const wrongValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/issues/views': { name: long },
  '/settings': { timezone: noSuchZone },
  '/issues/{id}/ignore': { count: 'many' },
  '/issues/{id}/links': { link: 'ftp://tracker.example' },
  '/issues/{id}/comments': { text: lines },
  '/users/{user_hash}/erase': { typed: 'somebody else' },
  '/projects': { name: long },
  '/projects/{project_id}/rename': { name: long },
  '/projects/{project_id}/settings': { scrub_fields: 'x'.repeat(101) },
  '/projects/{project_id}/filters': { ip_addresses: 'not an address' },
  '/projects/{project_id}/ownership': { rules: 'no rule' },
  '/projects/{project_id}/delete': { name: 'another name' },
  '/projects/{project_id}/keys': { origins: 'no origin' },
  '/projects/{project_id}/keys/{key_id}/change': { ends: 'some day' },
  '/domains': { domain: 'https://shop.example' },
  '/domains/{domain_id}/switches': { allowed_origins: 'no origin' },
  '/monitors': { url: 'no address' },
  '/monitors/{slug}/settings': { timeout: '0' },
  '/incidents': { title: ' ' },
  '/incidents/plan': { from: 'some day' },
  '/incidents/{incident_id}/plan': { until: 'some day' },
  '/incidents/{incident_id}/post-mortem': { text: lines },
  '/incidents/{incident_id}/updates': { body: lines },
  '/status-pages': { name: '' },
  '/status-pages/{slug}': { accent: 'green' },
  '/status-pages/{slug}/components': { name: '' },
  '/status-pages/{slug}/components/{component_id}': { name: long },
  '/status-pages/{slug}/subscribers': { url: 'no address' },
  '/alert-channels/new/{type}': { name: '', url: 'no address', quiet_from: 'night' },
  '/alert-channels/{channel_id}/settings': { url: 'no address' },
  '/alert-channels/rules/new/{on}': { name: '', group: '1000' },
  '/alert-channels/rules/{rule_id}': { name: long },
  '/test-runs/cases/{case_id}/quarantine': { issue: 'the first' },
  '/reports/schedules': { at: 'morning' },
  '/members/tokens': { name: long },
  '/members/passkeys/{passkey_id}/rename': { name: long },
  '/members': { email: 'no address' },
  '/members/teams': { name: 'Two words' },
  '/members/teams/{team_id}/rename': { name: 'Two words' },
};

/** Choices with which the wrong value counts. */
const choices: typeof wrongValues = { '/issues/{id}/ignore': { until: 'count' } };

/** Nothing is typed into these. */
const exceptions: ReadonlyArray<readonly [path: RegExp, why: string]> = [
  [/\/(delete|remove|revoke|call-off|unsubscribe)$|^\/issue-links\//, 'a question with one answer'],
  [/\/(state|role|access|share|default|switch|proof|rotate|assign|pause|add|leave|causes)$/, 'only choices'],
  [/^\/(issues\/bulk|feedback)$|\/(resolve|reopen|merge|undo-merge|split)$/, 'buttons of a list or a menu'],
  [/^\/issues\/views\/\{view_id\}$/, 'a button: the search of the list becomes that of the view'],
  [/\/browsers$/, 'a script fills in the only field, which is hidden'],
  [/^\/members\/passkeys$/, 'its page is for one answer of the browser, and the name is limited there'],
];

const actions = workspacePages().flatMap((each) => (each.kind === 'act' ? [each] : []));
const withFields = actions.filter(({ fields }) => fields.length > 0);

const controls: readonly string[] = ['input', 'textarea', 'select'];

interface Element {
  readonly tagName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** All elements of a page, in its order. */
function elementsOf(html: string): Element[] {
  const found: Element[] = [];
  const walk = (node: object): string => {
    const { tagName, attrs, value, childNodes } = node as {
      readonly tagName?: string;
      readonly attrs?: ReadonlyArray<{ readonly name: string; readonly value: string }>;
      readonly value?: string;
      readonly childNodes?: readonly object[];
    };
    const place = found.length;
    const attributes = Object.fromEntries((attrs ?? []).map((each) => [each.name, each.value]));
    if (tagName !== undefined) found.push({ tagName, attributes, text: '' });
    const text = value ?? (childNodes ?? []).map(walk).join('');
    if (tagName !== undefined) found[place] = { tagName, attributes, text };
    return text;
  };
  walk(parse(html));
  return found;
}

/** What is missing at a field with a wrong value. */
function faultsOf(elements: readonly Element[], name: string, typed: string): string[] {
  const ofField = elements.filter(
    ({ tagName, attributes }) =>
      controls.includes(tagName) && attributes['name'] === name && attributes['aria-invalid'] === 'true',
  );
  const [control] = ofField;
  if (control === undefined) return [`${name} is not marked as wrong`];
  const described = (control.attributes['aria-describedby'] ?? '').split(' ');
  const error = elements.find(
    ({ attributes }) =>
      attributes['class'] === 'wrong' &&
      attributes['id'] !== undefined &&
      described.includes(attributes['id']),
  );
  const held = control.tagName === 'textarea' ? control.text : (control.attributes['value'] ?? '');
  return [
    ofField.length === 1 ? null : `${name} is there ${ofField.length} times`,
    error === undefined || error.text.trim() === '' ? `${name} has no error beside it` : null,
    error?.text.startsWith(`${name} `) === true ? `the name of a field is told: ${error.text}` : null,
    // The words of a schema are not for whoever fills in a form.
    /Too (big|small)|Invalid (input|option)|expected/.test(error?.text ?? '')
      ? `${name}: ${error?.text}`
      : null,
    control.tagName === 'select' || held.trim() === typed.trim() ? null : `${name} lost what was typed`,
  ].filter((fault) => fault !== null);
}

describe('a wrong value', () => {
  it.each(
    rows(() =>
      fullOrSome(
        withFields.filter(({ path }) => path in wrongValues).map((each) => [each.path, each] as const),
        6,
      ),
    ),
  )('%s shows the form again with the error beside its field', async (path, action) => {
    const wrong = wrongValues[path] ?? {};
    const target = await targetOf(workspace, action);
    const { status, text } = await workspace.admin.post(target.path, {
      ...target.form,
      ...choices[path],
      ...wrong,
    });
    const elements = elementsOf(text);
    const names = Object.keys(wrong);
    const faults = names.flatMap((name) => faultsOf(elements, name, wrong[name] ?? ''));
    expect({ status, faults }).toEqual({ status: 400, faults: [] });
    const focused = elements.filter(
      ({ tagName, attributes }) => controls.includes(tagName) && 'autofocus' in attributes,
    );
    expect(focused).toHaveLength(1);
    expect(focused[0]?.attributes['aria-invalid']).toBe('true');
  });

  it('is tried in every form with a text field', () => {
    const left = withFields
      .map(({ path }) => path)
      .filter((path) => !(path in wrongValues) && !exceptions.some(([pattern]) => pattern.test(path)));
    expect(left).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { z } from 'zod';
import { monitorChangeRequest } from '../../schemas/monitors.ts';
import {
  defineForm,
  formFields,
  numberField,
  requiredTextField,
  selectField,
  textareaField,
  textField,
} from '../../src/web/components/form.ts';
import { editMonitorForm, monitorForm } from '../../src/web/monitors/forms.ts';

const shape = { age: z.int().min(1).max(9).nullish(), name: z.string().max(20), note: z.string() };
const fields = {
  name: requiredTextField('Name', 'Say a name.', { hint: 'As people say it.' }),
  age: numberField('Age'),
  kind: selectField('Kind', z.enum(['a', 'b'], 'Choose.'), { choices: [{ value: 'a', name: 'A' }] }),
  note: textareaField('Note'),
};
const html = (...asked: Parameters<typeof formFields<typeof fields>>): string =>
  formFields(...asked)
    .map((each) => renderToString(each as Parameters<typeof renderToString>[0]))
    .join('');

describe('a form is a list of fields', () => {
  const asked = defineForm(fields, shape);

  it('shows each with its label, its hint and the limits of the schema that has its name', () => {
    const shown = html(asked, { values: { name: '<b', age: 3, note: ['one', 'two'] } });
    expect(shown).toMatch(/<label for="name">Name<\/label><input [^>]*value="&lt;b"[^>]*required/);
    expect(shown).toMatch(/<input [^>]*maxlength="20"[^>]*aria-describedby="name-hint"/);
    expect(shown).toMatch(/<input type="number" name="age" value="3"[^>]*min="1" max="9"/);
    expect(shown).toMatch(/<select id="kind" name="kind"><option value="a">A<\/option>/);
    expect(shown).toMatch(/<textarea id="note" name="note" rows="2">one\ntwo<\/textarea>/);
  });

  it('shows some of them in a given order, with overrides by the page', () => {
    const shown = html(asked, {
      only: ['note', 'name'],
      fieldOptions: { name: { id: 'n', label: 'Called' } },
    });
    expect(shown).toMatch(/<textarea id="note".*<label for="n">Called<\/label><input [^>]*name="name"/s);
    expect(shown).not.toContain('age');
  });

  it('reads what is posted by the same list', () => {
    expect(Object.keys(asked.schema.shape)).toEqual(['name', 'age', 'kind', 'note']);
    expect(asked.schema.parse({ name: 'Ines', age: '4', kind: 'b' })).toEqual({
      name: 'Ines',
      age: 4,
      kind: 'b',
    });
    const { error } = asked.schema.safeParse({ kind: 'c' });
    expect(error?.issues.map(({ message }) => message)).toEqual(['Say a name.', 'Choose.']);
  });

  it('accepts more fields by name', () => {
    const longer = defineForm({ ...fields, more: textField('More') }, shape);
    expect(renderToString(formFields(longer, { only: ['more'] })[0] as never)).toContain('name="more"');
    expect(longer.schema.parse({ name: 'Ines', kind: 'a', more: 'x' })).toMatchObject({ more: 'x' });
  });
});

describe('the forms of monitors', () => {
  it('have the limits of the API', () => {
    const limits = (name: keyof typeof editMonitorForm.fields) =>
      editMonitorForm.fields[name].options.attributes;
    expect(limits('interval')).toMatchObject({ min: 10, max: 86_400 });
    expect(limits('name')).toMatchObject({ maxlength: 100 });
    expect(limits('body')).toMatchObject({ maxlength: 65_536 });
    expect(monitorForm.fields.contains.options.attributes).toMatchObject({ maxlength: 500 });
  });

  it('have no field that the API does not have', () => {
    const own = ['retries', 'tags'];
    const known = Object.keys(monitorChangeRequest.shape);
    const strange = Object.keys(editMonitorForm.schema.shape).filter((name) => !known.includes(name));
    expect(strange.filter((name) => !own.includes(name))).toEqual([]);
  });
});

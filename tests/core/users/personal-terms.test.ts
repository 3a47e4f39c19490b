import { describe, expect, it } from '@jest/globals';
import { createEraser, joinTerms, termsOfUser } from '../../../src/core/users/personal-terms.ts';

const terms = termsOfUser({
  id: 84213,
  email: 'a.b+c@northwind.example',
  username: 'admin',
  name: 'Ana (Überdijk)',
  ip_address: '203.0.113.0',
  geo: { city: 'Delft' },
});
const own = createEraser(terms, 'own');
const elsewhere = createEraser(terms, 'elsewhere');

describe('events of the user', () => {
  it.each([
    ['user 84213 left', 'user [erased] left'],
    ['mail A.B+C@Northwind.example now', 'mail [erased] now'],
    ['?who=a.b%2Bc%40northwind.example&x=1', '?who=[erased]&x=1'],
    ['by Ana (Überdijk).', 'by [erased].'],
    ['the admin area of 203.0.113.0', 'the [erased] area of [erased]'],
    ['order 1842130, administration', 'order 1842130, administration'],
  ])('%s', (before, after) => {
    expect(own.text(before)).toBe(after);
  });

  it('are searched in names and numbers of application data too, not in fields of the program', () => {
    const event = {
      level: 'error',
      exception: { values: [{ stacktrace: { frames: [{ lineno: 84213 }] } }] },
      extra: { total: 84213, lineno: 84213, 'of 84213': 1 },
      tags: [['customer', '84213']],
    };
    expect(own.json(event)).toEqual({
      level: 'error',
      exception: { values: [{ stacktrace: { frames: [{ lineno: 84213 }] } }] },
      extra: { total: '[erased]', lineno: '[erased]', 'of [erased]': 1 },
      tags: [['customer', '[erased]']],
    });
  });
});

describe('other events', () => {
  it('lose only what certainly identifies the user', () => {
    const text = 'admin 84213 a.b+c@northwind.example 203.0.113.0';
    expect(elsewhere.text(text)).toBe('admin [erased] [erased] 203.0.113.0');
  });
});

it('are unchanged by short or missing values', () => {
  for (const terms of [[], termsOfUser({ id: 7, username: 'bo' })]) {
    expect(createEraser(terms, 'own').text('7 bo')).toBe('7 bo');
  }
});

it('are searched for at most 200 distinct terms', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ name: 'name' as const, value: `name ${at}` }));
  expect(joinTerms(many, many)).toHaveLength(200);
  expect(joinTerms(termsOfUser({ id: 'Ab12' }), termsOfUser({ id: 'aB12' }))).toHaveLength(1);
});

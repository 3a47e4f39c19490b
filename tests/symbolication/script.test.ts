// What a script says of its map.
import { describe, expect, it } from '@jest/globals';
import { debugIdFrom, inlineMap, readScriptComments } from '../../src/symbolication/script.ts';

const id = '9192dd42-8b36-5d71-a20b-eac1e9381fb1';
const comments = (text: string) => readScriptComments(Buffer.from(text));

describe('comments of a script', () => {
  it.each([
    ['at the end', 'a()\n//# sourceMappingURL=a.js.map\n', 'a.js.map'],
    ['with the old sign', 'a()\n//@ sourceMappingURL=a.js.map', 'a.js.map'],
    ['with CRLF', 'a()\r\n//# sourceMappingURL=a.js.map\r\n', 'a.js.map'],
    ['in a block', 'a()\n/*# sourceMappingURL=a.css.map */', 'a.css.map'],
    ['the last of two', '//# sourceMappingURL=a\n//# sourceMappingURL=b\n', 'b'],
    ['none', 'a()', null],
    ['none in a string of code', 'x="sourceMappingURL=a.map"', null],
    ['none in an empty file', '', null],
  ])('name a map: %s', (_name, text, map) => expect(comments(text).sourceMap).toBe(map));

  it.each([
    ['before the map', `a()\n//# debugId=${id}\n//# sourceMappingURL=a.js.map\n`],
    ['after it', `a()\n//# sourceMappingURL=a.js.map\n//# debugId=${id}`],
    ['in capitals', `a()\n//# debugId=${id.toUpperCase()}`],
  ])('name a debug id: %s', (_name, text) => expect(comments(text).debugId).toBe(id));

  it('name no debug id further up than the last five lines, nor one that is no UUID', () => {
    expect(comments(`//# debugId=${id}\n${'a()\n'.repeat(5)}`).debugId).toBeNull();
    expect(comments('a()\n//# debugId=12345678').debugId).toBeNull();
  });

  it.each([
    ['base64', `data:application/json;base64,${Buffer.from('{"a":"é"}').toString('base64')}`],
    [
      'base64 with a charset',
      `data:application/json;charset=utf-8;base64,${Buffer.from('{"a":"é"}').toString('base64')}`,
    ],
    ['percent signs', `data:application/json,${encodeURIComponent('{"a":"é"}')}`],
  ])('hold a map in %s', (_name, address) => {
    const script = Buffer.from(`a()\n//# sourceMappingURL=${address}\n`);
    expect(readScriptComments(script)).toMatchObject({ hasInlineMap: true, sourceMap: null });
    expect(inlineMap(script)?.toString()).toBe('{"a":"é"}');
  });

  it('hold no map where the address is a plain one or broken', () => {
    expect(inlineMap(Buffer.from('//# sourceMappingURL=a.map'))).toBeNull();
    expect(inlineMap(Buffer.from('//# sourceMappingURL=data:application/json,%E0%'))).toBeNull();
  });
});

describe('debug ids', () => {
  it('are kept in lower case with dashes', () => {
    expect(debugIdFrom(id.replaceAll('-', '').toUpperCase())).toBe(id);
    expect(debugIdFrom('x')).toBeNull();
    expect(debugIdFrom(7)).toBeNull();
  });
});

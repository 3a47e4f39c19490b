import { describe, expect, it } from '@jest/globals';
import { parseDebugId, readInlineMap, readScriptComments } from '../../src/symbolication/script-comments.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';

const id = '9192dd42-8b36-5d71-a20b-eac1e9381fb1';
const comments = (text: string) => readScriptComments(Buffer.from(text));

describe('comments of a script', () => {
  it.each([
    ['at the end', 'a()\n//# sourceMappingURL=a.js.map\n', 'a.js.map'],
    ['with the old sign', 'a()\n//@ sourceMappingURL=a.js.map', 'a.js.map'],
    ['with CRLF', 'a()\r\n//# sourceMappingURL=a.js.map\r\n', 'a.js.map'],
    ['in a block', 'a()\n/*# sourceMappingURL=a.css.map */', 'a.css.map'],
    ['the last of two', '//# sourceMappingURL=a\n//# sourceMappingURL=b\n', 'b'],
    ['with a blank in it', 'a()\n//# sourceMappingURL=my app.js.map\n', 'my app.js.map'],
    ['behind code', 'a("http://b");//# sourceMappingURL=https://x.example/a.map', 'https://x.example/a.map'],
    ['in a block behind code', 'a() /*# sourceMappingURL=a.map */', 'a.map'],
    ['before comments', '//# sourceMappingURL=a.map\n\n// b\n/*! c\n * d */ /**/\n//# debugId=0\n', 'a.map'],
    ['the last of two that is one', '//# sourceMappingURL=a.map\n//# sourceMappingURL="b"', 'a.map'],
    ['none before code', '//# sourceMappingURL=a.map\na()', null],
    ['none in a longer comment', 'a()\n/* for example\n//# sourceMappingURL=a.map\n*/', null],
    ['none in a string', 'var s = "//# sourceMappingURL=a.map"', null],
    ['none in a string that goes on', "a='//# sourceMappingURL='+b;", null],
    ['none in a string with a block', 'a("/*# sourceMappingURL=a.map */")', null],
    ['none in a template', `a(\`\n//# sourceMappingURL=data:application/json;base64,\${b}\`)`, null],
    ['none in a template that ends with it', 'a=`b\n//# sourceMappingURL=a.map`', null],
    ['none on a line of a template', 'a = `\n//# sourceMappingURL=a.map\n`;\n// b', null],
    ['none in a pattern', 'a = /[/][/]# sourceMappingURL=(.*)$/m;', null],
    ['none where it says nothing', 'a()\n//# sourceMappingURL=\n', null],
    ['none behind what ends like a block', 'a = /b*/', null],
    ['none', 'a()', null],
    ['none in a string of code', 'x="sourceMappingURL=a.map"', null],
    ['none in an empty file', '', null],
  ])('name a map: %s', (_name, text, map) => expect(comments(text).sourceMap).toBe(map));

  inFull(it)('are found in bounded time after very many that look like one', () => {
    const reference = '//# sourceMappingURL="a"\n';
    for (const piece of [reference, '// a\n', '/**/', '*/', '/*', '\n', '//# sourceMappingURL=']) {
      expect(comments(piece.repeat(fullOrShort(200_000, 60_000))).hasInlineMap).toBe(false);
    }
  });

  it.each([
    ['before the map', `a()\n//# debugId=${id}\n//# sourceMappingURL=a.js.map\n`],
    ['after it', `a()\n//# sourceMappingURL=a.js.map\n//# debugId=${id}`],
    ['in capitals', `a()\n//# debugId=${id.toUpperCase()}`],
  ])('name a debug id: %s', (_name, text) => expect(comments(text).debugId).toBe(id));

  it('name no debug id above the last five lines, nor one that is not a UUID', () => {
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
    expect(readInlineMap(script)?.toString()).toBe('{"a":"é"}');
  });

  it('hold no map where the URL is an ordinary one or broken', () => {
    expect(readInlineMap(Buffer.from('//# sourceMappingURL=a.map'))).toBeNull();
    expect(readInlineMap(Buffer.from('//# sourceMappingURL=data:application/json,%E0%'))).toBeNull();
    expect(readInlineMap(Buffer.from('//# sourceMappingURL=data:application/json\n// a, b'))).toBeNull();
  });
});

describe('debug ids', () => {
  it('are kept in lower case with dashes', () => {
    expect(parseDebugId(id.replaceAll('-', '').toUpperCase())).toBe(id);
    expect(parseDebugId('x')).toBeNull();
    expect(parseDebugId(7)).toBeNull();
  });
});

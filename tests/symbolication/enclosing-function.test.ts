// Which function of a source encloses a position: scripts as people write them, with the place marked by `‸`.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts that are read have templates.
import { describe, expect, it } from '@jest/globals';
import { findEnclosingFunction } from '../../src/symbolication/enclosing-function.ts';
import { endless } from '../support/endless.ts';
import { fullOrShort, inFull } from '../support/test-level.ts';

function named(marked: string): string | null {
  const offset = marked.indexOf('‸');
  const found = findEnclosingFunction(marked.replace('‸', ''), offset);
  if (found === null) return 'cannot tell';
  return found === 'module' ? 'module' : found.name;
}

describe('the enclosing function of a position', () => {
  it.each([
    ['function total(cart) { ‸return cart; }', 'total'],
    ['async function* pages() {\n  yield ‸1;\n}', 'pages'],
    ['export default function () { ‸x(); }', null],
    ['const total = function () { ‸x(); };', 'total'],
    ['const total = function sum() { ‸x(); };', 'sum'],
    ['const rateOf = (season) => ‸rates[season].percent;', 'rateOf'],
    ['const rateOf = (season) => rates[season].percent;\n‸start();', 'module'],
    ['const a = (x) => x.y\nconst b = (x) => ‸x.y\n', 'b'],
    ['const a = x => y => ‸x.y', null],
    ['shop.open = async (id) => { ‸x(); };', 'open'],
    ['module.exports = { buy() { ‸x(); }, sell: () => 1 };', 'buy'],
    ['module.exports = { buy() {}, sell: () => ‸x() };', 'sell'],
    ['module.exports = { buy: wrap(() => ‸x()) };', null],
    ['class Cart { add(item) { ‸x(); } }', 'add'],
    ['class Cart { static async #load(id) { ‸x(); } }', '#load'],
    ['class Cart { get total() { ‸return 1; } }', 'total'],
    ['class Cart { constructor() { ‸x(); } }', 'new Cart'],
    ['class Cart extends mixin({ a: 1 }) { add() { ‸x(); } }', 'add'],
    ['class Cart {\n  #items = []\n  onAdd = (item) => {\n    ‸x()\n  }\n}', 'onAdd'],
    ['class Cart { catch(error) { ‸x(); } }', 'catch'],
    ['class Cart { [Symbol.iterator]() { ‸x(); } }', null],
    ['const o = { delete(x) { if (x) { ‸x(); } } };', 'delete'],
    ['items.map((item) => {\n  ‸x(item);\n});', null],
    ['function all(items) { return items.map((item) => item.x)\n  .filter(‸f); }', 'all'],
    ['function f() { try { for (const a of b) { ‸x(); } } catch { } }', 'f'],
    ['function f(a) { switch (a) { case 1: { if (a) { ‸x(); } } } }', 'f'],
    ['const o = { run: (a) => { if (a) { ‸x(); } } };', 'run'],
    ['if (a) { ‸x(); }', 'module'],
    ['function f() {}\n‸x();', 'module'],
  ])('%s → %s', (marked, name) => {
    expect(named(marked)).toBe(name);
  });

  it.each([
    ["const s = 'it\\'s {'; function f() { ‸x(); }", 'f'],
    ['const t = `a ${b ? `{${c}` : "}"} {`; function f() { ‸x(); }', 'f'],
    ['function f() { return `${(() => ‸x())()}`; }', null],
    ['const r = /[/{"]\\/{/g; const f = () => { ‸x(); };', 'f'],
    ['const q = a / b; const f = () => { ‸x(/"/); };', 'f'],
    ['/* function g() { */ function f() { // }\n ‸x(); }', 'f'],
  ])('whatever strings, patterns and comments hold: %s', (marked, name) => {
    expect(named(marked)).toBe(name);
  });

  it.each([
    ['const open: Handler<{ id: string }> = async (event): Promise<void> => { ‸x(); };', 'open'],
    ['function read<T extends { id: string }>(from: T): { id: string } { ‸return from; }', 'read'],
    ['class A<T> implements B, C { private run(cb: (n: number) => void): Map<string, T> { ‸x(); } }', 'run'],
    ['type F = (a: string) => void;\ninterface G { run(): void }\nfunction f() { ‸x(); }', 'f'],
    [
      "export const Shop: FC = () => {\n  return <p>Don't {items.map((i) => <b>{i}</b>)} {‸x()}</p>;\n};",
      'Shop',
    ],
    ['const Pay = () => <button onClick={() => ‸pay()}>Pay</button>;', 'onClick'],
    ['const Pay = () => (<Form class="a" onSubmit={(e) => { ‸x(e); }} />);', 'onSubmit'],
  ])('types and markup around it: %s', (marked, name) => {
    expect(named(marked)).toBe(name);
  });

  it('is the one that begins there only where it has a name', () => {
    expect(named("wire('a', ‸async () => {\n  await x();\n});")).toBeNull();
    expect(named('const load = ‸async () => { await x(); };')).toBe('load');
    expect(named('‸async function load() { await x(); }\nfunction g() {}')).toBe('load');
    expect(named('class A { ‸async load(id) { await x(); } }')).toBe('load');
    expect(named('function f() { ‸go(() => 1); }')).toBe('f');
  });

  it('an anonymous one has the same start from every position', () => {
    const text = "wire('a', async () => {\n  const b = 1;\n  go(b);\n});";
    const starts = ['const', 'go(b)', 'async'].map((at) => findEnclosingFunction(text, text.indexOf(at)));
    expect(starts).toEqual(starts.map(() => ({ name: null, start: text.indexOf('async') })));
  });
});

it('is unknown where brackets do not match', () => {
  expect(named('function f() { ) ‸x(); }')).toBe('cannot tell');
});

inFull(it)('is found in a text of a quarter of a megabyte or more', () => {
  const piece = 'const a = (x) => { if (x) { return `${x}` } };\n';
  const pieces = fullOrShort(20_000, 5_000);
  const text = piece.repeat(pieces);
  expect(findEnclosingFunction(`${text}function last() { x() }`, text.length + 20)).toMatchObject({
    name: 'last',
  });
  const times = fullOrShort(50_000, 10_000);
  for (const hostile of ['`', '`${', "'", '({['.repeat(3), '=>', 'a=>', '\n', '/*', '<', 'async(']) {
    findEnclosingFunction(hostile.repeat(times), times * hostile.length);
  }
});

it.each(['"\\', '/['])('takes linear time for what is not closed on its line: %j', (opening) => {
  const text = endless(opening);
  expect(findEnclosingFunction(text, text.length)).toBe('module');
});

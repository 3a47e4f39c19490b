import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildCurlCommand } from '../../src/core/page-models/issue/curl.ts';
import { eventToMarkdown, fenceCodeBlock } from '../../src/core/page-models/issue/markdown.ts';
import { replaceInvisible } from '../../src/web/formatters.ts';
import { issueEventPage } from '../../src/web/issue/tabs.ts';
import { renderDocument } from '../../src/web/layout/document.ts';
import { frameOf, modelOf, pageOf, textOf, viewOf } from '../support/event-page.ts';
import { anyEvent, normalized } from '../support/events.ts';
import { fullOrShort, inFull, runs } from '../support/test-level.ts';

describe('the page of an event with unusual content', () => {
  it('shows the texts of its exceptions without their markup', () => {
    fc.assert(
      fc.property(anyEvent, fc.constantFrom('', 'stack=raw', 'show=all'), (raw, query) => {
        const event = normalized(raw);
        const text = textOf(pageOf(raw, query));
        for (const { type = '', value = '' } of event.exception?.values.slice(-10) ?? []) {
          expect(text).toContain(replaceInvisible(value));
          if (type !== '') expect(text).toContain(replaceInvisible(type));
        }
        const said = event.logentry?.formatted ?? event.logentry?.message;
        if (event.exception === undefined && said !== undefined)
          expect(text).toContain(replaceInvisible(said));
      }),
      { numRuns: runs(200) },
    );
  });

  it('has Markdown that no content can break out of, and a line for curl', () => {
    fc.assert(
      fc.property(anyEvent, (raw) => {
        const { view } = viewOf(normalized(raw));
        const markdown = eventToMarkdown(view, 'http://x');
        expect(markdown.startsWith('```')).toBe(true);
        const curl = buildCurlCommand(view as Readonly<Record<string, unknown>>);
        expect(curl === null || curl.startsWith('curl ')).toBe(true);
      }),
      { numRuns: runs(200) },
    );
    expect(fenceCodeBlock('a\n````\nb')).toBe('`````text\na\n````\nb\n`````');
  });

  it('quotes shell metacharacters', () => {
    const request = {
      url: "https://a.example/x'y",
      method: 'post',
      query_string: [['a b', '&']],
      headers: { 'X-A': "$(id) 'q'", Host: 'a', Cookie: '[Filtered]' },
      data: { a: 1 },
    };
    expect(buildCurlCommand({ request })).toBe(
      String.raw`curl -X 'POST' 'https://a.example/x'\''y?a%20b=%26' -H 'X-A: $(id) '\''q'\''' --data-raw '{"a":1}'`,
    );
    expect(buildCurlCommand({ request: { headers: {} } })).toBeNull();
  });

  it('shows markup, right-to-left text and control characters as they were sent', () => {
    const value = '<script>alert(1)</script> \u202Egnp.exe\u0007 \u0000\u001b[31m"quoted" \u0085';
    const text = textOf(pageOf({ exception: { type: '<b>T</b>', value } }));
    expect(text).toContain('<script>alert(1)</script> \u202Egnp.exe␇ ␛[31m"quoted" \\x85');
    expect(text).toContain('<b>T</b>');
  });

  it('folds a long message, which is there completely', () => {
    const value = `${'word '.repeat(1600)}the end`;
    const html = pageOf({ exception: { type: 'E', value } });
    expect(html).toMatch(/<summary>All 8,00\d characters<\/summary>/);
    expect(textOf(html)).toContain('word the end');
  });

  it('shows a value member by member, and deeper values as JSON', () => {
    const long = 'x'.repeat(100);
    const html = pageOf({ message: 'm', extra: { sent: { outer: { inner: { text: long } } } } });
    const names = [...html.matchAll(/<dt><bdi>(sent|outer|inner|text)<\/bdi><\/dt>/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(['sent', 'outer']);
    expect(html).toContain('<pre class="snip"><bdi>{\n  &quot;inner&quot;: {\n');
  });

  it('names what is missing: exception, stack, message, event', () => {
    expect(textOf(pageOf({ message: 'just words' }))).toContain('has a message but no exception');
    expect(textOf(pageOf({ exception: { type: 'E', value: 'v' } }))).toContain('No stack trace was sent');
    expect(textOf(pageOf({}))).toContain('No message.');
    const frame = frameOf();
    const gone = { ...modelOf(normalized({})), shown: null };
    expect(textOf(renderDocument(issueEventPage(gone, frame), frame))).toContain(
      'This event is no longer stored',
    );
    const empty = { ...gone, stored: { ...gone.stored, events: 0 } };
    expect(textOf(renderDocument(issueEventPage(empty, frame), frame))).toContain(
      'No events of this issue are stored any more',
    );
  });

  it('expands only the topmost in-app frame and folds those of libraries', () => {
    const library = (name: string) => ({
      function: 'f',
      filename: `node_modules/${name}/x.js`,
      in_app: false,
    });
    const own = { function: 'mine', filename: 'src/a.ts', lineno: 3, colno: 8, in_app: true };
    const lines = { pre_context: ['one', 'two'], context_line: '  call(thing);', post_context: ['four'] };
    const frames = [
      { ...own, ...lines },
      library('preact'),
      library('@a/b'),
      { ...own, ...lines },
      library('x'),
    ];
    const html = pageOf({ exception: { type: 'E', value: 'v', stacktrace: { frames } } });
    expect(html.match(/<details open>/g)).toHaveLength(1);
    expect(textOf(html)).toContain('2 frames in @a/b and preact');
    expect(html).toContain('data-n="3">  call(<mark>thing</mark>);');
  });

  inFull(it)('is at most 60 KB for the largest events, and shows the rest on request', () => {
    const noise = (seed: number, length: number): string =>
      // A word and its blank are two characters at least.
      Array.from({ length: Math.ceil(length / 2) }, (_, at) =>
        ((seed * 7919 + at * 104_729) % 46_656).toString(36),
      )
        .join(' ')
        .slice(0, length);
    const frames = Array.from({ length: 250 }, (_, n) => ({
      function: `function${n}`,
      filename: `src/${noise(n, 40)}.ts`,
      lineno: n + 20,
      in_app: true,
      pre_context: Array.from({ length: 5 }, (_each, line) => noise(n + line, 200)),
      context_line: noise(n, 200),
      post_context: Array.from({ length: 5 }, (_each, line) => noise(n * 3 + line, 200)),
      vars: Object.fromEntries(Array.from({ length: 20 }, (_each, v) => [`v${v}`, noise(n * v, 500)])),
    }));
    const raw = {
      exception: Array.from({ length: fullOrShort(40, 3) }, (_, n) => ({
        type: `E${n}`,
        value: noise(n, 8000),
        stacktrace: { frames },
      })),
      breadcrumbs: Array.from({ length: 100 }, (_, n) => ({ category: 'c', message: noise(n, 4000) })),
      extra: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x${n}`, noise(n, 4000)])),
      contexts: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`c${n}`, { a: noise(n, 4000) }])),
      tags: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`t${n}`, noise(n, 190)])),
      request: {
        url: 'https://a.example',
        headers: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`h${n}`, noise(n, 400)])),
        data: noise(5, 8000),
      },
      modules: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`m${n}`, '1.0.0'])),
    };
    const html = pageOf(raw);
    const kilobytes = gzipSync(html).byteLength / 1000;
    expect(html).toContain('Show all');
    expect(kilobytes).toBeLessThan(60);
    expect(pageOf(raw, 'show=all')).not.toContain('Show all');
  });
});

describe('why events are one issue', () => {
  const frame = (context_line: string, name: string) => ({
    function: name,
    filename: 'src/cart.js',
    context_line,
    in_app: true,
  });
  const thrown = (frames: readonly object[]) => ({
    platform: 'node',
    exception: { values: [{ type: 'Error', value: 'bad', stacktrace: { frames } }] },
  });
  const whyOf = (raw: unknown): string => {
    const html = pageOf(raw);
    const from = html.indexOf('Why these events are grouped');
    return html.slice(from, html.indexOf('</section>', from));
  };

  it.each(['if (a < b · c @ d) {', 'let c = a < b;', 'x · y < z · w'])(
    'a frame is one line, whatever its source contains: %s',
    (line) => {
      const why = whyOf(thrown([frame('pay(cart)', 'pay'), frame(line, 'total')]));
      const frames = why.slice(why.indexOf('<ol>', why.indexOf('<strong>')));
      expect(frames.slice(0, frames.indexOf('</ol>')).match(/<li>/g)).toHaveLength(2);
    },
  );

  it('a type or message that looks like a frame is not taken for one', () => {
    const why = whyOf({ platform: 'php', exception: { values: [{ type: 'A @ b', value: 'c < d · e' }] } });
    expect(textOf(why)).toContain('A @ b');
    expect(textOf(why)).toContain('c < d · e');
  });

  it('an older grouping config is shown by its texts', () => {
    const model = modelOf(normalized(thrown([frame('let c = a < b;', 'total')])));
    const shown = model.shown === null ? null : { ...model.shown, grouping_parts: null };
    const page = renderDocument(issueEventPage({ ...model, shown }, frameOf('')), frameOf(''));
    expect(textOf(page)).toContain('Error @ cart.js · total · let c = a < b;');
  });
});

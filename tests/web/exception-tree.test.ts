import { describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { exceptionLines } from '../../src/cli/commands/events.ts';
import { eventToMarkdown } from '../../src/core/page-models/issue/markdown.ts';
import { pageOf, textOf, viewOf } from '../support/event-page.ts';
import { normalized } from '../support/events.ts';
import { nested, pythonGroup } from '../support/exception-groups.ts';

const raw = { platform: 'python', exception: { values: nested } };
const plain = { bold: (text: string) => text, faint: (text: string) => text };

function headsOf(html: string): string[] {
  const heads: string[] = [];
  const textIn = (node: DefaultTreeAdapterTypes.Node): string => {
    if ('value' in node) return node.value;
    const isSmall = 'attrs' in node && node.attrs.some(({ value }) => value === 'dim small');
    return isSmall || !('childNodes' in node) ? '' : node.childNodes.map(textIn).join('');
  };
  const walk = (node: DefaultTreeAdapterTypes.Node, depth: number): void => {
    const classOf = 'attrs' in node ? node.attrs.find(({ name }) => name === 'class')?.value : undefined;
    for (const child of 'childNodes' in node ? node.childNodes : []) {
      if (classOf === 'exc' && child.nodeName === 'h3') heads.push('  '.repeat(depth) + textIn(child));
      walk(child, depth + (classOf === 'branch' ? 1 : 0));
    }
  };
  walk(parse(html), 0);
  return heads;
}

describe('an exception group', () => {
  it('is a tree on the page, with the stack of the title expanded', () => {
    const html = pageOf(raw);
    expect(headsOf(html)).toEqual([
      'ExceptionGroup',
      '  Member 1 of 2: ExceptionGroup',
      '    Member 1 of 2: KeyError',
      '    Caused by OSError',
      '    Member 2 of 2: ValueError',
      '  Member 2 of 2: TypeError',
    ]);
    const open = [...html.matchAll(/<details open>.*?<\/summary>/gs)].map(([each]) => each);
    expect(open.filter((each) => each.includes('shop/'))).toHaveLength(1);
    expect(open.find((each) => each.includes('shop/'))).toContain('price');
  });

  it('is cut after ten exceptions, and says how many are left', () => {
    const values = pythonGroup(Array.from({ length: 14 }, (_, at) => `load_${at}`));
    const text = textOf(pageOf({ platform: 'python', exception: { values } }));
    expect(text).toContain('Member 9 of 14');
    expect(text).not.toContain('Member 10 of 14');
    expect(text).toContain('5 more exceptions not shown.');
    const all = pageOf({ platform: 'python', exception: { values } }, 'show=all');
    expect(textOf(all)).toContain('Member 14 of 14');
  });

  it('has a limited depth on the page, whatever is sent', () => {
    const values = Array.from({ length: 40 }, (_, at) => ({
      type: 'ExceptionGroup',
      value: `level ${40 - at}`,
      mechanism: { type: 'chained', is_exception_group: true, exception_id: 40 - at, parent_id: 39 - at },
    }));
    const html = pageOf({ platform: 'python', exception: { values } }, 'show=all');
    expect(html.match(/class="branch"/g)).toHaveLength(5);
    expect(textOf(html)).toContain('level 40');
  });

  it('is a tree of headings in Markdown', () => {
    const { view } = viewOf(normalized(raw));
    const heads = eventToMarkdown(view, 'http://x').match(/^#+ .*$/gm);
    expect(heads).toEqual([
      '## Exception',
      '### Member 1 of 2',
      '#### Member 1 of 2',
      '#### Caused by',
      '#### Member 2 of 2',
      '### Member 2 of 2',
    ]);
  });

  it('is indented on the command line', () => {
    const lines = exceptionLines(normalized(raw).exception, plain);
    expect(
      lines.filter((line) => /^ *(?:\S+ \d of \d: |Caused by )?\w+(?:Error|Group): /.test(line)),
    ).toEqual([
      'ExceptionGroup: page failed',
      '  Member 1 of 2: ExceptionGroup: cart failed',
      '    Member 1 of 2: KeyError: price',
      '    Caused by OSError: read',
      '    Member 2 of 2: ValueError: tax',
      '  Member 2 of 2: TypeError: total',
    ]);
    expect(lines).toContain('      at price  shop/price.py:4  [in app]');
  });
});

// Markdown as elements: what somebody wrote becomes tokens, and each token an element of ours. No markup of
// the text is ever passed on: what looks like HTML is text, pictures are their words, links are of the web.
import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { type Content, el } from '../el.ts';
import { webLink } from './link.ts';

/** Deeper is shown as text: nobody writes so, and each level is read anew by the one above it. */
const depthMax = 12;
/** A paragraph with more is shown without emphasis: each is looked for to the end of the paragraph. */
const emphasisMarksMax = 200;
/** The end of an address is looked for no further ahead. */
const aheadCharactersMax = 2_000;

/** A text as it was written, below a heading of the second level. */
export function markdown(text: string): Content {
  try {
    return blocks(new Lexer({ gfm: true, breaks: false, tokenizer: new BoundedTokenizer() }).lex(text), 0);
  } catch (error) {
    // What fills the stack all the same is shown as it was written.
    if (error instanceof RangeError) return el('p', { class: 'said' }, text);
    throw error;
  }
}

/** Reads no text in a time that grows with its square: what nobody writes is left as the text that it is. */
class BoundedTokenizer extends Tokenizer {
  #depth = 0;
  #counted = { text: '', marks: 0 };

  override list(text: string): Tokens.List | undefined {
    return this.#within(() => super.list(text));
  }

  override blockquote(text: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(text));
  }

  override emStrong(rest: string, whole: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#marksIn(whole) > emphasisMarksMax ? undefined : super.emStrong(rest, whole, before);
  }

  override url(rest: string): Tokens.Link | undefined {
    return super.url(rest.slice(0, aheadCharactersMax));
  }

  override inlineText(rest: string): Tokens.Text | undefined {
    return super.inlineText(rest.slice(0, aheadCharactersMax));
  }

  #within<Block>(read: () => Block | undefined): Block | undefined {
    if (this.#depth >= depthMax) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** It is asked of the same text at each of its marks. */
  #marksIn(text: string): number {
    if (this.#counted.text !== text) this.#counted = { text, marks: text.match(/[*_]+/g)?.length ?? 0 };
    return this.#counted.marks;
  }
}

function blocks(tokens: readonly Token[], depth: number): Content[] {
  if (depth > depthMax) return tokens.map(({ raw }) => el('p', null, raw));
  return tokens.map((token) => block(token as Tokens.Generic, depth + 1));
}

function block(token: Tokens.Generic, depth: number): Content {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return el(token['depth'] <= 2 ? 'h3' : 'h4', null, inlines(token.tokens, depth));
    case 'paragraph':
      return el('p', null, inlines(token.tokens, depth));
    case 'text':
      return token.tokens === undefined ? token['text'] : inlines(token.tokens, depth);
    case 'code':
      return el('pre', null, el('code', null, token['text']));
    case 'blockquote':
      return el('blockquote', null, blocks(token.tokens ?? [], depth));
    case 'checkbox':
      return inline(token, depth);
    case 'hr':
      return el('hr', null);
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    default:
      return el('p', null, token.raw);
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): Content {
  const rows = items.map((item) => el('li', null, blocks(item.tokens, depth)));
  return ordered
    ? el('ol', { start: start === '' || start === 1 ? null : start }, ...rows)
    : el('ul', null, ...rows);
}

function table({ header, rows }: Tokens.Table, depth: number): Content {
  const cells = (tag: 'th' | 'td', all: readonly Tokens.TableCell[]): Content =>
    el('tr', null, ...all.map(({ tokens }) => el(tag, null, inlines(tokens, depth))));
  return el(
    'table',
    { class: 't mini' },
    el('thead', null, cells('th', header)),
    el('tbody', null, ...rows.map((row) => cells('td', row))),
  );
}

function inlines(tokens: readonly Token[] | undefined, depth: number): Content[] {
  const all = tokens ?? [];
  if (depth > depthMax) return all.map(({ raw }) => raw);
  return all.map((token) => inline(token as Tokens.Generic, depth + 1));
}

function inline(token: Tokens.Generic, depth: number): Content {
  switch (token.type) {
    case 'strong':
      return el('strong', null, inlines(token.tokens, depth));
    case 'em':
      return el('em', null, inlines(token.tokens, depth));
    case 'del':
      return el('del', null, inlines(token.tokens, depth));
    case 'codespan':
      return el('code', null, token['text']);
    case 'br':
      return el('br', null);
    case 'link':
      return webLink(token['href'], inlines(token.tokens, depth));
    case 'image':
      return token['text'];
    case 'escape':
      return token['text'];
    case 'text':
      return token.tokens === undefined ? token['text'] : inlines(token.tokens, depth);
    case 'checkbox':
      return token['checked'] === true ? '☑ ' : '☐ ';
    default:
      return token.raw;
  }
}

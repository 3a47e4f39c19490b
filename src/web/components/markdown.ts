// Markdown as elements. HTML in the text stays text, images become their alt text, links only http(s).
import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';
import { type Content, el, externalLink, html } from '../el.ts';

/** Deeper nesting stays text: each level is parsed again by the level above. */
const depthMax = 12;
const emphasisMarksMax = 200;
/** Limits how far marked searches for the end of a URL. */
const aheadCharactersMax = 2_000;

export function markdown(text: string): Content {
  try {
    return blocks(new Lexer({ gfm: true, breaks: false, tokenizer: new BoundedTokenizer() }).lex(text), 0);
  } catch (error) {
    // On stack overflow the source text is shown.
    if (error instanceof RangeError) return html`<p class="said">${text}</p>`;
    throw error;
  }
}

/** Prevents quadratic parsing time on hostile input. */
class BoundedTokenizer extends Tokenizer {
  #depth = 0;
  #counted = { text: '', marks: 0 };

  override list(text: string): Tokens.List | undefined {
    return this.#within(() => super.list(text));
  }

  override blockquote(text: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(text));
  }

  override emStrong(
    rest: string,
    maskedSource: string,
    before?: string,
  ): Tokens.Em | Tokens.Strong | undefined {
    return this.#marksIn(maskedSource) > emphasisMarksMax
      ? undefined
      : super.emStrong(rest, maskedSource, before);
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

  /** Cached, because it is called for the same text at each mark. */
  #marksIn(text: string): number {
    if (this.#counted.text !== text) this.#counted = { text, marks: text.match(/[*_]+/g)?.length ?? 0 };
    return this.#counted.marks;
  }
}

/** Above the maximum depth, the source of a token is shown by `asText`. */
function nodes(tokens: readonly Token[] | undefined, depth: number, asText: AsText): Content[] {
  return (tokens ?? []).map((token) =>
    depth > depthMax ? asText(token.raw) : node(token as Tokens.Generic, depth + 1, asText),
  );
}

type AsText = (raw: string) => Content;

function blocks(tokens: readonly Token[] | undefined, depth: number): Content[] {
  return nodes(tokens, depth, (raw) => html`<p>${raw}</p>`);
}

function inlines(tokens: readonly Token[] | undefined, depth: number): Content[] {
  return nodes(tokens, depth, (raw) => raw);
}

function node(token: Tokens.Generic, depth: number, asText: AsText): Content {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return el(token['depth'] <= 2 ? 'h3' : 'h4', null, inlines(token.tokens, depth));
    case 'paragraph':
      return html`<p>${inlines(token.tokens, depth)}</p>`;
    case 'code':
      return html`<pre><code>${token['text']}</code></pre>`;
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, depth)}</blockquote>`;
    case 'hr':
      return html`<hr />`;
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    case 'text':
      return token.tokens === undefined ? token['text'] : inlines(token.tokens, depth);
    case 'checkbox':
      return token['checked'] === true ? '☑ ' : '☐ ';
    case 'strong':
    case 'em':
    case 'del':
      return el(token.type, null, inlines(token.tokens, depth));
    case 'codespan':
      return html`<code>${token['text']}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return externalLink(token['href'], inlines(token.tokens, depth));
    case 'image':
    case 'escape':
      return token['text'];
    default:
      return asText(token.raw);
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): Content {
  const rows = items.map((item) => html`<li>${blocks(item.tokens, depth)}</li>`);
  return ordered
    ? html`<ol start=${start === '' || start === 1 ? null : start}>${rows}</ol>`
    : html`<ul>${rows}</ul>`;
}

function table({ header, rows }: Tokens.Table, depth: number): Content {
  const cells = (tag: 'th' | 'td', all: readonly Tokens.TableCell[]): Content =>
    html`<tr>${all.map(({ tokens }) => el(tag, null, inlines(tokens, depth)))}</tr>`;
  return html`<table class="t mini">
    <thead>${cells('th', header)}</thead>
    <tbody>${rows.map((row) => cells('td', row))}</tbody>
  </table>`;
}

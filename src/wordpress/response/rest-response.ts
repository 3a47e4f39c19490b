// What a route answers: data, status, headers and links. No encoding and no sending.
import type { PhpValue } from '../php/values.ts';

/** A link of an answer: attributes as given, then `href`. */
export type Link = { readonly href: string; readonly attributes: Readonly<Record<string, PhpValue>> };

/** Bytes to be sent instead of JSON. */
export type RawBody = { readonly contentType: string; readonly bytes: Uint8Array };

/** An answer before it is written; `data` null sends an empty body. */
export class RestResponse {
  data: PhpValue;
  status: number;
  /**
   * Names as given, in the order first set; a name given again takes the new value in the old place. An
   * envelope shows numbers as such.
   */
  readonly headers = new Map<string, string | number>();
  readonly links = new Map<string, Link[]>();
  raw: RawBody | null = null;

  constructor(
    data: PhpValue = null,
    status = 200,
    headers: Iterable<readonly [string, string | number]> = [],
  ) {
    this.data = data;
    this.status = status;
    for (const [name, value] of headers) this.header(name, value);
  }

  header(name: string, value: string | number): this {
    this.headers.set(name, value);
    return this;
  }

  addLink(rel: string, href: string, attributes: Readonly<Record<string, PhpValue>> = {}): this {
    const links = this.links.get(rel);
    if (links === undefined) this.links.set(rel, [{ href, attributes }]);
    else links.push({ href, attributes });
    return this;
  }

  /** Adds to the header `Link`, where a list says which page is next and which was before. */
  linkHeader(rel: string, href: string): this {
    const before = this.headers.get('Link');
    const link = `<${href}>; rel="${rel}"`;
    return this.header('Link', before === undefined ? link : `${before}, ${link}`);
  }

  isError(): boolean {
    return this.status >= 400;
  }
}

import type { PhpValue } from '../php/values.ts';

export type Link = { readonly href: string; readonly attributes: Readonly<Record<string, PhpValue>> };

export type RawBody = { readonly contentType: string; readonly bytes: Uint8Array };

export class RestResponse {
  data: PhpValue;
  status: number;
  /** A repeated name takes the new value at the old position. `_envelope` shows numbers as numbers. */
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

  linkHeader(rel: string, href: string): this {
    const before = this.headers.get('Link');
    const link = `<${href}>; rel="${rel}"`;
    return this.header('Link', before === undefined ? link : `${before}, ${link}`);
  }

  isError(): boolean {
    return this.status >= 400;
  }
}

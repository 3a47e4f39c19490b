// Style sheet, script and icon of the pages (src/web/assets/), with content hashes in their names.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { RequestHandler } from 'express';

const folder = join(import.meta.dirname, '..', '..', 'web', 'assets');
const sourceFiles = {
  css: [
    ...['base', 'shell', 'controls', 'layout', 'tables', 'plots', 'stack', 'uptime'],
    ...['search', 'forms', 'issue', 'narrow'],
  ].map((n) => `css/${n}.css`),
  js: ['page', 'keys', 'select', 'search', 'live', 'passkey', 'push'].map((name) => `js/${name}.js`),
  icon: ['favicon.svg'],
  worker: ['push-worker.js'],
} as const;
const contentTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  icon: 'image/svg+xml',
  worker: 'text/javascript; charset=utf-8',
} as const;

type Kind = keyof typeof sourceFiles;

interface Asset {
  readonly contentType: string;
  readonly hash: string;
  readonly plain: Buffer;
  /** Of a service worker, whose address does not change. */
  readonly scope?: string;
}

const compressors = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, { params: { [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
  gzip: (plain: Buffer) => promisify(gzip)(plain, { level: zlib.Z_BEST_COMPRESSION }),
} as const;
const encodings = ['br', 'gzip'] as const;

type Encoding = (typeof encodings)[number];

/** Compressed on first use, by hash and encoding, since it would be a third of the start time. */
const compressed = new Map<string, Promise<Buffer>>();

export interface Assets {
  readonly addresses: Readonly<Record<Exclude<Kind, 'worker'>, string>>;
  readonly serve: RequestHandler;
}

/** `base` is empty or `/folder`. Throws if a file is missing. */
export function createAssets(base: string): Assets {
  const byPath = new Map<string, Asset>();
  const address = (kind: Kind, name: string, extension: string): string => {
    const text = sourceFiles[kind].map((part) => readFileSync(join(folder, part), 'utf8')).join('\n');
    const plain = Buffer.from(
      kind === 'css'
        ? withoutComments(text)
        : kind === 'js' || kind === 'worker'
          ? withoutCommentLines(text)
          : text,
    );
    const hash = createHash('sha256').update(plain).digest('hex').slice(0, 12);
    // Browsers look at the address of a service worker for its next version.
    const path = `${base}/assets/${name}.${kind === 'worker' ? '' : `${hash}.`}${extension}`;
    byPath.set(path, {
      contentType: contentTypes[kind],
      hash,
      plain,
      ...(kind === 'worker' ? { scope: `${base}/` } : {}),
    });
    return path;
  };
  address('worker', 'push-worker', 'js');
  const addresses = {
    css: address('css', 'notifier', 'css'),
    js: address('js', 'notifier', 'js'),
    icon: address('icon', 'favicon', 'svg'),
  };
  return { addresses, serve: serveFrom(byPath) };
}

/** Lines that are a comment alone; no text of ours begins a line like one. */
function withoutCommentLines(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/.*|\/\*\*.*\*\/)\n/gm, '');
}

function compressedBy(encoding: Encoding, { hash, plain }: Asset): Promise<Buffer> {
  const name = `${hash}-${encoding}`;
  const known = compressed.get(name);
  if (known !== undefined) return known;
  const bytes = compressors[encoding](plain);
  compressed.set(name, bytes);
  // Retried on the next request, e.g. after a lack of memory.
  bytes.catch(() => compressed.delete(name));
  return bytes;
}

function serveFrom(byPath: ReadonlyMap<string, Asset>): RequestHandler {
  return async (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?');
    const asset = byPath.get(path);
    if (asset === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    // All other names hold the content's hash.
    const { scope } = asset;
    response.set('Cache-Control', scope === undefined ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (scope !== undefined) response.set('Service-Worker-Allowed', scope);
    response.set('Content-Type', asset.contentType).set('X-Content-Type-Options', 'nosniff');
    response.vary('Accept-Encoding');
    const encoding = encodings.find((each) => request.acceptsEncodings(each) === each);
    response.set('ETag', `"${asset.hash}-${encoding ?? 'plain'}"`);
    if (request.fresh) return void response.status(304).end();
    const bytes = encoding === undefined ? asset.plain : await compressedBy(encoding, asset);
    if (encoding !== undefined) response.set('Content-Encoding', encoding);
    response.set('Content-Length', String(bytes.length));
    response.status(200).end(request.method === 'HEAD' ? undefined : bytes);
  };
}

function withoutComments(css: string): string {
  return css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n\s*/g, '\n');
}

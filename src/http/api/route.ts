// What a route is, and what its handler is given. The engine runs the table; handlers parse, act, answer.

import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Json } from '../../../schemas/event.ts';
import type { HeavyRequest } from '../../core/ports/heavy-reader.ts';
import type { KeyScope, Project, ProjectKey } from '../../core/store/projects.ts';
import type { Quota } from '../limits/envelope-quota.ts';
import type { LimitName } from '../limits/limit-names.ts';

/**
 * `public`: X-Notifier-Key. `event`: that or a form of the Sentry protocol. `secret`: the bearer key (D-15).
 */
export type Credential = 'public' | 'event' | 'secret';

/**
 * `json`: parameters as WordPress reads them. `bytes`: JSON whatever the Content-Type says, since SDKs and
 * beacons send `text/plain` or none; JSON objects become parameters, other bodies stay bytes. `event`: the
 * same, and broken text is replaced, because an event that is refused is lost. `stream`: the handler reads
 * `request.incoming` itself.
 */
export type BodyKind = 'json' | 'bytes' | 'event' | 'stream';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * WordPress path below the namespace; `{id}` stands for `(?P<id>[\w-]+)`, `{id:\d+}` names another pattern.
   */
  readonly path: string;
  readonly credential: Credential;
  /** What the key must be allowed to do: without it the answer is 403 (D-179). */
  readonly scope: KeyScope;
  readonly limit: LimitName | null;
  /**
   * The single source of the route's arguments: described for OPTIONS and the index, validated, coerced, then
   * parsed by Zod.
   */
  readonly schema?: z.ZodObject;
  readonly body?: BodyKind;
  /**
   * The handler has a heavy body read itself, from `request.bodyAside`; parameters of it are there for other
   * routes alone. `any`: so it has one that is not heavy, if many wait to be read here (D-237).
   */
  readonly readsAside?: 'heavy' | 'any';
  /** Bytes as sent, and bytes once inflated; both default to 1 MiB. */
  readonly bodyBytesMax?: number;
  readonly inflatedBytesMax?: number;
  /** The body may be base64 of JSON, deflated by zlib or plain, as the oldest Sentry clients send it. */
  readonly takesBase64?: boolean;
  /**
   * An argument that the route does not know is 400, because ignoring it would change what is watched or who
   * is notified. Routes to which events and reports are sent ignore it, as WordPress does.
   */
  readonly refusesUnknown?: boolean;
  readonly handler: Handler;
  /** True for routes of other protocols (Sentry's): they run, and are not described in the index. */
  readonly hidden?: boolean;
  /** True for the addresses of the Sentry protocol: there a body that is too large is 413 (D-16). */
  readonly isOfSentryProtocol?: boolean;
  /** The handler itself charges `request.quota`, once it has seen what the body holds (D-20). */
  readonly limitedByHandler?: boolean;
}

/** A route whose address is all the credential that there is: limited by address, and described nowhere. */
export interface OpenRoute {
  readonly methods: ReadonlyArray<Route['method']>;
  readonly path: string;
  /** Given what stands in the places of the path, and how to read so many bytes of what a POST brings. */
  handler(
    path: Readonly<Record<string, string>>,
    beginningOfBody: (bytesMax: number) => Promise<Buffer>,
  ): Promise<ApiResponse>;
}

export type Handler = (request: ApiRequest) => Promise<ApiResponse>;

export interface ApiRequest {
  readonly project: Project;
  readonly key: ProjectKey;
  readonly method: string;
  /** Path parameters as matched. */
  readonly path: Readonly<Record<string, string>>;
  /**
   * All parameters merged as WordPress merges them, validated and coerced, as plain JavaScript values.
   * Prototype-free.
   */
  readonly params: Readonly<Record<string, Json>>;
  /** Where broken text of a body of the kind `event` was replaced; for one that is aside its reader tells. */
  readonly replacedAt: readonly string[];
  /** Query parameters alone, plain values. */
  readonly query: Readonly<Record<string, Json>>;
  /** Files of a multipart body, by field name. */
  readonly files: readonly UploadedFile[];
  /** The last value of a header, by any case, or undefined. */
  header(name: string): string | undefined;
  /**
   * A body that is not read here, for a route that `readsAside`; `params` hold nothing of it. Null
   * otherwise.
   */
  readonly bodyAside: HeavyRequest | null;
  /** The address of the client as far as TRUST_PROXY lets it be known. */
  readonly clientAddress: string;
  readonly receivedAtMs: number;
  /** The public address of a path below the namespace, such as `/issues`. */
  restUrl(path: string): string;
  /** The limits, for a route with `limitedByHandler`; null for the others, which were charged before. */
  readonly quota: Quota | null;
  /**
   * Says on the answer, whatever it will be, that a Sentry SDK may keep these categories to itself (D-13).
   */
  holdsBack(categories: readonly string[]): void;
  /** Says that the handler counted what is lost by its refusal: nobody counts it again. */
  lossesAreCounted(): void;
  readonly incoming: IncomingMessage;
}

export interface UploadedFile {
  readonly fieldName: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface ApiResponse {
  readonly status: number;
  /** Written by the engine as PHP's json_encode would; member order is kept. */
  readonly body: unknown;
  /** In their order; a number stands as one in an envelope. */
  readonly headers?: ReadonlyArray<readonly [string, string | number]>;
  /** When set the bytes are sent as they are with this type and `body` is ignored (attachments). */
  readonly raw?: { readonly contentType: string; readonly bytes: Uint8Array; readonly filename: string };
}

type Headers = ReadonlyArray<readonly [string, string | number]>;

/** 200: a read, or a repeat that created nothing (D-11). */
export function ok(body: unknown, headers: Headers = []): ApiResponse {
  return { status: 200, body, headers };
}

/** 201: something was created (D-11). */
export function created(body: unknown, headers: Headers = []): ApiResponse {
  return { status: 201, body, headers };
}

import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Json } from '../../../schemas/event.ts';
import type { AuditSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { type OpenedUser, openUser } from '../../core/members/open-user.ts';
import type { LargeBodyRequest } from '../../core/ports/large-body-reader.ts';
import type { Member, PersonalToken, TokenScope } from '../../core/store/members.ts';
import type { KeyScope, Project, ProjectKey } from '../../core/store/projects.ts';
import type { Quota } from '../limits/envelope-quota.ts';
import type { LimitName } from '../limits/limit-store.ts';
import { parseParameters } from './parse-parameters.ts';

/** `public`: X-Notifier-Key. `event`: that or Sentry's. `secret`: bearer or token. `personal`: token only. */
export type Credential = Route['credential'];

/** `json`: as WordPress parses it. `bytes`: JSON with any Content-Type (SDKs and beacons send `text/plain` or none),
 * else bytes. `event`: that, invalid UTF-8 replaced, since a refused event is lost. `stream`: the handler reads it. */
export type BodyKind = 'json' | 'bytes' | 'event' | 'stream';

interface RouteParts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the namespace. `{id}` stands for `(?P<id>[\w-]+)`; `{id:\d+}` names another pattern. */
  readonly path: string;
  readonly scope: KeyScope;
  /** A key with this scope alone may call it too. */
  readonly alsoScope?: KeyScope & TokenScope;
  readonly limit: LimitName | null;
  readonly schema?: z.ZodObject;
  readonly body?: BodyKind;
  /** Large bodies are read in a worker, from `request.bodyInWorker`. `any`: small ones too, under load. */
  readonly readsInWorker?: 'large' | 'any';
  /** Sent and decompressed bytes; default 1 MiB. */
  readonly bodyBytesMax?: number;
  readonly inflatedBytesMax?: number;
  /** Base64 of JSON, plain or zlib, as the oldest Sentry clients send it. */
  readonly takesBase64?: boolean;
  /** Unknown arguments are 400. Not for ingestion routes, which ignore them as WordPress does. */
  readonly refusesUnknown?: boolean;
  /** For Sentry's protocol: not shown in the index. */
  readonly hidden?: boolean;
  /** Too large a body is 413 there. */
  readonly isOfSentryProtocol?: boolean;
  /** The handler charges `request.quota` after reading the body. */
  readonly limitedByHandler?: boolean;
}

export interface ProjectRoute extends RouteParts {
  readonly credential: 'public' | 'event' | 'secret';
  readonly handler: Handler;
}

/** What a person has, or what belongs to the whole workspace. */
interface PersonalRoute extends RouteParts {
  readonly credential: 'personal';
  readonly handler: (request: PersonalRequest) => Promise<ApiResponse>;
}

export type Route = ProjectRoute | PersonalRoute;

/** The path is the only credential: limited by address, and not described. */
export interface UnauthenticatedRoute {
  readonly methods: ReadonlyArray<Route['method']>;
  readonly path: string;
  /** `path` holds the path parameters; `beginningOfBody` reads up to `bytesMax` bytes of a POST. */
  handler(
    path: Readonly<Record<string, string>>,
    beginningOfBody: (bytesMax: number) => Promise<Buffer>,
    header: (name: string) => string | undefined,
  ): Promise<ApiResponse>;
}

export type Handler = (request: ApiRequest) => Promise<ApiResponse>;

/** What a row of the route table has of its handler, by what the handler depends on. */
export function handler(handle: (deps: Deps, request: ApiRequest) => Promise<ApiResponse>) {
  return (deps: Deps) => ({ handler: (request: ApiRequest) => handle(deps, request) });
}

/** The same for a route with parameters: `input` is what the schema makes of them. */
export function inputHandler<Schema extends z.ZodObject>(
  schema: Schema,
  handle: (deps: Deps, request: ApiRequest, input: z.infer<Schema>) => Promise<ApiResponse>,
) {
  return (deps: Deps) => ({
    schema,
    handler: async (request: ApiRequest) => handle(deps, request, parseParameters(schema, request)),
  });
}

/** With the member's view of the store, as the services of the pages want it. */
export type MemberRequest = PersonalRequest & OpenedUser;

export function memberHandler(handle: (request: MemberRequest) => Promise<ApiResponse>) {
  return (deps: Deps) => ({
    handler: async (request: PersonalRequest) => handle(await openMember(deps, request)),
  });
}

export function memberInputHandler<Schema extends z.ZodObject>(
  schema: Schema,
  handle: (request: MemberRequest, input: z.infer<Schema>) => Promise<ApiResponse>,
) {
  return (deps: Deps) => ({
    schema,
    async handler(request: PersonalRequest) {
      const input = parseParameters(schema, request);
      return handle(await openMember(deps, request), input);
    },
  });
}

async function openMember(deps: Deps, request: PersonalRequest): Promise<MemberRequest> {
  return { ...request, ...(await openUser(deps, request.member, request.member.name)) };
}

export interface ApiRequest extends RequestParts {
  readonly project: Project;
  readonly key: Caller['key'];
  /** Whose personal token it is; null for a key. */
  readonly member: Caller['member'];
  readonly by: AuditSource;
}

export interface PersonalRequest extends RequestParts {
  readonly key: PersonalToken;
  readonly member: Member;
  readonly by: AuditSource;
}

export interface RequestParts {
  readonly method: string;
  readonly path: Readonly<Record<string, string>>;
  /** All parameters merged, validated and converted, without prototype. */
  readonly params: Readonly<Record<string, Json>>;
  /** Where invalid UTF-8 of an `event` body was replaced; for `bodyInWorker` the worker returns it. */
  readonly replacedAt: readonly string[];
  readonly query: Readonly<Record<string, Json>>;
  readonly files: readonly UploadedFile[];
  header(name: string): string | undefined;
  /** The unread body for a route with `readsInWorker`; `params` then hold nothing of it. */
  readonly bodyInWorker: LargeBodyRequest | null;
  readonly clientAddress: string;
  readonly receivedAtMs: number;
  restUrl(path: string): string;
  /** For routes with `limitedByHandler`, else null. */
  readonly quota: Quota | null;
  /** Adds categories to X-Sentry-Rate-Limits in any answer. */
  holdsBack(categories: readonly string[]): void;
  /** The handler counted the loss of its refusal itself. */
  discardsAreCounted(): void;
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
  /** Encoded like PHP's json_encode, in member order. */
  readonly body: unknown;
  /** `_envelope` shows numbers as numbers. */
  readonly headers?: ReadonlyArray<readonly [string, string | number]>;
  /** Sent instead of `body`; with a filename as an attachment. */
  readonly raw?: { readonly contentType: string; readonly bytes: Uint8Array; readonly filename?: string };
}

type Headers = ReadonlyArray<readonly [string, string | number]>;

/** 200: a read, or a repeated write that changed nothing. */
export function ok(body: unknown, headers: Headers = []): ApiResponse {
  return { status: 200, body, headers };
}

export function created(body: unknown, headers: Headers = []): ApiResponse {
  return { status: 201, body, headers };
}

export type Caller = ProjectCaller | MemberCaller;

export type ProjectCaller = KeyCaller | TokenCaller;

export interface KeyCaller {
  readonly project: Project;
  readonly key: ProjectKey;
  readonly member: null;
}

/** A member with a personal token, and the project that the request names. */
interface TokenCaller {
  readonly project: Project;
  readonly key: PersonalToken;
  readonly member: Member;
}

/** The same on a route that is about no project. */
interface MemberCaller {
  readonly project: null;
  readonly key: PersonalToken;
  readonly member: Member;
}

/** Limits are of a key, and of a member for all their tokens together. */
export function limitIdOf({ key, member }: Caller): number {
  return member === null ? key.id : -member.id;
}

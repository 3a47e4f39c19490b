/** `required`: by the specification. `wordpress`, `decision`: a difference is only reported. */
type Severity = 'required' | 'wordpress' | 'decision';

export type BodyTemplate =
  | string
  | { readonly json: unknown }
  | { readonly repeat: string; readonly times: number }
  | { readonly base64: string };

/** Texts may have `{{placeholders}}`: of the target (`public_key` …), or captured by another request. */
export interface RequestTemplate {
  readonly name: string;
  readonly method: string;
  readonly path?: string;
  /** Path below `/wp-json`. */
  readonly apiPath?: string;
  readonly sitePath?: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: BodyTemplate;
  /** Compresses the body and adds the header. */
  readonly encoding?: 'gzip';
  /** Placeholder → members that may hold its value; the first present one counts. */
  readonly captures?: Readonly<Record<string, readonly string[]>>;
  /** From a recording: unknown `{{names}}` are plain text. */
  readonly literal?: boolean;
  readonly after?: readonly string[];
  /** Repeats requests until one is answered 429; only with `expectLimits`. */
  readonly flood?: ReadonlyArray<{ readonly request: string; readonly requestsMax: number }>;
}

/** `path`: members joined with dots; list items by index. */
export type Expectation =
  /** 2xx with a JSON object or list. */
  | { readonly is: 'success' }
  | { readonly is: 'refused' }
  /** The specification's error body, with this status and code if given. */
  | { readonly is: 'error'; readonly status?: number; readonly code?: string }
  | { readonly is: 'status'; readonly of: readonly number[] }
  | { readonly is: 'member'; readonly path: string; readonly type: MemberType }
  | { readonly is: 'equal'; readonly path: string; readonly value: unknown }
  | { readonly is: 'match'; readonly path: string; readonly pattern: string }
  | { readonly is: 'absent'; readonly path: string }
  | { readonly is: 'header'; readonly name: string; readonly value?: string; readonly pattern?: string }
  | { readonly is: 'no-header'; readonly name: string }
  | { readonly is: 'header-order'; readonly names: readonly string[] }
  | { readonly is: 'text'; readonly pattern: string }
  | { readonly is: 'empty-body' }
  | { readonly is: 'captured'; readonly name: string }
  | { readonly is: 'same-as'; readonly request: string; readonly path: string }
  | { readonly is: 'not-same-as'; readonly request: string; readonly path: string }
  /** If there is a feature flag whose name matches, it says whether `request` was accepted. */
  | { readonly is: 'switch'; readonly pattern: string; readonly request: string }
  | { readonly is: 'flags' }
  /** An object of numbers besides the flags. */
  | { readonly is: 'statistics' };

export type MemberType = 'string' | 'integer' | 'boolean' | 'object' | 'list' | 'number';

/** For all answers to requests of required checks. */
export type EveryExpectation =
  | 'success-is-json'
  | 'error-is-json'
  | 'error-has-code'
  | 'error-has-message'
  | 'error-has-status'
  | 'error-status-allowed'
  | 'json-content-type';

export interface Check {
  /** Stable; used in reports and tests. */
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly severity: Severity;
  /** Section of the specification (`4`), heading in docs/ (`WordPress: Headers`), or decision. */
  readonly section: string;
  /** Covered statements of the specification (`tests/contract/statements.ts`); at least one if required. */
  readonly statements: readonly string[];
  /** The request whose answer is judged; absent with `every`. */
  readonly request?: string;
  readonly expect?: readonly Expectation[];
  readonly every?: EveryExpectation;
  /** Judged only with `expectLimits`, else `not observed`. */
  readonly limits?: boolean;
  /** With this answer the check is skipped. */
  readonly unless?: {
    readonly status: number;
    readonly code?: string;
    readonly because: string;
    /** Skips it only if this option of the run was not given. */
    readonly withoutOption?: 'domain';
  };
}

export interface Suite {
  readonly requests: readonly RequestTemplate[];
  readonly checks: readonly Check[];
}

export type CheckVerdict =
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly reason: string }
  | { readonly result: 'differs'; readonly reason: string }
  | { readonly result: 'not-observed'; readonly reason: string };

export interface CheckResult {
  readonly check: Check;
  readonly outcome: CheckVerdict;
  readonly durationMs: number;
}

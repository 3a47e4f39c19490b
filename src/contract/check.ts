// What a check, a request and an expectation are: data, so that the suite can be listed, counted and sent
// anywhere. No sending and no judging here.

/**
 * `required`: the specification fixes it. `wordpress`: WordPress's manners. `decision`: ours, a difference is
 * information.
 */
type Severity = 'required' | 'wordpress' | 'decision';

/** A JSON value as a request body; text stands for itself, byte for byte. */
export type BodyTemplate =
  | string
  | { readonly json: unknown }
  | { readonly repeat: string; readonly times: number }
  | { readonly base64: string };

/**
 * One request, by name. Text may hold `{{placeholders}}`: those of the target (`public_key`, `secret_key`,
 * `domain` …) and those that an earlier request captured, which is then sent first.
 */
export interface RequestTemplate {
  readonly name: string;
  readonly method: string;
  /** Path below the namespace. */
  readonly path?: string;
  /** Path below `/wp-json`, for what stands beside the namespace. */
  readonly apiPath?: string;
  /** Path below the site itself, for other addresses of the same API. */
  readonly sitePath?: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: BodyTemplate;
  /** Bytes are compressed before they are sent; the header says so by itself. */
  readonly encoding?: 'gzip';
  /** Placeholder name → the members that may hold its value, the first present wins. */
  readonly captures?: Readonly<Record<string, readonly string[]>>;
  /** Recorded from elsewhere: a `{{name}}` that no target has is text like any other. */
  readonly literal?: boolean;
  /** Requests that must have been made before, whatever they answered. */
  readonly after?: readonly string[];
  /** Repeats this or the named requests until one is answered 429; sent only where limits are expected. */
  readonly flood?: ReadonlyArray<{ readonly request: string; readonly requestsMax: number }>;
}

/** What must hold of one answer. `path` is members joined with dots; list items by number. */
export type Expectation =
  /** 2xx with a JSON object or list. */
  | { readonly is: 'success' }
  /** Not 2xx: nothing was accepted. */
  | { readonly is: 'refused' }
  /** The error body of section 7, with that status and code where given. */
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
  /** A switch of that name, where there is one, says what the other request met: taken, or refused. */
  | { readonly is: 'switch'; readonly pattern: string; readonly request: string }
  /** An object of switches by name. */
  | { readonly is: 'flags' }
  /** An object of numbers by name, beside the flags. */
  | { readonly is: 'statistics' };

export type MemberType = 'string' | 'integer' | 'boolean' | 'object' | 'list' | 'number';

/** What must hold of every answer that the required checks made. */
export type EveryExpectation =
  | 'success-is-json'
  | 'error-is-json'
  | 'error-has-code'
  | 'error-has-message'
  | 'error-has-status'
  | 'error-status-allowed'
  | 'json-content-type';

export interface Check {
  /** Stable, lower case with dashes: reports and tests name it. */
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly severity: Severity;
  /**
   * Section of the specification (`4`), heading of a page of docs/ (`WordPress: Headers`), or decision
   * (`D-10`).
   */
  readonly section: string;
  /**
   * The statements of the specification that it covers (`tests/contract/statements.ts`); required checks
   * cover at least one.
   */
  readonly statements: readonly string[];
  /** Name of the request whose answer is judged; absent where `every` looks at all. */
  readonly request?: string;
  readonly expect?: readonly Expectation[];
  readonly every?: EveryExpectation;
  /** Judged only where limits are expected; `not observed` otherwise. */
  readonly limits?: boolean;
  /** With such an answer there is nothing to judge: the reason why. */
  readonly unless?: {
    readonly status: number;
    readonly code?: string;
    readonly because: string;
    /** The excuse holds only where this option of the run was not given. */
    readonly withoutOption?: 'domain';
  };
}

/** The whole suite. */
export interface Suite {
  readonly requests: readonly RequestTemplate[];
  readonly checks: readonly Check[];
}

export type Outcome =
  | { readonly result: 'passed' }
  /** Something required does not hold: the run fails. */
  | { readonly result: 'failed'; readonly reason: string }
  /** A manner or a decision differs: information. */
  | { readonly result: 'differs'; readonly reason: string }
  | { readonly result: 'not-observed'; readonly reason: string };

export interface CheckResult {
  readonly check: Check;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

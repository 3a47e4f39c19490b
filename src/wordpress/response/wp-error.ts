// Errors in WordPress's terms, and the answers they become. No wording of particular errors that a route may
// have.
import { isPhpArray, isPhpFloat, isPhpInt, memberOf, numberOf, type PhpValue } from '../php/values.ts';
import { RestResponse } from './rest-response.ts';

/**
 * An error as WordPress carries it: codes in order, each with messages and data. Thrown or returned by a
 * route's functions it becomes `{code, message, data}` with the status in `data.status`.
 */
export class WpError extends Error {
  /** Messages by code, codes in the order they came. */
  readonly messages = new Map<string, string[]>();
  /**
   * Every piece of data by code; the last one set is the code's data, the ones before are `additional_data`.
   */
  readonly data = new Map<string, PhpValue[]>();
  /** Headers to be sent with the answer. */
  readonly headers: Array<readonly [string, string]> = [];

  /**
   * An empty code makes an error that holds nothing, as in WordPress. `data` null, "" or empty counts as
   * none.
   */
  constructor(code = '', message = '', data: PhpValue = null) {
    super(message);
    this.name = 'WpError';
    if (code !== '') this.add(code, message, data);
  }

  /** Adds a message, under a new code or one that is there. */
  add(code: string, message: string, data: PhpValue = null): this {
    const messages = this.messages.get(code);
    if (messages === undefined) this.messages.set(code, [message]);
    else messages.push(message);
    if (!isNothing(data)) this.addData(data, code);
    return this;
  }

  /** Sets the data of a code (of the first one when none is named); what was there before stays beside it. */
  addData(data: PhpValue, code = this.firstCode()): this {
    const all = this.data.get(code);
    if (all === undefined) this.data.set(code, [data]);
    else all.push(data);
    return this;
  }

  firstCode(): string {
    for (const code of this.messages.keys()) return code;
    return '';
  }

  /** All messages joined by a blank, as a parameter's sentence is made of them. */
  sentence(): string {
    return [...this.messages.values()].flat().join(' ');
  }
}

/** What WordPress leaves unset where it is given as an error's data. */
function isNothing(data: PhpValue): boolean {
  if (data === null || data === '' || data === '0' || data === false) return true;
  if (isPhpInt(data) || isPhpFloat(data)) return numberOf(data) === 0;
  if (Array.isArray(data)) return data.length === 0;
  if (data instanceof Map) return data.size === 0;
  return isPhpArray(data) && Object.keys(data).length === 0;
}

/** The body of an error: code, message, data, and what came under further codes or messages. */
export function errorBody(error: WpError): PhpValue {
  const bodies: Map<string, PhpValue>[] = [];
  for (const [code, messages] of error.messages) {
    const all = error.data.get(code) ?? [];
    const earlier = all.slice(0, -1);
    for (const message of messages) {
      const body = new Map<string, PhpValue>([
        ['code', asKey(code)],
        ['message', message],
        ['data', all.at(-1) ?? null],
      ]);
      if (earlier.length > 0) body.set('additional_data', earlier);
      bodies.push(body);
    }
  }
  const [first, ...others] = bodies;
  if (first === undefined) return null;
  if (others.length > 0) first.set('additional_errors', others);
  return first;
}

/** The answer of an error: its body, and the status of the first code's data, 500 where that says none. */
export function errorResponse(error: WpError): RestResponse {
  let status = 500;
  for (const data of error.data.get(error.firstCode()) ?? []) {
    const said = isPhpArray(data) ? memberOf(data, 'status') : undefined;
    if (said !== undefined && said !== null) status = statusOf(said);
  }
  return new RestResponse(errorBody(error), status, error.headers);
}

/**
 * A status as WordPress reads one: any number or numeric string, without sign and fraction; words are no
 * status.
 */
function statusOf(said: PhpValue): number {
  if (isPhpInt(said) || isPhpFloat(said)) return Math.abs(Math.trunc(numberOf(said)));
  if (
    typeof said === 'string' &&
    /^[ \t\n\r\v\f]*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i.test(said)
  ) {
    return Math.abs(Math.trunc(Number(said.trim())));
  }
  return 500;
}

/** Codes that PHP would keep as integer keys come out as integers. */
function asKey(code: string): PhpValue {
  return /^(?:0|-?[1-9][0-9]{0,15})$/.test(code) ? Number(code) : code;
}

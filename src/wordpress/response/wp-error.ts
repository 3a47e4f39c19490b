import { isFalsy, isNumeric, toFloat } from '../php/casts.ts';
import { getMember, isPhpArray, type PhpValue } from '../php/values.ts';
import { RestResponse } from './rest-response.ts';

/** Thrown or returned by a handler it becomes `{code, message, data}`, with the status of `data`. */
export class WpError extends Error {
  readonly messages = new Map<string, string[]>();
  /** By code. The last one is the code's data, earlier ones are `additional_data`. */
  readonly data = new Map<string, PhpValue[]>();
  readonly headers: Array<readonly [string, string]> = [];

  /** An empty code makes an empty error, as in WordPress. Empty data counts as none. */
  constructor(code = '', message = '', data: PhpValue = null) {
    super(message);
    this.name = 'WpError';
    if (code !== '') this.add(code, message, data);
  }

  add(code: string, message: string, data: PhpValue = null): this {
    const messages = this.messages.get(code);
    if (messages === undefined) this.messages.set(code, [message]);
    else messages.push(message);
    if (!isFalsy(data)) this.addData(data, code);
    return this;
  }

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

  /** All messages joined, as WordPress does for a parameter's message. */
  sentence(): string {
    return [...this.messages.values()].flat().join(' ');
  }
}

export function toErrorBody(error: WpError): PhpValue {
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

/** Status from the first code's data, else 500. */
export function toErrorResponse(error: WpError): RestResponse {
  let status = 500;
  for (const data of error.data.get(error.firstCode()) ?? []) {
    const dataStatus = isPhpArray(data) ? getMember(data, 'status') : undefined;
    if (dataStatus !== undefined && dataStatus !== null) status = statusOf(dataStatus);
  }
  return new RestResponse(toErrorBody(error), status, error.headers);
}

/** PHP's absint of a numeric value; other strings are ignored. */
function statusOf(value: PhpValue): number {
  return isNumeric(value) ? Math.abs(Math.trunc(toFloat(value))) : 500;
}

/** Codes that PHP would keep as integer keys come out as integers. */
function asKey(code: string): PhpValue {
  return /^(?:0|-?[1-9][0-9]{0,15})$/.test(code) ? Number(code) : code;
}

// The bytes of a body given to its request, by the policy of its route. Reading them from the network is
// read-body.ts.

import { type BodyPolicy, isOfBytes } from './body-policy.ts';
import { type FormBody, type FormLimits, type FormSource, readForm } from './form-body.ts';
import type { RestRequest } from './rest-request.ts';

/**
 * Gives a request its body: JSON whatever its type says (the policies of bytes), or what PHP and WordPress
 * make of it.
 */
export function takeBytes(
  request: RestRequest,
  source: FormSource,
  bytes: Buffer,
  policy: BodyPolicy,
  limits: FormLimits,
): void {
  if (isOfBytes(policy) && !isForm(request, bytes)) request.setBody(bytes, policy);
  else takeForm(request, readForm(source, bytes, limits));
}

/** Gives a request what PHP read of its body. */
export function takeForm(request: RestRequest, body: FormBody): void {
  request.setBody(body.bytes);
  if (body.form !== null) request.parameters.POST = new Map(body.form);
  request.fileParams = body.fileParams;
  request.files = body.files;
}

const openBrace = 0x7b;
const openBracket = 0x5b;

/**
 * Whether bytes are a form: a form's Content-Type, and a body that begins like neither an object nor a list.
 */
function isForm(request: RestRequest, bytes: Buffer): boolean {
  const type = request.contentType()?.value;
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') return false;
  return bytes[0] !== openBrace && bytes[0] !== openBracket;
}

import { replacedAtMax } from '../php/json-tokens.ts';
import { replaceInvalidUtf8 } from '../php/strings.ts';
import type { PhpValue } from '../php/values.ts';
import { type BodyPolicy, isBytePolicy } from './body-policy.ts';
import { type FormBody, type FormLimits, type FormSource, readForm } from './form-body.ts';
import type { RestRequest } from './rest-request.ts';

export function setBodyFromBytes(
  request: RestRequest,
  source: FormSource,
  bytes: Buffer,
  policy: BodyPolicy,
  limits: FormLimits,
): void {
  if (isBytePolicy(policy) && !isForm(request, bytes)) request.setBody(bytes, policy);
  else setBodyFromForm(request, readForm(source, bytes, limits), policy);
}

/** Sets what PHP parsed. With `lenient-bytes`, invalid UTF-8 is replaced and recorded in `replacedAt`. */
export function setBodyFromForm(
  request: RestRequest,
  body: FormBody,
  policy: BodyPolicy = 'wordpress',
): void {
  request.setBody(body.bytes);
  if (body.form !== null) {
    const form = new Map(body.form);
    const paths = new Set<string>();
    const isLenient = policy === 'lenient-bytes';
    request.parameters.POST = isLenient ? withoutBadBytes(form, '', paths) : form;
    request.replacedAt = [...paths].slice(0, replacedAtMax);
  }
  request.fileParams = body.fileParams;
  request.files = body.files;
}

/** Replaces invalid UTF-8 with U+FFFD. `paths` collects the paths; for a name, that of its container. */
function withoutBadBytes(
  form: ReadonlyMap<string, PhpValue>,
  path: string,
  paths: Set<string>,
): Map<string, PhpValue> {
  const clean = (text: string, at: string): string => {
    if (!text.isWellFormed()) paths.add(at);
    return replaceInvalidUtf8(text, '\ufffd');
  };
  const within = (value: PhpValue, at: string): PhpValue => {
    if (typeof value === 'string') return clean(value, at);
    if (Array.isArray(value)) return value.map((each, index) => within(each, `${at}.${index}`));
    return value instanceof Map ? withoutBadBytes(value, at, paths) : value;
  };
  return new Map(
    [...form].map(([sent, value]) => {
      const name = clean(sent, path);
      return [name, within(value, path === '' ? name : `${path}.${name}`)];
    }),
  );
}

const openBrace = 0x7b;
const openBracket = 0x5b;

function isForm(request: RestRequest, bytes: Buffer): boolean {
  const type = request.contentType()?.value;
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') return false;
  return bytes[0] !== openBrace && bytes[0] !== openBracket;
}

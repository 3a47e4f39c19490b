import type { IncomingMessage } from 'node:http';
import { PageError } from '../../core/page-models/request-context.ts';
import { readRequestBody } from '../bodies/read-body.ts';

/** Enough for a comment of 20,000 characters, percent-encoded. */
const formBytesMax = 256 * 1024;
const fieldsMax = 1_000;

/** Throws PageError for other content, and as `readRequestBody` does. */
export async function readPostedForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const [type = ''] = (incoming.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new PageError(415, 'Invalid form', 'Forms must be sent as application/x-www-form-urlencoded.');
  }
  const bytes = await readRequestBody(incoming, {
    sentBytesMax: formBytesMax,
    inflatedBytesMax: formBytesMax,
  });
  const form = new URLSearchParams(bytes.toString('utf8'));
  if (form.size > fieldsMax) {
    throw new PageError(400, 'Invalid input', `A form may have at most ${fieldsMax} fields.`);
  }
  return form;
}

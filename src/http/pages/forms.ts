// What a browser sends when a form is posted: read whole within limits, as fields.
import type { IncomingMessage } from 'node:http';
import { PageRefusal } from '../../core/workspace/visit.ts';
import { readRequestBody } from '../bodies/body-bytes.ts';

/** A comment of 20,000 characters, percent-encoded. */
const formBytesMax = 256 * 1024;
const fieldsMax = 1_000;

/** The fields of a posted form. Throws PageRefusal for what is none, and as `readRequestBody` does. */
export async function readPostedForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const [type = ''] = (incoming.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new PageRefusal(
      415,
      'That cannot be read',
      'A form of these pages is sent as application/x-www-form-urlencoded.',
    );
  }
  const bytes = await readRequestBody(incoming, {
    sentBytesMax: formBytesMax,
    inflatedBytesMax: formBytesMax,
  });
  const form = new URLSearchParams(bytes.toString('utf8'));
  if (form.size > fieldsMax) {
    throw new PageRefusal(400, 'That cannot be done', `A form has at most ${fieldsMax} fields.`);
  }
  return form;
}

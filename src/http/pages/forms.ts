import type { IncomingMessage } from 'node:http';
import { PageError } from '../../core/page-models/request-context.ts';
import { readRequestBody } from '../bodies/read-body.ts';

/** Enough for a comment of 20,000 characters, percent-encoded. */
const formBytesMax = 256 * 1024;
const fieldsMax = 1_000;

/** A file is a data: URL; without one the field is left out. Throws PageError, and as `readRequestBody` does. */
export async function readPostedForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const contentType = incoming.headers['content-type'] ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data') {
    throw new PageError(
      415,
      'Invalid form',
      'Forms must be sent as application/x-www-form-urlencoded or multipart/form-data.',
    );
  }
  const bytes = await readRequestBody(incoming, {
    sentBytesMax: formBytesMax,
    inflatedBytesMax: formBytesMax,
  });
  const form =
    type === 'multipart/form-data'
      ? await readMultipart(bytes, contentType)
      : new URLSearchParams(bytes.toString('utf8'));
  if (form.size > fieldsMax) {
    throw new PageError(400, 'Invalid input', `A form may have at most ${fieldsMax} fields.`);
  }
  return form;
}

async function readMultipart(bytes: Buffer, contentType: string): Promise<URLSearchParams> {
  const sent = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch(() => null);
  if (sent === null) throw new PageError(400, 'Invalid form', 'The form is not valid multipart/form-data.');
  const form = new URLSearchParams();
  for (const [name, value] of sent) {
    if (typeof value === 'string') form.append(name, value);
    else if (value.size > 0) {
      const base64 = Buffer.from(await value.arrayBuffer()).toString('base64');
      form.append(name, `data:application/octet-stream;base64,${base64}`);
    }
  }
  return form;
}

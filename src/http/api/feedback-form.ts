// A bug report as it comes in a form: which files are screenshots, which texts are JSON. In place and in a
// thread alike.
import { feedbackRequest } from '../../../schemas/feedback.ts';
import type { SentFile } from '../../core/feedback/screenshots.ts';
import { listOf } from '../../core/reading/lenient.ts';
import { readPlainJson } from '../../wordpress/php/json-plain.ts';
import { givenParams } from './given-params.ts';
import { parseBody } from './parse-body.ts';
import type { ApiRequest, UploadedFile } from './route.ts';

/** Fields of objects and lists, which a form can only send as JSON text. */
const jsonFields: ReadonlySet<string> = new Set(['viewport', 'console', 'tags', 'metadata', 'screenshots']);
const listFields: ReadonlySet<string> = new Set(['console', 'screenshots']);
const jsonDepthMax = 100;
/** Values of one field that are made at most. */
const valuesMax = 200_000;
/** What the schema is shown instead of a text that is no JSON, whatever its size. */
const noJson = '{';

/** Files of a multipart report that are screenshots, by the name of their field. */
const screenshotFields = /^screenshots?(\[\d{0,2}\])?$/;

/** The report in a request's parameters. Throws 400 for what does not fit. */
export function parseFeedback(request: Pick<ApiRequest, 'params'>): ReturnType<typeof feedbackRequest.parse> {
  const { params } = givenParams(request);
  const read: ApiRequest['params'] = Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const field = jsonFields.has(name) ? readField(value) : value;
      // PHP writes a list with gaps as an object.
      const list = listFields.has(name) ? listOf(field) : null;
      return [name, (list as typeof field | null) ?? field];
    }),
  );
  return parseBody(feedbackRequest, { params: read });
}

export function screenshotsOf(files: readonly UploadedFile[]): SentFile[] {
  return files.filter((file) => screenshotFields.test(file.fieldName));
}

/** With the one reader of JSON, so that a number is the same in a form. */
function readField(value: ApiRequest['params'][string]): ApiRequest['params'][string] {
  if (typeof value !== 'string') return value;
  const read = readPlainJson(Buffer.from(value), { depthMax: jsonDepthMax, valuesMax });
  return read.ok ? read.value : noJson;
}

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

interface ReadFeedback {
  readonly report: ReturnType<typeof feedbackRequest.parse>;
  /** Where broken text was replaced: of the body, and of JSON in a field of a form. */
  readonly replacedAt: readonly string[];
}

/** The report in a request's parameters. Throws 400 for what does not fit. */
export function parseFeedback(request: Pick<ApiRequest, 'params' | 'replacedAt'>): ReadFeedback {
  const { params } = givenParams(request);
  const replacedAt = [...request.replacedAt];
  const read: ApiRequest['params'] = Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const json = jsonFields.has(name) && typeof value === 'string' ? readField(value) : null;
      if (json?.ok === true && json.replacedAt.length > 0) replacedAt.push(name);
      const field = json === null ? value : json.ok ? json.value : noJson;
      // PHP writes a list with gaps as an object.
      const list = listFields.has(name) ? listOf(field) : null;
      return [name, (list as typeof field | null) ?? field];
    }),
  );
  return { report: parseBody(feedbackRequest, { params: read }), replacedAt };
}

export function screenshotsOf(files: readonly UploadedFile[]): SentFile[] {
  return files.filter((file) => screenshotFields.test(file.fieldName));
}

/** With the one reader of JSON, so that a number and broken text are the same in a form. */
function readField(text: string): ReturnType<typeof readPlainJson> {
  return readPlainJson(Buffer.from(text), { depthMax: jsonDepthMax, valuesMax, isLenient: true });
}

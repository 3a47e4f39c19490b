// Reads a bug report from a form: screenshots from files, JSON from text fields. Runs in workers too.
import { feedbackRequest } from '../../../schemas/feedback.ts';
import type { FeedbackFile } from '../../core/feedback/screenshots.ts';
import { toArray } from '../../core/parsing/unknown-values.ts';
import { readPlainJson } from '../../wordpress/php/json-decode.ts';
import { dropBlankParams, parseParameters } from './parse-parameters.ts';
import type { ApiRequest, UploadedFile } from './route.ts';

/** A form can send these only as JSON text. */
const jsonFields: ReadonlySet<string> = new Set(['viewport', 'console', 'tags', 'metadata', 'screenshots']);
const listFields: ReadonlySet<string> = new Set(['console', 'screenshots']);
const jsonDepthMax = 100;
const valuesMax = 200_000;
/** Stands for text that is not JSON in the schema check. */
const noJson = '{';

const screenshotFields = /^screenshots?(\[\d{0,2}\])?$/;

interface ReadFeedback {
  readonly report: ReturnType<typeof feedbackRequest.parse>;
  /** Where invalid UTF-8 was replaced, in the body or in a JSON field. */
  readonly replacedAt: readonly string[];
}

/** Throws 400. */
export function parseFeedback(request: Pick<ApiRequest, 'params' | 'replacedAt'>): ReadFeedback {
  const { params } = dropBlankParams(request);
  const replacedAt = [...request.replacedAt];
  const read: ApiRequest['params'] = Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const json = jsonFields.has(name) && typeof value === 'string' ? readField(value) : null;
      if (json?.ok === true && json.replacedAt.length > 0) replacedAt.push(name);
      const field = json === null ? value : json.ok ? json.value : noJson;
      // PHP encodes a list with gaps as an object.
      const list = listFields.has(name) ? toArray(field) : null;
      return [name, (list as typeof field | null) ?? field];
    }),
  );
  return { report: parseParameters(feedbackRequest, { params: read }), replacedAt };
}

export function screenshotsOf(files: readonly UploadedFile[]): FeedbackFile[] {
  return files.filter((file) => screenshotFields.test(file.fieldName));
}

/** The same JSON reader as for bodies, so that numbers and invalid text behave the same. */
function readField(text: string): ReturnType<typeof readPlainJson> {
  return readPlainJson(Buffer.from(text), { depthMax: jsonDepthMax, valuesMax, isLenient: true });
}

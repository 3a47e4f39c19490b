// Reads the body of POST /test-runs. Light bodies in place; heavy ones and compressed ones in a thread, so
// that the loop goes on turning and a report that needs too much memory costs that thread its life and
// nothing else.
import type { IncomingMessage } from 'node:http';
import type { ReadUpload, ReportReader } from '../../../core/ports/report-reader.ts';
import { isHeavy } from '../../../core/reading/json-weight.ts';
import type { ScrubbedProject } from '../../../core/store/projects.ts';
import { withSentBytes } from '../../bodies/body-bytes.ts';
import { lifeOf } from '../../bodies/body-life.ts';
import { type Encoding, encodingOf } from '../../bodies/encodings.ts';
import { letGo } from '../../bodies/let-go.ts';
import { contextOfQuery } from './form-context.ts';
import { readUpload, type UploadBytes } from './read-upload.ts';

/** D-18. */
const testRunSentBytesMax = 10 * 1024 * 1024;
const testRunInflatedBytesMax = 50 * 1024 * 1024;

/**
 * The report in a request's body. Without a reader of `deps` all is read in place. Rejects with 400 for what
 * cannot be read, with 429 where too many wait.
 */
export async function readTestReport(
  deps: { readonly reports?: ReportReader },
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  project: ScrubbedProject,
): Promise<ReadUpload> {
  const encoding = encodingOf(incoming.headers['content-encoding']);
  return withSentBytes(incoming, testRunSentBytesMax, (sent) => {
    const upload = uploadOf(incoming, query, sent, encoding, project);
    if (deps.reports === undefined || (encoding === 'identity' && !isHeavy(sent))) return readUpload(upload);
    // Plain bytes may be somebody's who read them before us.
    const used = encoding === 'identity' ? () => {} : () => letGo(sent);
    return deps.reports.readUpload(upload, lifeOf(incoming)).finally(used);
  });
}

function uploadOf(
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  bytes: Buffer,
  encoding: Encoding,
  { scrubFields, storeIpAddresses }: ScrubbedProject,
): UploadBytes {
  return {
    bytes,
    encoding,
    contentType: incoming.headers['content-type'] ?? '',
    inflatedBytesMax: testRunInflatedBytesMax,
    query: contextOfQuery(query),
    project: { scrubFields, storeIpAddresses },
  };
}

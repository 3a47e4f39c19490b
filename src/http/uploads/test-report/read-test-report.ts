// Body of POST /test-runs. Large and compressed ones are read in a worker, which protects the event loop and
// contains memory exhaustion.
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

const testRunSentBytesMax = 10 * 1024 * 1024;
const testRunInflatedBytesMax = 50 * 1024 * 1024;

/** Rejects with 400 for an invalid report, 429 when too many wait. */
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
    // Uncompressed bytes may still be used by a body parser.
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

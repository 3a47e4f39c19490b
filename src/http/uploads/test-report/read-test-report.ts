import type { IncomingMessage } from 'node:http';
import { isLargeJson } from '../../../core/parsing/item-json.ts';
import type { ParsedUpload, TestReportReader } from '../../../core/ports/test-report-reader.ts';
import type { ProjectScrubSettings } from '../../../core/store/projects.ts';
import { getBodyState } from '../../bodies/body-state.ts';
import { type Encoding, parseContentEncoding } from '../../bodies/decoders.ts';
import { freeBuffer } from '../../bodies/free-buffer.ts';
import { withSentBytes } from '../../bodies/read-body.ts';
import { contextOfQuery } from './form-context.ts';
import { readUpload, type UploadBytes } from './read-upload.ts';

const testRunSentBytesMax = 10 * 1024 * 1024;
const testRunInflatedBytesMax = 50 * 1024 * 1024;

/** Large and compressed reports are read in a worker. Throws 400 for an invalid one, 429 if too many wait. */
export async function readTestReport(
  deps: { readonly reports: TestReportReader },
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  project: ProjectScrubSettings,
): Promise<ParsedUpload> {
  const encoding = parseContentEncoding(incoming.headers['content-encoding']);
  return withSentBytes(incoming, testRunSentBytesMax, (sent) => {
    const upload = uploadOf(incoming, query, sent, encoding, project);
    if (encoding === 'identity' && !isLargeJson(sent)) return readUpload(upload);
    // Uncompressed bytes may still be used by a body parser.
    const used = encoding === 'identity' ? () => {} : () => freeBuffer(sent);
    return deps.reports.readUpload(upload, getBodyState(incoming)).finally(used);
  });
}

function uploadOf(
  incoming: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  bytes: Buffer,
  encoding: Encoding,
  { scrubFields, storeIpAddresses }: ProjectScrubSettings,
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

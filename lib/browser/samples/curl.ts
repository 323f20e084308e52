import { formatJson } from '../json-format';
import { quoteShell } from './quote-shell';
import { type SampledRequest, sampleHeaders } from './sample';

/** Formats the request as one curl command for a POSIX shell. */
export function curlSample(request: SampledRequest): string {
  const headers = sampleHeaders(request).map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`);
  return [
    `curl ${quoteShell(request.url)}`,
    ...headers,
    `  -d ${quoteShell(formatJson(request.document, { marginColumns: 2 }))}`,
  ].join(' \\\n');
}

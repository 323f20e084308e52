import { formatJson } from '../json-format';
import { type SampledRequest, sampleHeaders } from './sample';

/** The request as one curl command for a POSIX shell. */
export function curlSample(request: SampledRequest): string {
  const headers = sampleHeaders(request).map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`);
  return [`curl ${quoteShell(request.url)}`, ...headers, `  -d ${quoteShell(formatJson(request.document))}`].join(' \\\n');
}

/** Single quotes take everything literally but the single quote itself (POSIX, Shell Command Language 2.2.2). */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
